#!/usr/bin/env bash
# devices: the table, and that JSON, CSV and schema tell of the same fields.
set -eu
fail() { echo "FAIL: $*" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$BLKMATRIX" devices --all >"$work/table" || fail "devices exits with $?"
# devices of others may come and go: what is compared is told while none did
for _ in $(seq 20); do
    "$BLKMATRIX" devices --all --format json >"$work/json"
    "$BLKMATRIX" devices --all --format csv >"$work/csv"
    "$BLKMATRIX" devices --all --format json >"$work/again"
    ! cmp -s "$work/json" "$work/again" || break
done
python3 - "$SOURCE_DIR/schemas/json/devices.schema.json" "$work/json" "$work/csv" <<'PY'
import csv, json, sys, jsonschema
schema, devices = (json.load(open(f)) for f in sys.argv[1:3])
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.Draft202012Validator(schema).validate(devices)
rows = list(csv.DictReader(open(sys.argv[3])))
assert len(rows) == len(devices)
for row, device in zip(rows, devices):
    assert list(row) == [k for k in device if k not in ("write_allowed", "findings")] + ["write_allowed", "findings"]
    assert row["path"] == device["path"] and row["size"] == str(device["size"])
PY

# a file of somebody else: readable, not writable
echo precious >"$work/file"
"$BLKMATRIX" devices --format json "$work/file" >"$work/json"
python3 - "$SOURCE_DIR/schemas/json/devices.schema.json" "$work/json" <<'PY'
import json, sys, jsonschema
schema, (device,) = (json.load(open(f)) for f in sys.argv[1:3])
jsonschema.validate([device], schema)
assert device["type"] == "file" and device["size"] == 9 and not device["write_allowed"]
assert [(f["kind"], f["can_be_overruled"]) for f in device["findings"]] == [("not-ours", True)]
PY

rc=0
"$BLKMATRIX" devices "$work/none" >"$work/out" 2>"$work/err" || rc=$?
[ $rc = 2 ] || fail "a path that is not there: exit $rc"
grep -q "no device or file at $work/none" "$work/err" || fail "$(cat "$work/err")"
[ ! -s "$work/out" ] || fail "an error printed results"
