#!/usr/bin/env bash
# kill -9 in the middle of a sweep: every finished cell is kept, and --resume measures the rest, once.
. "$(dirname "$0")/lib.sh"
lab_start --size 64M --iops 2000 || fail "no lab"
db=$LAB_DIR/store.db
cells() { python3 - "$db" <<'PY'
import sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
assert db.execute("pragma integrity_check").fetchone() == ("ok",)
assert not db.execute("pragma foreign_key_check").fetchall()
print(*sorted(r[0] for r in db.execute("select ordinal from cell where status = (select status from cell order by ordinal limit 1)")))
PY
}
start() { : >"$LAB_DIR/err"; lab_spawn "$BLKMATRIX" sweep --db "$db" --progress json "$@" 2>"$LAB_DIR/err"; }
# told N: the sweep that was started says that N cells are finished, and that it measures the next
told() { [ "$(grep -c '"event":"cell"' "$LAB_DIR/err")" -ge "$1" ] && measures <(tail -1 "$LAB_DIR/err"); }

start --dev "$LAB_DEV" --bs 4k..64k --iodepth 1,8 --ramp 100ms --runtime 700ms --interval 100ms --name killed
first=$LAB_PID
wait_for "three cells are there" told 3
kill -9 "$first"
wait "$first" 2>/dev/null
done_before=$(cells)
n=$(wc -w <<<"$done_before")
[ "$n" -ge 3 ] && [ "$n" -le 9 ] || fail "$n of 10 cells after the kill: $done_before"
ok "killed with $n of 10 cells kept"

# a second time, while it resumes
start --resume killed
second=$LAB_PID
wait_for "one more cell is there" told 1
kill -9 "$second"
wait "$second" 2>/dev/null
m=$(cells | wc -w)
[ "$m" -gt "$n" ] || fail "resuming lost cells: $m after $n"
ok "killed again with $m of 10"

start --resume killed
wait "$LAB_PID" || fail "the last resume: exit $?"
[ "$(cells)" = "0 1 2 3 4 5 6 7 8 9" ] || fail "cells: $(cells)"
[ "$(python3 -c 'import sqlite3,sys; print(sqlite3.connect(sys.argv[1]).execute("select count(*) from run").fetchone()[0])' "$db")" = 1 ] || fail "another run was made"
# the device is free again: nothing of the killed ones holds it
allowed "$LAB_DEV"

# another device under the old name: what is on it must not be overwritten by the old run
head -c 8M /dev/zero >"$LAB_DIR/a"
head -c 8M /dev/urandom >"$LAB_DIR/b"
lab_loop "$LAB_DIR/a" || fail losetup
was=$LAB_LOOP
start --dev "$was" --rw randwrite --allow-write --yes --bs 4k,8k --iodepth 1 --ramp 0 --runtime 2s --interval 100ms --name moved
wait_for "the first cell is measured" told 0
kill -9 "$LAB_PID"
wait "$LAB_PID" 2>/dev/null
lab_detach "$was"
losetup "$was" "$LAB_DIR/b" || fail "losetup $was"
before=$(sha256sum <"$LAB_DIR/b")
rc=0
"$BLKMATRIX" sweep --db "$db" --resume moved --allow-write --yes >"$LAB_DIR/out" 2>"$LAB_DIR/err" || rc=$?
losetup -d "$was"
[ $rc = 2 ] && grep -q "is not the device of run .*backing_file" "$LAB_DIR/err" || fail "another file behind $was: exit $rc, $(cat "$LAB_DIR/err")"
[ "$(sha256sum <"$LAB_DIR/b")" = "$before" ] || fail "another device was overwritten"
# and the right one, wherever it is now
lab_loop "$LAB_DIR/a" || fail losetup
"$BLKMATRIX" sweep --db "$db" --resume moved --dev "$LAB_LOOP" --allow-write --yes --quiet >"$LAB_DIR/out" 2>"$LAB_DIR/err" || fail "the device of the run: $(cat "$LAB_DIR/err")"
ok "only the device of a run goes on with it"
