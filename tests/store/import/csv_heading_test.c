/* Tables that do not begin with their heading, and headings that are not wholly understood. */
#include <criterion/criterion.h>

#include "store/import/csv_heading.h"
#include "tests/store/import/import_bytes.h"

#define TABLE "Block size;QD;Pattern;IOPS;BW (MB/s)\n4k;64;randwrite;3420;14,0\n"

static void check(const char *text, size_t line)
{
    struct collected c = {0};
    struct error err = ERROR_INIT;
    struct import_outcome outcome;
    struct csv_heading h = csv_heading_find(text, strlen(text), NULL);
    cr_expect(h.found && h.start.line == line, "line %zu of: %s", h.start.line, text);
    cr_assert_eq(importer_for(text, strlen(text)), &importer_csv, "%s", text);
    cr_expect_eq(import_bytes(&importer_csv, &c, &outcome, "t.csv", text, strlen(text), &err), 0,
                 "%s", err.message);
    cr_assert_eq(c.n_cells, 1, "%s", text);
    cr_expect(c.cell[0]->dir[DIR_WRITE].iops == 3420 && c.cell[0]->dir[DIR_WRITE].bw == 14e6);
    collect_release(&c);
}

Test(csv_heading, what_stands_above_it)
{
    check(TABLE, 1);
    check("\n# a comment\n" TABLE, 3);
    check("sep=;\r\n" TABLE, 2);
    check("SEP=;\n" TABLE, 2);
    check("fio results of ACME GmbH;;;;\n;;;;\n" TABLE, 3);
    check("\"results\nof \"\"ACME\"\"\";;;;\n" TABLE, 3);
    check("\"Block\nsize\";QD;Pattern;IOPS;\"BW\n(MB/s)\"\n4k;64;randwrite;3420;14,0\n", 1);
    check("an inch is 1\"\n" TABLE, 2);
}

Test(csv_heading, lines_count_from_the_top_of_the_file)
{
    struct collected c = {0};
    struct error err = ERROR_INIT;
    struct import_outcome outcome;
    static const char text[] = "Results\n\n" TABLE "4q;1;randread;5;6,5\n";
    cr_expect_eq(import_bytes(&importer_csv, &c, &outcome, "t.csv", text, sizeof text - 1, &err),
                 -ERR_INPUT);
    cr_expect_str_eq(err.message, "t.csv: line 5: column \"Block size\": \"4q\" does not fit");
    collect_release(&c);
}

Test(csv_heading, other_text_has_none)
{
    static const char *const texts[] = {"name,colour\nx,blue\n",
                                        "Latency, throughput\nand IOPS, bs\n",
                                        "sep=;\n",
                                        "sep=",
                                        "\"",
                                        ""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect_not(csv_heading_find(texts[i], strlen(texts[i]), NULL).found, "%s", texts[i]);
}

Test(csv_heading, columns_that_are_not_understood_are_named)
{
    struct collected c = {0};
    struct error err = ERROR_INIT;
    struct import_outcome outcome;
    static const char text[] = "bs,rw,iops,p99 Latenz (ms),Comment\n4k,read,1,2,x\n";
    cr_assert_eq(import_bytes(&importer_csv, &c, &outcome, "t.csv", text, sizeof text - 1, &err),
                 0);
    cr_expect_str_eq(outcome.note, "columns: guessed, not understood and kept as text: "
                                   "\"p99 Latenz (ms)\", \"Comment\"");
    collect_release(&c);
}
