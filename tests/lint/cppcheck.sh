#!/bin/bash
# cppcheck over every source of the build; its build folder keeps what did not change from being read again.
. "$(dirname "$0")/lib.sh"
build=${BUILD_DIR:-build}
[ -f "$build/compile_commands.json" ] || { echo "skipped: $build/compile_commands.json is missing"; exit 77; }
need cppcheck
mkdir -p "$build/cppcheck"

verdict "$(cppcheck --project="$build/compile_commands.json" --cppcheck-build-dir="$build/cppcheck" -j 2 --quiet \
    --enable=warning,performance,portability --inline-suppr --file-filter='*/core/*' --file-filter='*/runner/*' \
    --file-filter='*/store/*' --file-filter='*/report/*' --file-filter='*/cli/*' -i "$PWD/tests" \
    --suppressions-list=tests/lint/cppcheck.txt --template='{file}:{line}: {message} [{id}]' 2>&1 | sed "s|^$PWD/||")"
