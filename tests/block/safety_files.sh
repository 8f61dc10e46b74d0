#!/usr/bin/env bash
# Files: made here ones are measured and overwritten, those of others only read.
. "$(dirname "$0")/lib.sh"
lab_start --size 32M || fail "no lab"
mkfs_quiet "$LAB_DEV"
mount "$LAB_DEV" "$LAB_DIR/mnt" || fail mount
f=$LAB_DIR/mnt/scratch

sweep --dev "$f" --size 8M || fail "a new file: $(cat "$LAB_DIR/err")"
[ "$(stat -c %s "$f")" = 8388608 ] && [ $(($(stat -c '%b * %B' "$f"))) -ge 8388608 ] || fail "not allocated: $(stat "$f")"
sweep --dev "$f" --rw randwrite || fail "our own file: $(cat "$LAB_DIR/err")"
ok "a file of ours is written without a word"

head -c 8M /dev/urandom >"$LAB_DIR/mnt/thesis"
refused "$LAB_DIR/mnt/thesis" "was not made by blkmatrix" "--destroy-data=$LAB_DIR/mnt/thesis"
refused "$LAB_DIR/mnt/thesis" "was not made by blkmatrix" -- --destroy-data="$f"
sweep --dev "$LAB_DIR/mnt/thesis" || fail "reading it: $(cat "$LAB_DIR/err")"
# over our own, by its owner
cat "$LAB_DIR/mnt/thesis" - >"$f" <<<"the end"
refused "$f" "has been replaced since"

# into our own, in place: size and inode stay
rm "$f"
own() { rm -f "$f"; sweep --dev "$f" --size 8M --rw randwrite || fail "a new file: $(cat "$LAB_DIR/err")"; }
own
cp "$LAB_DIR/mnt/thesis" "$f"
refused "$f" "has been changed since" "--destroy-data=$f"
allowed "$f" --destroy-data="$f"
own
printf notes | dd of="$f" conv=notrunc status=none
refused "$f" "has been changed since"
own
cp -p "$LAB_DIR/mnt/thesis" "$f"
refused "$f" "has been changed since"
own
mkfs_quiet "$f"
refused "$f" "has been changed since"

# a file that is swap, and one behind a loop device
rm "$f"
sweep --dev "$f" --size 8M
chmod 600 "$f"
mkswap "$f" >/dev/null 2>&1 && swapon "$f" 2>/dev/null || fail "swapon of a file"
refused "$f" "is in use as swap" -- --destroy-data="$f"
swapoff "$f"
refused "$f" "has been changed since"
own
lab_loop "$f" || fail losetup
refused "$f" "is the file behind $LAB_LOOP" -- --destroy-data="$f"
# one disk under two names: one after the other they can be compared, together it would be counted as two
for pair in "$LAB_LOOP $f" "$f $LAB_LOOP"; do
	sweep --dev "${pair% *}" --dev "${pair#* }" --dry-run || fail "one after the other: $(cat "$LAB_DIR/err")"
	rc=0
	sweep --dev "${pair% *}" --dev "${pair#* }" --together --dry-run || rc=$?
	[ $rc = 2 ] && grep -q "are the same disk" "$LAB_DIR/err" || fail "together: $rc $(cat "$LAB_DIR/err")"
done
lab_detach "$LAB_LOOP"
allowed "$f"

# no room: nothing stays behind
rc=0
sweep --dev "$LAB_DIR/mnt/large" --size 500M || rc=$?
[ $rc = 4 ] && [ ! -e "$LAB_DIR/mnt/large" ] || fail "too large: exit $rc, $(ls "$LAB_DIR/mnt")"
grep -q "No space left on device" "$LAB_DIR/err" || fail "$(cat "$LAB_DIR/err")"

# a filesystem without extended attributes: the mark is a file beside it
mkdir "$LAB_DIR/mnt/plain"
mount -t ramfs blkmatrix-plain "$LAB_DIR/mnt/plain" || fail "mount ramfs"
f=$LAB_DIR/mnt/plain/scratch
rc=0
sweep --dev "$f" --size 4M || rc=$?
[ $rc = 2 ] && grep -q "ramfs does not support it" "$LAB_DIR/err" || fail "O_DIRECT on ramfs: exit $rc, $(cat "$LAB_DIR/err")"
[ ! -e "$f" ] || fail "a file was left behind that cannot be used"
sweep --dev "$f" --size 4M --direct 0 || fail "buffered: $(cat "$LAB_DIR/err")"
[ -f "$f.blkmatrix" ] || fail "no mark: $(ls "$LAB_DIR/mnt/plain")"
sweep --dev "$f" --rw write --direct 0 || fail "our own file: $(cat "$LAB_DIR/err")"
cp "$f" "$f.new" && mv "$f.new" "$f" # another file of that name and size: the mark does not vouch for it
rc=0
sweep --dev "$f" --rw write --direct 0 || rc=$?
[ $rc = 3 ] && grep -q "has been replaced since" "$LAB_DIR/err" || fail "a file put in its place: exit $rc, $(cat "$LAB_DIR/err")"
ok "mark beside the file"
