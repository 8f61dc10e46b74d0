# What examples/results shows is what the program makes of examples/results/matrix.json today.
. "$(dirname "$0")/lib.sh"

example=$SOURCE_DIR/examples/results
mkdir made
bash "$example/make.sh" "$BLKMATRIX" made || fail "make.sh"
for file in results.json report.md; do
    cmp "made/$file" "$example/$file" || fail "$file is not what the program makes now: run examples/results/make.sh"
done
# fonts differ from machine to machine, and with them where letters stand: the text must be the same
text() { sed 's/<[^>]*>/\n/g' "$1" | grep -v '^[0-9 .-]*$'; }
for file in report.html roofline.svg; do
    cmp <(text "made/$file") <(text "$example/$file") || fail "$file says something else now: run examples/results/make.sh"
done

# the store that is shipped opens, is sound and holds the same run
cp "$example/results.db" shipped.db
run --db shipped.db show 1 --format json
expect_rc 0
cmp "$out" "$example/results.json" || fail "results.db holds something else"
run --db shipped.db verify
expect_rc 0

# The caps are met. 5 s without a ramp: the throttle lets a tenth of a second through at once, 2 %, and fio averages
# over what is in flight at the end: 5 %.
python3 - "$example/results.json" <<'PY' || fail "the caps are not met"
import json, sys
for cell in json.load(open(sys.argv[1]))["cells"]:
    cap = min(3500, 64 * 2**20 / cell["bs"])
    assert abs(cell["read"]["iops"] / cap - 1) < 0.05 or cell["iodepth"] == 1, cell["key"]
    assert not cell["caveats"], cell["caveats"]
PY
exit 0
