#include "cli/confirm.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/numfmt.h"
#include "core/base/strbuf.h"
#include "core/base/utf8.h"

#define ANSWER_MAX 4096

bool confirm_possible(void)
{
    return isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

static void ask(const struct device_info *d)
{
    char size[NUMFMT_MAX];
    struct strbuf out = STRBUF_INIT;
    strbuf_adds(&out, "What is on ");
    utf8_clean(&out, d->path);
    strbuf_adds(&out, " will be lost: ");
    utf8_clean(&out, d->model ? d->model : d->type);
    strbuf_adds(&out, d->serial ? ", serial " : "");
    utf8_clean(&out, d->serial ? d->serial : "");
    if (IS_KNOWN(d, DEVICE, size))
        strbuf_addf(&out, ", %s", fmt_bytes(size, d->size));
    strbuf_adds(&out, "\nType ");
    utf8_clean(&out, last_part(d->path));
    strbuf_adds(&out, " to go on: ");
    fputs(out.text, stderr);
    strbuf_release(&out);
}

/* A line of the terminal without its end, empty at the end of the input. */
static int read_answer(char *answer, size_t n, struct interrupt *in, struct error *err)
{
    struct pollfd from[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                            {.fd = in->fd, .events = POLLIN}};
    while (poll(from, 2, -1) < 0 && errno == EINTR)
        continue;
    if (interrupt_poll(in)) {
        fputc('\n', stderr);
        return error_set(err, ERR_INTERRUPTED, "interrupted; nothing was written");
    }
    ssize_t got = read(STDIN_FILENO, answer, n - 1);
    answer[got > 0 ? got : 0] = '\0';
    answer[strcspn(answer, "\r\n")] = '\0';
    return 0;
}

int confirm_destroy(struct interrupt *in, const struct device_info *device, struct error *err)
{
    char answer[ANSWER_MAX];
    ask(device);
    int rc = read_answer(answer, sizeof answer, in, err);
    if (rc < 0)
        return rc;
    if (strcmp(answer, last_part(device->path)) == 0)
        return 0;
    rc = error_set(err, ERR_REFUSED, "nothing was written: the answer was not \"%s\"",
                   last_part(device->path));
    error_hint(err, "Scripts say --yes and are not asked.");
    return rc;
}
