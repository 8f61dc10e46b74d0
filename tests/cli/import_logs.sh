#!/bin/bash
# import of fio's logs: with their results, alone, broken, again; and what a fio that is installed says itself.
. "$(dirname "$0")/lib.sh"
data=$SOURCE_DIR/tests/data/import/fio-log
cp -r "$data" in && rm in/README.md in/*.fio in/*/*.fio

# results take the logs of their jobs; the others are cells of their own
run import in
expect_rc 0
expect_in "$out" "15 runs with 18 cells added"
expect_in "$out" "joined to in/windows.json"
expect_in "$out" "no result beside it"
expect_in "$out" "each job a cell"
expect_in "$out" "empty: fio had nothing to log in it"

# the same again adds nothing, not even logs that were joined
run import in
expect_rc 0
expect_in "$out" "0 runs with 0 cells added"
run import in/windows_bw.1.log in/windows.json
expect_rc 0
expect_in "$out" "0 runs with 0 cells added"

# a run does not change: logs that come after its result are not taken, and that is said
mkdir later && cp in/windows.json later/
run import --db later.db later
expect_rc 0
cp in/windows_*.log later/
run import --db later.db later
expect_rc 0
grep -q "^later/windows_bw.1.log  *skipped " "$out" || fail "a log that came late is not skipped"
expect_in "$out" "0 cells added, 1 already in the store, 10 that came after their result not taken"
expect_in "$out" "not taken: later/windows.json is in the store without it"
! grep -q "joined to" "$out" || fail "logs are said to be joined that are not"
"$BLKMATRIX" delete --db later.db 1 --yes >/dev/null 2>&1 || fail "delete"
run import --db later.db later
expect_rc 0
expect_in "$out" "joined to later/windows.json"
run import --db later.db later
expect_in "$out" "joined to later/windows.json"

# a result alone takes what lies beside it
(cd in && run import --db ../alone.db windows.json && expect_rc 0 && expect_in "$out" "series from its logs") || exit 1
"$BLKMATRIX" show --db alone.db @latest --series --format json >show.json || fail "show"
python3 - show.json <<'PY' || fail "the samples are not those of the logs"
import json, sys
read = json.load(open(sys.argv[1]))["cells"][0]["read"]
points = read["series"]["points"]
rows = [[l.split(", ") for l in open(f"in/windows_iops.{job}.log") if l.split(", ")[2] == "0"] for job in (1, 2)]
assert len(points) == 7, points
for i, p in enumerate(points):
    logged = sum(int(r[i][1]) for r in rows)
    assert abs(p["iops"] - logged) <= 0.5e9 / p["len_ns"] + 1e-6, (p, logged)  # half an I/O
PY

# an archive is as good as the folder, in whatever order it has its files, also inside another one
figures() { "$BLKMATRIX" export --db "$1" --format json | python3 -c 'import json, sys
def clean(x):
    if isinstance(x, dict):
        return {k: clean(v) for k, v in x.items() if k not in ("id", "path")}
    return [clean(v) for v in x] if isinstance(x, list) else x
print(*sorted(json.dumps(clean(run), sort_keys=True) for run in json.load(sys.stdin)), sep="\n")'; }
run import --db folder.db in
expect_rc 0
figures folder.db >folder.txt
grep -q points folder.txt || fail "the export has no series"
(find in -name '*.json' | sort; find in -name '*.log' | sort -r) >order
tar cf logs.tar -T order && gzip -k logs.tar
python3 -c 'import zipfile, sys
with zipfile.ZipFile("logs.zip", "w", zipfile.ZIP_DEFLATED) as z:
    for name in open("order").read().split("\n")[:-1]:
        z.write(name)'
mkdir nest && mv logs.tar.gz nest/ && tar cf nested.tar nest
for archive in logs.tar logs.zip nested.tar; do
    run import --db packed.db $archive
    expect_rc 0
    expect_in "$out" "15 runs with 18 cells added"
    expect_in "$out" "in/windows.json"
    grep -q "!in/windows_bw.1.log .*joined to $archive!.*in/windows.json" "$out" || fail "$archive: its logs are not joined"
    figures packed.db | diff - folder.txt >/dev/null || fail "$archive: not the figures of the folder"
    run import --db packed.db $archive in
    expect_rc 0
    expect_in "$out" "0 runs with 0 cells added"
    rm -f packed.db*
done
# logs beside an archive, or in another one, are not those of its results
mkdir apart && tar cf apart/a.tar -C in windows.json && cp in/windows_*.log apart/ && tar cf apart/b.tar -C in $(cd in && ls windows_*.log)
(cd apart && run import --db ../apart.db . && expect_rc 0 && ! grep -q "joined to" "$out") || fail "logs of other places are joined"

# results and logs that are compressed one by one are as good as the plain ones; a log that is there both ways counts once
compress() { python3 -c 'import bz2, gzip, lzma, os, sys
suffix, pack = {"gz": (".gz", gzip.compress), "bz2": (".bz2", bz2.compress), "xz": (".xz", lzma.compress)}[sys.argv[1]]
for path in sys.argv[2:]:
    open(path + suffix, "wb").write(pack(open(path, "rb").read()))
    os.remove(path)' "$@"; }
mkdir one each && cp in/windows* one/ && cp in/windows* each/ && : >each/windows_bw.3.log
run import --db one.db one
figures one.db >one.txt
compress gz each/windows_bw.*.log each/windows.json && compress xz each/windows_lat.*.log
compress bz2 each/windows_clat.*.log && cp in/windows_clat.1.log each/
for given in each each/windows.json.gz; do
    rm -f each.db*
    run import --db each.db $given
    expect_rc 0
    expect_in "$out" "1 run with 1 cell added"
    expect_in "$out" "series from its logs"
    figures each.db | diff - one.txt >/dev/null || fail "$given: not the figures of the plain files"
done
run import --db each2.db each
expect_in "$out" "joined to each/windows.json.gz"
expect_in "$out" "not taken beside each/windows_clat.1.log, which is the log of that name"
expect_in "$out" "empty: fio had nothing to log in it"
run import --db each2.db one
expect_in "$out" "0 runs with 0 cells added"
run import --db each2.db one/windows_bw.1.log one/windows_bw.1.log
expect_in "$out" "not taken beside one/windows_bw.1.log"
# what the first result of a folder looked for, the next one finds
mkdir next && cp in/two* in/windows* next/ && compress gz next/two.json
run import --db next.db next/two.json.gz next/windows.json
expect_rc 0
[ "$(grep -c "series from its logs" "$out")" = 2 ] || fail "both have logs"
head -c 60 each/windows_bw.1.log.gz >cut && mv cut each/windows_bw.1.log.gz
run import --db cut.db each
expect_rc 5
expect_in "$out" "the gzip data ends too soon"

# a broken log: the line is named, the rest is joined
mkdir broken && cp in/windows* broken/
printf '\n1750, 30' >>broken/windows_bw.1.log
run import --db broken.db broken
expect_rc 5
expect_in "$out" "line 15: an empty line"
expect_in "$out" "1 run with 1 cell added, 1 broken"
run import --db broken.db --format json broken
expect_rc 5
mkdir garbage && head -c 5000 /dev/zero >garbage/x_bw.1.log && echo hello >garbage/y_lat.1.log
run import --db garbage.db garbage/x_bw.1.log garbage/y_lat.1.log
expect_rc 5
expect_in "$out" "0 runs with 0 cells added, 2 failed"

# logs of another run under the same name
mkdir other && cp in/each.json other/ && mkdir other/logs && printf '1, 1, 0, 4096, 0\n' >other/logs/each_iops.1.log
run import --db other.db other
expect_rc 0
expect_in "$out" "do not fit it: not joined"
expect_in "$out" "2 runs with 2 cells added"

command -v fio >/dev/null || exit 0
fio --version >/dev/null 2>&1 || exit 0
# one line an I/O: percentiles are those of fio's own result
fio --output-format=json --output=own.json --name=own --ioengine=null --size=8m --rw=randrw --bs=4k --numjobs=2 \
    --write_lat_log=own --group_reporting >/dev/null 2>&1 || { echo "skipped the part with fio: it does not run here"; exit 0; }
run import --db own.db own.json
expect_rc 0
"$BLKMATRIX" show --db own.db @latest --format json >show.json || fail "show"
python3 - show.json own.json <<'PY' || fail "percentiles of the logs are not fio's"
import json, sys
ours = json.load(open(sys.argv[1]))["cells"][0]
job = json.load(open(sys.argv[2]))["jobs"][0]
for d in ("read", "write"):
    fio, own = job[d]["clat_ns"], ours[d]["clat_ns"]
    assert own["n"] == fio["N"] == ours[d]["ios"], (own["n"], fio["N"])
    for p in ("50.000000", "90.000000", "99.000000"):
        want = min(max(fio["percentile"][p], fio["min"]), fio["max"])
        assert own["percentiles"][f"{float(p):g}"] == want, (d, p, own["percentiles"], want)
PY
exit 0
