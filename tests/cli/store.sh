# label, export, merge, delete, verify: what they change and print, and that a script never waits.
. "$(dirname "$0")/lib.sh"

sweep() { run sweep "${sim[@]}" --bs 4k --iodepth 8 --runtime 2s --quiet "$@"; expect_rc 0; }
sweep --name a --label release=6.8
sweep --name b --label release=6.9

# label
run label 1 disk=gp3 'note=x=y, z'
expect_rc 0
expect_in "$out" "run 1: disk=gp3, note=x=y, z, release=6.8"
run label release=6.8 --remove disk --remove note
expect_rc 0
[ "$(cat "$out")" = "run 1: release=6.8" ] || fail "labels are removed"
for words in "1 disk" "1 =x" "1 a,b=c" "9 a=b"; do
    # shellcheck disable=SC2086
    run label $words
    expect_rc 2
done
long=$(printf 'v%.0s' {1..1025})
run label 1 "note=$long"
expect_rc 2
expect_in "$err" "has 1025 bytes"
run label 1 "note=${long:1}" --quiet
expect_rc 0
run label 1 --remove note
run label 1 good=1 bad
expect_rc 2
run label 1
expect_not_in "$out" "good"

# verify
run verify
expect_rc 0
expect_in "$out" "is sound: 2 runs, 2 cells"
run verify --format json
[ "$(cat "$out")" = '{"ok":true,"runs":2,"cells":2}' ] || fail "verify as JSON"

# export
run export -o all.json
expect_rc 0
run export 1 2 --format csv -o all.csv
expect_rc 0
run export 2 --brief
expect_rc 0
cp "$out" brief.json
run export 1 --format md
expect_rc 2
run export 1 -o no/such/folder/x.json
expect_rc 2
expect_in "$err" "no/such/folder"
[ ! -e all.json.part ] || fail "a part of a file was left"
# a pipe, or /dev/null, is no file to be replaced; nor is a folder
mkfifo pipe
cat pipe >piped &
run export -o pipe
expect_rc 0
wait
[ -p pipe ] || fail "a pipe was replaced by a file"
cmp piped all.json || fail "the pipe got something else"
mkdir place
run export -o place
expect_rc 2
[ -d place ] && [ ! -e place.part ] || fail "a folder was replaced"
python3 - "$SOURCE_DIR/schemas/json/show.schema.json" <<'PY' || fail "the export"
import csv, json, sys, jsonschema
check = jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate
full, brief = (json.load(open(f)) for f in ("all.json", "brief.json"))
for doc in full + brief:
    check(doc)
assert [d["run"]["id"] for d in full] == [1, 2] and [d["run"]["id"] for d in brief] == [2]
assert full[0]["cells"][0]["read"]["clat_ns"]["bins"] and full[0]["cells"][0]["read"]["series"]["points"]
assert "bins" not in brief[0]["cells"][0]["read"]["clat_ns"]
assert len(list(csv.DictReader(open("all.csv")))) == 2
PY

# merge
run merge "$BLKMATRIX_DB" --db other.db
expect_rc 0
expect_in "$out" "2 runs with 2 cells added, 0 there already"
run merge "$BLKMATRIX_DB" --db other.db
expect_rc 0
expect_in "$out" "0 runs with 0 cells added, 2 there already"
run export --db other.db
expect_rc 0
cmp -s "$out" all.json || { diff "$out" all.json | head; fail "a merged store exports the same"; }
run merge nothing.db
expect_rc 6
run verify --db other.db
expect_rc 0

# delete: never without an answer
run delete release=6.8
expect_rc 3
expect_in "$err" "--yes"
expect_in "$err" "  1  a  "
run list
expect_in "$out" "release=6.8"
run delete 1 7 --yes
expect_rc 2
run delete release=6.8 --yes
expect_rc 0
grep -Eq 'T[0-9:]{8}Z  ' "$err" || fail "the time of a run is whole"
run list
expect_not_in "$out" "release=6.8"
expect_in "$out" "release=6.9"
sweep --name c
run show c --format json
expect_in "$out" '"id": 3'
if command -v script >/dev/null; then
    printf 'n\n' | script -qec "$BLKMATRIX delete 2" /dev/null >"$out" 2>&1
    rc=$?
    expect_rc 3
    printf 'y\n' | script -qec "$BLKMATRIX delete 2" /dev/null >"$out" 2>&1
    rc=$?
    expect_rc 0
    run list
    expect_not_in "$out" "release=6.9"
fi

# people with plain SQL: the views, and every query of docs/store.md
python3 - "$BLKMATRIX_DB" "$SOURCE_DIR/docs/store.md" <<'PY' || fail "SQL"
import re, sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
((direction, iops, mib_s, p50, devices, latency),) = db.execute(
    "SELECT direction, iops, mib_s, p50, devices, latency FROM v_cell")
assert (direction, devices, latency) == ("read", "sim", "clat")
assert abs(iops - 3500) < 35 and abs(mib_s - iops * 4096 / 2**20) < 1e-6 and p50 > 1e6
assert db.execute("SELECT name, cells, status FROM v_run").fetchall() == [("c", 1, "complete")]
queries = re.findall(r"```sql\n(.*?)```", open(sys.argv[2]).read(), re.S)
assert len(queries) >= 5
for query in queries:
    db.execute(query).fetchall()
((bs, depth, best, *_),) = db.execute(queries[0]).fetchall()
assert (bs, depth) == (4096, 8) and abs(best - 3500) < 35
PY

# what only reads or changes a store makes none
for words in list "show 1" verify export "delete 1 --yes" "label 1 a=b"; do
    # shellcheck disable=SC2086
    run --db none.db $words
    expect_rc 6
    expect_in "$err" "there is no store none.db yet"
    [ ! -e none.db ] || fail "$words made a store"
done

# a damaged one
cp "$BLKMATRIX_DB" torn.db
truncate -s 20000 torn.db
run --db torn.db verify
expect_rc 6
expect_in "$err" ".recover"
