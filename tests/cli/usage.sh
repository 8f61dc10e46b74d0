# Wrong usage: exit status 2, what is wrong, what is allowed, where to read more.
. "$(dirname "$0")/lib.sh"

refused() { # refused TEXT ARGS...
    local text=$1
    shift
    run "$@"
    expect_rc 2
    expect_in "$err" "$text"
    expect_in "$err" "See: blkmatrix help"
    [ ! -s "$out" ] || fail "an error prints no results"
}

refused "which command?"
refused 'Did you mean "sweep"?' sweeep
refused "no option --bz" sweep --bz 4k
refused "Did you mean --bs?" sweep --bz 4k
refused "Did you mean --iodepth?" sweep --io_depht 4
refused "--iodepth: " sweep --engine sim --iodepth 0
refused "from 1 to 65536" sweep --engine sim --iodepth 0
refused "--blocksize: " sweep --engine sim --blocksize 4x
refused "from 512 to 1G" sweep --engine sim --bs 256
refused "did you mean randread?" sweep --engine sim --rw randraed
refused "--runtime needs a value: --runtime TIME" sweep --engine sim --runtime
refused "500ms, 60, 60s, 10m, 2h" sweep --engine sim --runtime soon
refused "--dry-run takes no value" sweep --dry-run=yes
refused "what is to be measured?" sweep
refused "did you mean --dev /dev/null?" sweep /dev/null
refused "no engine \"libaoi\"" sweep --engine libaoi --dev x
refused "there are libaio, " sweep --engine spdk --dev x
refused "no option \"speed\"" sweep --engine sim --engine-options speed=1
refused "not KEY=VALUE" sweep --engine sim --label release
long=$(printf 'v%.0s' {1..1025}) key=$(printf 'k%.0s' {1..65})
refused "has 1025 bytes" sweep --engine sim --label "note=$long"
refused "has 65 bytes" sweep --engine sim --label "$key=1"
refused "cannot be the key" sweep --engine sim --label "a,b=1"
[ ! -e "$BLKMATRIX_DB" ] || fail "a refused label makes no store"
refused "given twice" sweep --dev a --dev a
refused "needs several" sweep --dev a --alone
ln -s file link
truncate -s 1M file
refused "are the same" sweep --dev file --dev link --dry-run
refused "--destroy-data /dev/nope: this run does not work on it" sweep --dev file --destroy-data /dev/nope --dry-run
refused "more than 100,000" sweep --engine sim --bs 512..1M/+512 --iodepth 1..100/+1
refused "would take more than" sweep --engine sim --runtime 30d --repeat 1000
refused "longer than --runtime" sweep --engine sim --runtime 500ms --interval 1s
refused "does one I/O at a time" sweep --engine psync --iodepth 1,4 --dev /dev/null --dry-run
refused "--format: \"xml\"" --format xml sweep
refused "one of table, json, csv, md" sweep --format xml
refused "--bs cannot change" sweep --resume 1 --bs 4k
[ ! -e "$BLKMATRIX_DB" ] || fail "a wrong command line makes no store"
refused "does not fit in" sweep --engine sim --size 1M --bs 2M
refused "of buffers" sweep --engine sim --numjobs 1024 --iodepth 65536 --bs 1G
exit 0
