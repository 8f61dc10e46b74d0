# `limits detect` and what sweeps find by themselves, against a metadata service on this machine.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is needed for the server"
server=$here/../support/metadata_server.py
data=$here/../data

# unpack NAME FOLDER: a recorded machine of tests/data/sysroot
unpack() {
    python3 - "$data/sysroot/$1.txt" "$2" <<'PY'
import os, sys
source, root = sys.argv[1:]
def path(name):
    os.makedirs(os.path.dirname(root + name), exist_ok=True)
    return root + name
files, current = {}, None
for line in open(source):
    line = line.rstrip("\n")
    if line.startswith("\t"):
        files[current].append(line[1:])
    elif line.startswith("/"):
        name, link, target = line.partition(" -> ")
        if link and ": " not in name:
            os.symlink(target, path(name))
            continue
        name, _, text = line.partition(": ")
        current = name.rstrip(":") if not _ else name
        files[current] = [text] if _ else []
for name, lines in files.items():
    with open(path(name), "w") as f:
        f.write("\n".join(lines) + "\n")
PY
}

serve() { # serve CLOUD MODE: BLKMATRIX_METADATA_URL points at it; requests are lines of $log
    mode=$2
    stop
    log=$work/requests
    : >"$log"
    rm -f "$work/port"
    python3 "$server" "$1" "$2" "$work/port" "$log" 2>"$work/server.err" &
    pid=$!
    wait_for "the server listens" [ -s "$work/port" ]
    export BLKMATRIX_METADATA_URL=http://127.0.0.1:$(cat "$work/port")
}
# ask ARGS...: run, and again when a server that does seems not to have answered: on a machine that stood still for the
# second that the program waits, that says nothing about either. The log is that of the last time.
ask() {
    local again lines
    lines=$(wc -l <"$log")
    for again in 1 2 3 4 5; do
        run "$@"
        [[ $mode = good || $mode = denied ]] && grep -qE "does not answer|too slow" "$out" "$err" || return 0
        head -n "$lines" "$log" >"$log.kept" && cp "$log.kept" "$log"
        [ "${*: -2:1}" != --record ] || rm -rf "${@: -1}"
    done
}
pid=''
stop() {
    [ -z "$pid" ] || { kill "$pid"; wait "$pid"; } 2>/dev/null
    pid=''
}
trap 'stop; rm -rf "$work"' EXIT

for machine in aws azure azure_nvme gce server; do unpack "$machine" "$work/$machine"; done
# from now on nobody but the server may be asked, and no proxy is one
export http_proxy=http://127.0.0.1:1 ALL_PROXY=http://127.0.0.1:1

# ---- machines of no cloud ask nobody
serve aws good
for machine in server nowhere; do
    BLKMATRIX_DETECT_ROOT=$work/$machine ask limits detect
    expect_rc 0
    expect_in "$out" "none that its firmware names"
done
[ ! -s "$log" ] || fail "asked: $(cat "$log")"

# ---- EC2
export BLKMATRIX_DETECT_ROOT=$work/aws
ask limits detect /dev/nvme1n1
expect_rc 0
! grep -qE "it has no libcurl|libcurl\.so" "$out" || skip "no libcurl here"
expect_in "$out" "Amazon EC2"
expect_in "$out" "t4g.medium (metadata service)"
expect_in "$out" "vol-00112233445566778"
expect_in "$out" "detected: imds; EC2 DescribeInstanceTypes"
expect_in "$out" "aws ec2 describe-volumes" # what to do about what is not known
# the volume's own statistics, which are in no recording of sysfs: said when they cannot be read, and only then
mute="nvme1n1 counts when it exceeds its caps, but these statistics cannot be read:"
expect_not_in "$out" "$mute"
mkdir -p "$work/aws/dev"
echo "1 0 8 0 0 0 0 0 0 0 0" >"$work/aws/sys/class/block/nvme1n1/stat"
ask limits detect /dev/nvme1n1
expect_in "$out" "$mute"
cp "$data/volume_page/start.bin" "$work/aws/dev/nvme1n1.log-d0"
ask limits detect /dev/nvme1n1
expect_rc 0
expect_not_in "$out" "$mute"
rm "$work/aws/dev/nvme1n1.log-d0" "$work/aws/sys/class/block/nvme1n1/stat"
: >"$log"
ask limits detect /dev/nvme1n1
[ "$(head -1 "$log")" = "PUT /latest/api/token" ] || fail "first asked: $(head -1 "$log")"
# nothing is asked for that could be a secret
! grep -qE 'iam|credentials|user-data|identity|public-keys' "$log" || fail "asked: $(cat "$log")"
ask limits detect /dev/nvme1n1 --cloud-json "$data/cloud-json/aws-volumes.json" --format json
expect_rc 0
expect_schema "$out" limits-detect
python3 - "$out" <<'PY' || fail "limits of the volume"
import json, sys
d = json.load(open(sys.argv[1]))
assert (d["cloud"], d["vm"], d["unknown"]) == ("aws", "t4g.medium", []), d
disk = {(l["kind"], l["phase"]): l["value"] for l in d["limits"] if l["owner"] == "disk"}
assert disk == {("iops", "base"): 6000, ("bw", "base"): 250 * 2**20}, disk
vm = {(l["kind"], l["phase"]): l["value"] for l in d["limits"] if l["owner"] == "vm"}
assert vm[("bw", "burst")] == 260.625e6 and vm[("iops", "base")] == 2000, vm
assert all(l["source"].startswith("detected: ") for l in d["limits"] if l["owner"] != "host")
host = [l for l in d["limits"] if l["owner"] == "host"]
assert {(l["kind"], l["value"]) for l in host} == {("bw", 134217728), ("iops", 2000)}, host
PY
AWS_EC2_METADATA_DISABLED=true ask limits detect --format json
expect_in "$out" '"vm_source": "DMI"'
expect_in "$out" "AWS_EC2_METADATA_DISABLED"

# ---- Azure: the first story of an article, found without a word
serve azure good
export BLKMATRIX_DETECT_ROOT=$work/azure
ask limits detect /dev/sdc --format json
expect_rc 0
expect_schema "$out" limits-detect
python3 - "$out" <<'PY' || fail "limits of a P6 on a DS2_v2"
import json, sys
d = json.load(open(sys.argv[1]))
have = {(l["owner"], l["kind"], l["phase"], l["path"]): l["value"] for l in d["limits"]}
assert have == {
    ("disk", "iops", "base", "any"): 240, ("disk", "bw", "base", "any"): 50e6,
    ("disk", "iops", "burst", "any"): 3500, ("disk", "bw", "burst", "any"): 170e6,
    ("vm", "iops", "base", "cached"): 8000, ("vm", "bw", "base", "cached"): 64e6,
    ("vm", "iops", "base", "uncached"): 6400, ("vm", "bw", "base", "uncached"): 96e6}, have
assert d["devices"][0]["cache"] == "ro" and d["devices"][0]["volume_type"] == "Premium_LRS"
PY
ask limits detect /dev/sdb
expect_in "$out" "hold for network disks, and a disk of the host"
expect_not_in "$out" "8,000 IOPS"
# by hand goes before
ask limits detect /dev/sdc --disk P10,size=128G --vm Standard_D4s_v3 --format json
expect_in "$out" '"name": "Standard_D4s_v3"'
expect_in "$out" '"name": "P10"'
expect_not_in "$out" "detected:"
ask limits detect /dev/sdc --vm Standard_D4s_v3 --format json
expect_in "$out" '"name": "P6"'
expect_in "$out" '"name": "Standard_D4s_v3"'
ask limits detect /dev/sdc --cloud-json "$data/cloud-json/az-disk.json" --format json
expect_in "$out" '"published": "500 IOPS"' # its tier was raised
expect_in "$out" "az disk show"

# ---- Google
serve gcp good
export BLKMATRIX_DETECT_ROOT=$work/gce
ask limits detect /dev/sdb --format json
expect_rc 0
python3 - "$out" <<'PY' || fail "limits of 500 GiB pd-ssd on n2-standard-8"
import json, sys
d = json.load(open(sys.argv[1]))
have = {(l["owner"], l["kind"], l["side"]): l["value"] for l in d["limits"]}
assert have[("disk", "iops", "read")] == 6000 + 30 * 500, have
assert have[("disk", "bw", "write")] == (240 + 0.48 * 500) * 2**20, have
assert have[("vm", "iops", "read")] == 15000, have
PY

# ---- services that are broken: said, within their time, and nothing else is
for how in redirect denied missing half other empty portal hostile huge slow; do
    for cloud in aws:aws azure:azure gcp:gce; do
        [ "$how" != slow ] || [ "$cloud" = aws:aws ] || continue # it takes a second each
        serve "${cloud%:*}" "$how"
        begin=${EPOCHREALTIME/./}
        BLKMATRIX_DETECT_ROOT=$work/${cloud#*:} ask limits detect
        took=$(((${EPOCHREALTIME/./} - begin) / 1000))
        expect_rc 0
        expect_in "$out" "Not known"
        expect_in "$out" "metadata"
        [ "$took" -lt 30000 ] || fail "$mode took $took ms" # the slow one answers after a minute
        ! grep -q $'\x1b' "$out" || fail "$mode: control characters"
        ! grep -q stolen "$log" || fail "$mode: the redirect was followed"
        ! grep -q X-Evil "$out" || fail "$mode: taken for a fact"
    done
done
serve aws denied
BLKMATRIX_DETECT_ROOT=$work/aws ask limits detect
expect_in "$out" "switched off for this VM"
expect_in "$out" "t4g.medium (DMI)" # Nitro's firmware still names the size
BLKMATRIX_METADATA_URL=http://example.com:80 BLKMATRIX_DETECT_ROOT=$work/aws ask limits detect
expect_in "$out" "is not http://127.0.0.1:PORT"

# ---- a recording says the same again, anywhere, and asks nobody
serve azure good
BLKMATRIX_DETECT_ROOT=$work/azure ask limits detect --record kept
expect_rc 0
expect_in "$err" "serial numbers"
cp "$out" first
asked=$(wc -l <"$log")
ask limits detect --replay kept
expect_rc 0
diff first "$out" || fail "the recording says something else"
[ "$asked" = "$(wc -l <"$log")" ] || fail "a replay asked the network"
expect_in kept/README "No credentials"
BLKMATRIX_DETECT_ROOT=$work/azure ask limits detect --record kept
expect_rc 2
expect_in "$err" "must not be there yet"
serve aws good
BLKMATRIX_DETECT_ROOT=$work/aws ask limits detect --record kept-aws
! grep -r AQAEAGFzLXRva2Vu kept-aws || fail "the session token is in the recording"
expect_in kept-aws/metadata.json '"TOKEN"'
ask limits detect --replay kept-aws /dev/nvme1n1
expect_in "$out" "128 MiB/s" # the cgroup's
ask limits detect --replay "$work"
expect_rc 5
ask limits detect --replay kept --record again
expect_rc 2

# ---- sweeps find it themselves; a simulated disk is no disk of the cloud
serve aws good
export BLKMATRIX_DETECT_ROOT=$work/aws
ask sweep "${sim[@]}" --bs 4k --iodepth 1 --runtime 1s --name simulated
expect_rc 0
expect_in "$err" "Found: Amazon EC2, t4g.medium"
run show simulated --format json
expect_in "$out" '"instance_type": "t4g.medium"'
expect_not_in "$out" "detected:"
ask sweep "${sim[@]}" --bs 4k --iodepth 1 --runtime 1s --name by-hand --disk gp3,size=100G
expect_rc 0
run show by-hand --format json
expect_in "$out" "detected: imds; EC2 DescribeInstanceTypes"
: >"$log"
for option in --no-detect --dry-run; do
    run sweep "${sim[@]}" --bs 4k --iodepth 1 --runtime 1s $option
    expect_rc 0
    expect_not_in "$err" "Found:"
done
[ ! -s "$log" ] || fail "asked in spite of it: $(cat "$log")"
