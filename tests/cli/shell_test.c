#include "cli/shell.h"

#include <criterion/criterion.h>

static void assert_quoted(const char *word, const char *expected)
{
    struct strbuf out = STRBUF_INIT;
    shell_quote(&out, word);
    cr_assert_str_eq(out.text, expected);
    strbuf_release(&out);
}

Test(shell, quotes_what_a_shell_would_change)
{
    assert_quoted("4k..1M/x4", "4k..1M/x4");
    assert_quoted("--dev=/dev/disk/by-path/pci-0000:00:1f.2",
                  "--dev=/dev/disk/by-path/pci-0000:00:1f.2");
    assert_quoted("", "''");
    assert_quoted("a b", "'a b'");
    assert_quoted("it's", "'it'\\''s'");
    assert_quoted("$(reboot)", "'$(reboot)'");
    assert_quoted("~", "'~'");
    assert_quoted("µ", "'µ'");
}

Test(shell, names_the_store_that_is_not_the_usual_one)
{
    cr_assert_eq(setenv("BLKMATRIX_DB", "/usual.db", 1), 0);
    struct cmd_ctx ctx = {.db_path = "/usual.db"};
    struct strbuf out = STRBUF_INIT;
    shell_program(&out, &ctx);
    cr_assert_str_eq(out.text, "blkmatrix");
    strbuf_reset(&out);
    ctx.db_path = "/my store.db";
    shell_program(&out, &ctx);
    cr_assert_str_eq(out.text, "blkmatrix --db '/my store.db'");
    strbuf_release(&out);
}
