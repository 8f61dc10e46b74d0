#include "core/base/range.h"

#include <inttypes.h>

#include "core/base/numfmt.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"

/* What is being parsed, for bounds and messages. */
struct parser {
    const char *text;
    enum range_unit unit;
    uint64_t min, max;
    struct range out;
    size_t room;
    struct error *err;
};

static int fail(const struct parser *p, const char *at, const char *why)
{
    return error_set(p->err, ERR_USAGE, "'%s', at character %zu: %s", p->text,
                     (size_t)(at - p->text) + 1, why);
}

/* Reads the n bytes at `at` as one value. */
static int parse_value(const struct parser *p, const char *at, size_t n, uint64_t *v)
{
    char *word = xstrndup(at, n);
    struct error why = ERROR_INIT;
    int rc =
        p->unit == RANGE_SIZE ? parse_size(word, v, &why) : parse_u64(word, 0, UINT64_MAX, v, &why);
    free(word);
    return rc == 0 ? 0 : fail(p, at, n == 0 ? "a value is missing" : why.message);
}

static void value_text(const struct parser *p, char buf[NUMFMT_MAX], uint64_t v)
{
    if (p->unit == RANGE_SIZE)
        fmt_bs(buf, v);
    else
        snprintf(buf, NUMFMT_MAX, "%" PRIu64, v);
}

static int add_value(struct parser *p, const char *at, uint64_t v)
{
    if (v < p->min || v > p->max) {
        char bad[NUMFMT_MAX], lo[NUMFMT_MAX], hi[NUMFMT_MAX], why[4 * NUMFMT_MAX];
        value_text(p, bad, v);
        value_text(p, lo, p->min);
        value_text(p, hi, p->max);
        snprintf(why, sizeof why, "%s is out of range: it must be %s to %s", bad, lo, hi);
        return fail(p, at, why);
    }
    for (size_t i = 0; i < p->out.n; i++)
        if (p->out.value[i] == v)
            return 0;
    if (p->out.n == RANGE_MAX_VALUES)
        return fail(p, at, "too many values: 4096 is the most");
    GROW(p->out.value, p->out.n + 1, p->room);
    p->out.value[p->out.n++] = v;
    return 0;
}

struct step {
    bool multiply;
    uint64_t by;
};

/* Reads "/x4" or "/+16" (the n bytes after the slash). */
static int parse_step(const struct parser *p, const char *at, size_t n, struct step *step)
{
    if (n == 0 || (*at != 'x' && *at != '+'))
        return fail(p, at, "a step is written /x4 (multiply) or /+16 (add)");
    step->multiply = *at == 'x';
    struct parser factor = *p;
    if (step->multiply)
        factor.unit = RANGE_COUNT;
    int rc = parse_value(&factor, at + 1, n - 1, &step->by);
    if (rc == 0 && step->by < (step->multiply ? 2u : 1u))
        rc = fail(p, at, "this step never reaches the end");
    return rc;
}

/* lo, then steps up to hi. */
static int add_steps(struct parser *p, const char *at, uint64_t lo, uint64_t hi, struct step step)
{
    if (lo > hi)
        return fail(p, at, "the first value of a range must not be above the last");
    if (step.multiply && lo == 0)
        return fail(p, at, "0 cannot be multiplied: start above it, or add with /+1");
    for (uint64_t v = lo;;) {
        int rc = add_value(p, at, v);
        if (rc < 0)
            return rc;
        bool over = step.multiply ? __builtin_mul_overflow(v, step.by, &v)
                                  : __builtin_add_overflow(v, step.by, &v);
        if (over || v > hi)
            return 0;
    }
}

/* One element between commas: VALUE, or LO..HI with an optional step. */
static int add_element(struct parser *p, const char *at, size_t n)
{
    const char *dots = memmem(at, n, "..", 2);
    uint64_t lo = 0, hi = 0;
    if (!dots) {
        int rc = parse_value(p, at, n, &lo);
        return rc < 0 ? rc : add_value(p, at, lo);
    }
    const char *end = at + n, *last = dots + 2;
    const char *slash = memchr(last, '/', (size_t)(end - last));
    struct step step = {.multiply = true, .by = 2};
    int rc = parse_value(p, at, (size_t)(dots - at), &lo);
    if (rc == 0)
        rc = parse_value(p, last, (size_t)((slash ? slash : end) - last), &hi);
    if (rc == 0 && slash)
        rc = parse_step(p, slash + 1, (size_t)(end - slash - 1), &step);
    return rc < 0 ? rc : add_steps(p, at, lo, hi, step);
}

int range_parse(struct range *out, const char *text, enum range_unit unit, uint64_t min,
                uint64_t max, struct error *err)
{
    struct parser p = {.text = text, .unit = unit, .min = min, .max = max, .err = err};
    int rc;
    const char *at = text;
    for (;;) {
        size_t n = strcspn(at, ",");
        rc = add_element(&p, at, n);
        if (rc < 0 || at[n] == '\0')
            break;
        at += n + 1;
    }
    if (rc < 0)
        free(p.out.value);
    else
        *out = p.out;
    return rc;
}

void range_release(struct range *r)
{
    free(r->value);
    *r = (struct range)RANGE_INIT;
}

void range_format(struct strbuf *out, const struct range *r, enum range_unit unit)
{
    struct parser p = {.unit = unit};
    for (size_t i = 0; i < r->n; i++) {
        char buf[NUMFMT_MAX];
        value_text(&p, buf, r->value[i]);
        strbuf_addf(out, "%s%s", i ? "," : "", buf);
    }
}
