# When a measurement ends: --until, --steady, --suite, --time-budget; and --precondition before it.
. "$(dirname "$0")/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is needed"
ask() { sqlite3 "$BLKMATRIX_DB" "$1"; }
quick() { # quick OPTIONS ARGS...: on a simulated device of these options, on its own clock
    local options=$1
    shift
    run sweep --engine sim --engine-options "virtual=1,$options" --seed 1 "$@"
}

# a quiet device is known at the shortest runtime, one that stands still now and then goes on to the longest
quick iops=5000,lat=500us --bs 4k --iodepth 8 --until 2%
expect_rc 0
[ "$(ask "SELECT round(runtime_ns / 1e9), ended_by, ci_half < 0.02, n_eff FROM cell WHERE run_id = 1")" = "30.0|interval|1|30.0" ] ||
    fail "ends after 30 s"
run show 1 1
expect_in "$out" "the interval: it was narrow enough"
expect_in "$out" "of the mean IOPS (95 %), from 30.0 independent samples"
quick iops=5000,lat=500us,stall_at=3s,stall_for=7s,stall_every=13s --bs 4k --iodepth 8 --until 2% --max-runtime 60s
expect_rc 0
expect_in "$out" "interval-wide (1 cell)"
[ "$(ask "SELECT round(runtime_ns / 1e9), ended_by, ci_half > 0.02 FROM cell WHERE run_id = 2")" = "60.0|max-runtime|1" ] ||
    fail "goes on to the longest runtime"
expect_schema <("$BLKMATRIX" show 2 --format json) show
quick lat=1ms --bs 4k --iodepth 8 --until 2% --min-runtime 5s --max-runtime 20s --dry-run
expect_in "$out" $'within 2 %, after 5\u00a0s to 20\u00a0s'
expect_in "$out" $'1 cell of at most 22\u00a0s: 7\u00a0s to 22\u00a0s'

# steady after five rounds; never, with a device that gets slower and slower
quick iops=2000,lat=1ms --bs 4k --iodepth 4,8 --runtime 5s --ramp 1s --steady
expect_rc 0
expect_in "$err" "round 5 of randread 4k QD 8: 2,000 IOPS; last 5: range 0.0 % (at most 20), slope 0.0 % (at most 10): steady"
expect_in "$out" "reached in 2 of 2 cells, after 5 rounds"
[ "$(ask "SELECT count(*) FROM v_cell WHERE run = 3")" = 2 ] || fail "rounds are no results"
[ "$(ask "SELECT count(*) FROM cell WHERE run_id = 3 AND round IS NOT NULL")" = 10 ] || fail "rounds are kept"
[ "$(ask "SELECT group_concat(steady || rounds) FROM cell WHERE run_id = 3 AND round IS NULL")" = "15,15" ] ||
    fail "the verdict"
expect_schema <("$BLKMATRIX" show 3 --format json) show
run show 3 "$(ask "SELECT max(id) FROM cell WHERE run_id = 3")"
expect_in "$out" "yes, after 5 rounds"
expect_in "$out" "counts"
quick lat=1ms,drift=60us --bs 4k --iodepth 4 --runtime 10s --ramp 1s --steady --progress json
expect_rc 0
grep "^{" "$err" >lines
expect_schema lines sweep-progress lines
expect_in "$out" "reached in 0 of 1 cells, after 25 rounds"
expect_in "$out" "not-steady (1 cell)"
[ "$(grep -c '"event":"round"' "$err")" = 25 ] || fail "25 rounds"

# a report has the result and the doubt, and no rounds
run report 4 -o report.md
expect_rc 0
expect_in report.md "were not steady when these ended"
expect_in report.md "results not steady"
expect_not_in report.md "| Steady |"

# another store takes the rounds over
export BLKMATRIX_DB=$work/other.db
run merge results.db
expect_rc 0
[ "$(ask "SELECT count(*) FROM cell WHERE round IS NOT NULL")" = 35 ] || fail "rounds are merged"
export BLKMATRIX_DB=$work/results.db

# suites: forecast, the cells of the test, its outcome
quick lat=300us --suite snia-iops --size 1G --dry-run
expect_rc 0
expect_in "$out" "56 of the matrix"
expect_in "$out" "PTS-style"
expect_in "$out" $'written twice in sequence (128 KiB): 2\u00a0GiB'
expect_in "$out" "until the IOPS of randwrite 4k is steady"
quick lat=300us --suite snia-iops --size 1G --dry-run --format json
expect_schema "$out" sweep-plan
python3 - "$out" <<'PY' || fail "the plan of snia-iops"
import json, sys
plan = json.load(open(sys.argv[1]))
cells = plan["plan"]
assert len(cells) == 56 and plan["axes"]["suite"] == "snia-iops"
assert [c["bs"] for c in cells[:8]] == [1 << 20, 131072, 65536, 32768, 16384, 8192, 4096, 512]
mixes = [c["rwmixread"] if c["rw"] == "randrw" else {"randread": 100, "randwrite": 0}[c["rw"]] for c in cells[::8]]
assert mixes == [100, 95, 65, 50, 35, 5, 0]
assert plan["precondition"] == [{"device": 0, "how": "seq2x", "bytes": 2 << 30, "can_be_purged": True}]
assert plan["left_ns"] == 5 * plan["left_least_ns"] == 56 * 25 * 63 * 10**9
PY
quick lat=300us --suite snia-lat --size 64M --runtime 2s --ramp 100ms
expect_rc 0
expect_in "$err" $'preconditioning sim: 128\u00a0MiB of 128\u00a0MiB, 100 %'
expect_in "$err" "slope 0.0 % (at most 10): steady"
expect_in "$out" "reached in 9 of 9 cells, after 5 rounds"
expect_in "$err" "then randwrite 4k once more for 40"
expect_in "$err" $'9 cells of 2.1\u00a0s and 1 of 40\u00a0s: '
expect_in "$err" "[10/10] randwrite 4k QD 1, histogram: 3,333 IOPS"
[ "$(ask "SELECT group_concat(round(runtime_ns / 1e9) || rw || bs || iodepth) FROM cell WHERE run_id = 5 AND stage = 'histogram'")" = \
    "40.0randwrite40961" ] || fail "the long run for the histogram"
expect_schema <("$BLKMATRIX" show 5 --format json) show
run show 5
expect_in "$out" "Steady state was reached after 5 rounds (PTS-style, SNIA's rule). The mean latency of randwrite 4k in the window, rounds 1 to 5: mean"
expect_in "$out" "Average latency, reads/writes in percent over block size"
expect_in "$out" $' bs   0/100   65/35   100/0\n512  300\u00a0µs  300\u00a0µs  300\u00a0µs'
expect_in "$out" $'histogram of the latencies: 40\u00a0s, 133,3'
run report 5 -o lat.md
expect_rc 0
expect_in lat.md "## PTS-style test"
expect_in lat.md $'| 4k | 300\u00a0µs | 300\u00a0µs | 300\u00a0µs |'
expect_in lat.md "99 of 100 writes take 300"
quick lat=300us --suite snia-lat --size 64M --dry-run --format json
expect_schema "$out" sweep-plan
python3 - "$out" <<'PY' || fail "the plan of snia-lat"
import json, sys
plan = json.load(open(sys.argv[1]))
last = plan["plan"][-1]
assert len(plan["plan"]) == 10 and last["stage"] == "histogram" and (last["rw"], last["bs"], last["iodepth"]) == ("randwrite", 4096, 1)
assert not any("stage" in c for c in plan["plan"][:9])
long = (20 * 60 + 3) * 10**9
assert plan["left_ns"] == 9 * 25 * 63 * 10**9 + long and plan["left_least_ns"] == 9 * 5 * 63 * 10**9 + long
# 65/35 and 0/100 write, and so does the long one
assert plan["writes"][0]["ns"] == 6 * 25 * 63 * 10**9 + long
PY
quick lat=300us --precondition rand --size 64M --bs 4k --iodepth 1 --runtime 1s --ramp 0 --progress json --db other.db
expect_rc 0
grep "^{" "$err" >lines
expect_schema lines sweep-progress lines
expect_in lines '"event":"precondition","path":"sim"'
expect_in lines '"done":134217728,"total":134217728'
run show @latest
expect_in "$out" "snia-lat: one random I/O at a time"
expect_in "$out" $'written twice in sequence (128 KiB): 128\u00a0MiB in all'
expect_in "$out" "not done: no device of its own"

# the tables of snia-iops are those of its cells: 8 sizes by 7 mixes
BLKMATRIX_DB=$work/iops.db quick iops=4000,lat=200us,write_lat=400us,bw=40M/s,jitter=10 --suite snia-iops --size 64M --runtime 300ms \
    --ramp 100ms --interval 100ms
expect_rc 0
expect_in "$out" "IOPS, reads/writes in percent over block size"
expect_in "$out" "  bs  0/100   5/95  35/65  50/50  65/35   95/5  100/0"
expect_in "$out" "reached in 56 of 56 cells"
expect_not_in "$out" "best queue depth"
"$BLKMATRIX" show 1 --format json --db iops.db >cells.json || fail "show"
"$BLKMATRIX" report 1 --format json --db iops.db >report.json || fail "report"
expect_schema report.json report
python3 - <<'PY' || fail "the tables of snia-iops"
import json
cells = [c for c in json.load(open("cells.json"))["cells"] if c["rounds"]]
suite = json.load(open("report.json"))["suite"]
(result,) = suite["results"]
assert suite["name"] == "snia-iops" and suite["style"] == "PTS-style" and suite["followed"] == "IOPS of randwrite 4k"
assert [p["bs"] for p in result["table"][::7]] == [512, 4096, 8192, 16384, 32768, 65536, 131072, 1048576]
assert [p["reads"] for p in result["table"][:7]] == [0, 5, 35, 50, 65, 95, 100]
table = {(p["bs"], p["reads"]): p for p in result["table"]}
assert len(cells) == len(table) == 56 and result["histogram"] is None
for c in cells:
    reads = c["rwmixread"] if c["rw"] == "randrw" else {"randread": 100, "randwrite": 0}[c["rw"]]
    p, used = table[c["bs"], reads], [d for d in (c["read"], c["write"]) if d]
    assert abs(p["iops"] / sum(d["iops"] for d in used) - 1) < 1e-9
    assert abs(p["iops"] / (sum(c["round_values"][-5:]) / 5) - 1) < 0.02
    n = sum(d["ios"] for d in used)
    assert abs(p["mean_ns"] / (sum(d["clat_ns"]["mean"] * d["ios"] for d in used) / n) - 1) < 1e-6
    assert p["max_ns"] == max(d["clat_ns"]["max"] for d in used)
judged = next(c for c in cells if c["rw"] == "randwrite" and c["bs"] == 4096)
steady, last = result["steady"], judged["round_values"][-5:]
assert steady["round_values"] == judged["round_values"] and steady["reached"] == judged["steady"]
assert abs(steady["range"] - (max(last) - min(last)) / (sum(last) / 5)) < 1e-12
assert abs(steady["slope_per_round"] - sum((i - 2) * v for i, v in enumerate(last)) / 10) < 1e-9
PY

# a sweep that is killed in the middle of its rounds goes on with the next one
: >"$err"
"$BLKMATRIX" sweep --engine sim --engine-options iops=2000,lat=1ms --ramp 20ms --runtime 1s --interval 100ms --bs 4k \
    --iodepth 2,4 --steady >"$out" 2>"$err" </dev/null &
pid=$!
wait_for "a round at the second depth" grep -q '^round [0-9]* of randread 4k QD 4' "$err"
kill -9 $pid
wait $pid 2>/dev/null
before=$(ask "SELECT count(*) FROM cell WHERE run_id = 6 AND round IS NOT NULL AND iodepth = 4")
[ "$before" -ge 1 ] || fail "rounds are kept when the program is killed"
run show 6
expect_in "$out" "are kept; \`blkmatrix sweep --resume 6\` goes on with the next"
run sweep --resume 6
expect_rc 0
expect_not_in "$err" "QD 2"
[ "$(grep -o -m1 '^round [0-9]*' "$err")" = "round $((before + 1))" ] || fail "the next round after $before"
[ "$(ask "SELECT count(*) FROM cell WHERE run_id = 6 AND rounds >= 5 AND round IS NULL")" = 2 ] || fail "both cells are there"

# a time that all must fit in
quick lat=1ms --bs 4k --iodepth 1,4 --time-budget 5m --dry-run
expect_rc 0
expect_in "$out" $'budget     5\u00a0min'
quick lat=1ms --bs 4k --iodepth 1,4 --time-budget 20s
expect_rc 0
expect_in "$err" "too short for intervals of confidence"
[ "$(ask "SELECT sum(runtime_ns + ramp_ns) BETWEEN 18e9 AND 20e9 FROM cell WHERE run_id = 7")" = 1 ] || fail "fits into 20 s"
quick lat=1ms --bs 4k --iodepth 1,4,16 --time-budget 3s
expect_rc 2
expect_in "$err" $'do not fit into 3\u00a0s'

# what a file is written full with; nothing without permission on what is not ours
head -c 300K /dev/zero >theirs
run sweep --dev theirs --direct 0 --bs 4k --iodepth 1 --runtime 50ms --ramp 0 --precondition fill
expect_rc 3
cmp -s theirs <(head -c 300K /dev/zero) || fail "nothing was written"
for how in fill rand; do
    head -c 9000K /dev/zero >theirs
    run sweep --dev theirs --direct 0 --bs 4k --iodepth 1 --runtime 50ms --ramp 0 --precondition $how --destroy-data=theirs
    expect_rc 0
    [ "$(tr -d '\0' <theirs | wc -c)" -gt 9100000 ] || fail "all of the file was written"
    [ "$(wc -c <theirs)" = 9216000 ] || fail "it is as large as before"
done
run show @latest
expect_in "$out" "then each 4 KiB block once in random order"

# what excludes each other, or means nothing, is said
for args in "--until 2% --steady" "--until 2% --runtime 60s" "--until 2" "--until 60%" "--min-runtime 5s" "--time-budget 1h --runtime 5s" \
    "--suite snia-iops --bs 64k" "--suite snia-iops --iodepth 1,2" "--suite snia-iops --curve" "--until 2% --min-runtime 5s --max-runtime 2s"; do
    # shellcheck disable=SC2086
    quick lat=1ms $args --dry-run
    expect_rc 2
done
quick lat=1ms --until 200% --dry-run
expect_rc 2
expect_in "$err" "--until: '200%' is more than 100%"
for share in -1 x 2 64k; do
    quick lat=1ms --until "$share" --dry-run
    expect_rc 2
    expect_in "$err" "--until: \"$share\" is not a percentage"
    expect_not_in "$err" "64k, 1G"
done
