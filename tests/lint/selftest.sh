#!/bin/bash
# The lint scripts themselves: each must find the fault made for it, at its file and line, and nothing in a clean tree.
set -u
lint=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$lint/../.." && pwd)
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT
failed=0

fresh() {
    rm -rf "${tree:?}"/*
    mkdir -p "$tree"/{core/base,core/model,runner/plan,report/scene,store/db,cli,tests/lint,schemas/sql}
    cp "$lint"/*.txt "$tree/tests/lint/"
    cp "$top/.clang-format" "$tree/"
    printf '#include "core/base/a.h"\n\nint a(void)\n{\n    return 0; /* printf(1) in words */\n}\n' >"$tree/core/base/a.c"
    printf 'int a(void);\n' >"$tree/core/base/a.h"
    printf 'CREATE TABLE t (a);\n' >"$tree/schemas/sql/0001_a.sql"
    (cd "$tree" && sha256sum schemas/sql/0001_a.sql >tests/lint/schema.txt)
}

# expect SCRIPT PLACE: after fresh and one fault, SCRIPT fails and names PLACE.
expect() {
    local said
    said=$(SOURCE_DIR=$tree bash "$lint/$1.sh" 2>&1)
    local rc=$?
    [ $rc -eq 77 ] && return
    if [ $rc -eq 0 ] || ! grep -qF "$2" <<<"$said"; then
        echo "$1.sh did not report $2 (exit $rc): $said"
        failed=1
    fi
}

fresh
for s in layers length complexity format banned words schema; do
    said=$(SOURCE_DIR=$tree bash "$lint/$s.sh" 2>&1)
    rc=$?
    if [ $rc -ne 0 ] && [ $rc -ne 77 ]; then
        echo "$s.sh complains about a clean tree: $said"
        failed=1
    fi
done

# layers: upward, sideways, private, unknown folder, library out of its place
fresh; printf '\n#include "store/db/store.h"\n' >"$tree/core/model/m.c"; expect layers core/model/m.c:2:
fresh; printf '#include "core/model/m.h"\n' >"$tree/core/base/b.c"; expect layers core/base/b.c:1:
fresh; printf '#include "store/db/store.h"\n' >"$tree/runner/plan/p.c"; expect layers runner/plan/p.c:1:
fresh; printf '#include "report/scene/scene.h"\n' >"$tree/store/db/s.c"; expect layers store/db/s.c:1:
fresh; printf '#include "store/db/statement_internal.h"\n' >"$tree/cli/c.c"; expect layers cli/c.c:1:
fresh; mkdir "$tree/core/other"; printf '#include "core/base/a.h"\n' >"$tree/core/other/o.c"; expect layers core/other/o.c:1:
fresh; printf '#include "a.h"\n' >"$tree/core/base/b.c"; expect layers core/base/b.c:1:
fresh; printf '#include <stdio.h>\n#include <sqlite3.h>\n' >"$tree/cli/c.c"; expect layers cli/c.c:2:
fresh; printf '  #  include <cairo-svg.h>\n' >"$tree/cli/c.c"; expect layers cli/c.c:1:

fresh; yes '/* line */' | head -n 501 >"$tree/cli/long.c"; expect length cli/long.c:501:
fresh; { printf 'int f(int x)\n{\n'; for i in $(seq 25); do echo "    if (x == $i)"; echo "        x++;"; done; printf '    return x;\n}\n'; } >"$tree/cli/c.c"
expect complexity cli/c.c:1:
fresh; { printf 'int f(int x)\n{\n'; yes '    x++;' | head -n 100; printf '    return x;\n}\n'; } >"$tree/cli/c.c"; expect complexity cli/c.c:1:
fresh; printf 'int  x;\n' >"$tree/cli/c.c"; expect format cli/c.c:1:
fresh; printf 'void f(void)\n{\n    printf("x");\n}\n' >"$tree/core/base/b.c"; expect banned core/base/b.c:3:
fresh; printf '/* a\n b */ void f(void) { exit(1); }\n' >"$tree/store/db/s.c"; expect banned store/db/s.c:2:
fresh; printf '#undef strcpy\n' >"$tree/cli/c.c"; expect banned cli/c.c:1:
fresh; printf '\n/* TOD''O: later */\n' >"$tree/cli/c.c"; expect words cli/c.c:2:
fresh; printf 'see /wor''k/x\n' >"$tree/cli/c.c"; expect words cli/c.c:1:
fresh; printf 'see ../share''d/x\n' >"$tree/README.md"; expect words README.md:1:
fresh; printf 'ALTER TABLE t ADD b;\n' >>"$tree/schemas/sql/0001_a.sql"; expect schema schemas/sql/0001_a.sql:
fresh; printf 'ALTER TABLE t ADD b;\n' >"$tree/schemas/sql/0002_b.sql"; expect schema schemas/sql/0002_b.sql:

exit $failed
