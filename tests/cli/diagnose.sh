# diagnose: the story of a cloud disk with two caps, ties, several devices, and that nothing kept is out of date.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is needed"

# cells FILE: python expressions about the document, `c` its cells by (direction, bs, iodepth)
judge() {
    python3 - "$out" "$@" <<'PY' || fail "the document"
import json, sys
d = json.load(open(sys.argv[1]))
c = {(x["direction"], x["bs"], x["iodepth"]): x for x in d["cells"] if "direction" in x}
for text in sys.argv[2:]:
    assert eval(text), (text, json.dumps(d, indent=1))
PY
}

# ---- Premium SSD of 64 GiB with host caching on Standard_DS2_v2, two cells as they were published
python3 - >azure.json <<'PY'
import json
def job(name, group, bs, iops, bw):
    return {"jobname": name, "groupid": group, "error": 0,
            "job options": {"name": name, "rw": "randwrite", "bs": bs, "iodepth": "64", "ioengine": "libaio", "direct": "1", "runtime": "60"},
            "write": {"io_bytes": int(bw * 60), "bw_bytes": bw, "iops": iops, "runtime": 60000, "total_ios": round(iops * 60)}}
print(json.dumps({"fio version": "fio-3.28", "jobs": [job("small", 0, "4k", 3420, 3420 * 4096), job("large", 1, "1M", 63.99, 67100000)]}))
PY
run import azure.json --vm Standard_DS2_v2 --disk Premium_LRS,size=64G,cache=ro
expect_rc 0
run diagnose
expect_rc 0
story="At 4k the disk's burst IOPS cap (3,500) binds; at 1M the VM's cached throughput cap (64 MiB/s) binds."
lasting="Both are burst figures; once the credit is gone it is 240 IOPS and 50 MB"
whose="(the disk's base figures)."
expect_in "$out" "The disk caps small writes, the VM caps large ones"
expect_in "$out" "$story"
expect_in "$out" "$lasting"
expect_in "$out" "$whose"
expect_in "$out" "At 4k and this rate the burst bucket is empty after 30 min 45 s; this cell ran 1 min"
expect_in "$out" "97.7 %"
run diagnose --format json
expect_rc 0
expect_schema "$out" diagnose
judge "d['run'] == 1" "d['verdict'].startswith(\"$story $lasting\")" "d['burst'] == [] and d['shared_cap'] is None" \
    "len(c) == 2" \
    "c['write',4096,64]['binds'] == 'disk-iops' and c['write',4096,64]['phase'] == 'burst' and c['write',4096,64]['also'] == []" \
    "c['write',4096,64]['cap'] == {'iops': 3500} and abs(c['write',4096,64]['share'] - 3420 / 3500) < 1e-6" \
    "c['write',1<<20,64]['binds'] == 'vm-bw' and c['write',1<<20,64]['cap'] == {'bw': 64 * 2**20} and c['write',1<<20,64]['also'] == []" \
    "0.99 < c['write',1<<20,64]['share'] < 1.001 and c['write',4096,64]['confidence'] == 'certain'"
cp "$out" first.json
on_terminal 80 dumb diagnose
expect_rc 0
[ "$(tr -d '\r' <"$out" | awk '{ if (length($0) > most) most = length($0) } END { print most }')" -le 80 ] || fail "wider than the terminal"
run diagnose 1 --format md
expect_rc 0
expect_in "$out" "| 4k | disk IOPS, burst | 3,420 IOPS | 3,500 IOPS | 97.7 % | certain |"
expect_in "$out" "- wrong if: 4k: A larger disk on the same VM is no faster."
expect_in "$out" "- wrong if: 1M: The same disk with host caching off is no faster."
grep -q '^- :' "$out" && fail "a bullet without a name"
awk 'NR > 1 && !length($0) && !length(last) { exit 1 } { last = $0 }' "$out" || fail "two blank lines"
run diagnose 1 --format csv
expect_rc 0
[ "$(wc -l <"$out")" = 3 ] || fail "a heading and two results"
run report 1 --format md -o -
expect_in "$out" "$story"

# the same from a table
printf 'bs,iodepth,rw,iops,bw (MB/s)\n4k,64,randwrite,3420,14.0\n1M,64,randwrite,63,67.1\n' >azure.csv
run import azure.csv --vm Standard_DS2_v2 --disk Premium_LRS,size=64G,cache=ro
expect_rc 0
run diagnose --format json
expect_schema "$out" diagnose
judge "d['verdict'].startswith(\"$story $lasting\")"

# ---- two volumes of a tutorial on a t4g.medium: fio's totals, and the job file that it shows
cat >volume.fio <<'FIO'
[global]
ioengine=libaio
direct=1
time_based
runtime=30
group_reporting=1
rate=16m,5m
numjobs=${NUM_JOBS}
iodepth=${IO_DEPTH}
filename=/dev/nvme1n1
[steady_write]
rw=write
bs=64k
[burst_read]
rw=read
bs=256k
startdelay=25
runtime=5
FIO
export NUM_JOBS=16 IO_DEPTH=64
texts=$SOURCE_DIR/tests/data/import/fio-text
run import "$texts/t01-two-volumes-io2.txt" --job volume.fio --vm t4g.medium --disk io2,size=100G,iops=400 --label volume=io2
expect_rc 0
run import "$texts/t02-two-volumes-gp2.txt" --job volume.fio --vm t4g.medium --disk gp2,size=8G --label volume=gp2
expect_rc 0
run show volume=io2 --format json --slower-than 1s
judge "abs(d['cells'][0]['write']['bw'] / 2**20 - 80.0) < 0.05" "round(d['cells'][0]['slower_than']['lo'], 4) == 0.06"
run show volume=gp2 --format json --slower-than 1s
judge "abs(d['cells'][0]['write']['bw'] / 2**20 - 60.3) < 0.05" "round(d['cells'][0]['slower_than']['lo'], 4) == 0.2636"
run show volume=gp2 --slower-than 1s
[ "$(grep -c "26.4.% of all" "$out")" = 2 ] || fail "the source has one histogram for reads and writes"
run diagnose volume=io2
expect_in "$out" "Held by the job's own rate limit (16 x 5 MiB/s), not by the device."
expect_in "$out" "Reads of the sequential mix at 256k are 15 % above the disk's throughput cap (102 MiB/s)"
run report volume=io2 --format md -o -
expect_in "$out" "102 MiB/s | passed by 1 result, up to 15"
expect_in "$out" "400 IOPS | no result"
run diagnose volume=io2 --format json
expect_schema "$out" diagnose
judge "[x['binds'] for x in d['cells'] if x['direction'] == 'write'] == ['rate']"
run diagnose volume=gp2
expect_in "$out" "The device side held it (60.3 MiB/s, 75.4 % of the job's own rate of 16 x 5 MiB/s), and no known cap matches."
run diagnose volume=gp2 --format json
expect_schema "$out" diagnose
judge "[x['binds'] for x in d['cells'] if x['direction'] == 'write'] == ['unexplained']"

# ---- it is kept, and made again when it would be another one
kept() { python3 -c 'import sqlite3, sys; print(*[r[0] for r in sqlite3.connect(sys.argv[1]).execute("select run_id from diagnosis order by 1")])' "$BLKMATRIX_DB"; }
[ "$(kept)" = "1 2 3 4" ] || fail "four diagnoses are kept, not: $(kept)"
run limits set 1 --clear
expect_rc 0
expect_in "$out" "Only QD 64 was measured"
run diagnose 1 --format json
judge "all(x['binds'] == 'unexplained' and x['cap'] is None for x in d['cells'])"
run limits set 1 --vm Standard_DS2_v2 --disk Premium_LRS,size=64G,cache=ro
expect_in "$out" "$story"
run diagnose 1 --format json
cmp -s "$out" first.json || fail "the same limits, the same diagnosis"
# another version of the method wrote it
python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute("update diagnosis set version = 0, document = ?", ("{}",)); c.commit()' "$BLKMATRIX_DB"
run diagnose 1 --format json
cmp -s "$out" first.json || fail "what another version found is not shown"
# a store that cannot be written
if [ "$(id -u)" != 0 ]; then
    chmod a-w "$BLKMATRIX_DB" . && run diagnose 1 && chmod u+w "$BLKMATRIX_DB" .
    expect_rc 0
fi

# ---- ties are said
sweep() { run sweep "${sim[@]}" --quiet --runtime 2s "$@"; }
sweep --bs 4k,1M --iodepth 16,64 --cap disk:iops=3500,bw=64M --cap vm:iops=3500,bw=64M --no-detect
run diagnose --format json
expect_schema "$out" diagnose
judge "c['read',4096,64]['binds'] == 'disk-iops' and c['read',4096,64]['also'] == ['vm-iops']" \
    "c['read',1<<20,64]['binds'] == 'disk-bw' and c['read',1<<20,64]['also'] == ['vm-bw']"
run diagnose
expect_in "$out" "VM or disk IOPS"
expect_in "$out" "At 4k the disk's IOPS cap (3,500) or the VM's IOPS cap binds (they are at the same place); at 1M"
expect_in "$out" "The disk or VM caps the IOPS of small reads and the throughput of large ones"

# ---- a burst is run to its end, and told: the rates, the moment, the credits
run sweep --engine sim --engine-options virtual=1,iops=240,burst_iops=3500,credits=130400,lat=1ms --seed 1 --bs 4k --iodepth 32 \
    --drain --max-runtime 10m --no-detect --cap disk:iops=240,burst-iops=3500,credits=130400 --quiet
expect_rc 0
# 130,400 I/Os above 240 a second are gone after 130,400 / (3,500 - 240) = 40 s
expect_in "$out" $'randread, 4k, QD 32: a burst of 3,500 IOPS ran out after 40\u00a0s, then 240 IOPS'
run show @latest "$(awk '$2 == "randread" { print $1 }' "$out")"
expect_in "$out" "the burst: it had run out"
run diagnose --format json
expect_schema "$out" diagnose
judge "c['read',4096,32]['binds'] == 'disk-iops' and c['read',4096,32]['phase'] == 'base'" "len(d['burst']) == 1" \
    "abs(d['burst'][0]['at_s'] / 40 - 1) < 0.01 and abs(d['burst'][0]['credits'] / 130400 - 1) < 0.01" \
    "abs(d['burst'][0]['burst_iops'] / 3500 - 1) < 0.01 and abs(d['burst'][0]['sustained_iops'] / 240 - 1) < 0.01"
run diagnose
expect_in "$out" "A burst at 3,500 IOPS, held by the disk's burst IOPS cap, ran out after 40 s at 4k: at least 13"
expect_in "$out" "Bursts that ran out"
# the next cell has what the first one left of the credits, and that is said before and after
run sweep --engine sim --engine-options iops=500,burst_iops=3500,credits=100000,virtual=1 --bs 4k,8k --iodepth 16 --drain
expect_rc 0
expect_in "$out" "4k, QD 16: a burst of"
grep -q '8k, QD 16: no burst ran out in .*; cells before it may have spent the credits' "$out" || fail "why there is no burst"
run sweep --engine sim --engine-options virtual=1 --bs 4k,8k --iodepth 16 --drain --dry-run
expect_in "$out" "a cell has the credits that those before it left"
run sweep --engine sim --engine-options virtual=1 --bs 4k --drain --runtime 5s
expect_rc 2
expect_in "$err" "only one of them can be"
run sweep --engine sim --engine-options virtual=1 --bs 4k --drain --dry-run
expect_in "$out" "a cell ends when a burst has run out and what lasts was seen"

# ---- two devices, each alone and both at once: a cap of both shows without any list
run sweep --engine sim --engine-options virtual=1,iops=3000,vm_iops=3600,lat=1ms --seed 1 --ramp 0 --runtime 2s --dev a --dev b \
    --together --alone --bs 4k --iodepth 16,64 --no-detect --quiet
expect_rc 0
run diagnose --format json
expect_schema "$out" diagnose
judge "len(d['cells']) == 6" "d['shared_cap']['shared'] and abs(d['shared_cap']['ratio'] - 0.6) < 0.01"
run diagnose
expect_in "$out" "Together the 2 devices reach 60"
run report --format json -o -
expect_schema "$out" report

# ---- no limits: what was seen, and how to name them
sweep --bs 4k --iodepth 16,64 --no-detect
run diagnose
expect_rc 0
expect_in "$out" "IOPS level off at 3,499"
expect_in "$out" "No limits known for this host: give --vm and --disk"

# ---- many loads of which the same is true are not all named
run sweep "${sim[@]}" --quiet --runtime 1s --rw randread,randwrite,read,write --bs 4k --iodepth 16,64 --no-detect
run diagnose
expect_in "$out" ": All 4 loads level off at 3,"
expect_in "$out" "All 4 loads: IOPS level off at"
run sweep "${sim[@]}" --quiet --runtime 1s --rw randread,randwrite,read,write,randrw --bs 4k --iodepth 16,64 --no-detect
run diagnose
expect_in "$out" ": Random reads, random writes and 2 other loads level off at 3,"

run diagnose 99
expect_rc 2
exit 0
