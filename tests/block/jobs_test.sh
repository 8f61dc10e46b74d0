#!/usr/bin/env bash
# Jobs of a file at the same time: each cell has what the kernel counted for its device.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "python3 is needed"; exit 77; }
lab_start --size 64M || fail "no lab"

cat >"$LAB_DIR/two.fio" <<FIO
[global]
filename=$LAB_DEV
ioengine=libaio
direct=1
runtime=3
time_based
bs=16k
[reads]
rw=randread
rate_iops=200
[writes]
rw=randwrite
rate_iops=100
[alone]
stonewall
rw=randread
rate_iops=300
FIO
"$BLKMATRIX" run "$LAB_DIR/two.fio" --db "$LAB_DIR/s.db" --allow-write --format json >"$LAB_DIR/out" 2>"$LAB_DIR/err" || fail "run: $(cat "$LAB_DIR/err")"
python3 - "$LAB_DIR/out" <<'PY' || fail "counters of the groups"
import json, sys
reads, writes, alone = json.load(open(sys.argv[1]))["cells"]
# both of the first group have the same device and time: what one read and the other wrote. The kernel is held against
# what was done, and counts too what was under way at the ends of a window; how much that is, and how many of the
# I/Os that were due a busy machine had time for, is not the matter
read, written = reads["read"]["bytes"], writes["write"]["bytes"]
assert read >= 60 * 16384 and written >= 30 * 16384, (read, written)
for cell in (reads, writes):
    disk, = cell["disks"]
    assert 0.9 < disk["read_bytes"] / read < 1.3, (disk, read)
    assert 0.9 < disk["write_bytes"] / written < 1.3, (disk, written)
    assert 0 <= disk["util"] <= 1, disk # the kernel counts in ms: on memory it may be none
    assert "beside-others" in cell["caveats"] and not any("requests" in c or "device" in c for c in cell["caveats"])
disk, = alone["disks"]
read = alone["read"]["bytes"]
assert read >= 60 * 16384 and 0.9 < disk["read_bytes"] / read < 1.3 and disk["write_bytes"] == 0, (disk, read)
assert "beside-others" not in (alone["caveats"] or [])
PY
"$BLKMATRIX" show @latest name=reads --db "$LAB_DIR/s.db" >"$LAB_DIR/out" || fail "show"
grep -q "Kernel counters of .*, all jobs of the group" "$LAB_DIR/out" || fail "show does not say whose counters they are"
ok "counters of a group"

# fio 3.33 reads 32M..36M of the first, and 50M..64M of the second
cat >"$LAB_DIR/extent.fio" <<FIO
[global]
filename=$LAB_DEV
ioengine=psync
direct=1
runtime=1
time_based
rw=randread
[share]
offset=50%
size=4M
[behind]
offset=50M
size=24M
FIO
"$BLKMATRIX" run "$LAB_DIR/extent.fio" --db "$LAB_DIR/s.db" --format json >"$LAB_DIR/out" 2>"$LAB_DIR/err" || fail "run: $(cat "$LAB_DIR/err")"
python3 - "$LAB_DIR/out" <<'PY' || fail "extents"
import json, sys
extents = [(cell["offset"] >> 20, cell["size"] >> 20) for cell in json.load(open(sys.argv[1]))["cells"]]
assert extents == [(32, 4), (50, 14)], extents
PY
grep -q "\[behind\]: size=24.*MiB reaches behind the end" "$LAB_DIR/err" || fail "what is cut is not said"
ok "extents"
