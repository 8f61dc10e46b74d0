# Sourced by the scripts of this folder. A script makes its own store and folder, runs the program
# with `run`, and says what it expects; the first thing that is not so ends it with exit status 1.
#
#   run ARGS...           runs the program: $out $err (files) and $rc
#   expect_rc N           its exit status
#   expect_out NAME       its output is that of SCRIPT.NAME.stdout.exact, or fits SCRIPT.NAME.stdout.glob
#                         (a bash pattern a line; a line "**" fits any number of lines)
#   expect_in FILE TEXT   the text is in it;  expect_not_in FILE TEXT
#   skip WHY              ends the script as skipped
#
# Not `command | grep -q TEXT`: grep ends at the first hit, the command then dies of SIGPIPE, and with
# pipefail the hit counts as a miss. Use run and expect_in, or grep -q TEXT <<<"$(command)".
#
#   wait_for, measures    of tests/support/wait.sh: for what runs in the background
#
# UPDATE=1 writes the .exact files again: look at the difference before keeping it.
set -uo pipefail
: "${BLKMATRIX:?path of the program}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
script=$(basename "$0" .sh)
export LC_ALL=C.UTF-8 TZ=UTC
unset NO_COLOR BLKMATRIX_DATA XDG_DATA_HOME XDG_CONFIG_HOME COLUMNS BLKMATRIX_METADATA_URL
# whatever cloud the tests run in: no machine there, so nobody is asked for its limits
export BLKMATRIX_DETECT_ROOT=/nonexistent

# shellcheck source=tests/support/wait.sh
. "$here/../support/wait.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/blkmatrix-cli.XXXXXX")
trap 'rm -rf "$work"' EXIT
export BLKMATRIX_DB=$work/results.db HOME=$work
out=$work/out err=$work/err rc=0
cd "$work" || exit 1

fail() {
    printf 'FAILED: %s\n--- command: %s\n--- exit status %s\n--- stdout:\n' "$1" "${ran-}" "$rc"
    head -c 4000 "$out" 2>/dev/null
    printf '\n--- stderr:\n'
    head -c 4000 "$err" 2>/dev/null
    exit 1
}
skip() {
    printf 'skipped: %s\n' "$1"
    exit 77
}

run() {
    ran="blkmatrix $*"
    rc=0
    "$BLKMATRIX" "$@" >"$out" 2>"$err" </dev/null || rc=$?
    ! grep -qE 'Sanitizer|runtime error:' "$err" || fail "a sanitizer found something"
}

expect_rc() { [ "$rc" = "$1" ] || fail "exit status $1 is expected"; }
expect_in() { grep -qF -- "$2" "$1" || fail "\"$2\" is expected in $(basename "$1")"; }
expect_not_in() { ! grep -qF -- "$2" "$1" || fail "\"$2\" is not expected in $(basename "$1")"; }

# fits_glob PATTERNS FILE: line by line; "**" swallows lines until the next pattern fits
fits_glob() {
    local -a pattern lines
    mapfile -t pattern <"$1"
    mapfile -t lines <"$2"
    local p=0 l=0
    while [ $p -lt ${#pattern[@]} ]; do
        if [ "${pattern[p]}" = '**' ]; then
            p=$((p + 1))
            [ $p -lt ${#pattern[@]} ] || return 0
            # shellcheck disable=SC2053  # the right side is a pattern
            while [ $l -lt ${#lines[@]} ] && [[ ${lines[l]} != ${pattern[p]} ]]; do l=$((l + 1)); done
        fi
        # shellcheck disable=SC2053
        if [ $l -ge ${#lines[@]} ] || [[ ${lines[l]} != ${pattern[p]} ]]; then
            printf 'line %d: "%s" does not fit "%s"\n' $((l + 1)) "${lines[l]-}" "${pattern[p]}"
            return 1
        fi
        p=$((p + 1)) l=$((l + 1))
    done
    [ $l -eq ${#lines[@]} ] || { printf 'line %d: nothing more is expected\n' $((l + 1)); return 1; }
}

expect_out() {
    local base=$here/$script.$1.stdout
    if [ -e "$base.glob" ]; then
        fits_glob "$base.glob" "$out" || fail "the output does not fit $(basename "$base").glob"
    elif [ "${UPDATE-}" = 1 ]; then
        cp "$out" "$base.exact"
    else
        diff -u "$base.exact" "$out" || fail "the output is not that of $(basename "$base").exact"
    fi
}

# on_terminal COLUMNS TERM ARGS...: runs the program on a pseudo-terminal; all it prints is in $out
on_terminal() {
    command -v script >/dev/null || skip "script(1) is needed for a terminal"
    local columns=$1 term=$2
    shift 2
    ran="blkmatrix $* (on a terminal of $columns columns, TERM=$term)"
    rc=0
    TERM=$term script -qec "stty cols $columns rows 24; $(printf '%q ' "$BLKMATRIX" "$@")" /dev/null \
        >"$out" 2>"$err" </dev/null || rc=$?
    ! grep -qE 'Sanitizer|runtime error:' "$out" || fail "a sanitizer found something"
}

# A simulated device on its own clock: the same figures on every machine, at once.
sim=(--engine sim --engine-options virtual=1,iops=3500,bw=64M,lat=1ms --ramp 0 --seed 1)

# expect_schema FILE NAME [lines]: it is JSON of schemas/json/NAME.schema.json; "lines": one document a line
expect_schema() {
    python3 -c 'import jsonschema' 2>/dev/null || skip "python3-jsonschema is needed"
    python3 - "$1" "$here/../../schemas/json/$2.schema.json" "${3-}" <<'PY' || fail "not as $2.schema.json says"
import json, sys, jsonschema
path, schema, lines = sys.argv[1:]
schema = json.load(open(schema))
jsonschema.Draft202012Validator.check_schema(schema)
text = open(path).read()
documents = text.splitlines() if lines else [text]
assert documents, "nothing there"
for document in documents:
    jsonschema.validate(json.loads(document), schema, jsonschema.Draft202012Validator)
PY
}
