# Sourced by the lint scripts: works in the source tree and lists its files.
cd "${SOURCE_DIR:-$(dirname "${BASH_SOURCE[0]}")/../..}" || exit 1

# Every file of the project (git's list, or all files where there is no git), NUL-terminated.
all_files() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard |
            while IFS= read -r -d '' f; do [ -f "$f" ] && printf '%s\0' "$f"; done
    else
        find . -type f -not -path './build*' -not -path './.git/*' -printf '%P\0'
    fi | sort -z
}

# The C sources and headers, NUL-terminated; "own" leaves the tests out.
c_files() {
    all_files | grep -zE '^(core|runner|store|report|cli|tests)/.*\.[ch]$' |
        if [ "$1" = own ]; then grep -zv '^tests/'; else cat; fi
}

# A tool that is missing is a skip with its reason, not a pass.
need() {
    command -v "$1" >/dev/null 2>&1 && return
    echo "skipped: $1 is not installed"
    exit 77
}

# Ends with what the checks found: no output is a pass.
verdict() {
    [ -z "$1" ] && exit 0
    printf '%s\n' "$1"
    exit 1
}
