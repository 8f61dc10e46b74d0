# limits: list, show, set, and the options of sweep and import that say what holds.
. "$(dirname "$0")/lib.sh"

python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is needed"
python3 - "$SOURCE_DIR/schemas/limits" <<'PY' || fail "a catalogue is not as its schema says"
import json, sys, jsonschema
folder = sys.argv[1]
schema = json.load(open(folder + "/limits.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
check = jsonschema.Draft202012Validator(schema)
for cloud in "aws", "azure", "gcp":
    catalogue = json.load(open(f"{folder}/{cloud}.json"))
    check.validate(catalogue)
    assert catalogue["cloud"] == cloud
    named = {e["source"] for part in ("disks", "vms") for e in catalogue[part]}
    assert named == set(catalogue["sources"]), named ^ set(catalogue["sources"])
PY

# list
run limits list 'Standard_DS2_v2'
expect_rc 0
expect_in "$out" "cached 8000 IOPS; cached 64 MBps; uncached 6400 IOPS; uncached 96 MBps"
run limits list PREMIUM_lrs --format csv
expect_rc 0
[ "$(wc -l <"$out")" = 15 ] || fail "14 sizes of Premium SSD and a heading"
run limits list 't4g.*' --format json
expect_rc 0
expect_schema "$out" limits-list
expect_in "$out" '"t4g.medium"'
run limits list nothing-like-it
expect_rc 0
expect_in "$err" 'no entry of the catalogue fits "nothing-like-it"'
expect_in "$err" "A pattern is a part of the name"
run limits list gp33
expect_rc 0
expect_in "$err" "Did you mean gp3"
[ ! -s "$out" ] || fail "nothing found, nothing printed"
run limits list gp33 --quiet
[ ! -s "$err" ] || fail "--quiet has no remarks"
run limits list gp33 --format json
[ "$(tr -d ' \n' <"$out")" = "[]" ] || fail "no entry is an empty array"

# show
run limits show P6 --format json
expect_rc 0
expect_schema "$out" limits-show
python3 - "$out" <<'PY' || fail "the limits of P6"
import json, sys
got = {(l["kind"], l["phase"]): (l["value"], l["value_max"], l["credits"]) for l in json.load(open(sys.argv[1]))["limits"]}
assert got == {("iops", "base"): (240, None, None), ("iops", "burst"): (3500, None, 5868000),
               ("bw", "base"): (50e6, 50 * 2**20, None), ("bw", "burst"): (170e6, 170 * 2**20, 211 * 2**30)}, got
PY
run limits show gp3,size=100G,iops=6000,mbps=250
expect_rc 0
expect_in "$out" "6,000 IOPS"
expect_in "$out" "250 MiB/s"
run limits show gp3 --disk gp3,iops=6000,size=500G
expect_rc 2
expect_in "$err" "limits show gp3,iops=6000,size=500G"
run limits show Premium_LRS --size 64G
expect_in "$out" "premium-ssd-sizes"
run limits show Premium_LRS
expect_in "$out" "P80"
run limits show n2-standard-8 --disk pd-ssd,size=1T
expect_rc 0
expect_in "$out" "15.0k IOPS"
# figures of bytes without a unit, a device that nobody knows, the VM of one cloud and the disk of another
printf 'bs,iodepth,rw,iops\n4k,64,randwrite,3420\n' >caps.csv
run import caps.csv --cap disk:bw=125
expect_rc 2
expect_in "$err" "125M"
run import caps.csv --cap 'disk[5]:iops=1'
expect_rc 2
expect_in "$err" "does not say which devices"
run import caps.csv --vm t4g.medium --disk Premium_LRS,size=64G
expect_rc 2
expect_in "$err" "t4g.medium is a VM of aws, P6 a disk of azure"
run limits list a2-ultragpu-8g
expect_rc 0
grep -q "[^0-9]1 MiB/s" "$out" && fail "1 MiB/s of a2-ultragpu-8g"
run limits show io2
expect_rc 0
expect_in "$err" "iops=N"
run limits show Standard_DS2_v3
expect_rc 2
expect_in "$err" "Did you mean"
expect_in "$err" "Standard_D2s_v3"
run limits shwo P6
expect_rc 2
expect_in "$err" "Did you mean show?"

# a file of one's own: named, or where it belongs
cat >own.json <<'JSON'
{"cloud": "own", "sources": {"lab": {"where": "measured here", "checked": "2026-05"}},
 "disks": [{"name": "array-a", "source": "lab", "caps": [{"cap": "iops", "base": 90000}]}]}
JSON
run limits list array --limits own.json
expect_in "$out" "90000 IOPS"
run limits show array-a
expect_rc 2
mkdir -p "$HOME/.config/blkmatrix"
cp own.json "$HOME/.config/blkmatrix/limits.json"
run limits show array-a
expect_rc 0
expect_in "$out" "measured here"
sed -i 's/"base"/"bsae"/' "$HOME/.config/blkmatrix/limits.json"
run limits show array-a
expect_rc 5
expect_in "$err" '"bsae"'
rm "$HOME/.config/blkmatrix/limits.json"
run limits list --limits missing.json
expect_rc 5

# sweep keeps them with the run
sweep() { run sweep "${sim[@]}" --bs 4k --iodepth 64 --runtime 1s --quiet "$@"; }
sweep --vm Standard_DS2_v2 --disk Premium_LRS,size=64G,cache=ro
expect_rc 0
run show @latest --format json
python3 - "$out" <<'PY' || fail "the limits of the run"
import json, sys
limits = json.load(open(sys.argv[1]))["limits"]
got = sorted((l["owner"], l["kind"], l["phase"], l["path"], l["value"]) for l in limits)
assert got == [("disk", "bw", "base", "any", 50e6), ("disk", "bw", "burst", "any", 170e6),
               ("disk", "iops", "base", "any", 240), ("disk", "iops", "burst", "any", 3500),
               ("vm", "bw", "base", "cached", 64e6), ("vm", "bw", "base", "uncached", 96e6),
               ("vm", "iops", "base", "cached", 8000), ("vm", "iops", "base", "uncached", 6400)], got
PY
run report @latest --format md
expect_rc 0
expect_in "$out" "P6"
sweep --cap disk:iops=3500,bw=64M --cap vm:read-iops=8000
expect_rc 0
run show @latest
expect_in "$out" "3,500 IOPS"
expect_in "$out" "8,000 IOPS"

# what is wrong is said before anything is measured
for bad in "--vm Standard_DS2_v1" "--disk Premium_LSR,size=1G" "--cap disc:iops=1" "--cap disk[1]:iops=5" \
    "--disk gp3,speed=1" "--disk io2,size=8G"; do
    # shellcheck disable=SC2086
    sweep $bad
    expect_rc 2
    # shellcheck disable=SC2086
    sweep --dry-run $bad
    expect_rc 2
done

# set: later, and again
run limits set @latest --vm t4g.medium --disk gp2,size=8G
expect_rc 0
run show @latest --format json
python3 - "$out" <<'PY' || fail "limits set"
import json, sys
got = {(l["owner"], l["kind"], l["phase"]): l["value"] for l in json.load(open(sys.argv[1]))["limits"]}
assert got == {("disk", "iops", "base"): 100, ("disk", "iops", "burst"): 3000, ("disk", "bw", "base"): 128 * 2**20,
               ("vm", "iops", "base"): 2000, ("vm", "iops", "burst"): 11800,
               ("vm", "bw", "base"): 43.375e6, ("vm", "bw", "burst"): 260.625e6}, got
PY
run limits set @latest --clear
expect_rc 0
run show @latest
expect_not_in "$out" "Limits"
run limits set @latest
expect_rc 2
run limits set 99 --clear
expect_rc 2

# import
cp "$SOURCE_DIR"/tests/data/import/fio-json/l08-status-interval.json in.json 2>/dev/null ||
    cp "$(grep -rl '"fio version"' "$SOURCE_DIR/tests/data/import" | head -1)" in.json
run import in.json --cap disk:iops=777
expect_rc 0
run show @latest
expect_in "$out" "777 IOPS"
run import in.json --vm nothing
expect_rc 2
exit 0
