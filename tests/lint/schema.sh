#!/bin/bash
# A step of the schema that stores may have taken is not edited any more: a change is a further file.
# schema.txt has the sum of each step as it came in (sha256sum schemas/sql/*.sql).
. "$(dirname "$0")/lib.sh"

sums=tests/lint/schema.txt
verdict "$(
    for step in schemas/sql/*.sql; do
        known=$(awk -v name="$step" '$2 == name { print $1 }' "$sums")
        [ -n "$known" ] || { echo "$step: is not in $sums"; continue; }
        [ "$known" = "$(sha256sum "$step" | cut -d' ' -f1)" ] ||
            echo "$step: was changed; stores that took it would not match: write a further step"
    done
)"
