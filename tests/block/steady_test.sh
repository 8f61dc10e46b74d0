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

run --precondition fill --steady --allow-write
[ $rc = 0 ] || fail "exit $rc: $(cat err)"
grep -q "^preconditioning $LAB_DEV: 64.*MiB of 64.*MiB, 100 %" err || fail "no progress of preconditioning: $(cat err)"
grep -q "^round 5 of randread 4k QD 8: .*: steady" err || fail "not steady in round 5: $(cat err)"
# each block carries data now
python3 - "$LAB_DEV" <<'PY' || fail "blocks were left out"
import sys
with open(sys.argv[1], "rb") as f:
    blocks = iter(lambda: f.read(4096), b"")
    sys.exit(any(b.count(0) > 2048 for b in blocks))
PY
python3 - out.json <<'PY' || fail "the result is not that of the cap: $(head -c 4000 out.json)"
import json, sys
run = json.load(open(sys.argv[1]))
(cell,) = run["cells"]
print(cell["read"]["iops"], cell["round_values"], cell["steady_range"], cell["steady_slope"])
assert cell["steady"] is True and cell["rounds"] == 5 and len(cell["round_values"]) == 5
assert abs(cell["read"]["iops"] / 2000 - 1) < 0.03
assert abs(cell["read"]["iops"] / (sum(cell["round_values"]) / 5) - 1) < 0.005
assert abs(cell["runtime_ns"] / 3e9 - 1) < 0.3
(device,) = run["devices"]
assert device["precondition"].startswith("written once in sequence") and device["purge"] == "not done"
PY
ok "filled, then steady at the cap"
