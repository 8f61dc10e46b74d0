#!/usr/bin/env bash
# A sweep of a real device finds the limits of the volume that it is said to be, and keeps them; here a loop device,
# of which a recorded machine says that it is an EBS volume of a t4g.medium.
. "$(dirname "$0")/lib.sh"
lab_start --size 64M || fail "no lab"
command -v python3 >/dev/null || { echo "python3 is needed"; exit 77; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
dev=$LAB_DEV
name=${dev##*/}
root=$LAB_DIR/root
put() { mkdir -p "$root$(dirname "$1")"; printf '%s\n' "$2" >"$root$1"; }
put /sys/class/dmi/id/sys_vendor "Amazon EC2"
put /sys/class/dmi/id/product_name t4g.medium
put "/sys/class/block/$name/device/model" "Amazon Elastic Block Store"
put "/sys/class/block/$name/device/serial" vol00112233445566778
export BLKMATRIX_DETECT_ROOT=$root
unset BLKMATRIX_METADATA_URL # nobody is asked: the firmware names the size

limits() { # limits RUN: owner kind phase value source of each, a line each
	"$BLKMATRIX" show --db "$LAB_DIR/store.db" "$1" --format json | python3 -c '
import json, sys
for l in json.load(sys.stdin)["limits"]:
    print(l["owner"], l["kind"], l["phase"], int(l["value"]), l["source"])'
}

sweep --dev "$dev" --name plain || fail "sweep: $(cat "$LAB_DIR/err")"
grep -q "Found: Amazon EC2, t4g.medium; $dev: a volume, type not known vol-00112233445566778" "$LAB_DIR/err" ||
	fail "what was found is not said: $(cat "$LAB_DIR/err")"
limits plain >"$LAB_DIR/limits"
grep -q "^vm bw base 43375000 detected: dmi; EC2 Desc" "$LAB_DIR/limits" || fail "VM: $(cat "$LAB_DIR/limits")"
! grep -q "^disk" "$LAB_DIR/limits" || fail "limits of a disk whose type is not known"
ok "the size of the VM"

sweep --dev "$dev" --name volumes --cloud-json "$here/../data/cloud-json/aws-volumes.json" || fail "sweep"
limits volumes >"$LAB_DIR/limits"
grep -q "^disk iops base 6000 detected: cloud-json; aws ec2 describe-volumes (aws-volumes.json)" "$LAB_DIR/limits" ||
	fail "disk: $(cat "$LAB_DIR/limits")"
grep -q "^disk bw base 262144000 detected: cloud-json" "$LAB_DIR/limits" || fail "disk: $(cat "$LAB_DIR/limits")"
grep -q "^vm iops burst 11800 detected: dmi" "$LAB_DIR/limits" || fail "VM: $(cat "$LAB_DIR/limits")"
ok "the volume, by its id"

# the id is kept with the run: the file may come later
"$BLKMATRIX" limits set plain --db "$LAB_DIR/store.db" --cloud-json "$here/../data/cloud-json/aws-volumes.json" ||
	fail "limits set"
limits plain >"$LAB_DIR/kept"
grep -q vol-00112233445566778 <<<"$("$BLKMATRIX" show --db "$LAB_DIR/store.db" plain --format json)" || fail "id not kept"
grep -q "^vm bw base 43375000" "$LAB_DIR/kept" || fail "the VM's limits are lost"
grep -q "^disk iops base 6000" "$LAB_DIR/kept" || fail "limits set: $(cat "$LAB_DIR/kept")"
ok "the file later"

sweep --dev "$dev" --name hand --cap disk:iops=777 --cloud-json "$here/../data/cloud-json/aws-volumes.json" || fail "sweep"
limits hand >"$LAB_DIR/limits"
[ "$(grep -c ^disk "$LAB_DIR/limits")" = 1 ] || fail "by hand: $(cat "$LAB_DIR/limits")"
grep -q "^disk iops base 777" "$LAB_DIR/limits" || fail "by hand: $(cat "$LAB_DIR/limits")"
ok "by hand"

sweep --dev "$dev" --name none --no-detect || fail "sweep"
[ -z "$(limits none)" ] || fail "--no-detect: $(limits none)"
ok "--no-detect"

# a job file that an installed fio runs finds them too
if command -v fio >/dev/null; then
	printf '[a]\nfilename=%s\nrw=randread\nbs=4k\niodepth=4\nioengine=libaio\ndirect=1\ntime_based\nruntime=1\n' "$dev" \
		>"$LAB_DIR/a.fio"
	"$BLKMATRIX" run "$LAB_DIR/a.fio" --engine fio --db "$LAB_DIR/store.db" --name fio \
		--cloud-json "$here/../data/cloud-json/aws-volumes.json" >"$LAB_DIR/out" 2>"$LAB_DIR/err" ||
		fail "run: $(cat "$LAB_DIR/err")"
	limits fio >"$LAB_DIR/limits"
	grep -q "^disk iops base 6000 detected: cloud-json" "$LAB_DIR/limits" || fail "fio: $(cat "$LAB_DIR/limits")"
	grep -q "^vm bw base 43375000 detected: dmi" "$LAB_DIR/limits" || fail "fio: $(cat "$LAB_DIR/limits")"
	ok "fio as the engine"
fi
