#!/usr/bin/env bash
# What the program says about its own figures: data that was never written, I/O that the device did not
# do, a ramp that is not counted, a stop in the middle.
. "$(dirname "$0")/lib.sh"
lab_start --size 64M --iops 2000 || fail "no lab"
for tool in python3 mkfs.ext4; do command -v $tool >/dev/null || { echo "$tool is needed"; exit 77; }; done

cell() { # cell EXPRESSION: is it true of the first cell of what the last sweep printed?
	python3 -c 'import json, sys
c = json.load(open(sys.argv[1]))["cells"][0]
d = c["caveats"] or []
assert eval(sys.argv[2]), c' "$LAB_DIR/out" "$1" || fail "$1"
}

# zeros are told, data is not
sweep --dev "$LAB_DEV" --format json || fail "sweep: $(cat "$LAB_DIR/err")"
cell '"zeros-read" in d'
head -c 64M /dev/urandom | dd of="$LAB_DEV" bs=1M iflag=fullblock oflag=direct status=none || fail "dd"
for engine in libaio io_uring; do
	sweep --dev "$LAB_DEV" --engine $engine --format json || {
		grep -q "does not work here" "$LAB_DIR/err" && continue
		fail "$engine: $(cat "$LAB_DIR/err")"
	}
	cell '"zeros-read" not in d and "not-from-device" not in d'
done
ok "blocks that were never written are told"

# the kernel's counters are those of the window: what the cell did in its second, and not the 4000 of the ramp before it
lab_exec "$BLKMATRIX" sweep --db "$LAB_DIR/s.db" --dev "$LAB_DEV" --bs 4k --iodepth 8 --runtime 1s --ramp 2s \
	--progress never --format json >"$LAB_DIR/out" 2>"$LAB_DIR/err" || fail "ramp: $(cat "$LAB_DIR/err")"
cell 'c["ramp_ns"] == 2e9 and 0.5 <= c["disks"][0]["read_ios"] / c["read"]["ios"] <= 1.5'
ok "the ramp is not in the device's counters"

# a file with holes: the file system answers, not the device
mkfs_quiet "$LAB_DEV" && mount "$LAB_DEV" "$LAB_DIR/mnt" || fail "mount"
truncate -s 8M "$LAB_DIR/mnt/holes"
head -c 8M /dev/urandom >"$LAB_DIR/mnt/data" && sync -f "$LAB_DIR/mnt/data"
sweep --dev "$LAB_DIR/mnt/holes" --format json || fail "holes: $(cat "$LAB_DIR/err")"
cell '"not-from-device" in d and "zeros-read" in d'
sweep --dev "$LAB_DIR/mnt/data" --format json || fail "data: $(cat "$LAB_DIR/err")"
cell '"not-from-device" not in d and "zeros-read" not in d'
# the page cache: read once, then from memory
cat "$LAB_DIR/mnt/data" >/dev/null
sweep --dev "$LAB_DIR/mnt/data" --direct 0 --format json || fail "buffered: $(cat "$LAB_DIR/err")"
cell '"not-from-device" in d and "buffered" in d'
ok "holes and the page cache are told"
umount "$LAB_DIR/mnt"

# Ctrl-C: the second is finished, the cell is kept as partial; another one ends it at once
interrupted() { # interrupted SIGNALS IODEPTH: in the middle of a second; when is in $at
	: >"$LAB_DIR/err"
	lab_spawn "$BLKMATRIX" sweep --db "$LAB_DIR/int.db" --dev "$LAB_DEV" --bs 4k --iodepth "$2" --runtime 20s --ramp 0 \
		--progress json 2>"$LAB_DIR/err"
	wait_for "the cell is measured" measures "$LAB_DIR/err" 1400
	at=$(date +%s%N)
	for signal in $1; do kill -"$signal" "$LAB_PID"; done
	wait "$LAB_PID"
	[ $? = 130 ] || fail "$1: exit status: $(cat "$LAB_DIR/err")"
	"$BLKMATRIX" show --db "$LAB_DIR/int.db" @latest --format json >"$LAB_DIR/out" || fail "show"
}
# ends EXPRESSION SIGNALS IODEPTH: true of the time `ran` of the cell and the moment `at` of the signals in it, in
# seconds. That a signal or a cell is late now and then is the machine's affair, that it is each time is not.
ends() {
	local expression=$1 round
	shift
	for round in 1 2 3 4 5; do
		interrupted "$@"
		cell 'c["status"] == "partial" and c["read"]["ios"] > 100'
		python3 -c 'import datetime, json, sys
c = json.load(open(sys.argv[1]))["cells"][0]
whole, fraction = c["started"].rstrip("Z").split(".")
began = datetime.datetime.fromisoformat(whole + "+00:00").timestamp() + float("0." + fraction)
ran, at = c["runtime_ns"] / 1e9, int(sys.argv[2]) / 1e9 - began
print(f"{sys.argv[3]}: signal after {at:.3f} s, end after {ran:.3f} s")
sys.exit(not eval(sys.argv[3]))' "$LAB_DIR/out" "$at" "$expression" && return
	done
	fail "$*: not $expression"
}
for one in INT TERM HUP; do
	ends '0.4 < at % 1 < 0.7 and int(at) + 0.95 < ran < int(at) + 1.35' $one 4
done
# a queue so deep that I/Os are still out when the program ends: their memory is left, not lost
ends 'at < ran < int(at) + 0.95' "INT TERM" 512
ok "a stop"
