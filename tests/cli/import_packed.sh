#!/bin/bash
# import: compressed files and archives, labels from paths, pipes and devices.
. "$(dirname "$0")/lib.sh"
data=$SOURCE_DIR/tests/data/import/fio-json

count() { "$BLKMATRIX" list --format json | python3 -c 'import json, sys
runs = json.load(sys.stdin)
print(len(runs), sum(r["cells"] for r in runs))'; }
labels() { "$BLKMATRIX" list --format json | python3 -c 'import json, sys
print(*sorted("%s:%s" % (r["name"], ",".join("%s=%s" % i for i in sorted(r["labels"].items()))) for r in json.load(sys.stdin)))'; }

mkdir -p results/6.8/gp3 results/6.9/io2
cp "$data"/d01*.json results/6.8/gp3/a.json
cp "$data"/d12*.json results/6.9/io2/b.json
cp "$data"/d21*.json top.json
echo 'nothing of interest' >results/notes.txt
ln -s /etc/passwd results/link
tar czf all.tar.gz results

# an archive is as good as the folder; names out of it are shown behind "!"
run import all.tar.gz --label-from 'results/{release}/{disk}/'
expect_rc 0
expect_in "$out" "all.tar.gz!results/6.8/gp3/a.json  imported"
expect_in "$out" "1 link, device or the like in it left out"
[ "$(count)" = "2 6" ] || fail "2 runs with 6 cells are expected, got $(count)"
[ "$(labels)" = "a:disk=gp3,release=6.8 b:disk=io2,release=6.9" ] || fail "labels: $(labels)"
before=$(find . | wc -l)
run import all.tar.gz
[ "$(find . | wc -l)" = "$before" ] || fail "something was written beside the store"

# the same content, plain or packed otherwise, adds nothing
command -v zstd >/dev/null && zstd -q top.json && tar --zstd -cf all.tar.zst results
tar cf all.tar results && gzip -k top.json && xz -k top.json && bzip2 -k top.json
run import results all.tar $(ls all.tar.zst 2>/dev/null)
expect_rc 0
[ "$(count)" = "2 6" ] || fail "nothing new is expected"
run import top.json.gz
expect_rc 0
[ "$(count)" = "3 7" ] || fail "one more run is expected"
run list
expect_in "$out" ' top '
run import top.json.xz top.json.bz2 top.json $(ls top.json.zst 2>/dev/null)
expect_in "$out" "0 runs with 0 cells added"

# archives in archives, standard input
mkdir t && cp all.tar.gz top.json.gz t && tar cf n.tar t
run import --db nested.db n.tar
expect_rc 0
expect_in "$out" "n.tar!t/all.tar.gz!results/6.9/io2/b.json"
expect_in "$out" "3 runs with 7 cells added"
rc=0; "$BLKMATRIX" import --db stdin.db - <all.tar.gz >"$out" || rc=$?
expect_rc 0
expect_in "$out" "2 runs with 6 cells added"

# a broken archive: nothing of it, one error with place and reason
head -c 900 all.tar.gz >cut.tar.gz
run import --db broken.db cut.tar.gz "$data"/d22*.json
expect_rc 5
expect_in "$out" "byte 900: the gzip data ends too soon"
expect_in "$out" "1 run with 1 cell added, 1 failed"
python3 -c 'b = bytearray(open("top.json.gz", "rb").read()); b[-6] ^= 1; open("crc.json.gz", "wb").write(b)'
run import --db broken.db crc.json.gz
expect_rc 5
expect_in "$out" "incorrect data check"

# a bomb is refused
head -c 300M /dev/zero | gzip -1 >zeros.gz
run import --db bomb.db zeros.gz
expect_rc 5
expect_in "$out" "unpacks to more than"

# what does not fit a pattern is said; patterns that cannot be are usage errors
run import --db other.db --label-from 'results/{release}/{disk}/' results/6.8/gp3/a.json top.json
expect_rc 0
expect_in "$out" "its path does not fit --label-from"
for bad in 'results/' '{a' '{a}{b}' '{a}/{a}/'; do
    run import --db other.db --label-from "$bad" top.json
    expect_rc 2
    expect_in "$err" "--label-from"
done
run import --db other.db --label disk=x --label-from '{disk}.json' top.json
expect_rc 2

# a pipe that nobody writes to does not hold it up; one with a writer is read; devices are no files
mkfifo pipe
run import --db pipe.db pipe
expect_rc 5
expect_in "$out" "pipe is a pipe that no program writes to"
(sleep 0.2; cat top.json >pipe) &
run import --db pipe.db pipe
expect_rc 0
run import --db pipe.db <(sleep 0.2; cat results/6.8/gp3/a.json)
expect_rc 0
run import --db pipe.db <(:)
expect_rc 5
run import --db pipe.db /dev/zero /dev/null
expect_rc 5
expect_in "$out" "/dev/zero is a device: results are in files"
python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'
run import --db pipe.db sock
expect_rc 5
expect_in "$out" "sock is a socket"
