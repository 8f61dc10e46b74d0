# Engines: all are listed, those that do not work here say why; I/O that worker threads did is told.
. "$(dirname "$0")/lib.sh"

printf '#!/bin/sh\nPATH=/nowhere exec "%s" "$@"\n' "$BLKMATRIX" >bare
chmod +x bare
BLKMATRIX=./bare run sweep --engine help
expect_rc 0
for engine in libaio io_uring psync sim fio; do
    grep -q "^$engine " "$out" || fail "$engine is listed"
done
expect_in "$out" "does not work here: there is no program fio in the PATH"
BLKMATRIX=./bare run sweep --engine fio --dev scratch.dat --size 1M --bs 4k --iodepth 1 --dry-run
expect_rc 2
expect_in "$err" "engine fio does not work here: there is no program fio in the PATH"
run sweep --engine fioo --dry-run
expect_rc 2
expect_in "$err" "Did you mean fio?"

# options of io_uring as fio spells them
run sweep --dev scratch.dat --size 1M --bs 4k --iodepth 1 --hipri --dry-run
expect_rc 2
expect_in "$err" "--hipri: engine libaio takes no options"
expect_not_in "$err" "--engine-options"
run sweep --engine help
! grep -q "does not work here" <<<"$(grep -A1 '^io_uring' "$out")" || exit 0
run sweep --engine io_uring --dev scratch.dat --size 1M --bs 4k --iodepth 1 --hipri --sqthread-poll --dry-run --format json
expect_rc 0
expect_in "$out" '"engine_options":"hipri=1,sqthread_poll=1"'

# a file on tmpfs cannot be written without blocking: workers of the kernel do it, and the cell says so
shm=$(mktemp -d /dev/shm/blkmatrix-test.XXXXXX 2>/dev/null) || exit 0
trap 'rm -rf "$work" "$shm"' EXIT
[ "$(stat -f -c %T "$shm")" = tmpfs ] || exit 0
file=(--dev "$shm/f" --size 4M --direct 0 --rw randwrite --bs 4k --runtime 200ms --ramp 0)
run sweep --engine io_uring "${file[@]}" --iodepth 4
expect_rc 0
grep -q "worker threads" <<<"$(tr '\n' ' ' <"$out")" || fail "the workers are told"
run show @latest --format json
expect_in "$out" "io-uring-workers"
run sweep --engine psync "${file[@]}" --iodepth 1
expect_rc 0
run show @latest --format json
expect_not_in "$out" "io-uring-workers"
exit 0
