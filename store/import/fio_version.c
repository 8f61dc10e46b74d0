#include "store/import/fio_version.h"

#include <ctype.h>

static const char *read_part(const char *p, unsigned *part)
{
    unsigned v = 0;
    for (; isdigit((unsigned char)*p) && v < 100000; p++)
        v = v * 10 + (unsigned)(*p - '0');
    *part = v;
    return p;
}

struct fio_version fio_version_parse(const char *text)
{
    struct fio_version v = {0};
    if (!text)
        return v;
    const char *p = strncmp(text, "fio-", 4) == 0 ? text + 4 : text;
    if (!isdigit((unsigned char)*p))
        return v;
    p = read_part(p, &v.major);
    if (*p == '.')
        p = read_part(p + 1, &v.minor);
    if (*p == '.')
        read_part(p + 1, &v.patch);
    return v;
}

bool fio_version_known(struct fio_version v)
{
    return v.major > 0 || v.minor > 0;
}

bool fio_version_before(struct fio_version v, unsigned major, unsigned minor)
{
    if (!fio_version_known(v))
        return false;
    return v.major < major || (v.major == major && v.minor < minor);
}
