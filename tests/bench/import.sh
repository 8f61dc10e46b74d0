#!/usr/bin/env bash
# What does an import cost: 1372 files of 8.5 KiB against json.load and sqlite3 in Python making the same rows, and
# one json+ file of 200 MiB (rate, and memory as a multiple of the file).
#
#   import.sh BLKMATRIX [ROUNDS]
#
# Both take turns; of each the best and the median are printed, since other load only ever adds.
set -euo pipefail
program=$(realpath "${1:?path of the program}")
rounds=${2:-7}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
data=$here/../data/import/fio-json
schema=$here/../../schemas/sql/0001_initial.sql
work=$(mktemp -d "${TMPDIR:-/tmp}/blkmatrix-bench.XXXXXX")
trap 'rm -rf "$work"' EXIT
make=(python3 "$here/import_files.py")

"${make[@]}" make "$work/files" "$data"/d04-*.json
: >"$work/ours" && : >"$work/python"
for ((i = 0; i < rounds; i++)); do
    rm -f "$work"/*.db*
    /usr/bin/time -a -o "$work/ours" -f '%e %U %S' "$program" import --db "$work/a.db" "$work/files" >/dev/null
    /usr/bin/time -a -o "$work/python" -f '%e %U %S' "${make[@]}" load "$work/files" "$work/b.db" "$schema"
done
for table in run cell direction latency disk_stat device cell_device lat_bucket; do
    [ "$(sqlite3 "$work/a.db" "SELECT count(*) FROM $table")" = "$(sqlite3 "$work/b.db" "SELECT count(*) FROM $table")" ] ||
        { echo "not the same work: $table"; exit 1; }
done
python3 - "$work/ours" "$work/python" <<'PY'
import statistics, sys
best = []
for name, path in zip(("blkmatrix", "Python"), sys.argv[1:]):
    rows = [[float(x) for x in line.split()] for line in open(path)]
    wall, cpu = [r[0] for r in rows], [r[1] + r[2] for r in rows]
    best.append((min(wall), min(cpu)))
    print(f"{name:10} wall best {min(wall):.2f} s, median {statistics.median(wall):.2f} s; CPU best {min(cpu):.2f} s")
print(f"ratio      wall {best[1][0] / best[0][0]:.1f}, CPU {best[1][1] / best[0][1]:.1f}")
PY

"${make[@]}" big "$work/big.json" "$data"/d12-*.json 200
size=$(stat -c %s "$work/big.json")
/usr/bin/time -o "$work/big" -f '%e %M' "$program" import --db "$work/c.db" "$work/big.json" >/dev/null
read -r wall kib <"$work/big"
awk -v n="$size" -v s="$wall" -v k="$kib" 'BEGIN { printf "200 MiB    %.0f MiB/s, memory %.1f times the file\n", n / 1048576 / s, k * 1024 / n }'
