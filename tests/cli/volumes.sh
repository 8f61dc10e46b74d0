# What volumes of a cloud count themselves: shown, in JSON, in the diagnosis and the report, and merged.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is needed"

# a disk and a VM with the same cap: no rate can tell which of them holds 2000 IOPS
run sweep "${sim[@]}" --engine-options virtual=1,iops=2000,lat=100us --rw randread --bs 4k --iodepth 1,8,32 --runtime 40s \
    --cap disk:iops=2000 --cap vm:iops=2000 --quiet
expect_rc 0
run diagnose --format json
expect_rc 0
expect_in "$out" '"exceeded": null'
cp "$BLKMATRIX_DB" plain.db
# as if each cell had run on an EBS volume whose VM was what held it: 39 of 40 s
python3 - "$BLKMATRIX_DB" <<'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for cell, depth in db.execute("SELECT id, iodepth FROM cell").fetchall():
    ns = 39_000_000_000 if depth > 1 else 0
    db.execute("INSERT INTO volume_stat (cell_id, number, name, kind, span_ns, disk_iops_exceeded_ns, disk_bw_exceeded_ns,"
               " vm_iops_exceeded_ns, vm_bw_exceeded_ns, read_ios, write_ios, read_bytes, write_bytes, read_ns, write_ns,"
               " queue, read_hist) VALUES (?, 0, 'nvme1n1', 'ebs', 40000000000, 0, 0, ?, 0, 80000, 0, 327680000, 0,"
               " 160000000000, 0, 7, '[[512000,1024000,80000]]')", (cell, ns))
db.execute("DELETE FROM diagnosis")
db.commit()
PY

run show 1 3
expect_rc 0
expect_in "$out" "What volume nvme1n1 counted itself (ebs)"
expect_in "$out" "above VM IOPS     97.5"
expect_in "$out" "above its IOPS    0"
expect_not_in "$out" "read_hist"
run show 1 --format json
expect_rc 0
expect_schema "$out" show
python3 - "$out" <<'PY' || fail "the JSON"
import json, sys
cells = json.load(open(sys.argv[1]))["cells"]
v = cells[2]["volumes"][0]
assert v["kind"] == "ebs" and v["vm_iops_exceeded_ns"] == 39_000_000_000 and v["span_ns"] == 40_000_000_000
assert v["read_hist"] == [[512000, 1024000, 80000]] and v["write_hist"] is None and v["queue"] == 7
PY

run diagnose
expect_rc 0
expect_in "$out" "By the volumes' own counters the load was above the VM IOPS cap 97.5 % of the time at 4k, QD 8."
expect_in "$out" "VM's IOPS cap (2,000) binds"
expect_not_in "$out" " or disk IOPS"
run diagnose --format json
expect_rc 0
expect_schema "$out" diagnose
python3 - "$out" <<'PY' || fail "the diagnosis"
import json, sys
cells = {c["iodepth"]: c for c in json.load(open(sys.argv[1]))["cells"]}
assert cells[32]["binds"] == "vm-iops" and cells[32]["also"] == [], cells
assert cells[32]["exceeded"] == {"disk-iops": 0, "disk-bw": 0, "vm-iops": 0.975, "vm-bw": 0}, cells
PY
run report --format md
expect_rc 0
expect_in "$out" "own counters the load was above the VM IOPS cap"

run verify
expect_rc 0
cp "$BLKMATRIX_DB" other.db
BLKMATRIX_DB=$work/merged.db
run merge other.db
expect_rc 0
run show 1 3
expect_in "$out" "What volume nvme1n1 counted itself (ebs)"

# the same rates without such counters: a tie
BLKMATRIX_DB=$work/plain.db
run diagnose --format json
python3 - "$out" <<'PY' || fail "a tie is expected"
import json, sys
cells = {c["iodepth"]: c for c in json.load(open(sys.argv[1]))["cells"]}
assert {cells[32]["binds"], *cells[32]["also"]} == {"disk-iops", "vm-iops"}, cells
PY
