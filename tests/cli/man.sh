# Man pages and completion scripts are well-formed and complete.
. "$(dirname "$0")/lib.sh"

run help --generate made
expect_rc 0
run help
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' "$out")
for command in $commands; do
    [ -s "made/man1/blkmatrix-$command.1" ] || fail "no man page of $command"
done
if command -v groff >/dev/null; then
    for page in made/man1/*.1; do
        warnings=$(groff -ww -man -Tutf8 "$page" 2>&1 >/dev/null)
        [ -z "$warnings" ] || fail "$(basename "$page"): $warnings"
    done
fi
bash -n made/bash/blkmatrix || fail "bash completion does not parse"
if command -v zsh >/dev/null; then zsh -n made/zsh/_blkmatrix || fail "zsh completion does not parse"; fi
if command -v fish >/dev/null; then fish -n made/fish/blkmatrix.fish || fail "fish completion does not parse"; fi

# what bash would offer
offered() { # offered WORD...: for the last one
    bash --norc -c '
        . made/bash/blkmatrix
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _blkmatrix
        printf "%s\n" "${COMPREPLY[@]}"' _ "$@"
}
grep -qx -- sweep <<<"$(offered blkmatrix sw)" || fail "command is not completed"
grep -qx -- --iodepth <<<"$(offered blkmatrix sweep --iode)" || fail "option is not completed"
grep -qx -- randread <<<"$(offered blkmatrix sweep --rw rand)" || fail "choice is not completed"
grep -qx -- json <<<"$(offered blkmatrix sweep --format j)" || fail "common option is not completed"
grep -qx -- --iodepth <<<"$(offered blkmatrix --db x sweep --io)" || fail "options before the command"
grep -qx sweep <<<"$(offered blkmatrix --quiet sw)" || fail "command after a common option"
PATH=$(dirname "$BLKMATRIX"):$PATH
grep -qx -- Standard_DS2_v2 <<<"$(offered blkmatrix sweep --vm Standard_DS2)" || fail "VM size is not completed"
grep -qx -- gp3 <<<"$(offered blkmatrix import --disk gp)" || fail "disk is not completed"
grep -qx -- t4g.medium <<<"$(offered blkmatrix limits show t4g)" || fail "name of a limit is not completed"
grep -qx -- detect <<<"$(offered blkmatrix limits de)" || fail "action is not completed"
touch a-file
grep -qx -- a-file <<<"$(offered blkmatrix sweep --dev a-)" || fail "file is not completed"

run help --generate /proc/nothing
expect_rc 2
expect_in "$err" "cannot make the folder /proc/nothing"
exit 0
