#!/usr/bin/env bash
# A block device whose limits are known: a loop device on memory, throttled by the kernel for those
# who run inside the lab's cgroup. README.md tells how, and what to look out for.
#
# By itself:   lab.sh run [OPTION...] -- COMMAND...     $LAB_DEV is the device
#              lab.sh check                             says what is missing (exit 77), else nothing
# In a test:   . lab.sh; lab_start [OPTION...]; lab_exec COMMAND...     removed when the shell ends
#
# Options: --size S (256M), --iops N, --bps S (0: none), --backing tmpfs|zram, --max-io-kb N (512)
set -u
export LC_ALL=C

LAB_ROOT=${LAB_ROOT:-/run/blkmatrix-lab}
LAB_DIR='' LAB_DEV='' LAB_CGROUP='' LAB_ZRAM='' LAB_LOOP='' LAB_PID=''
LAB_DISK=()

lab_say() { printf 'lab: %s\n' "$*" >&2; }
lab_skip() { lab_say "skipped: $*"; exit 77; }

lab_bytes() { # 50M -> 52428800
	case $1 in *[kK]) echo $((${1%?} * 1024)) ;; *M) echo $((${1%?} * 1048576)) ;; *G) echo $((${1%?} * 1073741824)) ;; *) echo $(($1)) ;; esac
}

# ---- cgroup: version 1 has blkio.throttle.*, version 2 has io.max

lab_cgroup_v1() { awk '$3 == "cgroup" && ("," $4 ",") ~ /,blkio,/ { print $2; exit }' /proc/self/mounts; }
lab_cgroup_v2() {
	local at
	at=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/self/mounts)
	[ -n "$at" ] && grep -qw io "$at/cgroup.controllers" 2>/dev/null && echo "$at"
}

lab_check() { # says why the lab cannot run here
	[ "$(id -u)" = 0 ] || { echo "needs root"; return 1; }
	[ -c /dev/loop-control ] || { echo "no loop devices"; return 1; }
	[ -n "$(lab_cgroup_v1)$(lab_cgroup_v2)" ] || { echo "no cgroup that can throttle I/O (blkio of version 1, io of version 2)"; return 1; }
}

lab_throttle() { # lab_throttle IOPS BPS [DEVICE] (0: none), reads and writes apart
	local dev iops=$1 bps=$2 what of=${3:-$LAB_DEV}
	dev=$(cat "/sys/block/${of#/dev/}/dev")
	if [ -e "$LAB_CGROUP/io.max" ]; then
		[ "$iops" != 0 ] || iops=max
		[ "$bps" != 0 ] || bps=max
		echo "$dev riops=$iops wiops=$iops rbps=$bps wbps=$bps" >"$LAB_CGROUP/io.max"
	else
		for what in read_iops write_iops; do echo "$dev $iops" >"$LAB_CGROUP/blkio.throttle.${what}_device" || return 1; done
		for what in read_bps write_bps; do echo "$dev $bps" >"$LAB_CGROUP/blkio.throttle.${what}_device" || return 1; done
	fi
}

# ---- up and down

lab_loop() { # lab_loop [losetup option...] FILE: a loop device that goes when the lab goes; in LAB_LOOP
	# nothing to note for its removal: it is found by its file, which lies in LAB_DIR
	LAB_LOOP=$(losetup --find --show "$@") || return 1
	# read-only set by blockdev stays with the number
	case " $* " in *' --read-only '*) ;; *) blockdev --setrw "$LAB_LOOP" ;; esac
}

lab_tune() { # settings stay with a loop device after its end, so every one that matters is set
	local q=/sys/block/${1#/dev/}/queue
	echo none >"$q/scheduler"
	echo 2 >"$q/nomerges"
	echo 0 >"$q/wbt_lat_usec" 2>/dev/null
	echo 'write through' >"$q/write_cache"
	echo "$2" >"$q/max_sectors_kb"
}
lab_untune() {
	local q=/sys/block/${1#/dev/}/queue
	{ echo 0 >"$q/nomerges"; echo -1 >"$q/wbt_lat_usec"; echo 0 >"$q/max_sectors_kb"; } 2>/dev/null || :
}

lab_start() {
	local size=256M iops=0 bps=0 backing=tmpfs max_io=512 why v1
	while [ $# -gt 0 ]; do
		case $1 in
			--size) size=$2 ;; --iops) iops=$2 ;; --bps) bps=$(lab_bytes "$2") ;;
			--backing) backing=$2 ;; --max-io-kb) max_io=$2 ;;
			*) lab_say "unknown option $1"; return 2 ;;
		esac
		shift 2
	done
	why=$(lab_check) || lab_skip "$why"
	lab_sweep_up
	trap lab_stop EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
	LAB_DIR=$LAB_ROOT/$$
	# twice: another lab that ends may take the folder of all labs away in between
	mkdir -p "$LAB_DIR/mem" "$LAB_DIR/mnt" 2>/dev/null || mkdir -p "$LAB_DIR/mem" "$LAB_DIR/mnt" || return 1
	# what others mount in another mount namespace must not keep ours: private
	mount -t tmpfs -o mode=700 blkmatrix-lab "$LAB_DIR/mem" && mount --make-private "$LAB_DIR/mem" || return 1
	if [ "$backing" = zram ]; then
		LAB_ZRAM=$(cat /sys/class/zram-control/hot_add) || lab_skip "no zram"
		echo "$LAB_ZRAM" >"$LAB_DIR/zram"
		lab_bytes "$size" >"/sys/block/zram$LAB_ZRAM/disksize" || return 1
		LAB_DEV=/dev/zram$LAB_ZRAM
	else
		# blocks, not holes: reads of a hole would be answered without touching memory
		head -c "$(lab_bytes "$size")" /dev/zero >"$LAB_DIR/mem/disk" || return 1
		lab_loop --direct-io=off "$LAB_DIR/mem/disk" || return 1
		LAB_DEV=$LAB_LOOP
		lab_tune "$LAB_DEV" "$max_io"
	fi
	v1=$(lab_cgroup_v1)
	if [ -n "$v1" ]; then
		LAB_CGROUP=$v1/blkmatrix-lab-$$
	else
		LAB_CGROUP=$(lab_cgroup_v2)
		grep -qw io "$LAB_CGROUP/cgroup.subtree_control" || echo +io >"$LAB_CGROUP/cgroup.subtree_control" || return 1
		LAB_CGROUP=$LAB_CGROUP/blkmatrix-lab-$$
	fi
	mkdir "$LAB_CGROUP" && echo "$LAB_CGROUP" >"$LAB_DIR/cgroup" && lab_throttle "$iops" "$bps"
}

# lab_disks N IOPS BPS [MAX_IO_KB]: disks in LAB_DISK on windows of $LAB_DEV, which then is what they share, as a
# VM's caps are. The loop driver submits in the name of the caller's cgroup, so both caps hold.
lab_disks() {
	local i size
	LAB_DISK=()
	size=$(($(blockdev --getsize64 "$LAB_DEV") / $1))
	for ((i = 0; i < $1; i++)); do
		lab_loop --direct-io=on --offset $((i * size)) --sizelimit "$size" "$LAB_DEV" || return 1
		lab_tune "$LAB_LOOP" "${4:-512}"
		lab_throttle "$2" "$3" "$LAB_LOOP" || return 1
		LAB_DISK+=("$LAB_LOOP")
	done
}

lab_exec() ( # only what runs through here is throttled; what still runs at the end is killed
	echo "$BASHPID" >"$LAB_CGROUP/cgroup.procs" || exit 1
	export LAB_DEV
	exec "$@"
)

lab_spawn() { # lab_spawn COMMAND...: in the background, inside the lab; its process is LAB_PID
	# shellcheck disable=SC2016
	bash -c 'echo $$ >"$0/cgroup.procs" && exec "$@"' "$LAB_CGROUP" "$@" >/dev/null &
	LAB_PID=$!
}

lab_detach() { # lab_detach /dev/loopN: and waits, since a loop device goes with its last user only
	lab_untune "$1"
	losetup -d "$1" 2>/dev/null
	for _ in $(seq 600); do
		[ -e "/sys/block/${1#/dev/}/loop/backing_file" ] || return 0
		sleep 0.05
	done
	lab_say "$1 is still in use"
	return 1
}

lab_remove() { # lab_remove DIR: everything a lab made, found by its folder, so that a dead lab goes too
	local dir=$1 cgroup zram l m i pid
	# processes first: they hold the rest
	cgroup=$(cat "$dir/cgroup" 2>/dev/null)
	for i in $(seq 100); do
		[ -n "$cgroup" ] && [ -d "$cgroup" ] || break
		for pid in $(cat "$cgroup/cgroup.procs"); do kill -9 "$pid" 2>/dev/null; done
		rmdir "$cgroup" 2>/dev/null || sleep 0.1
	done
	for l in $(lab_devices "$dir"); do swapoff "$l" 2>/dev/null; done
	# the last mount is on top
	for m in $(awk -v d="$dir/" 'index($2, d) == 1 && $2 != d "mem" { print $2 }' /proc/self/mounts | tac); do
		umount "$(printf '%b' "${m//\\0/\\00}")" # the table has a blank as \040
	done
	# loops on loops go first
	for l in $(lab_devices "$dir" | tac); do
		partx -d "$l" >/dev/null 2>&1
		lab_detach "$l"
	done
	zram=$(cat "$dir/zram" 2>/dev/null)
	[ -z "$zram" ] || { echo 1 >"/sys/block/zram$zram/reset" && echo "$zram" >/sys/class/zram-control/hot_remove; } 2>/dev/null
	if grep -q " $dir/mem " /proc/self/mounts; then umount "$dir/mem"; fi
	rm -rf --one-file-system "$dir"
	rmdir "$LAB_ROOT" 2>/dev/null
	return 0
}

lab_devices() { # loop devices on files in DIR, then those on these devices
	local f b name all=() more
	for f in /sys/block/loop*/loop/backing_file; do
		[ -e "$f" ] || continue
		b=$(cat "$f" 2>/dev/null); name=${f#/sys/block/}; name=${name%%/*}
		case $b in "$1"/*) all+=("/dev/$name") ;; esac
	done
	more=1
	while [ $more = 1 ]; do
		more=0
		for f in /sys/block/loop*/loop/backing_file; do
			[ -e "$f" ] || continue
			b=$(cat "$f" 2>/dev/null); name=${f#/sys/block/}; name=${name%%/*}
			case " ${all[*]:-} " in *" /dev/$name "*) continue ;; *" ${b%p[0-9]} "* | *" $b "*) all+=("/dev/$name"); more=1 ;; esac
		done
	done
	[ ${#all[@]} = 0 ] || printf '%s\n' "${all[@]}"
}

lab_stop() {
	local rc=$?
	trap '' INT TERM HUP
	[ -z "$LAB_DIR" ] || lab_remove "$LAB_DIR"
	LAB_DIR=''
	return $rc
}

lab_sweep_up() { # labs whose shell was killed
	local d
	for d in "$LAB_ROOT"/[0-9]*; do
		[ -d "$d" ] || continue
		[ -d "/proc/${d##*/}" ] || { lab_say "removing what a lab that was killed left behind ($d)"; lab_remove "$d"; }
	done
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
	case ${1:-} in
		check) lab_check || exit 77 ;;
		run)
			shift
			options=()
			while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
			[ $# -ge 2 ] || { lab_say "run [OPTION...] -- COMMAND..."; exit 2; }
			shift
			lab_start "${options[@]}" || { lab_say "cannot be set up"; exit 1; }
			lab_exec "$@"
			;;
		*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2 ;;
	esac
fi
