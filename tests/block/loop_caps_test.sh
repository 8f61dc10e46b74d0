#!/usr/bin/env bash
# A throttle holds a loop device on what is throttled where its I/O goes past the page cache, and is listed there only:
# on a file of a filesystem and on the device itself.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || lab_skip "python3 is needed"
command -v mkfs.ext4 >/dev/null || lab_skip "mkfs.ext4 is needed"
lab_start --size 128M || fail "no lab"
cd "$LAB_DIR" || fail "$LAB_DIR"
cap=400

# expect LISTED HOW: a loop device is measured inside the lab; with a cap listed its rate is not above it
expect() {
	lab_exec "$BLKMATRIX" sweep --db "$LAB_DIR/store.db" --dev "$LAB_LOOP" --rw randread --bs 4k --iodepth 8 --ramp 500ms \
		--runtime 1s --progress never --quiet --format json >out.json 2>err || fail "$2: $(cat err)"
	python3 - "$1" "$cap" <<'PY' || fail "$2"
import json, sys
d = json.load(open("out.json"))
listed = {(c["owner"], c["kind"], c["side"], c["value"]) for c in d["limits"]}
want = {("host", "iops", side, float(sys.argv[2])) for side in ("read", "write")} if sys.argv[1] == "yes" else set()
rate = d["cells"][0]["read"]["iops"]
print(f"listed: {sorted(listed)}, {rate:.0f} IOPS")
sys.exit(listed != want or (bool(want) and rate > 1.2 * float(sys.argv[2])))
PY
	lab_detach "$LAB_LOOP" || fail "$LAB_LOOP stays"
	ok "$2"
}

lab_loop --direct-io=on "$LAB_DEV" || fail "loop"
lab_throttle $cap 0
expect yes "a direct loop device on a throttled device"
lab_loop --direct-io=off "$LAB_DEV" || fail "loop"
expect no "a buffered one"

lab_throttle 0 0
mkfs_quiet "$LAB_DEV"
mount "$LAB_DEV" mnt && mount --make-private mnt || fail "mount"
head -c 32M /dev/urandom >mnt/image && sync
lab_throttle $cap 0
lab_loop --direct-io=on mnt/image || fail "loop"
expect yes "a direct loop device on a file of a throttled device's filesystem"
lab_loop --direct-io=off mnt/image || fail "loop"
expect no "a buffered one on that file"
