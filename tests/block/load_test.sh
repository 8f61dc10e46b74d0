#!/usr/bin/env bash
# Loads that only a real device can take: trims, and writes that are on the medium when they are done.
. "$(dirname "$0")/lib.sh"
lab_start --size 64M || fail "no lab"
command -v python3 >/dev/null || { echo "python3 is needed"; exit 77; }
zeros() { dd if="$LAB_DEV" bs=1M iflag=direct status=none | tr -d '\000' | head -c 1 | wc -c; }
cell() { # cell EXPRESSION: is it true of the first cell of what the last sweep printed?
	python3 -c 'import json, sys
c = json.load(open(sys.argv[1]))["cells"][0]
assert eval(sys.argv[2]), c' "$LAB_DIR/out" "$1" || fail "$1"
}

# reading needs no leave, trimming does, as it destroys
before=$(sum "$LAB_DEV")
sweep --dev "$LAB_DEV" --rw trim --bs 1M
[ $? = 3 ] || fail "a trim without --allow-write: $(cat "$LAB_DIR/err")"
[ "$(sum "$LAB_DEV")" = "$before" ] || fail "it was trimmed"
ok "a trim needs --allow-write"

sweep --dev "$LAB_DEV" --rw trim --bs 1M --iodepth 1 --runtime 3s --allow-write --format json || fail "trim: $(cat "$LAB_DIR/err")"
cell 'c["status"] == "complete" and c["trim"]["ios"] > 64 and c["trim"]["bytes"] == c["trim"]["ios"] << 20'
cell 'c["read"] is None and c["write"] is None'
cell 'c["trim"]["lat_ns"]["mean"] > 0'
[ "$(zeros)" = 0 ] || fail "the device is not empty after trims of all of it"
ok "trims reach the device"
sweep --dev "$LAB_DEV" --rw randtrim --bs 64k --iodepth 8 --engine io_uring --allow-write --format json || {
	grep -q "does not work here" "$LAB_DIR/err" || fail "randtrim: $(cat "$LAB_DIR/err")"
}

# one fdatasync after four writes, which take a busy machine more than a moment
sweep --dev "$LAB_DEV" --rw randwrite --iodepth 1 --runtime 3s --fdatasync 4 --allow-write --format json || fail "fdatasync: $(cat "$LAB_DIR/err")"
cell 'abs(c["sync"]["ios"] * 4 - c["write"]["ios"]) <= 4 and c["sync_mode"] == "fdatasync=4"'
ok "fdatasync"

# the flag is on the descriptor: /proc tells while it runs
for how in dsync:010000 sync:04010000; do
	: >"$LAB_DIR/err"
	lab_spawn "$BLKMATRIX" sweep --db "$LAB_DIR/s.db" --dev "$LAB_DEV" --rw write --bs 4k --iodepth 1 --runtime 60s --ramp 0 \
		--allow-write --sync "${how%:*}" --progress json 2>"$LAB_DIR/err"
	wait_for "the device is written to" measures "$LAB_DIR/err"
	found=no
	for fd in /proc/"$LAB_PID"/fd/*; do
		[ "$(readlink "$fd")" = "$LAB_DEV" ] || continue
		flags=$(awk '/^flags:/ { print $2 }' "/proc/$LAB_PID/fdinfo/${fd##*/}")
		[ $((flags & 04010000)) = $((${how#*:})) ] && found=yes
	done
	kill -INT "$LAB_PID"
	wait "$LAB_PID"
	[ $? = 130 ] || fail "--sync ${how%:*}: $(cat "$LAB_DIR/err")"
	[ $found = yes ] || fail "--sync ${how%:*} is not how the device was opened ($flags)"
	ok "--sync ${how%:*}"
done
