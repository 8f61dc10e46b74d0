# A run that is being measured belongs to the process that measures it.
. "$(dirname "$0")/lib.sh"

"$BLKMATRIX" sweep --engine sim --bs 4k,8k --iodepth 1 --runtime 10m --ramp 0 --quiet >/dev/null 2>&1 &
pid=$!
trap 'kill "$pid" 2>/dev/null; rm -rf "$work"' EXIT
is_running() { run list; grep -q running "$out"; }
wait_for "the run is in the store" is_running
for what in "sweep --resume 1" "delete 1 --yes"; do
    run $what
    expect_rc 2
    expect_in "$err" "run 1 is being measured right now, by process $pid"
    expect_not_in "$err" "Nothing of the measurement is kept"
    expect_not_in "$err" "Go on with"
done
kill -9 "$pid"
wait "$pid" 2>/dev/null
run list
expect_in "$out" "partial"
expect_not_in "$out" "running"
run delete 1 --yes
expect_rc 0

# a name that SQLite takes for something else is a file too
run --db :memory: sweep --engine sim --engine-options virtual=1 --bs 4k --iodepth 1 --runtime 1s
expect_rc 0
run --db :memory: list
expect_rc 0
[ -f ./:memory: ] || fail ":memory: is a file"

# a name must not be taken for something else where runs are chosen
for name in @latest 17 a=b " " "$(printf 'x\033[2J')" "$(printf 'a%.0s' $(seq 101))"; do
    run sweep --engine sim --engine-options virtual=1 --bs 4k --iodepth 1 --runtime 1s --name "$name"
    expect_rc 2
    expect_in "$err" "--name"
done

# devices hold no results
run import /dev/zero
expect_rc 5
exit 0
