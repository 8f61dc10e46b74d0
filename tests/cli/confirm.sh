# Before data is lost a terminal is asked; a pipe never is.
. "$(dirname "$0")/lib.sh"
command -v script >/dev/null || skip "script(1) is needed for a terminal"
write=(sweep --dev data.bin --destroy-data=data.bin --direct 0 --rw write --bs 4k --iodepth 1 --runtime 100ms --ramp 0)

# answer TEXT ARGS...: types a line at the program on a terminal, when it asks for one
mkfifo keys
answer() {
    local text=$1 typist
    shift
    ran="blkmatrix $* (on a terminal, answered with \"$text\")"
    rc=0
    : >"$out"
    {
        until grep -q "to go on:" "$out"; do sleep 0.02; done
        printf '%s\n' "$text" >&9
    } 9<>keys &
    typist=$!
    # open for writing too, so that its end is never seen
    script -qec "$(printf '%q ' "$BLKMATRIX" "$@")" /dev/null >>"$out" 2>"$err" <>keys || rc=$?
    { kill "$typist"; wait "$typist"; } 2>/dev/null
    ! grep -qE 'Sanitizer|runtime error:' "$out" || fail "a sanitizer found something"
}
head -c 1M /dev/urandom >data.bin
before=$(sha256sum <data.bin)
unchanged() { [ "$(sha256sum <data.bin)" = "$before" ] || fail "the file was written"; }

answer no "${write[@]}"
expect_rc 3
expect_in "$out" "What is on data.bin will be lost: file, 1"
expect_in "$out" "Type data.bin to go on:"
expect_in "$out" "nothing was written"
unchanged
answer "" "${write[@]}"
expect_rc 3
unchanged
# Ctrl-C at the question
answer $'\003' "${write[@]}"
expect_rc 130
unchanged
# reading, looking, and what was made here need no question
answer x sweep --dev data.bin --direct 0 --bs 4k --iodepth 1 --runtime 100ms --ramp 0
expect_rc 0
answer x "${write[@]}" --dry-run
expect_rc 0
expect_not_in "$out" "to go on"
unchanged
answer x sweep --dev made.bin --size 1M --direct 0 --rw write --bs 4k --iodepth 1 --runtime 100ms --ramp 0
expect_rc 0

answer data.bin "${write[@]}"
expect_rc 0
[ "$(sha256sum <data.bin)" != "$before" ] || fail "the right answer lets it write"
before=$(sha256sum <data.bin)
answer x "${write[@]}" --yes
expect_rc 0
expect_not_in "$out" "to go on"
# no terminal, no question
before=$(sha256sum <data.bin)
run "${write[@]}"
expect_rc 0
[ "$(sha256sum <data.bin)" != "$before" ] || fail "not written"
exit 0
