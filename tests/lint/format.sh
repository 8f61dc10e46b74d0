#!/bin/bash
# The layout of the code is that of clang-format 14; `clang-format -i FILE` mends it.
. "$(dirname "$0")/lib.sh"
need clang-format
case $(clang-format --version) in
*' 14.'*) ;;
*)
    echo "skipped: other versions than clang-format 14 lay code out in their own way"
    exit 77
    ;;
esac

verdict "$(c_files | xargs -0 -n 16 -P 2 clang-format --dry-run 2>&1 |
    sed -nE 's/^([^ ]+:[0-9]+):[0-9]+: (warning|error): .*/\1: not laid out as clang-format does/p' | sort -u)"
