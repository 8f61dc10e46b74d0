# report: file names, formats, what is printed, and what is refused
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

sim() {
    run sweep --quiet --engine sim --engine-options "virtual=1,iops=3500,vm_bw=64M/s,lat=900us" \
        --dev /dev/sim0 --size 64G --seed 7 --bs 4k,64k,1M --iodepth 1,4,16 --runtime 2s \
        --ramp 100ms "$@"
    expect_rc 0
}

run report
expect_rc 6 # there is no store yet
sim --name first
sim --name second --rw randwrite --allow-write

# the latest run, into a file that is named after it
run report
expect_rc 0
expect_in "$out" "Random writes level off at 3,500 IOPS and 64.0 MiB/s"
expect_in "$out" "no known cap explains either."
expect_in "$out" "blkmatrix-report-2.html"
[ -s blkmatrix-report-2.html ] || fail "the report is expected"
expect_in blkmatrix-report-2.html "<h1>Random writes level off at 3,500 IOPS and 64.0 MiB/s</h1>"
expect_in blkmatrix-report-2.html "blkmatrix report 2 -o blkmatrix-report-2.html"

# quiet: only the path; the same bytes again, in any locale
cp blkmatrix-report-2.html before.html
run report --quiet
[ "$(cat "$out")" = blkmatrix-report-2.html ] || fail "only the path is expected"
cmp -s before.html blkmatrix-report-2.html || fail "the same bytes are expected"

# formats: by suffix, by option, the option wins
run report first -o cells.csv
expect_in cells.csv "load,devices,direction,"
[ "$(wc -l <cells.csv)" = 10 ] || fail "a heading and nine cells are expected"
run report first -o report.md
expect_in report.md "# Random reads level off"
run report first -o x.html --format json
expect_in x.html '"verdict"'
run report first --format md
expect_in "$out" "## All cells"
run report first --format html -o -
expect_in "$out" "<!doctype html>"
run report first --format table
expect_in "$out" "Limited by"
run report first --format table -o x.txt
expect_rc 2
[ ! -e x.txt ] || fail "nothing is expected to be written"

# JSON follows its schema
run report first --format json
expect_rc 0
python3 - "$out" "$SOURCE_DIR/schemas/json/report.schema.json" <<'PY' || fail "JSON and schema agree"
import json, sys
import jsonschema
report, schema = (json.load(open(p)) for p in sys.argv[1:])
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(report)
assert len(report["cells"]) == 9 and report["run"]["id"] == 1
assert report["cells"][0]["rwmixread"] is None
PY

# several runs are one matrix
run report first second -o both.html
expect_rc 0
expect_in "$out" "Random reads and random writes level off"
expect_in both.html "blkmatrix report 1 2 -o both.html"
run report 1 1 --format csv
[ "$(wc -l <"$out")" = 10 ] || fail "a run named twice is there once"

# what is refused, and what cannot be
run report nosuchrun
expect_rc 2
expect_in "$err" "nosuchrun"
mkdir folder
run report first -o folder
expect_rc 2
expect_in "$err" "is a folder"
run report first -o folder/none/x.html
expect_rc 2
run report first -o folder/x.gif
expect_rc 2
expect_in "$err" "cannot tell the kind of report from the name folder/x.gif"
run report first -o folder/x
expect_rc 2
run report first -o /dev/full
expect_rc 4
expect_in "$err" "No space left"
[ -z "$(ls folder)" ] || fail "nothing is expected to be left behind"
run list --format html
expect_rc 2
expect_in "$err" "report"

# names that a shell or a browser would act on
run report first -o "it's \$(here) <b>.html"
expect_rc 0
expect_in "it's \$(here) <b>.html" "-o 'it'\\''s \$(here) &lt;b&gt;.html'"

# sentences fill the width of a terminal, and no more
on_terminal 72 dumb report first --format table
expect_rc 0
[ "$(tr -d '\r' <"$out" | wc -L)" -le 72 ] || fail "wider than the terminal"
