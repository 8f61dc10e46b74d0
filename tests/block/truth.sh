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

# the kernel's counters are those of the window: 1 s at 2000 IOPS, and not the ramp of 2 s before it
lab_exec "$BLKMATRIX" sweep --db "$LAB_DIR/s.db" --dev "$LAB_DEV" --bs 4k --iodepth 8 --runtime 1s --ramp 2s \
	--progress never --format json >"$LAB_DIR/out" 2>"$LAB_DIR/err" || fail "ramp: $(cat "$LAB_DIR/err")"
cell 'c["ramp_ns"] == 2e9 and 1800 <= c["disks"][0]["read_ios"] <= 2600'
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
interrupted() { # interrupted SIGNAL COUNT IODEPTH
	lab_spawn "$BLKMATRIX" sweep --db "$LAB_DIR/int.db" --dev "$LAB_DEV" --bs 4k --iodepth "$3" --runtime 20s --ramp 0 --progress never
	sleep 1.2
	for _ in $(seq "$2"); do kill -"$1" "$LAB_PID"; sleep 0.3; done
	wait "$LAB_PID"
	[ $? = 130 ] || fail "$1: exit status"
	"$BLKMATRIX" show --db "$LAB_DIR/int.db" @latest --format json >"$LAB_DIR/out" || fail "show"
}
for signal in INT TERM HUP; do
	interrupted $signal 1 4
	cell 'c["status"] == "partial" and 1.7e9 < c["runtime_ns"] < 2.6e9'
done
# a queue so deep that I/Os are still out when the program ends: their memory is left, not lost
interrupted INT 2 512
cell 'c["status"] == "partial" and c["runtime_ns"] < 1.95e9'
ok "a stop"
