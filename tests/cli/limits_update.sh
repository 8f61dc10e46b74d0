# `limits update`: newer figures into the user's file, which every lookup reads.
. "$(dirname "$0")/lib.sh"
data=$here/../data/cloud-json
own=$work/.config/blkmatrix/limits.json

run limits update --from "$data/aws-types.json" --format json
expect_rc 0
expect_schema "$out" limits-update
python3 - "$out" "$own" <<'PY' || fail "what changed"
import json, sys
d = json.load(open(sys.argv[1]))
assert d["what"] == "aws ec2 describe-instance-types" and d["file"] == sys.argv[2] and d["unchanged"] == 2, d
change = {c["name"]: (c["before"], c["after"]) for c in d["changes"]}
assert change == {"c6in.metal": ("400000 IOPS; 12500 MB/s", "450000 IOPS; 12500 MB/s"),
                  "x99.large": (None, "4000 IOPS; 125 MB/s; burst 40000 IOPS; burst 1250 MB/s")}, change
PY
expect_in "$err" "1 added, 1 changed, 2 as known"

# lookups read it, and say where a figure is from
run limits show c6in.metal
expect_in "$out" "450000 IOPS"
expect_in "$out" "aws ec2 describe-instance-types (aws-types.json)"
expect_in "$out" "Bare metal." # what is known beside the figures stays
run limits list x99
expect_in "$out" "aws "
run limits show x99.lar
expect_rc 2
expect_in "$err" "Did you mean x99.large?"

# twice is once; other tools' entries join, one's own stay
cp "$own" before
run limits update --from "$data/aws-types.json"
expect_in "$err" "0 added, 0 changed, 4 as known"
cmp "$own" before || fail "the file changed"
python3 - "$own" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
d["about"] = "mine"
d["sources"]["lab"] = {"where": "measured in the lab", "checked": "2026-05-01"}
d.setdefault("disks", []).append({"name": "array-a", "source": "lab", "caps": [{"cap": "iops", "per_gib": 5, "max": {"base": 90000}}]})
json.dump(d, open(sys.argv[1], "w"))
PY
run limits update --from "$data/az-skus.json"
expect_rc 0
expect_in "$err" "2 added, 1 changed, 2 as known"
expect_in "$out" "uncached 7000 IOPS"
expect_in "$out" "burst uncached 8000 IOPS for 30 min" # bursts are not in that list, and stay
run limits show Standard_DS2_v2 # 65,536,000 bytes/s are the published 64 MBps too
expect_not_in "$out" "list-skus"
run limits show array-a,size=100G
expect_in "$out" "measured in the lab"
run limits update --from "$data/gcloud-machine-types.json"
expect_in "$err" "1 added, 0 changed, 1 as known"
run limits update --from "$data/gcloud-disk-types.json"
expect_in "$err" "1 added, 0 changed, 1 as known"
run limits list next
expect_in "$out" "4 to 65536 GiB"
python3 - "$own" "$here/../../schemas/limits/limits.schema.json" <<'PY' || fail "the file is not as its schema says"
import json, sys, jsonschema
d = json.load(open(sys.argv[1]))
jsonschema.validate(d, json.load(open(sys.argv[2])), jsonschema.Draft202012Validator)
assert d["about"] == "mine" and len(d["sources"]) == 5, d["sources"]
PY
ls "$work/.config/blkmatrix"/*.json.* 2>/dev/null && fail "something is left beside it"

# another file; one that is bad; a document that is none; disks somebody has
run limits update --from "$data/aws-types.json" --limits other/limits.json
expect_rc 0
run limits show x99.large --limits other/limits.json
expect_rc 0
cp "$own" kept
echo '{"cloud": "own", "sources": {}, "disks": [{}]}' >bad.json
run limits update --from "$data/az-skus.json" --limits bad.json
expect_rc 5
expect_in "$err" "bad.json"
for text in '' '{}' '[]' '[1]' '{"InstanceTypes": 3}' '{"a": [' '"x"' '[{"name": "x"}]'; do
    printf '%s' "$text" >none.json
    run limits update --from none.json
    expect_rc 5
    expect_in "$err" "none.json"
done
run limits update --from "$data/aws-volumes.json"
expect_rc 2
expect_in "$err" "--cloud-json"
run limits update
expect_rc 2
expect_in "$err" "--from"
run limits update --from nothing.json
expect_rc 5
cmp "$own" kept || fail "a failed update changed the file"
# where nothing can be written, nothing is lost
if [ "$(id -u)" != 0 ]; then
    chmod 500 "$work/.config/blkmatrix"
    rm -f none.json
    printf '{"InstanceTypes": [{"InstanceType": "x98.large", "EbsInfo": {}}]}' >none.json
    run limits update --from none.json
    expect_rc 2
    chmod 700 "$work/.config/blkmatrix"
    cmp "$own" kept || fail "a failed write changed the file"
fi

# ---- --cloud-json: disks by their ids, also where no cloud is found
run limits show vol-00112233445566778 --cloud-json "$data/aws-volumes.json"
expect_in "$out" "6000 IOPS"
expect_in "$out" "aws ec2 describe-volumes (aws-volumes.json)"
run sweep --engine sim --engine-options virtual=1 --bs 4k --iodepth 1 --runtime 1s --ramp 0 --no-detect \
    --cloud-json "$data/aws-volumes.json" --disk vol-0f1e2d3c4b5a69788 --vm t4g.medium --name volume
expect_rc 0
run show volume --format json
expect_in "$out" '"name": "vol-0f1e2d3c4b5a69788"'
run limits show volume-x --cloud-json "$data/az-skus.json"
expect_rc 2
run limits list --cloud-json none-such.json
expect_rc 5
run limits names vm --cloud-json "$data/aws-types.json"
expect_in "$out" "x99.large"
expect_not_in "$out" " "
run limits names cpu
expect_rc 2
