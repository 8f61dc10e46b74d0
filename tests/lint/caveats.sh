#!/bin/bash
# Every doubt about a cell that the sources can name is explained in core/model/caveat.c.
. "$(dirname "$0")/lib.sh"
verdict "$(c_files own | xargs -0 grep -hoE 'cell_add_caveat\([^"]*"[a-z-]+"' | sed 's/.*"\(.*\)"/\1/' | sort -u |
    while read -r name; do
        grep -q "{\"$name\"," core/model/caveat.c || echo "core/model/caveat.c: \"$name\" is not explained"
    done)"
