# --dry-run shows the plan and touches nothing.
. "$(dirname "$0")/lib.sh"

run sweep "${sim[@]}" --dry-run --rw randread,randrw --rwmixread 70,30 --bs 4k,1M --iodepth 1,8 --repeat 2 \
    --runtime 30s --ramp 2s
expect_rc 0
expect_out mixed
run sweep "${sim[@]}" --dry-run --bs 4k..1M --iodepth 1..64/x4 --runtime 60 --ramp 2s
expect_rc 0
expect_out long

run sweep --dev scratch.dat --size 64M --dry-run
expect_rc 0
[ ! -e scratch.dat ] || fail "a dry run makes a file"
[ ! -e "$BLKMATRIX_DB" ] || fail "a dry run makes a store"

# what the run itself refuses
head -c 1M /dev/zero >theirs.dat
for n in "" --dry-run; do
    run sweep --dev theirs.dat --size 64M $n
    expect_rc 2
    expect_in "$err" "is never made larger"
done
rm theirs.dat

run sweep --dry-run --engine sim --order shuffle --seed 7 --format json
expect_rc 0
expect_schema "$out" sweep-plan
if command -v python3 >/dev/null; then
    python3 - "$out" <<'PY' || fail "the plan as JSON"
import json, sys
plan = json.load(open(sys.argv[1]))
assert plan["cells"] == plan["left"] == len(plan["plan"]) == 36, plan["cells"]
assert plan["left_ns"] == 36 * plan["cell_ns"] == 36 * 63_000_000_000
seen = {(c["bs"], c["iodepth"]) for c in plan["plan"]}
assert len(seen) == 36 and [c["ordinal"] for c in plan["plan"]] == list(range(36))
assert plan["axes"]["order"] == "shuffle" and plan["axes"]["seed"] == 7
assert [c["bs"] for c in plan["plan"]] != sorted(c["bs"] for c in plan["plan"])
PY
fi
# a plan that is too large says what makes it so: the shares of reads count, too
run sweep --dry-run --engine sim --rw randrw --rwmixread 0..100/+1 --bs 4k..1M --iodepth 1..64/+1 --repeat 10
expect_rc 2
expect_in "$err" "101 patterns and mixes x 9 block sizes x 64 iodepths"

# ten thousand cells are planned at once: CPU time, as the machine may have other work
TIMEFORMAT=%U
cpu=$({ time "$BLKMATRIX" sweep --dry-run --engine sim --bs 512..51200/+512 --iodepth 1..100/+1 --format json \
    >"$out" 2>"$err"; } 2>&1)
grep -q '"cells": 10000' "$out" || fail "10,000 cells"
[ "${cpu%.*}" -lt 3 ] || fail "10,000 cells took $cpu s of CPU to plan"
exit 0
