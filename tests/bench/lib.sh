# Devices and figures for the scripts of this folder; sourced. Needs root, zram, loop, fio.
set -euo pipefail

die() {
    echo "$0: $*" >&2
    exit 1
}

# Says why and leaves with 77 when the machine cannot do it.
need_root_and() {
    [ "$(id -u)" = 0 ] || { echo "skipped: needs root"; exit 77; }
    local tool
    for tool in "$@"; do
        command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
    done
}

CLEANUP=()
cleanup() {
    local i
    for ((i = ${#CLEANUP[@]} - 1; i >= 0; i--)); do
        eval "${CLEANUP[$i]}" >/dev/null 2>&1 || true
    done
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# A zram device of its own, $1 large; its path in ZRAM. Never written: a read is a page of zeros, so
# what is measured is the way of an I/O through the program and the kernel.
make_zram() {
    local n
    [ -e /sys/class/zram-control/hot_add ] || { echo "skipped: no zram"; exit 77; }
    n=$(cat /sys/class/zram-control/hot_add)
    CLEANUP+=("echo $n > /sys/class/zram-control/hot_remove")
    echo "$1" >"/sys/block/zram$n/disksize"
    ZRAM=/dev/zram$n
}

# A loop device with direct I/O on a file in memory, $1 large, all of it written; its path in LOOP.
make_loop() {
    local file
    file=$(mktemp /dev/shm/blkmatrix-bench-XXXXXX)
    CLEANUP+=("rm -f $file")
    dd if=/dev/urandom of="$file" bs=1M count="$1" status=none
    LOOP=$(losetup --find --show --direct-io=on "$file") || { echo "skipped: no loop device"; exit 77; }
    CLEANUP+=("losetup -d $LOOP")
}

median() {
    printf '%s\n' "$@" | sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'
}
