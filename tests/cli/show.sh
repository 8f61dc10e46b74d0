# show: sections, chosen cells, one cell, shares of slow I/Os, JSON by its schema, CSV equal to it.
. "$(dirname "$0")/lib.sh"

run sweep "${sim[@]}" --rw randread,randrw --rwmixread 70 --bs 4k,64k --iodepth 1,8 --runtime 20s \
    --name nightly --label release=6.9 --quiet
expect_rc 0

run show 1
expect_rc 0
expect_out run
run show @latest bs=4k iodepth=8
expect_rc 0
expect_in "$out" "Cells: 2 chosen"
run show 1 rw=randrw direction=write bs=65536
expect_rc 0
expect_in "$out" "Cells: 2 chosen"
expect_not_in "$out" "  read "
run show 1 2
expect_rc 0
expect_in "$out" "Cell 2 of run 1: random read, 4k, QD 8"
expect_in "$out" "p99.9"
run show 1 --format md
expect_rc 0
expect_in "$out" "# Run 1: nightly"

for words in "1 99" "1 bs=1M" "1 size" "1 color=red" "7"; do
    # shellcheck disable=SC2086  # words are words
    run show $words
    expect_rc 2
    [ ! -s "$out" ] || fail "an error printed results"
done
run show 1 color=red
expect_in "$err" "there is no color"
expect_in "$err" "rwmixread"
run show
expect_rc 2

run show 1 --format json --series --bins
expect_rc 0
cp "$out" full.json
run show 1 --format json
expect_rc 0
cp "$out" short.json
run show 1 --format csv
expect_rc 0
cp "$out" show.csv
run show 1 --format json --slower-than 2ms bs=4k
expect_rc 0
cp "$out" slower.json
python3 - "$SOURCE_DIR/schemas/json/show.schema.json" <<'PY' || fail "the JSON or the CSV"
import csv, json, sys, jsonschema
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
check = jsonschema.Draft202012Validator(schema).validate
full, short, slower = (json.load(open(f)) for f in ("full.json", "short.json", "slower.json"))
for doc in (full, short, slower):
    check(doc)
assert short["run"]["id"] == 1 and short["run"]["labels"] == {"release": "6.9"}
assert len(short["cells"]) == 8
percentiles = "1 5 10 20 30 40 50 60 70 80 90 95 99 99.5 99.9 99.95 99.99".split()
for cell in full["cells"]:
    for name in ("read", "write"):
        d = cell[name]
        if d is None:
            assert name == "write" and cell["rw"] == "randread"
            continue
        lat = d["lat_ns"]
        assert sum(b[2] for b in lat["bins"]) == lat["n"] == d["ios"]
        # a percentile is in the bucket where the cumulated count reaches it
        for p, ns in lat["percentiles"].items():
            assert p in percentiles and lat["n"] * (100 - float(p)) / 100 >= 10 - 1e-6
            seen = 0
            for lo, width, count in lat["bins"]:
                seen += count
                if seen >= float(p) / 100 * lat["n"] - 1e-6:
                    assert lo <= ns < lo + width or ns in (lat["min"], lat["max"]), (p, ns, lo)
                    break
        assert "99.99" not in lat["percentiles"] or lat["n"] >= 100000
        assert sum(p["ios"] for p in d["series"]["points"]) <= d["ios"]
        assert abs(d["iops"] - d["ios"] / (d["runtime_ns"] / 1e9)) < 1e-6 * d["iops"]
    assert cell["trim"] is None and cell["direct"] is True
for cell in slower["cells"]:
    assert cell["bs"] == 4096
    s = cell["slower_than"]
    assert s["ns"] == 2000000 and 0 <= s["lo"] <= s["hi"] <= 1
    n = above = maybe = 0
    (same,) = [c for c in full["cells"] if c["id"] == cell["id"]]
    for name in ("read", "write"):
        if same[name]:
            for lo, width, count in same[name]["clat_ns"]["bins"]:
                n += count
                above += count if lo > 2000000 else 0
                maybe += count if lo <= 2000000 < lo + width - 1 else 0
    assert abs(s["lo"] - above / n) < 1e-9 and s["hi"] <= (above + maybe) / n + 1e-9
rows = list(csv.DictReader(open("show.csv")))
assert len(rows) == sum((c["read"] is not None) + (c["write"] is not None) for c in short["cells"])
for row in rows:
    (cell,) = [c for c in short["cells"] if c["id"] == int(row["cell_id"])]
    d = cell[row["direction"]]
    assert row["rw"] == cell["rw"] and int(row["bs"]) == cell["bs"] and row["run_labels"] == "release=6.9"
    for name in ("ios", "bytes", "iops", "bw"):
        assert float(row[name]) == d[name]
    for kind in ("clat", "lat"):
        assert float(row[kind + "_mean"]) == d[kind + "_ns"]["mean"]
        for p in percentiles:
            want = d[kind + "_ns"]["percentiles"].get(p)
            assert row[f"{kind}_p{p}"] == ("" if want is None else str(want))
    assert row["bs_write"] == "" and cell["bs_write"] is None
PY

run show 1 bs=4k --slower-than 100ms
expect_rc 0
expect_in "$out" "> 100"
expect_in "$out" $'0\u00a0%'

on_terminal 80 xterm show 1 rw=randread
[ "$(tr -d '\r' <"$out" | sed 's/\x1b\[[0-9;]*m//g' | wc -L)" -le 80 ] || fail "wider than the terminal"

# the depth is that of a job, as fio has it; reports count all jobs together
run sweep "${sim[@]}" --bs 4k --iodepth 8 --numjobs 3 --runtime 1s --name jobs
expect_rc 0
run show jobs
expect_in "$out" "QD a job"
