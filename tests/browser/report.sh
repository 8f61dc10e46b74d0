# Reports in headless Chromium: opens from disk, silent console, no requests, reads without
# JavaScript, light, dark, 320 px, printed; sorting and filtering driven by a script.
# PICTURES=FOLDER keeps screenshots and the printed page there.
set -euo pipefail
: "${BLKMATRIX:?path of the program}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/blkmatrix-browser.XXXXXX")
trap 'rm -rf "$work"' EXIT
export BLKMATRIX_DB=$work/results.db
unset BLKMATRIX_DATA
cd "$work"

sim() { # NAME OPTIONS SWEEP-ARGS...
    local name=$1 options=$2
    shift 2
    "$BLKMATRIX" sweep --quiet --engine sim --engine-options "virtual=1,$options" --dev /dev/sim0 \
        --size 64G --seed 1 --name "$name" "$@" >/dev/null
}

sim story iops=3500,vm_bw=64M/s,lat=900us,jitter=20 --rw randread,randwrite --allow-write \
    --bs 4k,16k,64k,1M --iodepth 1,4,16 --runtime 2s --ramp 100ms
"$BLKMATRIX" report --quiet -o sweep.html >/dev/null

sim '</script><img src=x onerror=alert(1)>' iops=3500,lat=900us --bs 4k --iodepth 1,4 \
    --runtime 1s --ramp 100ms --label 'a"><b>=</script><img src=x onerror=alert(2)>'
"$BLKMATRIX" report --quiet -o hostile.html >/dev/null

sim failed iops=2000,lat=1ms,vanish_at=2500ms --bs 4k,8k --iodepth 1,4 --runtime 1s --ramp 0 || [ $? = 4 ]
"$BLKMATRIX" report --quiet -o failed.html >/dev/null

sim long iops=1000000,lat=100us --bs 4k..40k/+512 --iodepth 1,2,3,4,5,6,7,8 --runtime 10ms --interval 1ms \
    --ramp 0
"$BLKMATRIX" report --quiet -o long.html >/dev/null

[ -z "${PICTURES-}" ] || mkdir -p "$PICTURES"
python3 "$here/report.py" sweep.html long.html hostile.html failed.html ${PICTURES:+"$PICTURES"}
