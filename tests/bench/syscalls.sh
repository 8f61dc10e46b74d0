#!/bin/bash
# What the I/O loop asks of the kernel, counted by strace: submit, reap, and nothing else. Whatever
# else is called belongs to setting up and to the thread that watches (a futex a tick), and stays a
# small number while the loop makes thousands of calls.
#   tests/bench/syscalls.sh BENCH_CELL
source "$(dirname "$0")/lib.sh"
BENCH=$1
OTHERS_MAX=200
# AddressSanitizer maps memory of its own
! grep -qa __asan_init "$BENCH" || OTHERS_MAX=300
command -v strace >/dev/null || { echo "skipped: strace is not installed"; exit 77; }
# LeakSanitizer cannot work below strace; leaks of this program are looked for by the unit tests
export ASAN_OPTIONS=detect_leaks=0
WORK=$(mktemp -d)
CLEANUP+=("rm -rf $WORK")
dd if=/dev/urandom of="$WORK/file" bs=1M count=16 status=none

status=0
check() { # engine, calls of its loop
    local call n loop=0
    strace -f -c -o "$WORK/calls" "$BENCH" "$WORK/file" "$1" 4k 8 1 2 >"$WORK/out"
    grep -q status=complete "$WORK/out" || die "$1: $(cat "$WORK/out")"
    while read -r n call; do
        case " $2 " in
        *" $call "*) loop=$((loop + n)) ;;
        *)
            if [ "$n" -gt $OTHERS_MAX ]; then
                echo "$1: $call was made $n times: it is in the loop"
                status=1
            fi
            ;;
        esac
    done < <(awk 'NR > 2 && $4 ~ /^[0-9]+$/ && $NF != "total" {print $4, $NF}' "$WORK/calls")
    [ "$loop" -gt $((5 * OTHERS_MAX)) ] || {
        echo "$1: only $loop calls of $2: the test does not test"
        status=1
    }
}

check psync pread64
check libaio "io_submit io_getevents io_pgetevents"
check io_uring io_uring_enter
exit $status
