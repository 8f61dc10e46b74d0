#!/bin/bash
# A function has at most 100 lines and a cyclomatic complexity of at most 20 (pmccabe, McCabe's own count).
. "$(dirname "$0")/lib.sh"
need pmccabe

verdict "$(c_files | grep -z '\.c$' | xargs -0 pmccabe | sed -E 's/\(([0-9]+)\): /:\1: /' | awk -F '\t' '
    $2 > 20  { print $6 ": complexity " $2 ", at most 20: give a part of it a name of its own" }
    $5 > 100 { print $6 ": " $5 " lines, at most 100" }')"
