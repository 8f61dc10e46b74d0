/* Documents found in text of all kinds. */
#include "store/import/fio_scan.h"

#include <criterion/criterion.h>

#include "core/base/xalloc.h"

#define ENTRY(name) "{\"jobname\":\"" name "\",\"read\":{},\"write\":{}}"

/* What was found, as "offset:entries[!fault]" for each document, then "|messages". */
static char *scan(const char *text)
{
    size_t n = strlen(text);
    struct strbuf out = STRBUF_INIT;
    struct fio_scan s;
    struct fio_document doc[2];
    fio_scan_init(&s, text, n);
    for (int i = 0; i < 2; i++)
        fio_document_init(&doc[i], text, n);
    unsigned now = 0;
    bool more, first = true;
    do {
        more = fio_scan_next(&s, &doc[now], first ? NULL : &doc[1 - now]);
        if (!first) {
            struct fio_document *d = &doc[1 - now];
            strbuf_addf(&out, "%zu:%zu", d->at, d->n_entries);
            if (d->broken)
                strbuf_addf(&out, "!%zu", d->fault);
            strbuf_addc(&out, ' ');
        }
        for (size_t i = 0; i < doc[now].messages.n; i++)
            strbuf_addf(&out, "<%s>", doc[now].messages.line[i]);
        now = 1 - now;
        first = false;
    } while (more);
    fio_document_release(&doc[0]);
    fio_document_release(&doc[1]);
    fio_scan_release(&s);
    return strbuf_detach(&out);
}

static void expect_scan(const char *text, const char *found)
{
    char *got = scan(text);
    cr_expect_str_eq(got, found, "in: %s\nfound: %s", text, got);
    free(got);
}

Test(fio_scan, one_document)
{
    expect_scan("{\"fio version\":\"fio-3.1\",\"jobs\":[" ENTRY("a") "]}", "0:1 ");
    expect_scan("{\"client_stats\" : [ " ENTRY("a") " , " ENTRY("b") " ] }", "0:2 ");
    expect_scan("{\"jobs\":[]}", "0:0 ");
    expect_scan("{\"jobs\":3}", "");
    expect_scan("", "");
}

Test(fio_scan, text_around_it)
{
    expect_scan(
        "fio: warning {odd}\r\nJobs: 1 (f=1): [r(1)]\rJobs: 1\r  note  \n{\"jobs\":[]}\nbye\n",
        "<fio: warning {odd}><note>59:0 <bye>");
    expect_scan("{\"level\":\"info\"}\n{\"jobs\":[" ENTRY("a") "]}\n", "17:1 ");
}

Test(fio_scan, several_documents)
{
    expect_scan("{\"jobs\":[" ENTRY("a") "]}\nmid\n{\"jobs\":[]}", "0:1 <mid>52:0 ");
    expect_scan("{\"jobs\":[]}{\"jobs\":[]}", "0:0 11:0 ");
    expect_scan("[ {\"jobs\":[]} , {\"jobs\":[]} ]", "2:0 16:0 ");
    expect_scan("{\"runs\":[{\"jobs\":[]},{\"jobs\":[" ENTRY("a") "]}],\"x\":1}", "9:0 21:1 ");
}

Test(fio_scan, documents_that_break_off)
{
    expect_scan("{\"jobs\":[" ENTRY("a") ",{\"jobname\":\"b\",\"re", "0:1!61 ");
    expect_scan("{\"jobs\":[" ENTRY("a") ",\n...\n" ENTRY("b") "]}", "0:2!47 <...>");
    expect_scan("{\"runs\":[{\"jobs\":[" ENTRY("a") ",{", "9:1!56 ");
    expect_scan("{\"jobs\":[" ENTRY("a") ", <snip>\n{\"jobs\":[" ENTRY("b") "]}",
                "0:1!47 <<snip>>54:1 ");
}

Test(fio_scan, hostile_text_takes_linear_time)
{
    static const char *const pieces[] = {
        "{\"a\":", "{\"a\":[", "{", "{\"a\":1,", "{\"jobs\":[", "{\"a\":{},", "[{\"jobs\":[]},"};
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
        struct strbuf text = STRBUF_INIT;
        while (text.len < 2000000)
            strbuf_adds(&text, pieces[p]);
        char *got = scan(text.text);
        free(got);
        strbuf_release(&text);
    }
}

Test(fio_scan, messages_are_bounded)
{
    struct strbuf text = STRBUF_INIT;
    for (int i = 0; i < 1000; i++)
        strbuf_addf(&text, "line %d %01000d\n", i, i);
    strbuf_adds(&text, "{\"jobs\":[]}");
    struct fio_scan s;
    struct fio_document doc;
    fio_scan_init(&s, text.text, text.len);
    fio_document_init(&doc, text.text, text.len);
    cr_assert(fio_scan_next(&s, &doc, NULL));
    cr_expect_eq(doc.messages.n, FIO_MESSAGES_MAX);
    cr_expect_eq(doc.messages.left_out, 1000 - FIO_MESSAGES_MAX);
    cr_expect_eq(strlen(doc.messages.line[0]), FIO_MESSAGE_BYTES_MAX);
    fio_document_release(&doc);
    fio_scan_release(&s);
    strbuf_release(&text);
}
