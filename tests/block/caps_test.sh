#!/usr/bin/env bash
# At caps of 3500 IOPS and 50 MiB/s, which the kernel keeps, sweep measures the lower of the two within
# 3 % at 4k (IOPS), 64k and 1M (bandwidth), and agrees with fio on the same device, measured in turns.
. "$(dirname "$0")/lib.sh"
command -v fio >/dev/null || lab_skip "no fio to compare with"
lab_start --size 256M --iops 3500 --bps 50M --max-io-kb 1024 || fail "no lab"
cd "$LAB_DIR" || fail "$LAB_DIR"

ours() { # ours RW BS: bytes/s of 3 s, after half a second of ramp
	lab_exec "$BLKMATRIX" sweep --db "$LAB_DIR/caps.db" --dev "$LAB_DEV" --rw "$1" --allow-write --bs "$2" --iodepth 32 \
		--ramp 500ms --runtime 3s --progress never --format json --quiet >ours.json 2>ours.err || fail "sweep: $(cat ours.err)"
	python3 -c 'import json,sys; print(json.load(open("ours.json"))["cells"][0][sys.argv[1]]["bw"])' "${1#rand}"
}
fios() {
	lab_exec fio --name=caps --filename="$LAB_DEV" --rw="$1" --bs="$2" --iodepth=32 --ioengine=libaio --direct=1 --norandommap \
		--ramp_time=500ms --runtime=3 --time_based --output-format=json --output=fio.json >fio.err 2>&1 || fail "fio: $(cat fio.err)"
	python3 -c 'import json,sys; print(json.load(open("fio.json"))["jobs"][0][sys.argv[1]]["bw_bytes"])' "${1#rand}"
}
judge() { # judge BS FILE: medians of the rows against the cap and each other
	python3 - "$@" <<'PY'
import statistics, sys
bs = {"4k": 4096, "64k": 65536, "1M": 1 << 20}[sys.argv[1]]
truth = min(3500 * bs, 50 << 20)
rows = [line.split() for line in open(sys.argv[2])]
bw = {who: statistics.median(float(v) for w, v in rows if w == who) for who in ("ours", "fio")}
off, apart = bw["ours"] / truth - 1, bw["ours"] / bw["fio"] - 1
print(f"{sys.argv[2]:>14}: {bw['ours'] / bs:8.1f} IOPS {bw['ours'] / 2**20:6.2f} MiB/s, {off:+.2%} of the cap, "
      f"{apart:+.2%} of fio (median of {len(rows) // 2})")
sys.exit(abs(off) > 0.03 or abs(apart) > 0.03)
PY
}

# in turns; a moment in which the machine had no time is outvoted by more of them, a wrong number is not
compare() { # compare RW BS ROUNDS
	local name=$1-$2 round a b
	for ((round = 1; round <= $3 + 10; round++)); do
		a=$(ours "$1" "$2") && b=$(fios "$1" "$2") || exit 1
		printf 'ours %s\nfio %s\n' "$a" "$b" >>"$name"
		if [ $round -ge "$3" ]; then judge "$2" "$name" && return; fi
	done
	fail "$name: not within 3 %: $(cat "$name")"
}
compare randread 4k 2
compare randread 64k 2
compare randread 1M 2
compare randwrite 64k 1
