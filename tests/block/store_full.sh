#!/usr/bin/env bash
# The disk of the store fills up, or its folder is read-only: exit 6, the reason, and what was stored
# before is whole.
. "$(dirname "$0")/lib.sh"
lab_start --size 16M || fail "no lab"
mkdir "$LAB_DIR/mnt/small"
mount -t tmpfs -o size=1M blkmatrix-small "$LAB_DIR/mnt/small" || fail mount
db=$LAB_DIR/mnt/small/store.db
runs() { python3 - "$db" "$@" <<'PY'
import sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?immutable=1" if len(sys.argv) > 2 else f"file:{sys.argv[1]}?mode=ro", uri=True)
assert db.execute("pragma integrity_check").fetchone() == ("ok",)
print(*(r[0] for r in db.execute("select count(*) from run union all select count(*) from cell")))
PY
}
# on the clock of the simulation, so that what is to be stored is the same each time
small() { "$BLKMATRIX" sweep --db "$db" --engine sim --engine-options virtual=1 --bs 4k..1M --iodepth 1..64/x4 --runtime 20ms --ramp 0 --interval 1ms --progress never "$@" >"$LAB_DIR/out" 2>"$LAB_DIR/err"; }

small --bs 4k || fail "the first run: $(cat "$LAB_DIR/err")"
before=$(runs)
rc=0
for _ in $(seq 20); do small || { rc=$?; break; }; done
[ $rc = 6 ] || fail "a full disk: exit $rc, $(cat "$LAB_DIR/err")"
grep -qiE 'full|no space' "$LAB_DIR/err" && grep -qF "$db" "$LAB_DIR/err" || fail "the message: $(cat "$LAB_DIR/err")"
grep -qF "cannot write to the store" "$LAB_DIR/err" || fail "it was a write: $(cat "$LAB_DIR/err")"
rm -f "$LAB_DIR"/mnt/small/*.tmp
after=$(runs) || fail "the store is damaged"
[ "${after%% *}" -ge "${before%% *}" ] && [ "${after##* }" -ge "${before##* }" ] || fail "lost: $before before, $after after"
ok "full disk: exit 6, $after runs and cells are whole"

# more room: it goes on
mount -o remount,size=64M "$LAB_DIR/mnt/small"
small --bs 4k || fail "with room again: $(cat "$LAB_DIR/err")"
ok "with room again it goes on"

mount -o remount,ro "$LAB_DIR/mnt/small" || fail "remount"
before=$(runs immutable) || fail "the store cannot be read"
rc=0
small --bs 4k || rc=$?
[ $rc = 6 ] || fail "read-only: exit $rc, $(cat "$LAB_DIR/err")"
grep -qF "$LAB_DIR/mnt/small" "$LAB_DIR/err" || fail "the message: $(cat "$LAB_DIR/err")"
[ "$(runs immutable)" = "$before" ] || fail "changed"
ok "read-only folder: exit 6: $(head -1 "$LAB_DIR/err")"
db=$LAB_DIR/mnt/small/new.db
rc=0
small --bs 4k || rc=$?
[ $rc = 6 ] || fail "a new store in a read-only folder: exit $rc, $(cat "$LAB_DIR/err")"

# what is said to be kept is what is there, also when it is nothing; an import leaves nothing
for size in 180k 190k 200k 210k 220k 240k; do
    mkdir "$LAB_DIR/mnt/tiny"
    mount -t tmpfs -o size=$size blkmatrix-tiny "$LAB_DIR/mnt/tiny" || fail mount
    db=$LAB_DIR/mnt/tiny/store.db
    rc=0
    small || rc=$?
    [ $rc = 6 ] || fail "$size: exit $rc, $(cat "$LAB_DIR/err")"
    grep -qF "cannot read" "$LAB_DIR/err" && fail "$size: it was a write: $(cat "$LAB_DIR/err")"
    cells=$(sqlite3 "file:$db?mode=ro" "select count(*) from cell" 2>/dev/null) || cells=none
    said=$(grep -o 'kept as run 1: [0-9]*' "$LAB_DIR/err") && said=${said##* } || said=0
    # a run that could not even begin is not named
    n=$(sqlite3 "file:$db?mode=ro" "select count(*) from run" 2>/dev/null) || n=0
    [ "$n" != 0 ] || ! grep -qE "run 1|--resume" "$LAB_DIR/err" || fail "$size: no run 1, said: $(cat "$LAB_DIR/err")"
    [ "$cells" = none ] || [ "$said" = "$cells" ] || fail "$size: $cells cells, said: $(cat "$LAB_DIR/err")"
    rc=0
    "$BLKMATRIX" import --db "$db" "$SOURCE_DIR/tests/data/import/fio-json" >"$LAB_DIR/out" 2>"$LAB_DIR/err" || rc=$?
    [ $rc = 6 ] && ! grep -qF "cannot read" "$LAB_DIR/err" || fail "$size, import: exit $rc, $(cat "$LAB_DIR/err")"
    [ "$(sqlite3 "file:$db?mode=ro" "select count(*) from cell" 2>/dev/null || echo none)" = "$cells" ] || fail "$size: half an import"
    umount "$LAB_DIR/mnt/tiny" && rmdir "$LAB_DIR/mnt/tiny"
done
ok "what is said to be kept is what is there"
