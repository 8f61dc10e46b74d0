# A response curve: the maximum of each cell, then an open loop at shares of it.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is needed"
sim=(--engine sim --engine-options virtual=1,iops=5000,lat=500us --runtime 5s --ramp 1s)

# judge PYTHON: of the cells of the last run; `near` compares
judge() {
    "$BLKMATRIX" show "${run_id:-@latest}" --format json >shown || fail "show"
    python3 - "$1" <<'PY' || fail "$1"
import json, sys
cells = json.load(open("shown"))["cells"]
near = lambda got, want, by=0.002: abs(got / want - 1) <= by
exec("assert " + sys.argv[1])
PY
}

# the plan: counted, timed to the second, the same in JSON
run sweep "${sim[@]}" --bs 4k,8k --iodepth 4,16 --repeat 2 --curve --dry-run
expect_rc 0
expect_in "$out" $'88 cells of 6\u00a0s: 8\u00a0min 48\u00a0s'
expect_in "$out" "maximum"
expect_in "$out" "100 %"
run sweep "${sim[@]}" --bs 4k,8k --iodepth 4,16 --curve 10..90/+40 --dry-run --format json
expect_rc 0
expect_schema "$out" sweep-plan
python3 - "$out" <<'PY' || fail "the plan in JSON"
import json, sys
plan = json.load(open(sys.argv[1]))
assert plan["cells"] == 16 and plan["left_ns"] == 16 * 6 * 10**9
assert [c["percent"] for c in plan["plan"]] == [None, 10, 50, 90] * 4
assert plan["axes"]["curve"] == [10, 50, 90]
PY

# the maximum is the cap, the steps deliver their shares of it, and are ordinary cells with a rate
run sweep "${sim[@]}" --bs 4k --iodepth 16 --numjobs 2 --curve 10..100/+10 --name read
expect_rc 0
expect_in "$err" "[6/11] randread 4k QD 16 x 2 at 50 %: 2,500 IOPS"
expect_in "$out" "random read, 2 jobs, 4k, QD 32: at most 5,0"
expect_in "$out" "; the knee is at 100 % of it, 5,0"
expect_in "$out" "plot hockey"
judge 'len(cells) == 11 and near(cells[0]["read"]["iops"], 5000) and cells[0]["rate_iops"] is None'
judge 'all(near(c["read"]["iops"], 500 * (i + 1)) for i, c in enumerate(cells[1:]))'
judge 'all(near(c["rate_iops"], 250 * (i + 1)) and c["arrival"] == "constant" for i, c in enumerate(cells[1:]))'
# in a closed loop latency is that of the queue, below the cap it is that of the device
judge 'cells[0]["read"]["lat_ns"]["mean"] > 6e6 and all(near(c["read"]["lat_ns"]["mean"], 5e5, 0.01) for c in cells[1:10])'

# shown as one: chart and report know the steps
run plot hockey read -o curve.svg
expect_rc 0
expect_in "$err" $'Up to 100\u00a0% of the maximum latency grows less than the rate'
run report read -o report.html
expect_rc 0
expect_in report.html "response curve"
expect_not_in report.html ", own rate"
run report read --format md
expect_in "$out" "response curve"

# a mix keeps its shares; arrivals at random; the steps of a repeat are repeats of the first
run sweep "${sim[@]}" --bs 4k --iodepth 16 --rw randrw --rwmixread 80 --curve 50 --arrival poisson --repeat 2
expect_rc 0
judge 'len(cells) == 4 and cells[1]["rate_iops"] == cells[3]["rate_iops"] and cells[0]["arrival"] is None'
judge 'near(cells[1]["rate_iops"] + cells[1]["rate_iops_write"], 2500, 0.01) and near(cells[1]["rate_iops"], 2000, 0.03)'
judge 'near(cells[1]["read"]["offered_iops"] + cells[1]["write"]["offered_iops"], 2500, 0.05)'
judge 'cells[1]["arrival"] == "poisson" and cells[3]["repeat"] == 2'

# the device is lost in a step; resumed, the steps that are left have the rates of the maximum from before
run sweep --engine sim --engine-options virtual=1,iops=2000,lat=1ms,vanish_at=2500ms --ramp 0 --runtime 1s --bs 4k \
    --iodepth 8 --curve 50,75,100 --name stopped
expect_rc 4
expect_in "$err" "[2/4] randread 4k QD 8 at 50 %: 1,000 IOPS"
run sweep --resume stopped --dry-run
expect_rc 0
expect_in "$out" "; 2 are done"
run sweep --resume stopped
expect_rc 0
run_id=stopped judge 'len(cells) == 4 and all(c["status"] == "complete" for c in cells)'
run_id=stopped judge 'all(near(c["rate_iops"], cells[0]["read"]["iops"] * (0.5 + 0.25 * i)) for i, c in enumerate(cells[1:]))'

# shuffled, a curve stays together; in rounds, the maximum has steady IOPS and the steps a steady latency
run sweep "${sim[@]}" --bs 4k,8k,16k --iodepth 4,16 --curve 50,100 --order shuffle --seed 7 --repeat 2 --dry-run --format json
expect_rc 0
python3 - "$out" <<'PY' || fail "the shuffled plan"
import json, sys
cells = json.load(open(sys.argv[1]))["plan"]
curves = [cells[i:i + 3] for i in range(0, 36, 3)]
assert all([c["percent"] for c in u] == [None, 50, 100] and len({(c["bs"], c["iodepth"], c["repeat"]) for c in u}) == 1 for u in curves)
tops = [(u[0]["bs"], u[0]["iodepth"]) for u in curves]
assert sorted(tops[:6]) == sorted(tops[6:]) == sorted(set(tops)) and tops[:6] != sorted(tops[:6]) and tops[:6] != tops[6:]
PY
run sweep "${sim[@]}" --bs 4k,8k --iodepth 16 --curve 50 --order shuffle --seed 3 --steady --name both
expect_rc 0
expect_in "$err" "each cell, until its IOPS (of a step: its mean latency) are steady"
expect_in "$err" $'QD 16 at 50 %: 500\u00a0µs; last 5: range 0.0 % (at most 20), slope 0.0 % (at most 10): steady'
judge 'len(cells) == 4 and all(c["steady"] and c["rounds"] == 5 for c in cells)'
judge 'all(near(c["round_values"][0], 5000 if c["rate_iops"] is None else 5e5, 0.01) for c in cells)'
judge 'all(near(c["read"]["iops"], 2500) for c in cells if c["rate_iops"])'

# without a maximum there are no steps: they say why
run sweep --engine sim --engine-options virtual=1,eio_every=1 --bs 4k --iodepth 4 --runtime 1s --ramp 0 --curve 50
expect_rc 4
judge 'cells[1]["status"] == "failed" and "no maximum to take 50 % of" in cells[1]["error"]'

refused() {
    local words=$1
    shift
    run sweep "${sim[@]}" --dry-run "$@"
    expect_rc 2
    expect_in "$err" "$words"
}
refused "only one of --curve and --rate" --curve --rate-iops 100
refused "only one of --rate, --rate-iops, --curve and --thinktime" --curve --thinktime 1ms
refused "the rates of a curve are not among them" --curve --suite snia-iops
refused "--curve" --curve 0..50
refused "--curve" --curve=150
exit 0
