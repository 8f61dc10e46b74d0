# Job files of fio: run on a simulated device and on files of their own, refused, and printed again.
. "$(dirname "$0")/lib.sh"
sim=(--engine sim --engine-options virtual=1,bw=400M,iops=8000,lat=1ms)

# a steady log writer and a burst of reads at its end, as it stands in a tutorial on fio
cat >nvme1.fio <<'FIO'
 ; -- start job file including.fio --
[global]
ioengine=libaio
direct=1 ; write directly to the drive
time_based
runtime=30
group_reporting=1
log_avg_msec=1000
rate=16m,5m ; limit to 16 MB/s and 5MB/s for read and write per job
numjobs=${NUM_JOBS} ; set at the command line
iodepth=${IO_DEPTH} ; set at the command line
filename=/dev/nvme1n1 ; or nvme2n1

[steady_write]
name=steady_write
rw=write ; sequential write
bs=64k ; Block size of 64KiB (default block size of 4 KiB)

[burst_read]
name=burst_read
rw=read
bs=256k ; Block size of 256KiB for reads (default is 4KiB)
startdelay=25 ; simulate a 5-second read burst at the end of a 30-second window
runtime=5
; -- end job file including.fio --
FIO
run run nvme1.fio "${sim[@]}"
expect_rc 5
expect_in "$err" "nvme1.fio:10: the variable NUM_JOBS is not set"
[ ! -e "$BLKMATRIX_DB" ] || fail "a store is made for a bad file"

export NUM_JOBS=16 IO_DEPTH=64
run run nvme1.fio "${sim[@]}" --dry-run
expect_rc 0
expect_in "$out" "2 jobs at the same time: 30"
expect_in "$out" $'writes     at most 2.34\u00a0GiB (0.0366 times the device) by the rates'
[ ! -e "$BLKMATRIX_DB" ] || fail "a dry run makes a store"
run run nvme1.fio "${sim[@]}" --dry-run --format json
expect_rc 0
expect_schema "$out" run-plan
python3 - "$out" <<'PY' || fail "the plan in JSON"
import json, sys
plan = json.load(open(sys.argv[1]))
assert plan["cells"] == 2 and plan["groups"] == 1 and plan["left_ns"] == 30 * 10**9
assert plan["writes"] == [{"device": 0, "device_bytes": 64 << 30, "ns": 30 * 10**9, "trim_ns": 0, "bytes_max": 16 * 5 * 2**20 * 30}]
assert [(j["devices"], j["startdelay_ns"], j["runtime_ns"]) for j in plan["plan"]] == [([0], 0, 30 * 10**9), ([0], 25 * 10**9, 5 * 10**9)]
PY

run run nvme1.fio "${sim[@]}" --label volume=io2 --name story
expect_rc 0
expect_in "$err" "2 jobs at the same time: 30"
[ "$(grep -c '^\[[12]/2\] ' "$err")" = 2 ] || fail "a line for each job"
run show volume=io2
expect_rc 0
expect_in "$out" "limited to 5.00 MiB/s a job"
expect_in "$out" "limited to 16.0 MiB/s a job"
run show story --format json --series
expect_schema "$out" show
# the device has room for both: writes of 16 x 5 MiB/s, reads of 16 x 16 MiB/s
python3 - "$out" <<'PY' || fail "both phases, by arithmetic"
import json, sys
cells = json.load(open(sys.argv[1]))["cells"]
write, read = cells[0]["write"], cells[1]["read"]
assert cells[0]["read"] is None and cells[1]["write"] is None
near = lambda got, want, by: abs(got / want - 1) <= by
assert near(write["bw"], 80 * 2**20, 0.02), write["bw"]
assert near(read["bw"], 256 * 2**20, 0.02), read["bw"]
assert near(write["runtime_ns"], 30e9, 0.01) and near(read["runtime_ns"], 5e9, 0.03)
PY

# printed and run again: the same keys
run show story --as-fio
expect_rc 0
cp "$out" again.fio
expect_in again.fio "startdelay=25"
run run again.fio "${sim[@]}" --name again
expect_rc 0
for name in story again; do
    run show $name --format json
    python3 -c 'import json,sys
for c in json.load(open(sys.argv[1]))["cells"]: print({k: c[k] for k in c if k in
    ("rw","bs","iodepth","numjobs","engine","direct","devices","rate_bw","status","repeat")})' "$out" >$name.keys
done
cmp -s story.keys again.keys || fail "another load after --as-fio"
[ "$(wc -l <story.keys)" = 2 ] || fail "two cells"

# a sweep as a job file: one cell after another
run sweep --engine sim --engine-options virtual=1,iops=1000 --runtime 1s --ramp 0 --bs 4k --iodepth 1,2 --name m
run show m --as-fio
expect_rc 0
[ "$(grep -c '^\[cell-' "$out")" = 2 ] || fail "two sections"
[ "$(grep -c '^stonewall$' "$out")" = 1 ] || fail "the second waits for the first"
expect_in "$out" "runtime=1"
run sweep --resume story
expect_rc 2
expect_in "$err" "is of a job file"

# everything outside the subset in one error
cat >outside.fio <<'FIO'
[global]
verify=crc32c
runtime=1
[a]
filename=/dev/null
zonemode=zbd
rw=sideways
FIO
run run outside.fio
expect_rc 5
expect_in "$err" "3 options cannot be run"
expect_in "$err" "line 2: verify=crc32c"
expect_in "$err" "line 6: zonemode=zbd"
expect_in "$err" "line 7: rw=sideways"
expect_in "$err" "--engine fio"
run run
expect_rc 2
run run nothing.fio
expect_rc 5
expect_in "$err" "nothing.fio"
printf '[a]\nfilename=x\n' >endless.fio
run run endless.fio
expect_rc 5
expect_in "$err" "has no runtime"

# files of its own, one a thread, made with their data; a buffered and a synchronous job after another
cat >files.fio <<'FIO'
[global]
directory=.
size=1m
time_based
runtime=200ms
ioengine=psync
write_bw_log=log
[own]
rw=randwrite
bs=4k
numjobs=2
fsync=4
[sync]
# a disk that is busy takes its time for each of these
runtime=4s
stonewall
filename=own.0.0
rw=randrw
rwmixread=50
bs=4k
sync=1
[split]
filename=own.0.0:own.1.0
rw=randread
bssplit=4k/50:16k/50
numjobs=2
FIO
run run files.fio
expect_rc 0
expect_in "$err" "only change what fio writes: write_bw_log"
expect_in "$err" $'3 jobs in 2 groups, one after another: 4.2\u00a0s'
[ "$(stat -c %s own.1.0)" = 1048576 ] || fail "the files are made in their size"
run show @latest --format json
python3 - "$out" <<'PY' || fail "the cells of files.fio"
import json, sys
a, b, c = json.load(open(sys.argv[1]))["cells"]
assert a["status"] == b["status"] == c["status"] == "complete"
assert a["devices"] == ["./own.0.0", "./own.1.0"] and a["numjobs"] == 1, a["devices"]
assert a["write"]["ios"] > 0 and b["read"]["ios"] > 0 and b["write"]["ios"] > 0 and c["read"]["ios"] > 0
PY
# a file of somebody else is not overwritten
head -c 1M /dev/zero >theirs
printf '[w]\nfilename=theirs\nrw=write\nruntime=100ms\ntime_based\n' >theirs.fio
run run theirs.fio
expect_rc 3
cmp -s theirs <(head -c 1M /dev/zero) || fail "it is written to all the same"
run run theirs.fio --destroy-data theirs
expect_rc 0
NUM_JOBS=1 run run nvme1.fio "${sim[@]}" --progress json
expect_rc 0
cp "$err" events
expect_schema events sweep-progress lines

# the rest of the format: an included file, repeated sections, bare options, CPUs, the engine's own options
printf 'bs=4k\niodepth=2\ngroup_reporting\ntime_based\n' >common.inc
cat >forms.fio <<'FIO'
[global]
include common.inc
runtime=200ms
ramp_time=100ms
ioengine=io_uring
directory=.
size=1m
cpus_allowed=0
[twice]
rw=randread
[twice]
description=the same name again
rw=randread
fixedbufs
registerfiles=0
[third]
stonewall
ioengine=psync
iodepth=1
rw=randrw
bs=4k,8k
rate_iops=200,100
FIO
run run forms.fio --engine sim --engine-options virtual=1 --name forms
expect_rc 0
expect_in "$err" "fixedbufs is passed over, as sim runs it"
run show forms --format json
python3 - "$out" <<'PY' || fail "the cells of forms.fio"
import json, sys
a, b, c = json.load(open(sys.argv[1]))["cells"]
assert [x["name"] for x in (a, b, c)] == ["twice", "twice", "third"]
assert all(x["options"] == {"cpus_allowed": "0", "cpus_allowed_policy": "shared"} for x in (a, b, c))
assert a["bs"] == 4096 and a["iodepth"] == 2 and (c["bs"], c["bs_write"]) == (4096, 8192)
assert abs(c["read"]["iops"] - 200) < 1e-6 * 200 + 6 and abs(c["write"]["iops"] - 100) < 6
PY
run sweep --engine help
if ! grep -q "does not work here" <<<"$(grep -A1 '^io_uring' "$out")"; then
    run run forms.fio --name real
    expect_rc 0
    run show real --as-fio
    expect_in "$out" "fixedbufs=1"
    expect_in "$out" "registerfiles=0"
    expect_in "$out" "cpus_allowed=0"
fi
run run forms.fio --engine psync --engine-options hipri=1
expect_rc 2
sed 's/cpus_allowed=0/cpus_allowed=1023/' forms.fio >cpu.fio
run run cpu.fio --dry-run
expect_rc 2
expect_in "$err" "[twice]: CPU 1023 does not exist here"

# an installed fio runs what only it can, after the same questions
cat >verify.fio <<'FIO'
[global]
size=256k
bs=4k
ioengine=psync
[w]
filename=scratch
rw=randwrite
verify=crc32c
FIO
run run verify.fio
expect_rc 5
cp theirs scratch
run run verify.fio --engine fio
expect_rc 3
run run verify.fio --engine fio --dry-run
expect_rc 3
expect_in "$out" "writes  scratch"
expect_in "$err" "was not made by blkmatrix"
printf '[w]\nfilename=theirs\nrw=write\nruntime=1\n' >plan.fio
run run plan.fio --dry-run
expect_rc 3
expect_in "$out" "theirs"
expect_in "$err" "was not made by blkmatrix"
run sweep --dev theirs --rw write --bs 4k --iodepth 1 --runtime 1s --dry-run
expect_rc 3
expect_in "$out" "1 cell of"
expect_in "$err" "was not made by blkmatrix"
run run verify.fio --engine fio --destroy-data scratch --dry-run
expect_rc 0
expect_in "$out" "writes  scratch"
printf '[a]\nread_iolog=log\n' >replay.fio
run run replay.fio --engine fio
expect_rc 3
expect_in "$err" "replay.fio:2: read_iolog=log is not passed to fio"
printf '[a]\nfilename=theirs\nioengine=filedelete\n' >remove.fio
run run remove.fio --engine fio
expect_rc 3
printf '[a]\nfilename=theirs\nrw=read\nsize=9m\n' >larger.fio
run run larger.fio --engine fio
expect_rc 3
[ "$(stat -c %s theirs)" = 1048576 ] || fail "a file is made anew to be read"
# what an option would write beside the files of the job; both lists of files are fio's
sha256sum theirs >theirs.sum
for line in mem=mmapshared:theirs write_bw_log=theirs ioengine=external:./theirs ioscheduler=none; do
    printf '[a]\nfilename=new\nrw=read\nsize=64k\n%s\n' "$line" >beside.fio
    run run beside.fio --engine fio
    expect_rc 3
    expect_in "$err" "beside.fio:5: $line is not passed to fio"
done
printf '[global]\nfilename=theirs\n[a]\nfilename=new\nrw=write\nsize=64k\n' >both.fio
run run both.fio --engine fio
expect_rc 3
expect_in "$err" "theirs"
sha256sum --quiet -c theirs.sum || fail "their file is another one"
[ ! -e new ] || fail "something was done all the same"
printf '[a]\nfilename=/dev/no-such-device\nrw=write\nsize=4k\n' >gone.fio
run run gone.fio --engine fio --allow-write
expect_rc 2
[ ! -e /dev/no-such-device ] || fail "a file in /dev"
if command -v fio >/dev/null; then
    run run verify.fio --engine fio --destroy-data scratch --name verified --label a=b
    expect_rc 0
    expect_in "$out" "write"
    run show a=b --format json
    expect_in "$out" '"name": "verified"'
    printf '[a]\nfilename=scratch\nsize=1k\nbs=nothing\n' >bad.fio
    run run bad.fio --engine fio --destroy-data scratch
    expect_rc 4
    expect_in "$err" "fio ended with exit status 1"
fi
exit 0
