#include "core/base/text_table.h"

#include <criterion/criterion.h>
#include <locale.h>

static struct text_table *example(void)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "NAME", COL_TRUNC);
    text_table_column(t, "IOPS", COL_RIGHT);
    text_table_row(t);
    text_table_cell(t, "random read");
    text_table_cell(t, "3,498");
    text_table_row(t);
    text_table_cell(t, "µs – wide");
    text_table_cell(t, NULL);
    return t;
}

static void expect(const char *want, const struct text_table *t, size_t width, bool colour)
{
    struct strbuf sb = STRBUF_INIT;
    text_table_print(t, &sb, width, colour);
    cr_expect_str_eq(sb.text, want, "\n%s", sb.text);
    strbuf_release(&sb);
}

Test(text_table, print)
{
    struct text_table *t = example();
    cr_expect_eq(text_table_rows(t), 2);
    expect("NAME          IOPS\n"
           "random read  3,498\n"
           "µs – wide        –\n",
           t, 0, false);
    text_table_destroy(t);
    text_table_destroy(NULL);
}

Test(text_table, the_locale_does_not_matter)
{
    setlocale(LC_ALL, "C");
    struct text_table *t = example();
    struct strbuf sb = STRBUF_INIT;
    text_table_print(t, &sb, 0, false);
    cr_expect_not_null(strstr(sb.text, "µs – wide"));
    strbuf_release(&sb);
    text_table_destroy(t);
}

Test(text_table, headings_are_bold_only_with_colour)
{
    struct text_table *t = example();
    expect("\033[1mNAME          IOPS\033[0m\n"
           "random read  3,498\n"
           "µs – wide        –\n",
           t, 0, true);
    text_table_destroy(t);
}

static size_t widest(const char *text)
{
    size_t most = 0;
    while (*text) {
        size_t n = 0;
        for (; *text && *text != '\n'; text++)
            n += ((unsigned char)*text & 0xC0) != 0x80;
        most = n > most ? n : most;
        text += *text == '\n';
    }
    return most;
}

Test(text_table, a_narrow_terminal_cuts_only_what_may_be_cut)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "DEVICE", COL_TRUNC);
    text_table_column(t, "IOPS", COL_RIGHT);
    text_table_row(t);
    text_table_cell(t, "/dev/disk/by-id/nvme-a-very-long-model-name-and-serial-number-0123456789");
    text_table_cell(t, "1,234,567");
    struct strbuf sb = STRBUF_INIT;
    text_table_print(t, &sb, 40, false);
    cr_expect_leq(widest(sb.text), 40, "\n%s", sb.text);
    cr_expect_not_null(strstr(sb.text, "1,234,567"));
    cr_expect_not_null(strstr(sb.text, "/dev/disk/by-id"));
    strbuf_reset(&sb);
    text_table_print(t, &sb, 0, false);
    cr_expect_not_null(strstr(sb.text, "0123456789"), "no width, no cutting");
    strbuf_release(&sb);
    text_table_destroy(t);
}

Test(text_table, wrap)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "KEY", 0);
    text_table_column(t, "TEXT", COL_WRAP);
    text_table_row(t);
    text_table_cell(t, "why");
    text_table_cell(t, "one two three four five six seven eight nine ten eleven twelve");
    struct strbuf sb = STRBUF_INIT;
    text_table_print(t, &sb, 30, false);
    cr_expect_leq(widest(sb.text), 30, "\n%s", sb.text);
    cr_expect_not_null(strstr(sb.text, "one two three"), "\n%s", sb.text);
    /* between words, never in one */
    static const char *const word[] = {"four", "five", "seven", "eight", "eleven", "twelve"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        cr_expect_not_null(strstr(sb.text, word[i]), "%s in\n%s", word[i], sb.text);
    strbuf_release(&sb);
    text_table_destroy(t);
}

Test(text_table, words_are_not_broken_unless_they_are_long)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "size", 0);
    text_table_column(t, "held by", COL_WRAP);
    text_table_row(t);
    text_table_cell(t, "every block size");
    text_table_cell(t, "VM throughput");
    expect("size              held by\n"
           "every block size  VM\n"
           "                  throughput\n",
           t, 20, false);
    text_table_destroy(t);
}

/* What is cut says so. */
Test(text_table, cut_texts_end_with_a_sign)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "NAME", COL_TRUNC);
    text_table_column(t, "IOPS", COL_RIGHT);
    text_table_row(t);
    text_table_cell(t, "漢字漢字漢字漢字 long");
    text_table_cell(t, "1,234");
    text_table_row(t);
    text_table_cell(t, "short");
    text_table_cell(t, "2");
    expect("NAME        IOPS\n"
           "漢字漢字…  1,234\n"
           "short          2\n",
           t, 16, false);
    text_table_destroy(t);
}

Test(text_table, a_narrow_terminal_leaves_out_what_says_least)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "name", COL_TRUNC);
    text_table_column(t, "labels", 0);
    text_table_column(t, "tool", COL_SPARE);
    text_table_column(t, "cells", COL_RIGHT);
    text_table_row(t);
    text_table_cell(t, "random reads of a disk");
    text_table_cell(t, NULL);
    text_table_cell(t, "blkmatrix 0.1.0");
    text_table_cell(t, "72");
    expect("name                    labels  tool             cells\n"
           "random reads of a disk  –       blkmatrix 0.1.0     72\n",
           t, 54, false);
    expect("name                    tool             cells\n"
           "random reads of a disk  blkmatrix 0.1.0     72\n",
           t, 53, false);
    expect("name                    cells\n"
           "random reads of a disk     72\n",
           t, 45, false);
    expect("name          cells\n"
           "random read…     72\n",
           t, 19, false);
    text_table_destroy(t);
}

/* They stay as long as others can be narrower instead, and go from the right. */
Test(text_table, a_column_yields_where_nothing_else_makes_it_fit)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "cell", COL_YIELD);
    text_table_column(t, "load", COL_WRAP);
    text_table_column(t, "IOPS", COL_RIGHT);
    text_table_column(t, "p50", COL_RIGHT | COL_YIELD);
    text_table_column(t, "p99", COL_RIGHT);
    text_table_row(t);
    text_table_cell(t, "1");
    text_table_cell(t, "limited to 500 IOPS");
    text_table_cell(t, "500");
    text_table_cell(t, "100");
    text_table_cell(t, "200");
    expect("cell  load     IOPS  p50  p99\n"
           "1     limited   500  100  200\n"
           "      to 500\n"
           "      IOPS\n",
           t, 30, false);
    expect("cell  load     IOPS  p99\n"
           "1     limited   500  200\n"
           "      to 500\n"
           "      IOPS\n",
           t, 26, false);
    expect("load     IOPS  p99\n"
           "limited   500  200\n"
           "to 500\n"
           "IOPS\n",
           t, 19, false);
    text_table_destroy(t);
}

Test(text_table, hostile_names_cannot_reach_the_terminal)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "N", 0);
    text_table_row(t);
    text_table_cell(t, "a\033[2Jb\nc\xFF|d`<b>");
    struct strbuf sb = STRBUF_INIT;
    text_table_print(t, &sb, 0, false);
    cr_expect_str_eq(sb.text, "N\na\uFFFD[2Jb\uFFFDc\uFFFD|d`<b>\n", "%s", sb.text);
    strbuf_reset(&sb);
    text_table_markdown(t, &sb);
    cr_expect_str_eq(sb.text, "| N |\n|---|\n| a\uFFFD\\[2Jb\uFFFDc\uFFFD\\|d\\`\\<b\\> |\n", "%s",
                     sb.text);
    strbuf_release(&sb);
    text_table_destroy(t);
}

Test(text_table, empty)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "A", 0);
    text_table_column(t, "B", COL_RIGHT);
    struct strbuf sb = STRBUF_INIT;
    text_table_print(t, &sb, 0, false);
    cr_expect_str_eq(sb.text, "", "[%s]", sb.text);
    strbuf_reset(&sb);
    text_table_csv(t, &sb);
    cr_expect_str_eq(sb.text, "A,B\r\n");
    strbuf_release(&sb);
    text_table_destroy(t);
}

Test(text_table, markdown)
{
    struct text_table *t = example();
    struct strbuf sb = STRBUF_INIT;
    text_table_markdown(t, &sb);
    cr_expect_str_eq(sb.text, "| NAME | IOPS |\n|---|---:|\n| random read | 3,498 |\n"
                              "| µs – wide | – |\n");
    strbuf_release(&sb);
    text_table_destroy(t);
}

Test(text_table, csv)
{
    struct text_table *t = text_table_create();
    text_table_column(t, "a,b", 0);
    text_table_column(t, "c", 0);
    text_table_row(t);
    text_table_cell(t, "say \"hi\"");
    text_table_cell(t, "=1+1");
    text_table_row(t);
    text_table_cell(t, "two\nlines");
    text_table_cell(t, NULL);
    struct strbuf sb = STRBUF_INIT;
    text_table_csv(t, &sb);
    cr_expect_str_eq(sb.text, "\"a,b\",c\r\n\"say \"\"hi\"\"\",'=1+1\r\n\"two\nlines\",\r\n", "%s",
                     sb.text);
    strbuf_release(&sb);
    text_table_destroy(t);
}

Test(text_table, a_row_may_be_short_but_not_long)
{
    struct text_table *t = text_table_create();
    text_table_cell(t, "no row yet");
    text_table_column(t, "A", 0);
    text_table_row(t);
    text_table_cellf(t, "%d", 1);
    text_table_cell(t, "too many");
    text_table_row(t);
    struct strbuf sb = STRBUF_INIT;
    text_table_csv(t, &sb);
    cr_expect_str_eq(sb.text, "A\r\n1\r\n\r\n");
    strbuf_release(&sb);
    text_table_destroy(t);
}
