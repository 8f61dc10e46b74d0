# Help: on stdout, exit status 0, within the width of the terminal, for every command.
. "$(dirname "$0")/lib.sh"

run --version
expect_rc 0
grep -qxE 'blkmatrix [0-9]+\.[0-9]+\.[0-9]+' "$out" || fail "version"

run help
expect_rc 0
cp "$out" overview
for spelling in --help -h; do
    run $spelling
    expect_rc 0
    cmp -s overview "$out" || fail "\"$spelling\" is not \"help\""
done
commands=$(sed -n 's/^  \([a-z]*\)  .*/\1/p' overview)
[ "$(wc -w <<<"$commands")" -ge 2 ] || fail "no commands in the overview"

for command in $commands; do
    run help "$command"
    expect_rc 0
    cp "$out" page
    expect_in page "Usage: blkmatrix $command"
    expect_in page "Examples:"
    expect_in page "Common options:"
    [ "$(awk '{ if (length > n) n = length } END { print n + 0 }' page)" -le 80 ] ||
        grep -q 'https\?://' page || fail "wider than 80 columns"
    run "$command" --help
    expect_rc 0
    cmp -s page "$out" || fail "\"$command --help\" is not \"help $command\""
    expect_not_in "$out" $'\033'
    [ ! -e "$BLKMATRIX_DB" ] || fail "help makes a store"
    on_terminal 40 dumb help "$command"
    expect_rc 0
    expect_not_in "$out" $'\033'
done

on_terminal 80 xterm help
expect_in "$out" $'\033[1m'
on_terminal 80 xterm help --no-color
expect_not_in "$out" $'\033'
NO_COLOR=1 on_terminal 80 xterm help
expect_not_in "$out" $'\033'

run help nothing
expect_rc 2
expect_in "$err" 'no command "nothing"'
exit 0
