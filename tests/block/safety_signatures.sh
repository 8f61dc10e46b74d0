#!/usr/bin/env bash
# What is on a device is not overwritten by accident: filesystems, partition tables, swap, LVM.
. "$(dirname "$0")/lib.sh"
lab_start --size 32M || fail "no lab"

rc=0
sweep --rw randwrite --dev "$LAB_DEV" || rc=$?
[ $rc = 3 ] || fail "without --allow-write: exit $rc"
grep -q -- "without --allow-write" "$LAB_DIR/err" || fail "$(cat "$LAB_DIR/err")"
allowed "$LAB_DEV"

# a dry run refuses what the run would
rc=0
"$BLKMATRIX" sweep --dry-run --dev "$LAB_DEV" --size 2T >/dev/null 2>"$LAB_DIR/err" || rc=$?
[ $rc = 2 ] && grep -q "asked for is an extent up to" "$LAB_DIR/err" || fail "too large: exit $rc $(cat "$LAB_DIR/err")"

# what is written about runs never goes onto a device
before=$(sum "$LAB_DEV")
for command in "report 1" "report 1 --format json" "plot roofline 1 --type png" "plot qd 1 --type svg" "export 1"; do
    rc=0
    # shellcheck disable=SC2086
    "$BLKMATRIX" $command --db "$LAB_DIR/store.db" -o "$LAB_DEV" >/dev/null 2>"$LAB_DIR/err" || rc=$?
    [ $rc = 2 ] && grep -q "$LAB_DEV is a device" "$LAB_DIR/err" || fail "$command: exit $rc $(cat "$LAB_DIR/err")"
    [ -b "$LAB_DEV" ] && [ "$(sum "$LAB_DEV")" = "$before" ] || fail "$command wrote to $LAB_DEV"
done

mkfs_quiet -L backups "$LAB_DEV"
refused "$LAB_DEV" 'ext4 signature "backups"' "--destroy-data=$LAB_DEV"
refused "$LAB_DEV" 'ext4 signature "backups"' -- --destroy-data=/dev/loop
refused "$LAB_DEV" 'ext4 signature "backups"' -- --destroy-data="${LAB_DEV#/dev/}"
refused "$LAB_DEV" 'ext4 signature "backups"' -- --rw read,randrw
# any path that leads to it, also one with blanks and colons; overruled only by the device's own
ln -s "$LAB_DEV" "$LAB_DIR/pci-0000:03:00.0 disk"
rc=0
sweep --rw write --allow-write --dev "$LAB_DIR/pci-0000:03:00.0 disk" || rc=$?
[ $rc = 3 ] && grep -q 'ext4 signature "backups"' "$LAB_DIR/err" || fail "by another path: $rc $(cat "$LAB_DIR/err")"
rc=0
sweep --rw write --allow-write --dev "$LAB_DIR/pci-0000:03:00.0 disk" --destroy-data="$LAB_DIR/pci-0000:03:00.0 disk" || rc=$?
[ $rc = 3 ] && grep -q -- "--destroy-data=$LAB_DEV" "$LAB_DIR/err" || fail "a link is not the device's own path: $rc $(cat "$LAB_DIR/err")"
mknod "$LAB_DIR/node" b "$(stat -c %Hr "$LAB_DEV")" "$(stat -c %Lr "$LAB_DEV")" || fail mknod
rc=0
sweep --rw write --allow-write --dev "$LAB_DIR/node" --destroy-data="$LAB_DIR/node" || rc=$?
[ $rc = 3 ] && grep -q -- "--destroy-data=$LAB_DEV" "$LAB_DIR/err" || fail "a node elsewhere: $rc $(cat "$LAB_DIR/err")"
# reading is always possible
sweep --rw randread --dev "$LAB_DEV" || fail "reading: $(cat "$LAB_DIR/err")"
allowed "$LAB_DEV" --destroy-data="$LAB_DEV"

# a name that tries to be a terminal: shown, not obeyed
mkfs_quiet -L "$(printf 'x\033[2J"y')" "$LAB_DEV"
refused "$LAB_DEV" 'ext4 signature'
! grep -q "$(printf '\033')" "$LAB_DIR/err" || fail "an escape sequence came through"

mkswap "$LAB_DEV" >/dev/null 2>&1 || fail mkswap
refused "$LAB_DEV" 'swap signature'
wipefs -qa "$LAB_DEV"

# LVM writes its label into the second sector: the magic alone is enough to keep off
printf 'LABELONE\x01\0\0\0\0\0\0\0\0\0\0\0\x20\0\0\0LVM2 001' | dd of="$LAB_DEV" bs=512 seek=1 conv=notrunc status=none
refused "$LAB_DEV" 'LVM2_member signature'
dd if=/dev/zero of="$LAB_DEV" bs=1M count=1 conv=notrunc status=none

# its start overwritten: the copies can repair it
for block in 1024 2048 4096; do
    if [ $block = 1024 ]; then
        mkfs_quiet -b 1024 "$LAB_DEV"
    else
        truncate -s 160M "$LAB_DIR/ext"
        lab_loop "$LAB_DIR/ext" || fail losetup
        mkfs_quiet -b $block "$LAB_LOOP"
    fi
    dev=$LAB_DEV
    [ $block = 1024 ] || dev=$LAB_LOOP
    dd if=/dev/zero of="$dev" bs=4k count=1 conv=notrunc,fsync status=none
    refused "$dev" "copy of the superblock of an ext filesystem"
    [ $block = 1024 ] || lab_detach "$dev"
done
dd if=/dev/zero of="$LAB_DEV" bs=1M count=32 conv=notrunc,fsync status=none 2>/dev/null
# the same for a GPT: the copy at the end is left
if command -v sfdisk >/dev/null; then
    printf 'label: gpt\nsize=8M\n' | sfdisk -q --no-reread --no-tell-kernel "$LAB_DEV" || fail sfdisk
    dd if=/dev/zero of="$LAB_DEV" bs=512 count=34 conv=notrunc,fsync status=none
    refused "$LAB_DEV" "gpt partition table"
    wipefs -qa -t gpt --force "$LAB_DEV"
    dd if=/dev/zero of="$LAB_DEV" bs=1M count=32 conv=notrunc,fsync status=none 2>/dev/null
    allowed "$LAB_DEV"
fi

two_partitions "$LAB_DEV"
mkfs_quiet -L one "${LAB_DEV}p1"
refused "$LAB_DEV" 'dos (MBR) partition table with 2 partitions' 'ext4 signature "one"'
refused "${LAB_DEV}p1" 'ext4 signature "one"'
before=$(sum "${LAB_DEV}p1")
allowed "${LAB_DEV}p2"
[ "$(sum "${LAB_DEV}p1")" = "$before" ] || fail "the other partition was changed"
# the table gone from the disk, its partitions still known to the kernel
dd if=/dev/zero of="$LAB_DEV" bs=512 count=1 conv=notrunc,fsync status=none
refused "$LAB_DEV" "the kernel has 2 partitions of $LAB_DEV"
