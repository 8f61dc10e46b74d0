#!/bin/bash
# Do we measure what fio measures? Both programs read the same loop device under the same kernel
# throttle (cgroup v1 blkio), in turn, ROUNDS times SECONDS_EACH
# after a ramp of 1 s (the throttle lets more through at first); medians are compared. The last
# rows have no throttle and one I/O at a time: there the device decides the latency.
#   tests/bench/accuracy.sh [BUILD_DIR]     ROUNDS=5 SECONDS_EACH=5
# Exit 1 when IOPS differ by more than 1 % under a throttle, or Little's law is off by more than 1 %.
source "$(dirname "$0")/lib.sh"
BUILD=${1:-build}
ROUNDS=${ROUNDS:-5}
EACH=${SECONDS_EACH:-5}
BENCH=$BUILD/tests/bench/bench_cell
[ -x "$BENCH" ] || die "$BENCH is missing: build first"
need_root_and fio losetup
make_loop 256

# throttle IOPS BYTES: caps the device for this script and what it starts; 0 0 frees it.
BLKIO=/sys/fs/cgroup/blkio
[ -d $BLKIO ] || { BLKIO=$(mktemp -d); mount -t cgroup -o blkio none "$BLKIO"; CLEANUP+=("umount $BLKIO; rmdir $BLKIO"); }
GROUP=$BLKIO/blkmatrix-bench-$$
mkdir "$GROUP"
CLEANUP+=("echo $$ > $BLKIO/tasks; rmdir $GROUP")
echo $$ >"$GROUP/tasks"
NUMBER=$((0x$(stat -c %t "$LOOP"))):$((0x$(stat -c %T "$LOOP")))
throttle() {
    echo "$NUMBER $1" >"$GROUP/blkio.throttle.read_iops_device"
    echo "$NUMBER $2" >"$GROUP/blkio.throttle.read_bps_device"
}

field() { sed -n "s/.* $1=\([0-9.]*\).*/\1/p" <<<" $2"; }
percentile() { grep -o ";$1[0-9.]*%=[0-9]*" <<<"$2" | head -1 | sed 's/.*=//'; } # the first are reads

printf '%-34s %11s %11s %8s %9s %9s %9s %9s %8s\n' "random reads" "fio IOPS" "our IOPS" "ratio" \
    "fio p50us" "our p50us" "fio p99us" "our p99us" "Little"
status=0
row() { # label iops-cap bw-cap engine bs depth
    local r out fi=() oi=() f50=() o50=() f99=() o99=() little=()
    throttle "$2" "$3"
    for ((r = 0; r < ROUNDS; r++)); do
        out=$(fio --name=a "--filename=$LOOP" "--ioengine=$4" --direct=1 --rw=randread "--bs=$5" \
            "--iodepth=$6" --randrepeat=0 --ramp_time=1 --runtime="$EACH" --time_based --output-format=terse \
            --terse-version=3)
        fi+=("$(cut -d';' -f8 <<<"$out")")
        f50+=("$(percentile 50.0 "$out")") f99+=("$(percentile 99.0 "$out")")
        out=$("$BENCH" "$LOOP" "$4" "$5" "$6" 1 "$EACH" 1)
        oi+=("$(field iops "$out")") little+=("$(field depth "$out")")
        o50+=("$(field clat_p50 "$out")") o99+=("$(field clat_p99 "$out")")
    done
    awk -v l="$1" -v f="$(median "${fi[@]}")" -v o="$(median "${oi[@]}")" \
        -v f50="$(median "${f50[@]}")" -v o50="$(median "${o50[@]}")" \
        -v f99="$(median "${f99[@]}")" -v o99="$(median "${o99[@]}")" \
        -v little="$(median "${little[@]}")" -v capped="$(($2 + $3))" 'BEGIN {
        printf "%-34s %11.1f %11.1f %8.4f %9.0f %9.1f %9.0f %9.1f %8.4f\n", l, f, o, o / f, f50,
            o50 / 1000, f99, o99 / 1000, little
        bad = capped && (o / f < 0.99 || o / f > 1.01 || little < 0.99 || little > 1.01)
        exit bad ? 1 : 0 }' || status=1
}

row "3500 IOPS, 4k libaio QD32" 3500 0 libaio 4k 32
row "3500 IOPS, 4k io_uring QD32" 3500 0 io_uring 4k 32
row "50 MiB/s, 64k libaio QD16" 0 52428800 libaio 64k 16
row "50 MiB/s, 1M libaio QD8" 0 52428800 libaio 1M 8
row "500 IOPS, 4k psync" 500 0 psync 4k 1
row "no cap, 4k psync" 0 0 psync 4k 1
row "no cap, 4k libaio QD1" 0 0 libaio 4k 1
exit $status
