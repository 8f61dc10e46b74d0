# The options of a load reach the I/Os, the key in the store, and what is shown.
. "$(dirname "$0")/lib.sh"

# key NAME: the value of a setting of the first cell of the last run, as JSON has it
key() {
    "$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
cell = json.load(sys.stdin)["cells"][0]
print(json.dumps(cell.get(sys.argv[1], "missing")))' "$1"
}
has_python() { command -v python3 >/dev/null || skip "python3 is needed"; }
has_python
expect_key() { [ "$(key "$1")" = "$2" ] || fail "key $1 is $(key "$1"), expected $2"; }

# a short runtime needs no --interval
run sweep "${sim[@]}" --runtime 300ms --bs 4k --iodepth 1
expect_rc 0
run sweep "${sim[@]}" --runtime 300ms --interval 1s --bs 4k --iodepth 1
expect_rc 2
expect_in "$err" "--interval is longer than --runtime"

# an open loop delivers its rate: 100 I/Os a second of each of 2 jobs, 10 s
run sweep "${sim[@]}" --runtime 10s --bs 4k --iodepth 8 --numjobs 2 --rate-iops 100 --arrival constant
expect_rc 0
expect_key rate_iops 100
expect_key arrival '"constant"'
run show @latest
expect_in "$out" "limited to 100 IOPS a job"
expect_in "$out" "latency is lat"
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
iops = json.load(sys.stdin)["cells"][0]["read"]["iops"]
assert abs(iops - 200) < 0.4, iops' || fail "200 IOPS are expected"

# rates apart: each direction its own; a pattern that only writes has the rate of the writes
run sweep "${sim[@]}" --runtime 10s --bs 4k --iodepth 8 --rw randrw,randwrite,randread --rate 400k,200k
expect_rc 0
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
mix, write, read = json.load(sys.stdin)["cells"]
for cell, d, want in ((mix, "read", 409600), (mix, "write", 204800), (write, "write", 204800), (read, "read", 409600)):
    assert abs(cell[d]["bw"] / want - 1) < 0.01, (d, cell[d]["bw"])
assert mix["rate_bw"] == 409600 and mix["rate_bw_write"] == 204800
assert write["rate_bw"] == 204800 and write["rate_bw_write"] is None
assert read["rate_bw"] == 409600 and read["rate_bw_write"] is None' || fail "rates of both directions"

# as fio: one number is that of each direction, whatever the shares of the mix; of two each has its own
run sweep "${sim[@]}" --runtime 10s --bs 4k --iodepth 8 --rw randrw,randwrite --rwmixread 70 --rate-iops 300
expect_rc 0
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
mix, write = json.load(sys.stdin)["cells"]
for cell, d in ((mix, "read"), (mix, "write"), (write, "write")):
    assert abs(cell[d]["iops"] / 300 - 1) < 0.002, (d, cell[d]["iops"])
assert mix["rate_iops"] == 300 and mix["rate_iops_write"] is None' || fail "a rate of each direction"
expect_in "$err" "The rates make the shares of a mix"
run sweep "${sim[@]}" --runtime 10s --bs 4k --iodepth 8 --rw randrw,randwrite,randread --rate-iops 700,300
expect_rc 0
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
mix, write, read = json.load(sys.stdin)["cells"]
for cell, d, want in ((mix, "read", 700), (mix, "write", 300), (write, "write", 300), (read, "read", 700)):
    assert abs(cell[d]["iops"] / want - 1) < 0.002, (d, cell[d]["iops"])
assert mix["rate_iops"] == 700 and mix["rate_iops_write"] == 300
assert write["rate_iops"] == 300 and write["rate_iops_write"] is None' || fail "two rates"
run show @latest
expect_in "$out" "reads limited to 700 IOPS a job, writes limited to 300 IOPS a job"
# a rate of one direction leaves the other free
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1 --rw randread,randwrite --rate-iops 50,
expect_rc 0
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
read, write = json.load(sys.stdin)["cells"]
assert read["rate_iops"] == 50 and write["rate_iops"] is None and write["arrival"] is None
assert write["write"]["iops"] > 100' || fail "writes are free"

# also in a mix, as fio: it has its share of it and no more than its rate, the other direction takes the rest
for rate in 50, ,50 50,0; do
    run sweep "${sim[@]}" --runtime 20s --bs 4k --iodepth 4 --rw randrw --rwmixread 90,10 --rate-iops $rate
    expect_rc 0
    expect_not_in "$err" "rates make the shares"
    "$BLKMATRIX" show @latest --format json >shown || fail "show"
    python3 - $rate <<'PY' || fail "a rate for one direction: $rate"
import json, sys
writes = sys.argv[1][0] == ","
for cell in json.load(open("shown"))["cells"]:
    held, other = (cell["write"], cell["read"]) if writes else (cell["read"], cell["write"])
    share = (100 - cell["rwmixread"] if writes else cell["rwmixread"]) / 100
    total = held["iops"] + other["iops"]
    assert held["iops"] < 50.2 and abs(held["iops"] / min(50, share * total) - 1) < (0.002 if share * total > 60 else 0.1), (held["iops"], total)
    assert total > 900 and held["offered_iops"] is None and cell["rate_iops_write"] == (50 if writes else 0), total
PY
done
run show @latest
expect_in "$out" "reads limited to 50.0 IOPS a job"
run report @latest --format md
expect_in "$out" "reads, own rate 50.0 IOPS a job"
expect_not_in "$out" "own write rate"
expect_in "$out" "from the issue of an I/O"
run show @latest --as-fio
expect_in "$out" "rate_iops=50,0"

# block sizes of one cell
run sweep "${sim[@]}" --runtime 20s --bssplit 4k/75:64k/25 --iodepth 4
expect_rc 0
expect_in "$out" "4k/75:64k/25"
expect_key bs null
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
d = json.load(sys.stdin)["cells"][0]["read"]
assert abs(d["bytes"] / d["ios"] / (0.75 * 4096 + 0.25 * 65536) - 1) < 0.03, d["bytes"] / d["ios"]' ||
    fail "three quarters of 4k and one of 64k"
run sweep "${sim[@]}" --runtime 5s --rw randrw --bs 4k --bs-write 64k --iodepth 4
expect_rc 0
expect_key bs_write 65536
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
cell = json.load(sys.stdin)["cells"][0]
assert cell["read"]["bytes"] == 4096 * cell["read"]["ios"]
assert cell["write"]["bytes"] == 65536 * cell["write"]["ios"]' || fail "reads of 4k, writes of 64k"

# syncs: one after eight writes; a pattern that only reads has none in its key
run sweep "${sim[@]}" --runtime 5s --rw randwrite,randread --bs 4k --iodepth 1 --fsync 8
expect_rc 0
expect_in "$out" "fsync=8"
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
write, read = json.load(sys.stdin)["cells"]
assert write["sync_mode"] == "fsync=8" and read["sync_mode"] is None
assert abs(write["sync"]["ios"] * 8 - write["write"]["ios"]) <= 8' || fail "fsync of the writes only"

# random offsets, think time, contents, CPUs
run sweep "${sim[@]}" --runtime 2s --rw randwrite,write --bs 4k --iodepth 1 --random zipf:1.2 --thinktime 10ms \
    --compress 50 --dedupe 20 --cpus 0 --numjobs 2
expect_rc 0
expect_key distribution '"zipf:1.2"'
expect_key thinktime_ns 10000000
expect_key compress 50
expect_key dedupe 20
"$BLKMATRIX" show @latest --format json | python3 -c '
import json, sys
random, sequential = json.load(sys.stdin)["cells"]
assert sequential["distribution"] is None
assert random["options"] == {"cpus_allowed": "0"}, random["options"]
assert 100 < random["write"]["iops"] < 200, random["write"]["iops"]' || fail "settings of the load"
run show @latest --format table
expect_in "$out" "zipf:1.2"

# trims are told as trims
run sweep "${sim[@]}" --runtime 2s --rw trim,randtrim --bs 64k --iodepth 4
expect_rc 0
expect_in "$out" "randtrim"

# the plan shows the load
run sweep "${sim[@]}" --dry-run --rw randrw --rwmixread 70 --bs 4k --bs-write 16k --iodepth 4 --rate-iops 500 \
    --arrival poisson --cpus 0
expect_rc 0
expect_in "$out" "load       limited to 500 IOPS a job, poisson arrivals"
expect_in "$out" "bs-write   16k"
expect_in "$out" "randrw 50/50"

# what will be written: exactly where a rate says so
run sweep "${sim[@]}" --size 1G --dry-run --rw randwrite --bs 4k --iodepth 4 --rate 1M --runtime 100s
expect_rc 0
expect_in "$out" $'at most 100\u00a0MiB (0.0977 times the device) by the rates'
run sweep "${sim[@]}" --size 1G --dry-run --rw randwrite,randtrim --bs 4k --iodepth 4 --runtime 100s
expect_in "$out" "each 100 MiB/s makes"
expect_in "$out" "trims for"
run sweep "${sim[@]}" --size 1G --dry-run --bs 4k --iodepth 4
expect_not_in "$out" "writes"

# a resumed run has the same load
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1 --rate-iops 100 --cpus 0 --name again
expect_rc 0
run sweep --resume again
expect_rc 0

refused() {
    local words=$1
    shift
    run sweep "${sim[@]}" --runtime 1s --dry-run "$@"
    expect_rc 2
    expect_in "$err" "$words"
}
refused "only one of --sync, --fsync and --fdatasync" --rw write --sync dsync --fsync 4
refused "only one of --rate and --rate-iops" --rate 1M --rate-iops 100
refused "only one of --rate, --rate-iops, --curve and --thinktime" --rate 1M --thinktime 1ms
refused "--arrival is about a load" --arrival poisson
refused "--rate: " --rate 5M,x
refused "--rate-iops: a rate of 0" --rate-iops 0
refused "--rate-iops: a rate of 0" --rate-iops 0,0
refused "has no writes to go on with while the reads are ahead" --rw randrw --rwmixread 100 --rate 5M,
refused "has no reads to go on with while the writes are ahead" --rw randrw --rwmixread 0 --rate-iops ,5
refused "only one of --bs and --bssplit" --bs 4k --bssplit 4k/50:8k/50
refused "add up to 90" --bssplit 4k/50:8k/40
refused "--bs-write is for rw and randrw" --rw randread --bs-write 8k
refused "--random: random distribution" --random pareto
refused "--cpus: CPU 1023 does not exist" --cpus 1023
refused "--cpus: \"x\" is no CPU" --cpus 0,x
refused "cover needs one block size" --random cover --bssplit 4k/50:8k/50
# a trim would leave a file with holes
run sweep --dev unmade.dat --size 1M --rw randtrim --bs 64k --iodepth 1 --runtime 1s
expect_rc 2
expect_in "$err" "trims are for block devices"
[ ! -e unmade.dat ] || fail "a file is made for a run that cannot be"
run sweep --dev scratch.dat --size 1M --rw trim --bs 64k --iodepth 1 --runtime 1s --dry-run
expect_rc 2
expect_in "$err" "trims are for block devices"
exit 0
