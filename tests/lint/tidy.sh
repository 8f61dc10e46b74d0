#!/bin/bash
# clang-tidy with .clang-tidy over every source of the build. A file is looked at again when its object file was
# built again, so that only the first run is slow.
. "$(dirname "$0")/lib.sh"
build=${BUILD_DIR:-build}
[ -f "$build/compile_commands.json" ] || { echo "skipped: $build/compile_commands.json is missing"; exit 77; }
need clang-tidy
stamps=$build/tidy
mkdir -p "$stamps"

# Prints the findings of one source; leaves a stamp when there are none.
check() {
    local file=$1 stamp=$stamps/${1//\//-} found
    # what only gcc knows (-f options of sanitizers, coverage) must not become an error of clang
    found=$(clang-tidy --quiet -p "$build" --extra-arg=-Wno-unknown-warning-option \
        --extra-arg=-Wno-ignored-optimization-argument "$file" 2>/dev/null)
    if [ -n "$found" ]; then printf '%s\n' "$found"; else : >"$stamp"; fi
}
export -f check
export build stamps

stale() {
    c_files own | grep -z '\.c$' | while IFS= read -r -d '' file; do
        object=$(find "$build" -path "*.dir*/$(basename "$file").o" -newer "$stamps/${file//\//-}" -print -quit 2>/dev/null)
        if [ ! -e "$stamps/${file//\//-}" ] || [ .clang-tidy -nt "$stamps/${file//\//-}" ] || [ -n "$object" ]; then
            printf '%s\0' "$file"
        fi
    done
}

verdict "$(stale | xargs -0 -r -n 1 -P 2 bash -c 'check "$0"' | sed "s|^$PWD/||")"
