# --engine fio: an installed fio measures the cell, and what it says is kept as any other cell.
. "$(dirname "$0")/lib.sh"
command -v fio >/dev/null || skip "fio is needed"
command -v python3 >/dev/null || skip "python3 is needed"
fio=(sweep --engine fio --dev data.bin --direct 0 --ramp 0 --runtime 1s --iodepth 2)

# check EXPRESSION: true of the cells c of the last run
check() {
    "$BLKMATRIX" show @latest --format json >shown || fail "show"
    python3 -c 'import json, sys
run = json.load(open("shown"))
c = run["cells"]
assert eval(sys.argv[1]), c' "$1" || fail "$1"
}

run "${fio[@]}" --size 8M --bs 4k,64k --rw randread,randrw --rwmixread 70
expect_rc 0
expect_schema <("$BLKMATRIX" show @latest --format json) show
check '[x["status"] for x in c] == ["complete"] * 4 and [x["bs"] for x in c] == [4096, 65536] * 2'
check 'all(x["engine"] == "fio" and x["read"]["ios"] > 100 for x in c)'
check 'all(x["read"]["bytes"] == x["bs"] * x["read"]["ios"] for x in c)'
check 'all(x["read"]["clat_ns"]["percentiles"]["50"] > 0 for x in c)'
check 'c[0]["write"] is None and 0.6 < c[2]["read"]["ios"] / (c[2]["read"]["ios"] + c[2]["write"]["ios"]) < 0.8'
check 'all(0.9e9 < x["runtime_ns"] < 2e9 and x["cpu"]["system_ns"] is not None for x in c)'
check 'run["run"]["tool"].startswith("blkmatrix")'

# Settings reach fio: a rate, sizes, syncs. fio does not catch up with a rate after a moment in which the machine stood
# still, so that less than the rate says nothing, and next to nothing or more of it does.
run "${fio[@]}" --rw randwrite --bssplit 4k/50:8k/50 --rate 1200k --random zipf:1.2 --cpus 0 --runtime 2s
expect_rc 0
check '0.6 < c[0]["write"]["bw"] / 1228800 < 1.05 and c[0]["rate_bw"] == 1228800'
check '4096 < c[0]["write"]["bytes"] / c[0]["write"]["ios"] < 8192'
check 'c[0]["extra"]["fio version"] and c[0]["extra"]["options"]["random_distribution"] == "zipf:1.2"'
run "${fio[@]}" --bs 4k --rate-iops 200 --runtime 2s
check '120 < c[0]["read"]["iops"] < 210'
run "${fio[@]}" --bssplit 4k/50:8k/50 --rate-iops 200
expect_in "$err" "cannot hold a rate of I/Os when blocks differ"
run "${fio[@]}" --rw randwrite --bs 4k --fsync 10 --runtime 5s # the disk may be busy
expect_rc 0
check 'abs(c[0]["write"]["ios"] - 10 * c[0]["sync"]["ios"]) <= 20 and c[0]["sync_mode"] == "fsync=10"'

# what fio complains about is the reason of a failed cell; the others go on
mkdir bin
cat >bin/fio <<'END'
#!/bin/sh
echo "fio: the device is on strike" >&2
exit 1
END
chmod +x bin/fio
PATH=$PWD/bin:$PATH run "${fio[@]}" --bs 4k,8k
expect_rc 4
expect_in "$err" "fio: the device is on strike"
check '[x["status"] for x in c] == ["failed"] * 2 and "on strike" in c[0]["error"] and c[0]["read"] is None'
printf '#!/bin/sh\necho no JSON at all\n' >bin/fio
PATH=$PWD/bin:$PATH run "${fio[@]}" --bs 4k
expect_rc 4
check 'c[0]["status"] == "failed" and c[0]["error"]'
# killed with its fio: nothing stays behind
printf '#!/bin/sh\necho $$ >pid\nexec sleep 100\n' >bin/fio
PATH=$PWD/bin:$PATH "$BLKMATRIX" "${fio[@]}" --bs 4k >/dev/null 2>&1 </dev/null &
program=$!
wait_for "fio is started" [ -s pid ]
kill -9 $program
wait $program 2>/dev/null
wait_for "fio is gone too" [ ! -e "/proc/$(cat pid)" ]

mkdir without
ln -s "$(command -v grep)" without/grep
PATH=$PWD/without run "${fio[@]}" --bs 4k
expect_rc 2
expect_in "$err" "engine fio does not work here: there is no program fio in the PATH"
# one number is that of each direction, for fio as for us
run "${fio[@]}" --bs 4k --rw randrw --rwmixread 80 --rate 1M --runtime 2s
expect_rc 0
check 'all(0.6 < c[0][d]["bw"] / 1048576 < 1.05 for d in ("read", "write"))'
run sweep --engine fio --dev data.bin --dev other.bin --size 1M --together --direct 0 --bs 4k --iodepth 1
expect_rc 2
expect_in "$err" "one device at a time"

# Ctrl-C: fio reports what it has, and the cell is partial
"$BLKMATRIX" "${fio[@]}" --bs 4k --runtime 30s >/dev/null 2>"$err" </dev/null &
program=$!
# it has spent 0.5 s of CPU time, which is more than fio needs to start
reads() { awk '{ exit $14 + $15 < 50 }' "/proc/$(pgrep -P $program)/stat" 2>/dev/null; }
wait_for "fio reads" reads
kill -INT $program
rc=0
wait $program || rc=$?
expect_rc 130
check 'c[0]["status"] == "partial" and c[0]["read"]["ios"] > 100 and c[0]["runtime_ns"] < 10e9'
exit 0
