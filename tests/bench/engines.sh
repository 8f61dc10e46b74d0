#!/bin/bash
# CPU time of an I/O, ours against the installed fio, on devices that cost next to nothing: 4k
# random reads, one job, all histograms on. Both programs run in turn, ROUNDS times SECONDS each, so
# that other load on the machine meets both; the medians are printed. CPU is that of the whole
# process (kernel workers of io_uring included), less what it takes to start and do one I/O. For
# io_uring there is also the least that a loop can cost which only submits and reaps (bench_least):
# one that takes each I/O when it is done, as fio and we do, and one that waits for 8 at a time.
#   tests/bench/engines.sh [BUILD_DIR]     ROUNDS=5 SECONDS_EACH=2
source "$(dirname "$0")/lib.sh"
BUILD=${1:-build}
ROUNDS=${ROUNDS:-5}
EACH=${SECONDS_EACH:-2}
BENCH=$BUILD/tests/bench/bench_cell
LEAST=$BUILD/tests/bench/bench_least
[ -x "$BENCH" ] || die "$BENCH is missing: build first"
need_root_and fio losetup
make_zram 1G
make_loop 256

# cpu COMMAND...: user and system seconds of it in CPU_USER and CPU_SYSTEM, its output in OUT.
cpu() {
    local err
    err=$(mktemp)
    TIMEFORMAT='cpu %3U %3S'
    OUT=$({ time "$@" 2>/dev/null; } 2>"$err")
    read -r _ CPU_USER CPU_SYSTEM < <(grep '^cpu ' "$err")
    rm -f "$err"
}

fio_args() { # device engine depth
    FIO=(fio --name=bench "--filename=$1" "--ioengine=${2%%:*}" --direct=1 --rw=randread --bs=4k
        "--iodepth=$3" --randrepeat=0 --output-format=terse --terse-version=3)
    [ "${2%%:*}" = io_uring ] && FIO+=(--fixedbufs --registerfiles)
    return 0
}

# one PROGRAM DEVICE ENGINE DEPTH: appends to the arrays TOTAL and USER (ns an I/O) and IOPS.
one() {
    local base_user base_system ios
    if [ "$1" = fio ]; then
        fio_args "$2" "$3" "$4"
        cpu "${FIO[@]}" --number_ios=1
        base_user=$CPU_USER base_system=$CPU_SYSTEM
        cpu "${FIO[@]}" --runtime="$EACH" --time_based
        # terse v3: field 6 is KiB read, field 8 IOPS
        ios=$(cut -d';' -f6 <<<"$OUT" | awk '{print $1 / 4}')
        IOPS+=("$(cut -d';' -f8 <<<"$OUT")")
    else
        base_user=0 base_system=0
        cpu "$BENCH" "$2" "$3" 4k "$4" 1 "$EACH"
        ios=$(sed -n 's/.* ios=\([0-9]*\).*/\1/p' <<<" $OUT")
        IOPS+=("$(sed -n 's/.* iops=\([0-9.]*\).*/\1/p' <<<" $OUT")")
    fi
    read -r user total < <(awk -v u="$CPU_USER" -v s="$CPU_SYSTEM" -v bu="$base_user" \
        -v bs="$base_system" -v n="$ios" \
        'BEGIN {printf "%.1f %.1f\n", (u - bu) * 1e9 / n, (u + s - bu - bs) * 1e9 / n}')
    TOTAL+=("$total")
    USER+=("$user")
}

# least DEVICE DEPTH WAIT: its ns an I/O
least() {
    "$LEAST" "$1" "$2" "$EACH" "$3" | sed -n 's/.*cpu_ns=\([0-9.]*\).*/\1/p'
}

printf '%-26s %8s %8s %8s %8s %8s %8s %8s\n' "4k randread, 1 job" "fio ns" "ours ns" "ratio" \
    "least ns" "by 8 ns" "fio user" "our user"
row() { # label device engine depth
    local r fio_total=() fio_user=() our_total=() our_user=() least=() by8=()
    for ((r = 0; r < ROUNDS; r++)); do
        TOTAL=() USER=() IOPS=()
        one fio "$2" "$3" "$4"
        one ours "$2" "$3" "$4"
        fio_total+=("${TOTAL[0]}") our_total+=("${TOTAL[1]}")
        fio_user+=("${USER[0]}") our_user+=("${USER[1]}")
        [ "$3" = io_uring ] && [ -x "$LEAST" ] || continue
        least+=("$(least "$2" "$4" 1)") by8+=("$(least "$2" "$4" 8)")
    done
    awk -v l="$1" -v ft="$(median "${fio_total[@]}")" -v ot="$(median "${our_total[@]}")" \
        -v fu="$(median "${fio_user[@]}")" -v ou="$(median "${our_user[@]}")" \
        -v least="$([ ${#least[@]} = 0 ] || median "${least[@]}")" \
        -v by8="$([ ${#by8[@]} = 0 ] || median "${by8[@]}")" '
        function ns(v) {return v == "" ? "-" : sprintf("%.0f", v)}
        BEGIN {
            printf "%-26s %8.0f %8.0f %8.2f %8s %8s %8.0f %8.0f\n", l, ft, ot, ft / ot, ns(least),
                ns(by8), fu, ou
        }'
}

row "zram libaio QD1" "$ZRAM" libaio 1
row "zram libaio QD32" "$ZRAM" libaio 32
row "zram libaio QD256" "$ZRAM" libaio 256
row "zram io_uring fixed QD32" "$ZRAM" io_uring 32
row "loop libaio QD32" "$LOOP" libaio 32
row "loop io_uring fixed QD32" "$LOOP" io_uring 32
echo "ns: CPU time of all threads for one I/O. ratio: I/Os per CPU second, ours over fio's."
