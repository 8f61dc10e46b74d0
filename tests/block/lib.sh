# What the block tests share. Sourced; needs $BLKMATRIX. Loop devices and mounts come from lab.sh.
set -u
: "${BLKMATRIX:?is the program to test}"
# whatever cloud the tests run in: no machine there, so nobody is asked for its limits
export BLKMATRIX_DETECT_ROOT=/nonexistent
# shellcheck source=tests/block/lab.sh
. "$(dirname "${BASH_SOURCE[0]}")/lab.sh"
# shellcheck source=tests/support/wait.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/wait.sh"

fail() { echo "FAIL: $*" >&2; exit 1; }
ok() { echo "ok: $*"; }
sum() { dd if="$1" bs=1M iflag=direct status=none | sha256sum; }

# sweep ARG...: a short one into the store of this test; output in $LAB_DIR/out and err. A machine that stands still
# for all of its tenth of a second lets no I/O come back in it: measured again.
sweep() {
	local rc
	for _ in 1 2 3 4 5; do
		rc=0
		"$BLKMATRIX" sweep --db "$LAB_DIR/store.db" --runtime 100ms --ramp 0 --interval 50ms --bs 4k --iodepth 4 \
			--progress never "$@" >"$LAB_DIR/out" 2>"$LAB_DIR/err" || rc=$?
		[ $rc = 4 ] && grep -q "no I/O was completed in the measured time" "$LAB_DIR/err" || break
	done
	return $rc
}

# refused DEV TEXT... [-- SWEEP_OPTION...]: a writing sweep exits with 3, names every TEXT, and every
# byte of DEV is as before
refused() {
	local dev=$1 rc=0 text before texts=() path=$1
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do texts+=("$1"); shift; done
	[ $# = 0 ] || shift
	before=$(sum "$dev")
	sweep --rw randwrite --allow-write --dev "$path" "$@" || rc=$?
	[ $rc = 3 ] || fail "exit $rc, not 3, for $dev ($*): $(cat "$LAB_DIR/err")"
	for text in "${texts[@]}"; do
		grep -qF -- "$text" "$LAB_DIR/err" || fail "\"$text\" is not in: $(cat "$LAB_DIR/err")"
	done
	[ "$(sum "$dev")" = "$before" ] || fail "$dev was changed"
	# what was refused must not be listed as possible
	"$BLKMATRIX" devices --format json "$path" >"$LAB_DIR/out" || fail "devices $path"
	grep -q '"write_allowed": false' "$LAB_DIR/out" || fail "devices would allow it: $(cat "$LAB_DIR/out")"
	ok "refused: ${texts[*]} $*"
}

# allowed DEV [SWEEP_OPTION...]: a writing sweep runs and changes DEV
allowed() {
	local dev=$1 before rc=0
	shift
	before=$(sum "$dev")
	sweep --rw randwrite --allow-write --dev "$dev" "$@" || rc=$?
	[ $rc = 0 ] || fail "exit $rc for $dev $*: $(cat "$LAB_DIR/err")"
	[ "$(sum "$dev")" != "$before" ] || fail "nothing was written to $dev"
	ok "written: $dev $*"
}

le32() { # a number as four bytes for printf
	local h
	h=$(printf '%08x' "$1")
	printf '\\x%s\\x%s\\x%s\\x%s' "${h:6:2}" "${h:4:2}" "${h:2:2}" "${h:0:2}"
}
two_partitions() { # an MBR by hand (sfdisk is not everywhere): 8 MiB from 1 MiB on, 8 MiB from 9 MiB on
	local entry='\x00\xfe\xff\xff\x83\xfe\xff\xff'
	{
		head -c 446 /dev/zero
		printf "$entry$(le32 2048)$(le32 16384)$entry$(le32 18432)$(le32 16384)"
		head -c 32 /dev/zero
		printf '\x55\xaa'
	} | dd of="$1" bs=512 conv=notrunc status=none
	partx -a "$1"
}
mkfs_quiet() { mkfs.ext4 -q -F -E lazy_itable_init=0,lazy_journal_init=0 "$@" || fail "mkfs.ext4"; }
