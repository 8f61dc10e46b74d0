#!/usr/bin/env bash
# A device at a cap of 2000 IOPS and 50 MiB/s, which the kernel keeps: --precondition writes all of it before, and only
# with permission; rounds of --steady are within 3 % of the cap and steady after the fifth.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || lab_skip "no python3"
lab_start --size 64M --iops 2000 --bps 50M || fail "no lab"
cd "$LAB_DIR" || fail "$LAB_DIR"
blank() { [ "$(tr -d '\0' <"$LAB_DEV" | wc -c)" = 0 ]; }
run() { # run OPTION...: a sweep in the lab; its lines in err
	rc=0
	lab_exec "$BLKMATRIX" sweep --db "$LAB_DIR/store.db" --dev "$LAB_DEV" --bs 4k --iodepth 8 --runtime 600ms --ramp 200ms \
		--interval 100ms --progress plain --format json "$@" >out.json 2>err || rc=$?
}

blkdiscard "$LAB_DEV" 2>/dev/null || dd if=/dev/zero of="$LAB_DEV" bs=1M count=64 oflag=direct status=none
blank || fail "the device is not blank"
run --precondition fill
[ $rc = 3 ] || fail "exit $rc, not 3: writing before a reading pattern needs permission too"
blank || fail "written without permission"
ok "refused"

run --precondition fill --allow-write --dry-run
[ $rc = 0 ] || fail "dry run: $(cat err)"
blank || fail "a dry run has written"

# the verdict follows from the rounds of the cell, else 1; 3 when the machine had no time for one of them
judge() {
	python3 - out.json <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
(cell,) = run["cells"]
values, n = cell["round_values"], cell["rounds"]
print(cell["read"]["iops"], values, cell["steady_range"], cell["steady_slope"])
within = lambda last: max(last) - min(last) <= 0.2 * sum(last) / 5 + 1e-6
assert len(values) == n
assert cell["steady"] is False or within(values[-5:])
if max(abs(v / 2000 - 1) for v in values[:5]) > 0.03:
    print("a round was disturbed")
    sys.exit(3)
assert cell["steady"] is True and n == 5
assert abs(cell["read"]["iops"] / 2000 - 1) < 0.03
assert abs(cell["read"]["iops"] / (sum(values) / 5) - 1) < 0.005
assert abs(cell["runtime_ns"] / 3e9 - 1) < 0.3
PY
}
for go in 1 2 3 4 5 6 7 8; do
	run --precondition fill --steady --allow-write
	judged=0
	if [ $rc = 4 ] && grep -q "no I/O was completed in the measured time" err; then
		judged=3 # nothing came back for a whole round
	else
		[ $rc = 0 ] || fail "exit $rc: $(cat err)"
		judge || judged=$?
	fi
	[ $judged = 3 ] && [ $go -lt 8 ] || break
done
[ $judged = 0 ] || fail "the result is not that of the cap: $(head -c 4000 out.json)"
grep -q "^round 5 of randread 4k QD 8: .*: steady" err || fail "not steady in round 5: $(cat err)"
grep -q "^preconditioning $LAB_DEV: 64.*MiB of 64.*MiB, 100 %" err || fail "no progress of preconditioning: $(cat err)"
# each block carries data now
python3 - "$LAB_DEV" <<'PY' || fail "blocks were left out"
import sys
with open(sys.argv[1], "rb") as f:
    blocks = iter(lambda: f.read(4096), b"")
    sys.exit(any(b.count(0) > 2048 for b in blocks))
PY
python3 - out.json <<'PY' || fail "what was written before is not told"
import json, sys
(device,) = json.load(open(sys.argv[1]))["devices"]
assert device["precondition"].startswith("written once in sequence") and device["purge"] == "not done"
PY
ok "filled, then steady at the cap"
