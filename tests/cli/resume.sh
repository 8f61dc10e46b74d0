# Interrupted and killed sweeps keep what was finished, and go on with the rest.
. "$(dirname "$0")/lib.sh"
real=(--engine sim --engine-options iops=2000,lat=1ms --ramp 20ms --runtime 300ms --interval 100ms)

cells() { # cells RUN STATUS: how many
    command -v sqlite3 >/dev/null || skip "sqlite3 is needed"
    sqlite3 "$BLKMATRIX_DB" "SELECT count(*) FROM cell WHERE run_id = $1 AND status = '$2'"
}
two_cells() { [ "$(grep -c '^\[' "$err")" -ge 2 ]; }
start() { # start ARGS...: in the background, until two cells are there
    ran="blkmatrix $*"
    : >"$err"
    "$BLKMATRIX" "$@" >"$out" 2>"$err" </dev/null &
    pid=$!
    wait_for "two cells are there" two_cells
}
# interrupted SIGNAL ARGS...: start, then the signal; again when it was over before the signal came to it
n=0
interrupted() {
    local signal=$1 again
    shift
    for again in 1 2 3 4 5; do
        n=$((n + 1))
        start "$@"
        kill -"$signal" $pid
        rc=0
        wait $pid 2>/dev/null || rc=$?
        [ "$(cells $n complete)" = 8 ] || break
    done
}
finish() { # finish RUN: what is left, then nothing
    run sweep --resume "$1"
    expect_rc 0
    [ "$(cells "$1" complete)" = 8 ] || fail "all cells are complete after resuming"
    [ "$(cells "$1" partial)" = 0 ] || fail "the partial cell was measured again"
    [ "$(sqlite3 "$BLKMATRIX_DB" "SELECT status FROM run WHERE id = $1")" = complete ] || fail "run is complete"
    run sweep --resume "$1" --no-detect # nothing is detected again anyway
    expect_rc 0
    expect_in "$err" "nothing is left to measure"
}

for signal in INT TERM HUP; do
    interrupted $signal sweep "${real[@]}" --bs 4k,8k --iodepth 1,2,4,8
    expect_rc 130
    expect_in "$err" "--resume $n"
    done=$(cells $n complete)
    [ "$done" -ge 2 ] && [ "$done" -lt 8 ] || fail "$done complete cells"
    [ "$(cells $n partial)" -le 1 ] || fail "one partial cell"
    [ "$(sqlite3 "$BLKMATRIX_DB" "SELECT status FROM run WHERE id = $n")" = partial ] || fail "run is partial"
    finish $n
done

# twice: at once
: >"$err"
"$BLKMATRIX" sweep "${real[@]}" --runtime 10m --bs 4k --iodepth 1 --progress json >"$out" 2>"$err" &
pid=$!
n=$((n + 1))
wait_for "the cell is measured" measures "$err"
kill -INT $pid
kill -TERM $pid
begin=$SECONDS
wait $pid
rc=$?
expect_rc 130
[ $((SECONDS - begin)) -lt 60 ] || fail "two signals end it at once"

# kill -9 loses at most the running cell
interrupted KILL sweep "${real[@]}" --bs 4k,8k --iodepth 1,2,4,8 --name killed
run=$(sqlite3 "$BLKMATRIX_DB" "SELECT max(id) FROM run WHERE name = 'killed'")
done=$(cells "$run" complete)
[ "$done" -ge 2 ] || fail "finished cells are kept: $done"
[ "$(sqlite3 "$BLKMATRIX_DB" 'PRAGMA integrity_check')" = ok ] || fail "the store is whole"
finish "$run"

# the rounds of a test for steady state are no cells, and are kept all the same
one_round() { grep -q '^round 1 of' "$err"; }
: >"$err"
ran="sweep --steady, interrupted"
"$BLKMATRIX" sweep --engine sim --engine-options iops=1000,lat=1ms,drift=60us --ramp 0 --runtime 1s --bs 4k --iodepth 1 \
    --steady >"$out" 2>"$err" &
pid=$!
wait_for "a round is over" one_round
kill -INT $pid
rc=0
wait $pid || rc=$?
expect_rc 130
grep -qE 'is kept as run [0-9]+: (1 cell and )?[0-9]+ rounds?\.$' "$err" || fail "the rounds that are kept are named"

run sweep --resume 99
expect_rc 2
run --db nowhere.db sweep --resume 1
[ "$rc" != 0 ] || fail "nothing to resume"
[ ! -e nowhere.db ] || fail "a store is made for nothing"
exit 0
