#!/bin/bash
# Calls that are right in one place only: banned.txt is the table. Comments and texts do not count.
. "$(dirname "$0")/lib.sh"

verdict "$(c_files | xargs -0 awk '
function within(path, dir) { return path == dir || index(path, dir "/") == 1 }

# The line without comments and with empty texts; `comment` is kept over lines.
function code(s,   out, c, two) {
    out = ""
    while (s != "") {
        if (comment) {
            if (!match(s, /\*\//))
                return out
            s = substr(s, RSTART + 2)
            comment = 0
            continue
        }
        c = substr(s, 1, 1)
        two = substr(s, 1, 2)
        if (two == "//")
            return out
        if (two == "/*") {
            comment = 1
            s = substr(s, 3)
        } else if (c == "\"" && match(s, /^"([^"\\]|\\.)*"/)) {
            out = out "\"\""
            s = substr(s, RLENGTH + 1)
        } else if (match(s, /^[^"\/]+/)) {
            out = out substr(s, 1, RLENGTH)
            s = substr(s, RLENGTH + 1)
        } else {
            out = out c
            s = substr(s, 2)
        }
    }
    return out
}

BEGIN {
    FS = "\t"
    while ((getline line < "tests/lint/banned.txt") > 0) {
        if (line ~ /^#( |$)/ || split(line, part, "\t") != 3)
            continue
        n++
        pattern[n] = part[1]
        gsub(/\\</, "(^|[^A-Za-z0-9_.>])", pattern[n])
        where[n] = part[2]
        why[n] = part[3]
    }
}

FNR == 1 {
    comment = 0
    for (i = 1; i <= n; i++) {
        applies[i] = 1
        m = split(where[i], part, " ")
        for (k = 1; k <= m; k++)
            if (within(FILENAME, part[k]))
                applies[i] = 0
    }
}

{
    text = code($0)
    for (i = 1; i <= n; i++)
        if (applies[i] && match(text, pattern[i])) {
            what = substr(text, RSTART, RLENGTH)
            gsub(/^[^A-Za-z_#]+|[ (]+$/, "", what)
            print FILENAME ":" FNR ": " what ": " why[i]
        }
}
')"
