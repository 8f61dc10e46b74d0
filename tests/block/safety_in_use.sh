#!/usr/bin/env bash
# What is in use is never written, whatever the options: mounted, swap, loop, open, claimed, read-only.
. "$(dirname "$0")/lib.sh"
lab_start --size 32M || fail "no lab"
holder=''
release() { # ends the process that holds a device
	[ -z "$holder" ] || { kill "$holder" 2>/dev/null; wait "$holder" 2>/dev/null; }
	holder=''
}
is_free() { python3 -c 'import os, sys; os.open(sys.argv[1], os.O_RDONLY | os.O_EXCL)' "$1" 2>/dev/null; }
# unmount DEV DIR...: what was mounted meanwhile by a namespace that somebody made keeps the device until that ends
unmount() {
	local dir
	for dir in "${@:2}"; do wait_for "umount $dir" umount "$dir"; done
	wait_for "the kernel lets go of $1" is_free "$1"
}
is_sleep() { [ "$(cat "/proc/$holder/comm")" = sleep ]; }
all=(--destroy-data="$LAB_DEV")

# mounted: twice, at a place with a blank in its name; read-only, so that only we could change bytes
mkdir "$LAB_DIR/mnt/my data" "$LAB_DIR/mnt/bind"
mkfs_quiet -L backups "$LAB_DEV"
mount -o ro "$LAB_DEV" "$LAB_DIR/mnt/my data" && mount --bind "$LAB_DIR/mnt/my data" "$LAB_DIR/mnt/bind" || fail mount
refused "$LAB_DEV" "$LAB_DEV is mounted on $LAB_DIR/mnt/my data" "$LAB_DEV is mounted on $LAB_DIR/mnt/bind" "no option overrules" -- "${all[@]}"
sweep --rw randread --dev "$LAB_DEV" || fail "reading a mounted device: $(cat "$LAB_DIR/err")"
unmount "$LAB_DEV" "$LAB_DIR/mnt/bind" "$LAB_DIR/mnt/my data"

# mounted by somebody else only, in a mount namespace of their own
lab_spawn unshare -m --propagation private bash -c 'mount -o ro "$0" "$1" && echo up >"$2" && exec sleep 600' "$LAB_DEV" "$LAB_DIR/mnt/bind" "$LAB_DIR/ready"
holder=$LAB_PID
wait_for "it is mounted over there" [ -e "$LAB_DIR/ready" ]
wait_for "sleep is what runs there" is_sleep
! grep -q "$LAB_DEV" /proc/self/mounts || fail "the mount leaked into this namespace"
refused "$LAB_DEV" "$LAB_DEV is mounted on $LAB_DIR/mnt/bind in the mount namespace of sleep (pid $holder)" -- "${all[@]}"
release
wait_for "the kernel lets go of it" is_free "$LAB_DEV"

# a loop device on it, and a filesystem on that
lab_loop --read-only "$LAB_DEV" || fail losetup
refused "$LAB_DEV" "$LAB_DEV is the backing device of $LAB_LOOP" -- "${all[@]}"
mount -o ro "$LAB_LOOP" "$LAB_DIR/mnt/bind"
refused "$LAB_DEV" "$LAB_LOOP is mounted on $LAB_DIR/mnt/bind" -- "${all[@]}"
unmount "$LAB_LOOP" "$LAB_DIR/mnt/bind"
lab_detach "$LAB_LOOP"

# a loop device is the way to the bytes of the device below; others on the same bytes are in the way, elsewhere they are not
lab_loop --sizelimit 16M "$LAB_DEV" || fail losetup
lower=$LAB_LOOP
allowed "$lower" --destroy-data="$lower"
lab_loop --offset 16M "$LAB_DEV" || fail losetup
upper=$LAB_LOOP
mkfs_quiet "$upper"
mount -o ro "$upper" "$LAB_DIR/mnt/bind"
allowed "$lower" --destroy-data="$lower"
lab_loop --offset 8M "$LAB_DEV" || fail losetup
refused "$LAB_LOOP" "$upper is mounted on $LAB_DIR/mnt/bind" -- --destroy-data="$LAB_LOOP"
lab_detach "$LAB_LOOP"
unmount "$upper" "$LAB_DIR/mnt/bind"
refused "$LAB_DEV" "$LAB_DEV is the backing device of $lower" -- "${all[@]}"
lab_detach "$upper"
lab_detach "$lower"
wipefs -qa "$LAB_DEV"
mkfs_quiet "$LAB_DEV"

# a second loop device on the same file shares its bytes: the file's disk has no entry of it at all
lab_loop "$LAB_DIR/mem/disk" || fail losetup
twin=$LAB_LOOP
mount -o ro "$LAB_DEV" "$LAB_DIR/mnt/bind"
refused "$twin" "$LAB_DEV is mounted on $LAB_DIR/mnt/bind" -- --destroy-data="$twin"
unmount "$LAB_DEV" "$LAB_DIR/mnt/bind"
lab_detach "$twin"

# the filesystem holds the file behind a loop device
mount "$LAB_DEV" "$LAB_DIR/mnt/bind"
head -c 4M /dev/zero >"$LAB_DIR/mnt/bind/image"
lab_loop "$LAB_DIR/mnt/bind/image" || fail losetup
sync
refused "$LAB_DEV" "$LAB_DEV holds $LAB_DIR/mnt/bind/image, the file behind $LAB_LOOP" -- "${all[@]}"
lab_detach "$LAB_LOOP"
unmount "$LAB_DEV" "$LAB_DIR/mnt/bind"

# swap
mkswap "$LAB_DEV" >/dev/null 2>&1 && swapon "$LAB_DEV" || fail swapon
refused "$LAB_DEV" "$LAB_DEV is in use as swap" -- "${all[@]}"
swapoff "$LAB_DEV"
wipefs -qa "$LAB_DEV"

# open in another process, for writing and for reading
for mode in writing reading; do
	if [ $mode = writing ]; then lab_spawn sleep 600 9<>"$LAB_DEV"; else lab_spawn sleep 600 9<"$LAB_DEV"; fi
	holder=$LAB_PID
	wait_for "sleep has the device open" is_sleep
	refused "$LAB_DEV" "$LAB_DEV is open in sleep (pid $holder) for $mode" -- "${all[@]}"
	release
done

# claimed with O_EXCL by a process that cannot be seen from where we are
lab_spawn python3 -c 'import os,sys,time; os.open(sys.argv[1], os.O_RDWR | os.O_EXCL); open(sys.argv[2], "w"); time.sleep(600)' "$LAB_DEV" "$LAB_DIR/claimed"
holder=$LAB_PID
wait_for "the device is claimed" [ -e "$LAB_DIR/claimed" ]
rc=0
unshare --pid --fork --mount-proc "$BLKMATRIX" sweep --db "$LAB_DIR/store.db" --dev "$LAB_DEV" --rw write --allow-write --runtime 100ms --interval 50ms 2>"$LAB_DIR/err" >/dev/null || rc=$?
[ $rc = 3 ] && grep -q "$LAB_DEV is claimed for exclusive use" "$LAB_DIR/err" || fail "an unseen claim: $rc $(cat "$LAB_DIR/err")"
ok "refused: claimed"
release

# read-only
blockdev --setro "$LAB_DEV"
refused "$LAB_DEV" "$LAB_DEV is read-only" -- "${all[@]}"
blockdev --setrw "$LAB_DEV"

# a partition of it mounted: the disk is refused, its neighbour is not
two_partitions "$LAB_DEV"
mkfs_quiet "${LAB_DEV}p1"
mount -o ro "${LAB_DEV}p1" "$LAB_DIR/mnt/bind"
refused "$LAB_DEV" "${LAB_DEV}p1 is mounted on $LAB_DIR/mnt/bind" -- "${all[@]}"
refused "${LAB_DEV}p1" "${LAB_DEV}p1 is mounted on $LAB_DIR/mnt/bind" -- --destroy-data="${LAB_DEV}p1"
before=$(sum "${LAB_DEV}p1")
allowed "${LAB_DEV}p2"
[ "$(sum "${LAB_DEV}p1")" = "$before" ] || fail "the mounted partition was changed"
unmount "${LAB_DEV}p1" "$LAB_DIR/mnt/bind"
partx -d "$LAB_DEV"
wipefs -qa "$LAB_DEV"

# held by the device mapper, where the kernel has one; else the recorded server has (runner/device/safety_test)
if command -v dmsetup >/dev/null && dmsetup version >/dev/null 2>&1 &&
	dmsetup create "blkmatrix-lab-$$" --table "0 8192 linear $LAB_DEV 0" 2>/dev/null; then
	trap 'dmsetup remove "blkmatrix-lab-$$"; lab_stop' EXIT
	refused "$LAB_DEV" "$LAB_DEV is held by the device-mapper device blkmatrix-lab-$$" -- "${all[@]}"
else
	ok "no device mapper in this kernel: holders are tested on recorded machines only"
fi

# all gone: nothing is in the way
allowed "$LAB_DEV"
