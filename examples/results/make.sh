#!/usr/bin/env bash
# Makes everything of this folder from matrix.json. Usage: make.sh BLKMATRIX [FOLDER] (default: this folder)
set -eu
blkmatrix=$(readlink -f "$1")
here=$(cd "$(dirname "$0")" && pwd)
to=$(readlink -f "${2:-$here}")
# paths are part of what is stored and shown, so all of them are plain names
cd "$to"
[ "$to" = "$here" ] || cp "$here/matrix.json" .
rm -f results.db
export BLKMATRIX_DB=results.db LC_ALL=C.UTF-8
"$blkmatrix" import matrix.json --quiet >/dev/null
"$blkmatrix" show 1 --format json >results.json
"$blkmatrix" report 1 -o report.html --quiet >/dev/null
"$blkmatrix" report 1 -o report.md --quiet >/dev/null
"$blkmatrix" plot roofline 1 -o roofline.svg --quiet >/dev/null
