# Plans of 10,000 cells: they start at once, and memory is not a matter of their number.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is needed"
# sanitizers have memory and time of their own
grep -qaE '__asan_init|__tsan_init|__gcov_' "$BLKMATRIX" && skip "not with a sanitizer or coverage"
sim=(--engine sim --engine-options virtual=1,iops=5000 --runtime 10ms --ramp 0 --interval 10ms --progress never)

# measured ARGS...: runs the program; its CPU seconds and peak memory in KiB are in $cpu and $memory
measured() {
    ran="blkmatrix $*"
    python3 - "$BLKMATRIX" "$@" >"$out" 2>usage <<'PY' || fail "it runs"
import os, resource, sys
pid = os.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(pid, 0)
print("usage", int(1000 * (used.ru_utime + used.ru_stime)), used.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
PY
    read -r _ cpu memory < <(grep '^usage ' usage)
}
below() { # below WHAT VALUE LIMIT
    [ "$2" -lt "$3" ] || fail "$1 is $2, and should be below $3"
}

matrix=(--bs 512..1M --iodepth 1..128 --numjobs 1..16/x2 --repeat 21)
measured sweep "${sim[@]}" "${matrix[@]}" --dry-run
expect_in "$out" "10,080 cells of"
below "the CPU time of a plan of 10,080 cells in ms" "$cpu" 1000
below "its memory in KiB" "$memory" 30720
measured sweep "${sim[@]}" --bs 512..1M --iodepth 1..128 --numjobs 1 --curve 2..100/+2 --repeat 2 --dry-run
expect_in "$out" "9,792 cells of"
below "the memory of a plan with curves in KiB" "$memory" 30720

# measured, a plan of 2,000 cells needs the memory of a small one; and the first cell comes at once
measured sweep "${sim[@]}" --bs 4k,8k --iodepth 1,2 --repeat 5
few=$memory
measured sweep "${sim[@]}" --bs 4k,8k --iodepth 1,2 --repeat 500 --name many
below "the memory of 2,000 cells in KiB" "$memory" 30720
below "what 1,980 cells more need in KiB" $((memory - few)) 6144
"$BLKMATRIX" sweep "${sim[@]}" "${matrix[@]}" --runtime 1s --progress plain >"$out" 2>"$err" </dev/null &
pid=$!
wait_for "the first cell is there" grep -q '^\[1/10080\]' "$err"
kill -INT $pid
wait $pid
rc=$?
expect_rc 130
expect_in "$err" "[1/10080] "
exit 0
