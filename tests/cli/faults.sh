# A device that fails: what was measured is kept and marked, the sweep goes on, exit status 4.
. "$(dirname "$0")/lib.sh"
command -v sqlite3 >/dev/null || skip "sqlite3 is needed"
status() { sqlite3 "$BLKMATRIX_DB" "SELECT group_concat(status) FROM (SELECT status FROM cell WHERE run_id = $1 ORDER BY ordinal)"; }

# some I/Os fail: partial
run sweep --engine sim --engine-options virtual=1,eio_every=100 --runtime 1s --ramp 0 --bs 4k --iodepth 1,4
expect_rc 4
[ "$(status 1)" = partial,partial ] || fail "cells with failed I/Os are partial: $(status 1)"
expect_in "$err" "Input/output error"
# and its figures are shown
[ "$(grep -c 'randread.* partial$' "$out")" = 2 ] || fail "the figures of what did not fail"

# the device goes away in the second cell: the rest fails at once, the first is complete
run sweep --engine sim --engine-options virtual=1,vanish_at=1500ms --runtime 1s --ramp 0 --bs 4k --iodepth 1,4,16
expect_rc 4
[ "$(status 2)" = complete,failed,failed ] || [ "$(status 2)" = complete,partial,failed ] || fail "vanished: $(status 2)"
expect_in "$err" "No such device"
expect_in "$err" "kept as run 2"

run sweep --engine sim --engine-options virtual=1,vanish_at=1500ms --runtime 1s --ramp 0 --bs 4k --iodepth 1,4,16 \
    --on-error stop
expect_rc 4
[ "$(sqlite3 "$BLKMATRIX_DB" 'SELECT count(*) FROM cell WHERE run_id = 3')" = 2 ] || fail "--on-error stop stops"

# every name is text, whatever is in it
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1 --label $'a=\e]0;x\a' --dev $'x\ty'
expect_rc 0
cat "$out" "$err" >seen
# a name with control characters is refused, and the refusal shows none of them either
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1 --name $'\e[31mred\n'
expect_rc 2
expect_in "$err" "control characters"
cat "$out" "$err" >>seen
run sweep "${sim[@]}" --dry-run --bs 4k --dev $'\e[31mx'
! grep -q $'[\x01-\x08\x0b-\x1f]' seen "$out" "$err" || fail "control characters reach the terminal"

# a store that cannot be written
mkdir closed
: >closed/file
run --db closed/file/results.db sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1
expect_rc 6

# a slip in the path of a store leaves no folders
run --db typo/of/a/path.db sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1
expect_rc 6
expect_in "$err" "there is no folder typo/of/a"
[ ! -e typo ] || fail "folders were made"
BLKMATRIX_DB=typo/results.db run import "$SOURCE_DIR/examples/results/matrix.json"
expect_rc 6
[ ! -e typo ] || fail "folders were made"
# those of the usual place are made
(
    unset BLKMATRIX_DB
    export HOME=$work/new-home
    run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1 --quiet
    expect_rc 0
    [ -s "$HOME/.local/share/blkmatrix/results.db" ] || fail "no store in the usual place"
) || exit 1

# results that cannot be printed
if [ -e /dev/full ]; then
    "$BLKMATRIX" sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1 >/dev/full 2>"$err"
    rc=$?
    expect_rc 4
    expect_in "$err" "No space left"
fi
# a reader that goes away is no failure
"$BLKMATRIX" sweep "${sim[@]}" --runtime 1s --bs 4k..1M --iodepth 1..64 2>"$err" | head -1 >"$out"
[ "${PIPESTATUS[0]}" = 0 ] || fail "a closed pipe fails"
exit 0
