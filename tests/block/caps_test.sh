#!/usr/bin/env bash
# At caps of 3500 IOPS and 50 MiB/s, which the kernel keeps, sweep measures the lower of the two within
# 3 % at 4k (IOPS), 64k and 1M (bandwidth), and so does fio on the same device, in turns.
. "$(dirname "$0")/lib.sh"
command -v fio >/dev/null || lab_skip "no fio to compare with"
lab_start --size 256M --iops 3500 --bps 50M --max-io-kb 1024 || fail "no lab"
cd "$LAB_DIR" || fail "$LAB_DIR"

ours() { # ours BS: bytes/s and IOPS of a run of 4 s after a second of ramp
	lab_exec "$BLKMATRIX" sweep --db "$LAB_DIR/caps.db" --dev "$LAB_DEV" --rw randread --bs "$1" --iodepth 32 \
		--ramp 1s --runtime 4s --progress never --format json --quiet >ours.json 2>ours.err || fail "sweep: $(cat ours.err)"
	python3 -c 'import json; r = json.load(open("ours.json"))["cells"][0]["read"]; print(r["bw"], r["iops"])'
}
fios() {
	lab_exec fio --name=caps --filename="$LAB_DEV" --rw=randread --bs="$1" --iodepth=32 --ioengine=libaio --direct=1 --norandommap \
		--ramp_time=1 --runtime=4 --time_based --output-format=json --output=fio.json >fio.err 2>&1 || fail "fio: $(cat fio.err)"
	python3 -c 'import json; r = json.load(open("fio.json"))["jobs"][0]["read"]; print(r["bw_bytes"], r["iops"])'
}

for bs in 4k 64k 1M; do
	: >"rows.$bs"
	# each in turn; a disturbed moment gets a second chance, a wrong number does not become right
	for try in 1 2 3; do
		echo "ours $(ours $bs)" >>"rows.$bs"
		echo "fio $(fios $bs)" >>"rows.$bs"
		python3 - "$bs" "rows.$bs" <<'PY' && break
import statistics, sys
bs = {"4k": 4096, "64k": 65536, "1M": 1 << 20}[sys.argv[1]]
truth = min(3500 * bs, 50 << 20)
rows = [line.split() for line in open(sys.argv[2])]
bw = {who: statistics.median(float(r[1]) for r in rows if r[0] == who) for who in ("ours", "fio")}
for who, _, iops in rows:
    assert float(iops) > 0
off = bw["ours"] / truth - 1
apart = bw["ours"] / bw["fio"] - 1
print(f"{sys.argv[1]:>4}: {bw['ours'] / bs:8.1f} IOPS {bw['ours'] / 2**20:6.2f} MiB/s, {off:+.2%} of the cap, {apart:+.2%} of fio (median of {len(rows) // 2})")
sys.exit(abs(off) > 0.03 or abs(apart) > 0.03)
PY
		[ $try != 3 ] || fail "$bs: not within 3 %: $(cat "rows.$bs")"
	done
done
