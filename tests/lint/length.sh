#!/bin/bash
# A file has at most 500 lines: beyond that it holds more than one idea.
. "$(dirname "$0")/lib.sh"

verdict "$(all_files | grep -zE '\.(c|h|sh|py|js|css|html|sql|cmake)$|CMakeLists\.txt$|^\.ci/run$' |
    grep -zvE '^(examples|tests/data)/' |
    xargs -0 awk 'FNR == 501 { print FILENAME ":501: more than 500 lines: split it" }')"
