#!/usr/bin/env bash
# plot: every kind as SVG, PNG and PDF; the same bytes whatever the locale; what is wrong is said.
. "$(dirname "$0")/lib.sh"

run plot --list
expect_rc 0
for kind in roofline bs qd hockey matrix percentile latency time; do expect_in "$out" "$kind "; done
run plot --list --format json
expect_rc 0
kinds=$(python3 -c 'import json,sys; print(*(k["kind"] for k in json.load(open(sys.argv[1]))))' "$out")
[ "$(wc -w <<<"$kinds")" -ge 8 ] || fail "8 kinds are expected: $kinds"

# before there is a store
run plot roofline -o x.svg
expect_rc 6
[ ! -e x.svg ] || fail "a chart without a store"

run sweep "${sim[@]}" --bs 4k,64k,1M --iodepth 1,8,64 --runtime 10s --name one --quiet
expect_rc 0
run sweep "${sim[@]}" --engine-options virtual=1,iops=5000,bw=96M,lat=2ms --bs 4k,64k,1M --iodepth 1,8,64 \
    --runtime 10s --name '</text><script>x</script>' --quiet
expect_rc 0

for kind in $kinds; do
    run plot "$kind" one -o "$kind.svg"
    expect_rc 0
    [ -s "$err" ] || fail "the title goes to the standard error"
    run plot "$kind" one -o "$kind.png" --scale 1 --quiet
    expect_rc 0
    [ ! -s "$err" ] || fail "--quiet says nothing"
    run plot "$kind" one @latest -o "$kind-two.svg"
    expect_rc 0
    run plot "$kind" one -o "$kind.pdf"
    expect_rc 0
    xmllint --noout --nonet "$kind.svg" "$kind-two.svg" || fail "$kind.svg is no XML"
    grep -q '<script' "$kind-two.svg" && fail "a name became markup"
    [ "$(head -c 8 "$kind.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] || fail "$kind.png"
    [ "$(od -An -tu1 -j16 -N4 "$kind.png" | awk '{print $3 * 256 + $4}')" = 800 ] || fail "$kind.png: width"
    [ "$(head -c 5 "$kind.pdf")" = %PDF- ] || fail "$kind.pdf"
done

# the finding is in the picture
grep -q '3,500.IOPS' roofline.svg || fail "the plateau is not in the roofline"
grep -q 'knee\|Knee at QD 8' qd.svg || fail "no knee in qd.svg"

# same data, same bytes, whatever the locale
if locale -a | grep -qi '^de_DE.utf'; then german=de_DE.UTF-8; else german=C; fi
for kind in $kinds; do
    LC_ALL=$german run plot "$kind" one -o again.svg --quiet
    cmp "$kind.svg" again.svg || fail "$kind.svg is not the same again"
    LC_ALL=$german run plot "$kind" one -o again.pdf --quiet
    cmp "$kind.pdf" again.pdf || fail "$kind.pdf is not the same again"
done

# the standard output
run plot bs one -o - --quiet
expect_rc 0
cmp "$out" bs.svg || fail "-o - is not the file"
run plot bs one -o - --type png --scale 1 --quiet
expect_rc 0
cmp "$out" bs.png || fail "-o - --type png is not the file"

# themes and filters
run plot bs one -o dark.svg --theme dark
expect_in dark.svg '#14171B'
expect_not_in dark.svg prefers-color-scheme
expect_in bs.svg prefers-color-scheme
run plot qd one --bs 64k -o qd64.svg
expect_in qd64.svg 'block size 64k'
run plot latency one --bs 1M --iodepth 1 -o one.svg
expect_in one.svg 'block size 1M, QD 1.'
run plot roofline one --rw randwrite -o none.svg
expect_rc 0
expect_in none.svg 'No cell matches the filter.'
expect_in "$err" 'No cell matches the filter.'
run plot roofline one --device /dev/none -o none.svg
expect_in none.svg 'No cell matches the filter.'

# what is wrong is said
run plot rofline one -o x.svg
expect_rc 2
expect_in "$err" 'Did you mean "roofline"?'
run plot
expect_rc 2
expect_in "$err" 'which chart?'
run plot bs one
expect_rc 2
expect_in "$err" '-o bs.svg'
run plot bs one -o x.jpeg
expect_rc 2
expect_in "$err" '.svg, .png or .pdf'
run plot bs nobody -o x.svg
expect_rc 2
run plot bs one -o no/such/folder/x.svg
expect_rc 2
expect_in "$err" 'cannot make the chart no/such/folder/x.svg'
run plot bs one -o x.png --scale 9
expect_rc 2
"$BLKMATRIX" plot bs one -o - >/dev/full 2>"$err" && fail "a full disk went unnoticed"
expect_in "$err" 'No space left'
exit 0
