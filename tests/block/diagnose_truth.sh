#!/usr/bin/env bash
# What the program says of real devices with known caps (scenarios.tsv) is so: which cap binds, its size, ties, that no
# cap is blamed where there is none, that devices share a cap, and a burst that runs out.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || lab_skip "python3 is needed"
table=$(cd "$(dirname "$0")" && pwd)/scenarios.tsv
lab_start --size 256M || fail "no lab"
cd "$LAB_DIR" || fail "$LAB_DIR"
export BLKMATRIX_DB=$LAB_DIR/truth.db

measure() { # measure NAME SWEEP_OPTION...
	local name=$1
	shift
	lab_exec "$BLKMATRIX" sweep --name "$name" --no-detect --allow-write --progress never --quiet "$@" \
		>sweep.out 2>sweep.err || fail "$name: $(cat sweep.err)"
}
take_down() {
	local d
	for d in "${LAB_DISK[@]}"; do lab_detach "$d" || fail "$d stays"; done
}
judge() { # judge NAME DISKS DISK_IOPS DISK_BPS VM_IOPS VM_BPS MAX_IO_KB SIZE=TRUTH...
	python3 - "$@" <<'PY'
import json, math, sys
name, disks, *caps, max_io = sys.argv[1:8]
truth = dict(a.split("=") for a in sys.argv[8:])
disk_iops, disk_bps, vm_iops, vm_bps = map(float, caps)
d = json.load(open("diagnosis.json"))
wrong = 0
for c in d["cells"]:
    n, bs = len(c["devices"]), c["bs"]
    want = truth.get(("all" if n > 1 else "") + str(bs), "-")
    if want == "-" or c["iodepth"] < 32:
        continue
    want, got = set(want.split("+")), {c["binds"], *c["also"]}
    good = got == want if want != {"none"} else not any(g.startswith(("disk", "vm")) for g in got)
    if good and c["cap"]:
        counted = math.ceil(bs / 1024 / float(max_io))
        least = min(x for x in (disk_iops * n / counted, disk_bps * n / bs, vm_iops / counted, vm_bps / bs) if x > 0)
        cap = c["cap"]["iops"] / counted if "iops" in c["cap"] else c["cap"]["bw"] / bs
        good = abs(cap / least - 1) < 0.02
    wrong += not good
    print(f"{'ok' if good else 'WRONG'}: {name}, {n} x {bs // 1024}k: {'+'.join(sorted(got))}, "
          f"{c['measured']['iops']:.0f} IOPS, {c['share'] or 0:.1%} of the cap, {c['confidence']}")
shared = d["shared_cap"]
if disks != "1":
    print("shared cap:", shared)
    wrong += shared is None or shared["shared"] != (vm_iops > 0)
sys.exit(wrong > 0)
PY
}

while IFS=$'\t' read -r name rw disks disk_iops disk_bps vm_iops vm_bps max_io one4 one64 one1m all4 all1m; do
	case $name in '' | name | \#*) continue ;; esac
	disk_bps=$(lab_bytes "$disk_bps") vm_bps=$(lab_bytes "$vm_bps")
	lab_throttle "$vm_iops" "$vm_bps" || fail "throttle"
	lab_tune "$LAB_DEV" "$max_io"
	lab_disks "$disks" "$disk_iops" "$disk_bps" "$max_io" || fail "disks"
	sizes=4k
	[ "$one64" = - ] || sizes+=,64k
	[ "$one1m" = - ] || sizes+=,1M
	load=(--rw "$rw" --bs "$sizes" --iodepth 8,32 --ramp 400ms --runtime 1s)
	for d in "${LAB_DISK[@]}"; do load+=(--dev "$d"); done
	[ "$disk_iops" = 0 ] || load+=(--cap "disk:iops=$disk_iops,io-size=${max_io}k")
	[ "$disk_bps" = 0 ] || load+=(--cap "disk:bw=$disk_bps")
	[ "$vm_iops" = 0 ] || load+=(--cap "vm:iops=$vm_iops,io-size=${max_io}k")
	[ "$vm_bps" = 0 ] || load+=(--cap "vm:bw=$vm_bps")
	truth=(4096="$one4" 65536="$one64" 1048576="$one1m" all4096="$all4" all1048576="$all1m")
	# a moment in which the machine had no time is outvoted by another go, a wrong verdict is not
	for go in 1 2 3 4 5 6; do
		runs=("$name-$go")
		measure "$name-$go" "${load[@]}"
		if [ "$disks" != 1 ]; then
			measure "$name-all-$go" "${load[@]}" --together
			runs+=("$name-all-$go")
		fi
		"$BLKMATRIX" diagnose "${runs[@]}" --format json >diagnosis.json || fail "diagnose $name"
		judge "$name" "$disks" "$disk_iops" "$disk_bps" "$vm_iops" "$vm_bps" "$max_io" "${truth[@]}" && break
		[ $go -lt 6 ] || fail "$name"
	done
	take_down
done <"$table"

# a bucket that lasts four seconds: what the disk may do is cut while it is measured, at a moment that is noted, as
# both the sweep and the cut may be late
lab_throttle 0 0
lab_disks 1 3500 0 || fail "disks"
cut_down() { sleep 4; date +%s%N >moment; lab_throttle 240 0 "${LAB_DISK[0]}"; }
judge_burst() {
	python3 - moment <<'PY'
import datetime, json, sys
whole, fraction = json.load(open("shown.json"))["cells"][0]["started"].rstrip("Z").split(".")
began = datetime.datetime.fromisoformat(whole + "+00:00").timestamp() + float("0." + fraction)
cut = int(open(sys.argv[1]).read()) / 1e9 - began
bursts = json.load(open("diagnosis.json"))["burst"]
print(f"burst, cut after {cut:.2f} s:", bursts)
(b,) = bursts
# samples are 250 ms long
assert abs(b["at_s"] - cut) < 0.6
assert abs(b["burst_iops"] / 3500 - 1) < 0.05 and abs(b["sustained_iops"] / 240 - 1) < 0.05
assert abs(b["credits"] / (3260 * b["at_s"]) - 1) < 0.05
PY
}
for go in 1 2 3 4 5; do
	lab_throttle 3500 0 "${LAB_DISK[0]}"
	cut_down &
	measure "burst-$go" --dev "${LAB_DISK[0]}" --rw randread --bs 4k --iodepth 32 --drain --ramp 0 --interval 250ms \
		--min-runtime 8s --max-runtime 30s
	wait
	"$BLKMATRIX" show "burst-$go" --format json >shown.json || fail "show burst"
	"$BLKMATRIX" diagnose "burst-$go" --format json >diagnosis.json || fail "diagnose burst"
	judge_burst && break
	[ $go -lt 5 ] || fail "burst"
done
ok "all scenarios"
