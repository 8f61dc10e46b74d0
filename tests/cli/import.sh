#!/bin/bash
# import: files, folders, standard input; broken files; the same again; dry run; JSON.
. "$(dirname "$0")/lib.sh"
data=$SOURCE_DIR/tests/data/import/fio-json

count() { "$BLKMATRIX" list --format json | python3 -c 'import json, sys
runs = json.load(sys.stdin)
print(len(runs), sum(r["cells"] for r in runs))'; }

# a folder: the good ones are kept, the broken one is named with its place, other files are passed over
mkdir -p in/deep/.hidden
cp "$data"/d0[1-4]*.json "$data"/l24-truncated.json in/
cp "$data"/d20*.json in/deep/
cp "$data"/d21*.json in/deep/.hidden/
echo 'nothing of interest' >in/notes.txt
ln -s .. in/deep/loop
run import in --label release=6.8 --label site=a=b
expect_rc 5
expect_in "$out" "7 files: 5 runs with 10 cells added, 1 of no known format passed over, 1 failed"
expect_in "$out" "line 119 (byte 3000)"
expect_in "$err" "1 of 7 files could not be read"
grep -q 'left out: \(.*\): \1: ' "$err" && fail "a path is said twice"
[ "$(count)" = "5 10" ] || fail "5 runs with 10 cells are expected, got $(count)"
grep -q '"site": "a=b"' <<<"$("$BLKMATRIX" list --format json)" || fail "labels are expected"

# the same again, from another place and under another name, adds nothing and says so
mkdir other && cp in/d03*.json other/renamed.txt
run import in/d01*.json in/d02*.json other
expect_rc 0
expect_in "$out" "3 files: 0 runs with 0 cells added, 3 already in the store"
[ "$(count)" = "5 10" ] || fail "nothing new is expected"

# what is said of a run that is there already is not taken silently
run import --label release=7 --cap disk:iops=100 other
expect_rc 0
expect_in "$out" "it keeps its labels and limits: change them with"
run import --label release=7 other
expect_in "$out" "it keeps its labels: change these with"

run import --label x=2 --label y=1 --label x=3 other
expect_rc 2
expect_in "$err" '"x" is set to 2 and to 3'
run import --as csv other
grep -q "present  *fio-json" "$out" || fail "what is there was read as JSON"

# a file that changed since is a run of its own, and the table says of which run it was another state
mkdir changed && cp in/d01*.json changed/a.json && cp in/d02*.json changed/b.json
run import --db changed.db changed
expect_rc 0
grep -q "changed since" "$out" && fail "nothing has changed yet"
cp in/d03*.json changed/b.json
run import --db changed.db --dry-run changed
expect_in "$out" "changed since run 2 "
run import --db changed.db changed
expect_rc 0
expect_in "$out" "1 already in the store"
[ "$(grep -c "changed since" "$out")" = 1 ] || fail "one of two has changed"
grep -q "changed/b.json .*changed since run 2 (of the same path; both are kept)" "$out" || fail "b.json has changed"
cp in/d04*.json changed/b.json
run import --db changed.db --format json changed
python3 - "$out" <<'PY' || fail "the newest earlier run is named, in JSON too"
import json, sys
note = {f["path"]: f.get("note") or "" for f in json.load(open(sys.argv[1]))["files"]}
assert "changed since run 3 " in note["changed/b.json"], note
assert "changed" not in note["changed/a.json"], note
PY
run import --db changed.db changed/b.json
grep -q "changed since" "$out" && fail "it is in the store as it is"
for f in "$data"/d2[12]*.json; do
    "$BLKMATRIX" import --db changed.db - <"$f" >"$out" || fail "standard input"
    grep -q "changed since" "$out" && fail "standard input is no file that changes"
done

# the same file twice in one call
cp "$data"/d22*.json a.json && cp a.json b.json
run import a.json b.json
expect_rc 0
expect_in "$out" "2 files: 1 run with 1 cell added, 1 already in the store"

# standard input, also with text around the document
run_stdin() { ran="blkmatrix $* <file"; rc=0; "$BLKMATRIX" "$@" >"$out" 2>"$err" <"$input" || rc=$?; }
input=$data/d08-fio3.7-client2hosts-eta-prefix.txt
run_stdin import -
expect_rc 0
expect_in "$out" "1 file: 1 run with 1 cell added"
grep -q stdin <<<"$("$BLKMATRIX" list)" || fail "the run is named stdin"

# what the program itself wrote is shown its own way into a store
"$BLKMATRIX" export --db changed.db --format json -o own.json || fail "export"
for file in own.json changed.db; do
    run import --db own.db "$file"
    expect_rc 5
    expect_in "$out" 'blkmatrix merge'
done

# a dry run stores nothing and makes no store
run import --db fresh.db --dry-run "$data"
expect_rc 5
expect_in "$out" "would be added"
[ ! -e fresh.db ] || fail "a dry run must not make a store"
before=$(count)
run import --dry-run a.json "$data"/d23*.json
expect_rc 0
expect_in "$out" "1 run with 4 cells would be added, 1 already in the store"
[ "$(count)" = "$before" ] || fail "a dry run must not store"

# what is whole of a broken file
head -c 15000 "$data"/d23*.json >cut.json
run import cut.json
expect_rc 5
expect_in "$out" "partly"
expect_in "$out" "1 run with 2 cells added, 1 broken, of which the whole parts were taken"
grep -q 'cut.*partial' <<<"$("$BLKMATRIX" list)" || fail "the run is partial"

# wrong usage and files that are not there
run import
expect_rc 2
run import --label nonsense a.json
expect_rc 2
expect_in "$err" "KEY=VALUE"
run import --label "note=$(printf 'v%.0s' {1..1025})" a.json
expect_rc 2
expect_in "$err" "has 1025 bytes"
run import --label-from "{$(printf 'k%.0s' {1..65})}.json" a.json
expect_rc 2
expect_in "$err" "--label-from"
run import --as nonsense a.json
expect_rc 2
expect_in "$err" "fio-json"
run import --as help
expect_rc 0
expect_in "$out" "fio-json"
run import missing.json "$data"/d12*.json
expect_rc 5
expect_in "$out" "No such file"
expect_in "$out" "1 run with 1 cell added"
run import in/notes.txt
expect_rc 5
expect_in "$out" "no format that can be imported"
run import in/deep/.hidden/.. </dev/null
mkdir empty
run import empty
expect_rc 5

# tables: noted pairs, headings, a map, and our own export into the same and into another store
run import --db tables.db "$SOURCE_DIR"/tests/data/import/csv
expect_rc 0
expect_in "$out" "2 runs with 4 cells added"
printf 'Groesse;Wert\n4k;1500\n' >german.csv
run import --db tables.db german.csv
expect_rc 5
printf 'Groesse = bs\nWert = read.iops\n' >german.map
run import --db tables.db --map german.map german.csv
expect_rc 0
expect_in "$out" "1 run with 1 cell added"
run import --db tables.db --map german.map german.csv
expect_rc 0
expect_in "$out" "1 already in the store"
printf 'Groesse = bs\nFehlt = read.iops\n' >wrong.map
run import --db fresh.db --as csv --map wrong.map german.csv
expect_rc 2
expect_in "$err" 'the table has no column "Fehlt"'
run import --db tables.db --map missing.map german.csv
expect_rc 5
# what is wrong with a map is said before any table is read
for line in 'Groesse = bogus:"bogus" names nothing' 'a bs:no "COLUMN = TARGET"' 'Wert = bs:are the same thing' \
    'Wert = iops parsec:"parsec" is no unit'; do
    printf 'Groesse = bs\n%s\n' "${line%%:*}" >bad.map
    run import --db fresh.db --map bad.map german.csv
    expect_rc 2
    expect_in "$err" "${line#*:}"
done
# every line that was left out is named
printf 'bs,iops\n4k,abc\n8k,10\n16k,-5\n32k,1,2\n' >lines.csv
run import --db fresh.db lines.csv
expect_rc 5
for line in 'line 2: column "iops": "abc" does not fit' 'line 4: column "iops": "-5" does not fit' \
    'line 5: more values than the heading'; do
    expect_in "$err" "left out: lines.csv: $line"
done
# a table that could not be read is no run, so that a map can mend it; so it can mend a wrong guess
printf 'bs;rw;iops\n4k;randread;1.234\n' >twice.csv
run import --db mended.db twice.csv
expect_rc 5
expect_in "$out" "0 runs with 0 cells added"
expect_in "$out" "read in two ways"
printf 'bs = bs\nrw = rw\niops = iops\ndecimal = ,\n' >comma.map
run import --db mended.db --map comma.map twice.csv
expect_rc 0
expect_in "$out" "1 run with 1 cell added"
sed -i 's/decimal = ,/decimal = ./' comma.map
run import --db mended.db --map comma.map twice.csv
expect_in "$out" "1 run with 1 cell added"
run import --db mended.db twice.csv
expect_in "$out" "1 already in the store"
"$BLKMATRIX" export --db tables.db --format csv 1 2 3 >own.csv || fail "export"
run import --db tables.db own.csv
expect_rc 0
expect_in "$out" "0 runs with 0 cells added, 1 already in the store"
run import --db other.db own.csv
expect_rc 0
expect_in "$out" "3 runs with 5 cells added"
"$BLKMATRIX" export --db other.db --format csv 1 2 3 | cmp - own.csv || fail "the export comes back equal"

# names of jobs reach a terminal harmless in CSV too; a pipe gets them as they are
sed 's/"jobname" *: *"[^"]*"/"jobname": "a\\u001b[31mb\\u009bc"/' "$data"/d05*.json >escape.json
run import --db escape.db escape.json
expect_rc 0
run show 1 --db escape.db --format csv
expect_in "$out" $'a\033[31mb\u009bc'
for command in "show 1" export report list diagnose; do
    # shellcheck disable=SC2086 # a command and its arguments
    on_terminal 80 xterm $command --db escape.db --format csv
    expect_rc 0
    expect_not_in "$out" $'\033[31m'
    expect_not_in "$out" $'\u009b'
done
on_terminal 80 xterm show 1 --db escape.db --format csv
expect_in "$out" $'a\uFFFD[31mb\uFFFDc'

# what a spreadsheet would run is text in CSV, and comes back as it was
sed 's/"jobname" *: *"[^"]*"/"jobname": "=1+1<b>"/' "$data"/d05*.json >=formula.json
run import --db formula.db --label "note=-2+3" --label "@a='=1" ./=formula.json
expect_rc 0
"$BLKMATRIX" export --db formula.db --format csv >formula.csv || fail "export"
grep -qE "(^|,)\"?'=1\+1<b>" formula.csv || fail "the job's name is protected"
grep -qE '(^|,)"?[=@]' formula.csv && fail "a formula in CSV"
run import --db formula2.db formula.csv
expect_rc 0
"$BLKMATRIX" export --db formula2.db --format csv | cmp - formula.csv || fail "formulas come back equal"
run show 1 --db formula2.db --format json
expect_in "$out" '"=1+1<b>"'

# figures that cannot be are not kept, and the table names job and figure, in every format; a healthy file says nothing
text=$SOURCE_DIR/tests/data/import/fio-text/p01-randrw-libaio.json terse=$SOURCE_DIR/tests/data/import/fio-terse/q03-v3.txt
table='rw,bs,iodepth,iops,p50 us,p99 us
randread,4k,8,1000,800,2000'
sed 's/"99.000000" : [0-9]*/"99.000000" : 1/' "$text" >falls.json
sed 's/"iodepth" : "8"/"iodepth" : "-32"/' "$text" >depth.json
sed 's/;10.000000%=36;/;10.000000%=1;/' "$terse" >falls.terse
sed 's/iodepth=8/iodepth=-8/; s/jobs=1)/jobs=0)/' "${text%.json}.txt" >depth.txt
printf '%s\nrandread,4k,8,1000,800,1\n' "$table" >falls.csv
run import --db odd.db --format json "$text" "$terse" "${text%.json}.txt" falls.json depth.json falls.terse depth.txt falls.csv
python3 - "$out" <<'PY' || fail "figures that cannot be are told"
import json, sys
note = [f["note"] or "" for f in json.load(open(sys.argv[1]))["files"]]
words = ["", "", "", "mix: read clat: p99 of 1\u00a0ns is below p95", 'iodepth = "-32" at line ',
         "a: read clat: p10 of 1.00\u00a0µs is below p5", "2 impossible numbers left unknown: iodepth=-8 in line 1",
         "read lat: p99 of 1.00\u00a0µs is below p50 of 800\u00a0µs: its percentiles left unknown"]
for said, want in zip(note, words):
    assert want in said, (want, said)
    assert want or "unknown" not in said, said
PY

# hostile names reach the terminal and JSON harmless
cp "$data"/d05*.json $'evil\033[31m\n"<b>.json'
run import --format json $'evil\033[31m\n"<b>.json' "$data"/l24-truncated.json
expect_rc 5
grep -q $'\033' "$out" && fail "a control byte in the output"
cp "$out" import.json
python3 - "$SOURCE_DIR/schemas/json/import.schema.json" import.json <<'PY' || fail "the JSON does not fit its schema"
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(0)
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))
PY
exit 0
