#!/usr/bin/env bash
# Devices that fail while they are measured: what was measured is kept and marked, the reason is told,
# the exit status is 4, the sweep goes on or ends by --on-error, and nothing hangs.
. "$(dirname "$0")/lib.sh"
for tool in python3 setpriv prlimit; do command -v $tool >/dev/null || { echo "$tool is needed"; exit 77; }; done
lab_start --size 64M || fail "no lab"
disk=$LAB_DIR/mem/disk
fill() { head -c 64M /dev/urandom >"$disk" && losetup -c "$LAB_DEV"; }

# begin [OPTION...]: two cells of 3 s in the background, on $target, the lab's device if it is not set. The fault comes
# when the first of them is measured, which leaves this script more than 2 s to bring it about.
begin() {
	rm -f "$LAB_DIR"/f.db*
	: >"$LAB_DIR/err" # the shell in the background may be late to do that
	"$BLKMATRIX" sweep --db "$LAB_DIR/f.db" --dev "${target:-$LAB_DEV}" --bs 4k,64k --iodepth 8 --runtime 3s --ramp 0 \
		--progress json "$@" >/dev/null 2>"$LAB_DIR/err" &
	pid=$!
	wait_for "the first cell is measured" begun
}
# measured, or over already: what is thin is full at once
begun() { measures "$LAB_DIR/err" || ! kill -0 "$pid" 2>/dev/null; }
# ended RC TEXT: with that status, saying that, and in the end
ended() {
	local rc began=$SECONDS
	wait "$pid"
	rc=$?
	[ $rc = "$1" ] || fail "exit $rc, not $1: $(cat "$LAB_DIR/err")"
	[ $((SECONDS - began)) -le 60 ] || fail "it took $((SECONDS - began)) s"
	grep -qF -- "$2" "$LAB_DIR/err" || fail "\"$2\" is not in: $(cat "$LAB_DIR/err")"
	"$BLKMATRIX" show --db "$LAB_DIR/f.db" @latest --format json >"$LAB_DIR/out" || fail "show, after: $(cat "$LAB_DIR/err")"
}
told() { grep -v '^{' "$LAB_DIR/err" | head -1; }
cells() { # cells EXPRESSION: is it true of the list c of cells?
	python3 -c 'import json, sys
c = json.load(open(sys.argv[1]))["cells"]
s = [x["status"] for x in c]
assert eval(sys.argv[2]), [(x["status"], x["error"], x["error_code"], x["caveats"], x["read"], x["write"]) for x in c]' "$LAB_DIR/out" "$1" || fail "$1"
}

# EIO in half of the device: the loop's file ends before the loop does
fill
begin
truncate -s 32M "$disk"
ended 4 "Input/output error"
cells 's[0] == "partial" and s[1] in ("partial", "failed") and c[0]["error_code"] == 5'
cells 'c[0]["read"]["failed_ios"] > 100 and c[0]["read"]["ios"] > 100 and c[0]["read"]["runtime_ns"] > 2.9e9'
ok "EIO"

# --on-error stop: no second cell
truncate -s 64M "$disk"
begin --on-error stop
truncate -s 32M "$disk"
ended 4 "Input/output error"
cells 'len(c) == 1 and s[0] == "partial"'
ok "EIO, and the sweep ends"

# a device that shrinks
fill
begin
truncate -s 32M "$disk" && losetup -c "$LAB_DEV"
ended 4 "$LAB_DEV"
cells 's[0] in ("partial", "failed") and c[0]["read"]["failed_ios"] > 0 and c[0]["read"]["ios"] > 100'
ok "a device that shrinks: $(told)"

# a device that is gone
fill
begin
truncate -s 0 "$disk" && losetup -c "$LAB_DEV"
ended 4 "$LAB_DEV"
cells 's == ["failed", "failed"] or s == ["failed"]'
cells 'c[0]["read"]["ios"] > 100 and c[0]["read"]["runtime_ns"] < 2.9e9'
ok "a device that is gone: $(told)"

# a device that becomes read-only
fill
begin --rw randwrite --allow-write
blockdev --setro "$LAB_DEV"
ended 4 "Operation not permitted"
cells 's[0] == "failed" and c[0]["write"]["failed_ios"] > 0 and c[0]["write"]["ios"] > 100'
blockdev --setrw "$LAB_DEV"
ok "a device that becomes read-only: $(told)"

# a thin device whose pool is full
mkdir "$LAB_DIR/thin" && mount -t tmpfs -o size=8M,mode=700 blkmatrix-lab "$LAB_DIR/thin" || fail "mount"
truncate -s 64M "$LAB_DIR/thin/disk" && lab_loop "$LAB_DIR/thin/disk" || fail "losetup"
thin=$LAB_LOOP
target=$thin begin --rw randwrite --allow-write
ended 4 "No space left on device"
cells 'c[0]["error_code"] == 28 and c[0]["write"]["failed_ios"] > 0 and c[0]["write"]["ios"] > 0'
lab_detach "$thin"
umount "$LAB_DIR/thin"
ok "ENOSPC: $(told)"

# short I/O: a file that ends in the middle of a block
head -c 8M /dev/urandom >"$LAB_DIR/mem/file"
target=$LAB_DIR/mem/file begin --bs 64k,128k --direct 0
truncate -s $((8 * 1048576 - 61440)) "$LAB_DIR/mem/file"
ended 4 "moved only a part"
cells 's == ["partial", "partial"]'
cells 'c[0]["read"]["short_ios"] > 0 and c[0]["read"]["bytes"] < c[0]["read"]["ios"] * 65536'
ok "short I/O"

# nothing comes back for longer than the cell lasts, then all does: the cell is kept, and tells
fill
rm -f "$LAB_DIR"/f.db*
: >"$LAB_DIR/err"
lab_spawn "$BLKMATRIX" sweep --db "$LAB_DIR/f.db" --dev "$LAB_DEV" --bs 4k --iodepth 4 --runtime 4s --ramp 0 \
	--progress json 2>"$LAB_DIR/err"
pid=$LAB_PID
wait_for "the cell is measured" measures "$LAB_DIR/err"
lab_throttle 0 1 # by bytes: of I/Os a second some would come back, one a second
sleep 30
lab_throttle 0 0
wait "$pid" || fail "a stall: exit $?: $(cat "$LAB_DIR/err")"
"$BLKMATRIX" show --db "$LAB_DIR/f.db" @latest --format json >"$LAB_DIR/out" || fail "show, after: $(cat "$LAB_DIR/err")"
cells 's == ["complete"] and "ios-kept" in c[0]["caveats"] and c[0]["read"]["iops_min"] < 10'
ok "a stall of 30 s"

# few file descriptors, little locked memory
for n in 5 7 8 9 10 11 12 14 16; do
	rc=0
	prlimit --nofile=$n -- "$BLKMATRIX" sweep --db "$LAB_DIR/n.db" --dev "$LAB_DEV" --bs 4k --iodepth 4 --numjobs 4 --runtime 200ms \
		--ramp 0 --progress never >"$LAB_DIR/out" 2>"$LAB_DIR/err" || rc=$?
	[ $rc -lt 7 ] || fail "$n descriptors: exit $rc: $(cat "$LAB_DIR/err")"
	[ $rc = 0 ] || grep -qi "open files\|cannot open\|unable to open" "$LAB_DIR/err" || fail "$n descriptors: $(cat "$LAB_DIR/err")"
done
ok "few file descriptors"
rc=0
prlimit --memlock=65536 -- setpriv --bounding-set=-ipc_lock --inh-caps=-ipc_lock -- "$BLKMATRIX" sweep --db "$LAB_DIR/m.db" \
	--dev "$LAB_DEV" --engine io_uring --bs 1M --iodepth 8 --runtime 200ms --ramp 0 --progress never >"$LAB_DIR/out" 2>"$LAB_DIR/err" || rc=$?
[ $rc = 0 ] || { [ $rc = 4 ] && grep -q "locked-memory limit\|does not work here" "$LAB_DIR/err"; } || fail "little memory: exit $rc: $(cat "$LAB_DIR/err")"
ok "little locked memory: exit $rc, $(told)"
