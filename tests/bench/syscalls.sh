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
# count ENGINE CALLS SECONDS: how many of these calls, in $loop; which others were too many, in $others
count() {
    local call n
    loop=0 others=''
    # the thread that watches makes 20 calls a second
    most=$((OTHERS_MAX + 30 * ($3 - 2)))
    strace -f -c -o "$WORK/calls" "$BENCH" "$WORK/file" "$1" 4k 8 1 "$3" >"$WORK/out"
    grep -q status=complete "$WORK/out" || die "$1: $(cat "$WORK/out")"
    while read -r n call; do
        case " $2 " in
        *" $call "*) loop=$((loop + n)) ;;
        *) [ "$n" -le $most ] || others+="$1: $call was made $n times: it is in the loop"$'\n' ;;
        esac
    done < <(awk 'NR > 2 && $4 ~ /^[0-9]+$/ && $NF != "total" {print $4, $NF}' "$WORK/calls")
}
check() { # engine, calls of its loop; for longer where a call takes a busy machine too long for many of them
    local seconds
    for seconds in 2 8 30; do
        count "$1" "$2" $seconds
        [ "$loop" -le $((5 * most)) ] || break
    done
    [ "$loop" -gt $((5 * most)) ] || others+="$1: only $loop calls of $2: the test does not test"$'\n'
    [ -z "$others" ] || { printf '%s' "$others"; status=1; }
}

check psync pread64
check libaio "io_submit io_getevents io_pgetevents"
check io_uring io_uring_enter
exit $status
