# list: the table, JSON by its schema, CSV, Markdown, choosing runs, and stores that cannot be read.
. "$(dirname "$0")/lib.sh"

sweep() { run sweep "${sim[@]}" --bs 4k --iodepth 8 --runtime 1s --quiet "$@"; expect_rc 0; }

run list
expect_rc 6
expect_in "$err" "there is no store"
expect_in "$err" "blkmatrix sweep"

sweep --name nightly --label release=6.8
sweep --name nightly --label release=6.9 --label 'note=a, b|c <i>' --bs 4k,64k
sweep

run list
expect_rc 0
expect_out table
run list release=6.8
expect_rc 0
expect_in "$out" "release=6.8"
expect_not_in "$out" "release=6.9"
run list @latest 1 1
[ "$(wc -l <"$out")" = 3 ] || fail "two runs, each once"

run list --format json
expect_rc 0
python3 - "$SOURCE_DIR/schemas/json/list.schema.json" "$out" <<'PY' || fail "the JSON"
import json, sys, jsonschema
schema, runs = (json.load(open(f)) for f in sys.argv[1:3])
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(runs)
assert [r["id"] for r in runs] == [1, 2, 3]
assert [r["cells"] for r in runs] == [1, 2, 1]
assert [r["name"] for r in runs] == ["nightly", "nightly", None]
assert runs[1]["labels"] == {"release": "6.9", "note": "a, b|c <i>"}
assert runs[2]["labels"] == {} and runs[2]["source"] is None
assert all(r["status"] == "complete" and r["started"].endswith("Z") for r in runs)
PY

run list --format csv
python3 - "$out" <<'PY' || fail "the CSV"
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
assert [r["id"] for r in rows] == ["1", "2", "3"]
assert rows[1]["labels"] == "note=a, b|c <i>,release=6.9" and rows[2]["name"] == ""
PY

run list --format md
expect_rc 0
expect_in "$out" '| id |'

run list nightly
expect_rc 2
expect_in "$err" 'names 2 runs'
run list release=7
expect_rc 2
expect_in "$err" 'Values of release: 6.8, 6.9'

on_terminal 80 xterm list
[ "$(tr -d '\r' <"$out" | sed 's/\x1b\[[0-9;]*m//g' | wc -L)" -le 80 ] || fail "wider than the terminal"

echo 'something else, and long enough to be looked at as a database header by SQLite: 100 bytes at least .....' >x.db
run list --db x.db
expect_rc 6
expect_in "$err" "not a database"
run list --db .
expect_rc 6
expect_in "$err" "is a folder"
