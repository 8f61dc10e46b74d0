#!/bin/bash
# Nothing half-done is kept, and nothing in the tree leans on places outside it.
. "$(dirname "$0")/lib.sh"

# The brackets keep this script from finding itself.
unfinished='\b(TOD[O]|FIXM[E]|HAC[K])\b'
outside='(^|[^[:alnum:]_.~-])/wor[k]/|\.\./share[d]\b|/roo[t]/'

verdict "$(
    all_files | grep -zvE '^(tests/data|examples)/|\.(png|svg|db|gz|zst)$' |
        xargs -0 grep -InE "$unfinished" | sed 's/$/   <- finish it or take it out/'
    all_files | grep -zvE '^(tests/data/import|examples)/' |
        xargs -0 grep -InE "$outside" | sed 's/$/   <- a place outside the tree/'
)"
