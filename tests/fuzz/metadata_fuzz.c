/*
 * What a metadata service answers. The first byte chooses the cloud; then come the answers to its
 * questions, a NUL between them: the first byte of each is its status ('2' 200, '4' 404, 'E' no
 * answer), the rest its body. All of it is read as a recording as well.
 */
#include <math.h>
#include <stdint.h>

#include "core/base/xalloc.h"
#include "runner/host/cloud/cloud.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void require(bool ok)
{
    if (!ok)
        abort();
}

struct script {
    const char *at, *end; /* *end is NUL */
    size_t asked;
};

static int ask(void *self, const struct http_request *request, struct http_answer *out,
               struct error *err)
{
    struct script *s = self;
    require(++s->asked < 500); /* whatever is answered, questions end */
    /* nothing of an answer may become another line of a question */
    require(!strpbrk(request->path, " \r\n"));
    require(!request->header || !strpbrk(request->header, "\r\n"));
    if (s->at >= s->end || *s->at == 'E')
        return error_set(err, ERR_DEVICE, "no answer");
    int status = *s->at == '2' ? 200 : 404;
    const char *body = s->at + 1;
    size_t n = strlen(body);
    s->at = body + n < s->end ? body + n + 1 : s->end;
    *out = (struct http_answer){status, xstrndup(body, n), xstrdup("Google")};
    return 0;
}

static void check_name(const char *text)
{
    for (; text && *text; text++)
        require(*text > ' ' && *text <= '~');
}

static void check_disk(const struct cloud_disk *d)
{
    check_name(d->id);
    check_name(d->type);
    check_name(d->device);
    require(isnan(d->iops) || d->iops > 0);
    require(isnan(d->mbps) || d->mbps > 0);
    require(d->lun >= -1);
}

static void check_facts(const struct cloud_ops *cloud, const struct cloud_facts *f)
{
    static const struct sysroot nowhere = {"/nonexistent"};
    static const char *const disk[] = {"sda", "xvdf", "nvme0n2"};
    check_name(f->instance_type);
    check_name(f->region);
    check_name(f->image);
    for (size_t i = 0; i < f->n_disks; i++)
        check_disk(&f->disk[i]);
    for (size_t i = 0; i < 3; i++) {
        struct cloud_disk d;
        cloud_disk_init(&d);
        if (cloud->match_volume(&nowhere, disk[i], f, &d))
            require(d.where && d.kind != CLOUD_DISK_UNKNOWN);
        check_disk(&d);
        cloud_disk_release(&d);
    }
}

static void try_recording(const char *text)
{
    struct cloud_recording *r = NULL;
    struct error err = ERROR_INIT;
    if (cloud_recording_parse(&r, text, "input", &err) < 0) {
        require(err.message[0] != '\0');
        return;
    }
    char *again = cloud_recording_json(r);
    cloud_recording_destroy(r);
    require(cloud_recording_parse(&r, again, "again", &err) == 0);
    cloud_recording_destroy(r);
    free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = xcalloc(n + 1, 1);
    if (n > 0)
        memcpy(text, data, n);
    const struct cloud_ops *cloud = cloud_registry[n > 0 ? data[0] % 3 : 0];
    struct script script = {n > 0 ? text + 1 : text, text + n, 0};
    const struct transport t = {&script, ask};
    struct cloud_facts facts = {0};
    struct error err = ERROR_INIT;
    if (cloud->fetch(&t, &facts, &err) < 0)
        require(err.message[0] != '\0');
    check_facts(cloud, &facts);
    cloud_facts_release(&facts);
    try_recording(text);
    free(text);
    return 0;
}
