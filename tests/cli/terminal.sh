# What is seen on terminals: a live line that fits, no escapes where they are not understood.
. "$(dirname "$0")/lib.sh"
slow=(--engine sim --runtime 1s --ramp 100ms --interval 100ms --bs 4k --iodepth 1,4)

longest() { # of the lines and the states of the live line
    tr '\r' '\n' <"$out" | sed 's/\x1b\[[0-9;]*[mK]//g' | awk '{ if (length > n) n = length } END { print n + 0 }'
}
on_terminal 80 xterm sweep "${slow[@]}"
expect_rc 0
grep -q $'\r\033\[K' "$out" || fail "there is a live line"
grep -qE '[12]/2 +[0-9]+ %' "$out" || fail "the live line says how far it is"
expect_not_in "$out" "[1/2]"
[ "$(longest)" -lt 80 ] || fail "wider than the terminal: $(longest)"

on_terminal 40 xterm sweep "${slow[@]}" --quiet
expect_rc 0
expect_not_in "$out" "left"
on_terminal 40 xterm sweep "${slow[@]}"
expect_rc 0
tr '\r' '\n' <"$out" | grep ' left ' | sed 's/\x1b\[[0-9;]*[mK]//g' >live
[ "$(awk '{ if (length > n) n = length } END { print n + 0 }' live)" -lt 40 ] || fail "the live line is too long"

on_terminal 80 dumb sweep "${slow[@]}"
expect_rc 0
expect_not_in "$out" $'\033'
expect_in "$out" "[1/2]"
on_terminal 80 xterm sweep "${slow[@]}" --progress plain --no-color
expect_not_in "$out" $'\033'
on_terminal 80 xterm sweep "${slow[@]}" --progress never
expect_not_in "$out" $'\r\033'

# what a plan says about its end is filled into the terminal
on_terminal 80 xterm sweep --engine sim --engine-options virtual=1 --suite snia-iops --size 1G --dry-run --no-color
expect_in "$out" "PTS-style"
sed -n '/^before/,/^writes/{/^writes/!p}' "$out" >lines
[ "$(wc -l <lines)" -ge 5 ] || fail "the lines before, suite and rounds are filled"
! grep -qE '.{82}' lines || fail "lines of a plan are wider than the terminal"

# narrow COLUMNS ARGS...: nothing that is printed there is wider, and no rate is cut
narrow() {
    on_terminal "$1" dumb "${@:2}" --no-color
    tr -d '\r' <"$out" >lines
    [ "$(LC_ALL=C.UTF-8 wc -L <lines)" -le "$1" ] || fail "wider than the terminal"
    expect_not_in lines "…"
}
echo data >data
virtual=(--engine sim --engine-options virtual=1,iops=100000 --bs 4k,128k --iodepth 1,32 --runtime 5s --ramp 0 --seed 1)
for columns in 60 80; do
    narrow "$columns" sweep "${virtual[@]}" --rw randread,randrw --rwmixread 70 --progress never --name "mix$columns"
    expect_in lines "randrw 70/30"
    narrow "$columns" diagnose "mix$columns"
    expect_in lines "random mix 70/30, reads"
    narrow "$columns" sweep "${virtual[@]}" --dev /dev/sdy --dev /dev/sdz --bs 4k --iodepth 8 --curve --progress never --quiet
    expect_in lines "/dev/sdz"
    expect_in lines "limited"
    expect_in lines "80.0k"
    expect_in lines "knee is at 100 %"
    narrow "$columns" list
    expect_in lines "started (UTC)"
    narrow "$columns" devices data
done
run sweep "${virtual[@]}" --rw randread,randrw --rate-iops 500 --name rated
for columns in 60 80; do
    on_terminal "$columns" dumb show rated --no-color
    tr -d '\r' <"$out" | sed -n '/^Cells/,$p' >lines
    [ -s lines ] || fail "no cells are shown"
    [ "$(LC_ALL=C.UTF-8 wc -L <lines)" -le "$columns" ] || fail "wider than the terminal"
done
# JSON that is not words has places where a line may end
cat >deep.json <<'JSON'
{"fio version":"fio-3.33","jobs":[{"jobname":"a","job options":{"rw":"read","bs":"4k","size":"1g","ioengine":"libaio","iodepth":"4","direct":"1","numjobs":"1"},
"read":{"io_bytes":4096000,"io_kbytes":4000,"total_ios":1000,"runtime":1000,"iops":1000.0,"bw_bytes":4096000},"iodepth_level":{"1":1.0,"2":2.0,"4":97.0}}]}
JSON
run import deep.json --db deep.db
on_terminal 60 dumb show 1 1 --db deep.db --no-color
tr -d '\r' <"$out" | grep -A4 '^  extra' >lines
[ "$(LC_ALL=C.UTF-8 wc -L <lines)" -le 60 ] || fail "JSON is wider than the terminal"
exit 0
