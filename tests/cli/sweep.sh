# A sweep of a simulated device: table, plan, spelling of fio, formats.
. "$(dirname "$0")/lib.sh"

run sweep "${sim[@]}" --runtime 5s --bs 4k,64k,1M --iodepth 1,32 --name first
expect_rc 0
expect_out table
grep -q '^6 cells of 5' "$err" || fail "the forecast comes first"
[ "$(grep -c '^\[./6\] randread' "$err")" = 6 ] || fail "a line for each cell"

run sweep "${sim[@]}" --runtime 5s --bs 4k --iodepth 1 --quiet
expect_rc 0
expect_out quiet
[ ! -s "$err" ] || fail "--quiet says something"

run sweep --filename=sim --ioengine=sim --engine_options=virtual=1 --blocksize=4k --rw=readwrite \
    --rwmixread=70 --iodepth=4 --runtime=2 --ramp_time=0 --time_based --seed 3 --name=fio
expect_rc 0
expect_out fio

run sweep "${sim[@]}" --runtime 5s --bs 4k..1M --iodepth 1..64
expect_rc 0
expect_out best

run sweep "${sim[@]}" --runtime 2s --dev a --dev b --bs 64k --iodepth 8 --numjobs 1,2
expect_rc 0
expect_out devices

run sweep "${sim[@]}" --runtime 2s --dev a --dev b --together --bs 64k --iodepth 8
expect_rc 0
expect_out together

run sweep "${sim[@]}" --runtime 5s --bs 4k --iodepth 8 --format csv
expect_rc 0
[ "$(wc -l <"$out")" = 2 ] || fail "a heading and a row"
run sweep "${sim[@]}" --runtime 1s --rw randrw,read --bs 4k --iodepth 8 --format json --name "</script>"
expect_rc 0
expect_schema "$out" show
run sweep "${sim[@]}" --runtime 5s --bs 4k --iodepth 8 --format md
expect_rc 0
expect_out md

# what to type next works with the store that was named
run --db "a store.db" sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 8
expect_in "$out" "blkmatrix --db 'a store.db' show 1"

# the same seed gives the same figures
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1 --format md
cp "$out" one
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1 --format md
cmp -s <(cut -d'|' -f3- one) <(cut -d'|' -f3- "$out") || fail "not repeatable"

# progress as JSON lines, nothing else on stderr
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1,2 --progress json --quiet
[ ! -s "$err" ] || fail "--quiet wins"
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1,2 --progress json
[ "$(grep -c '^{"event":"cell",' "$err")" = 2 ] || fail "two cells as JSON"
grep -q '"event":"remark","text":"2 cells of' "$err" || fail "the forecast as JSON"
cp "$err" events
expect_schema events sweep-progress lines
run sweep "${sim[@]}" --runtime 1s --bs 4k --iodepth 1,2 --progress never
expect_not_in "$err" "[1/2]"

# a share to begin at is one of the device, not of --size; a file that is made has room for both
head -c 32M /dev/zero >kept.dat
for target in kept.dat:16 made.dat:4; do
    run sweep --engine psync --direct 0 --dev "${target%:*}" --size 4M --offset 50% --bs 4k --iodepth 1 \
        --runtime 200ms --ramp 0 --format json
    expect_rc 0
    python3 - "$out" "${target#*:}" <<'PY' || fail "where ${target%:*} is read"
import json, sys
cell = json.load(open(sys.argv[1]))["cells"][0]
assert (cell["offset"], cell["size"]) == (int(sys.argv[2]) << 20, 4 << 20), cell["key"]
PY
done
run sweep --engine psync --direct 0 --dev kept.dat --size 20M --offset 50% --bs 4k --runtime 200ms
expect_rc 2

# where the best cells all have the same number of jobs, it is theirs among several
run sweep --engine sim --engine-options virtual=1,iops=100000 --bs 4k..1M --iodepth 1,2,4,8 --numjobs 1,4 --runtime 1s \
    --ramp 0 --quiet
expect_rc 0
expect_in "$out" "QD  jobs"

# a plan is no CSV
run sweep "${sim[@]}" --dry-run --format csv
expect_rc 2
expect_in "$err" "--dry-run has no --format csv"
[ ! -s "$out" ] || fail "a plan in a format that it has not"
exit 0
