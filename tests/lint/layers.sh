#!/bin/bash
# Includes point down only, and each library is seen in one place: layers.txt is the table.
. "$(dirname "$0")/lib.sh"

verdict "$(c_files | xargs -0 awk '
function folder_of(path)   { sub(/\/[^\/]*$/, "", path); return path }
function within(path, dir) { return path == dir || index(path, dir "/") == 1 }

# The row of the table that a file belongs to: the longest folder around it.
function row_of(path,   r, best) {
    for (r in allowed)
        if (within(path, r) && length(r) > length(best))
            best = r
    return best
}

# A name on the right is that folder, and those below it that have no row of their own.
function listed(header, names,   n, part, i, dir) {
    n = split(names, part, " ")
    dir = folder_of(header)
    for (i = 1; i <= n; i++)
        if (dir == part[i] || (within(dir, part[i]) && (index(part[i], "/") == 0 || row_of(header) == part[i])))
            return 1
    return 0
}

function report(text) { print FILENAME ":" FNR ": " text }

function check_own(header,   from, own) {
    if (header !~ /\//)
        return report("write includes from the root: \"" folder_of(FILENAME) "/" header "\"")
    own = folder_of(FILENAME)
    from = row_of(FILENAME)
    if (from == "")
        return report("its folder is not in tests/lint/layers.txt")
    if (header ~ /_internal\.h$/ && folder_of(header) != own && from != "tests")
        return report(header " is private to its folder")
    if (folder_of(header) == own || row_of(header) == from)
        return
    if (within(header, "core/base") || (allowed[from] != "-" && (within(header, "core/model") || within(header, "core/stats"))))
        if (from != "core/base")
            return
    if (!listed(header, allowed[from]))
        report(from " must not include " header ": includes point down only")
}

function check_library(header,   p, n, part, i) {
    for (p in places) {
        if (header !~ p)
            continue
        n = split(places[p], part, " ")
        for (i = 1; i <= n; i++)
            if (within(FILENAME, part[i]))
                return
        report("<" header "> is for" places[p] " only")
    }
}

BEGIN {
    while ((getline line < "tests/lint/layers.txt") > 0) {
        if (line ~ /^#/ || line ~ /^[ \t]*$/)
            continue
        if (line ~ /^</) {
            at = index(line, ">")
            pattern = substr(line, 2, at - 2)
            gsub(/\./, "\\.", pattern)
            gsub(/\*/, ".*", pattern)
            places["^" pattern "$"] = substr(line, index(line, "=") + 1)
        } else {
            at = index(line, ":")
            allowed[substr(line, 1, at - 1)] = substr(line, at + 1)
        }
    }
    for (r in allowed)
        gsub(/^[ \t]+|[ \t]+$/, "", allowed[r])
}

/^[ \t]*#[ \t]*include[ \t]*"/ { split($0, q, "\""); check_own(q[2]) }
/^[ \t]*#[ \t]*include[ \t]*</ { split($0, q, /[<>]/); check_library(q[2]) }
')"
