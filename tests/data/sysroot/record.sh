#!/usr/bin/env bash
# Records what blkmatrix reads of this machine, as one text (README.md): record.sh > NAME.txt
# Run as root to have the open files and mounts of all processes in it. Look at it before you share
# it: serial numbers, mount points, the kernel command line and the host name are in it.
set -u
export LC_ALL=C
shopt -s nullglob

escape() { # bytes that are not printable ASCII as \xNN, lines stay
	perl -pe 's/\\/\\\\/g; s/([^\x09\x0a\x20-\x7e])/sprintf("\\x%02x", ord($1))/ge'
}

file() { # one entry
	local text
	[ -f "$1" ] && [ -r "$1" ] || return 0
	text=$(escape <"$1" 2>/dev/null; echo .) || return 0
	text=${text%.}
	text=${text%$'\n'}
	if [ "${text#*$'\n'}" != "$text" ]; then
		printf '%s:\n\t%s\n' "$1" "${text//$'\n'/$'\n\t'}"
	else
		printf '%s: %s\n' "$1" "$text"
	fi
}
link() { [ ! -L "$1" ] || printf '%s -> %s\n' "$1" "$(readlink "$1")"; }

block() { # name
	local dir adapter q l
	dir=$(readlink -f "/sys/class/block/$1")
	adapter=$(readlink -f "$dir/device")
	link "/sys/class/block/$1"
	link "/sys/dev/block/$(<"$dir/dev")"
	for q in dev size alignment_offset ro hidden partition start wwid serial dm/name dm/uuid md/level md/uuid \
		loop/backing_file queue/{logical_block_size,physical_block_size,nr_requests,nomerges,rq_affinity} \
		queue/{wbt_lat_usec,max_sectors_kb,rotational,write_cache,fua,io_poll,zoned,discard_max_bytes,scheduler}; do
		file "$dir/$q"
	done
	if [ -d "$dir/device" ]; then
		for q in model vendor rev serial firmware_rev fwrev name wwid vpd_pg80 transport; do file "$adapter/$q"; done
		for q in "$adapter"/hwmon*/temp1_input "$adapter"/hwmon/hwmon*/temp1_input; do file "$q"; done
	fi
	for q in "$dir"/mq/*/cpu_list; do file "$q"; done
	for l in "$dir"/device "$dir"/holders/* "$dir"/slaves/*; do link "$l"; done
	while [ "$dir" != /sys/devices ]; do
		file "$dir/numa_node"
		dir=${dir%/*}
	done
}

{
	for b in /sys/class/block/*; do block "${b##*/}"; done
	for f in /sys/fs/btrfs/*-*/devices/* /dev/disk/by-id/* /dev/mapper/*; do link "$f"; done
	for f in /etc/os-release /proc/{swaps,cmdline,cpuinfo,meminfo} /proc/sys/kernel/{hostname,osrelease,version,io_uring_disabled} \
		/proc/sys/fs/aio-max-nr /proc/self/{cgroup,mountinfo,status} /sys/firmware/acpi/tables/FACP /sys/class/dmi/id/{sys_vendor,product_name,bios_vendor,bios_version} \
		/sys/hypervisor/type /sys/devices/system/cpu/{online,smt/active,intel_pstate/no_turbo,cpufreq/boost} \
		/sys/devices/system/cpu/vulnerabilities/* /sys/devices/system/cpu/cpufreq/policy*/scaling_governor \
		/sys/devices/system/node/online /sys/devices/system/clocksource/clocksource0/current_clocksource \
		/sys/fs/cgroup/*/io.max /sys/fs/cgroup/io.max; do
		file "$f"
	done
	for p in /proc/[0-9]*; do
		link "$p/ns/mnt"
		for l in "$p"/fd/*; do
			case $(readlink "$l") in /dev/null | /dev/pts* | /dev/tty*) ;; /dev/*) file "$p/comm"; link "$l"; file "${l/\/fd\//\/fdinfo\/}" ;; esac
		done
	done
} | awk '!/^\t/ { seen = ($1 in had); had[$1] = 1 } !seen'
