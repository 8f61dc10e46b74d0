#include "cli/opt.h"

#include <criterion/criterion.h>

#include "core/base/strbuf.h"

struct conf {
    bool flag;
    int tally;
    const char *text;
    struct opt_list list;
    uint64_t number;
    double real;
    bool yes;
    struct opt_size size;
    uint64_t time;
    struct range sizes;
    struct range counts;
    struct range steps;
    int choice;
    struct opt_list choices;
};

static const char *const colours[] = {"red", "dark_blue", "green", NULL};

#define ROW(name_, type_, ...)                                                                     \
    {                                                                                              \
        .type = (type_), .offset = offsetof(struct conf, name_), .help = "help", __VA_ARGS__       \
    }

static const struct opt rows[] = {
    ROW(flag, OPT_FLAG, .name = "flag", .letter = 'f'),
    ROW(tally, OPT_TALLY, .name = "verbose", .letter = 'v'),
    ROW(text, OPT_TEXT, .name = "out-file", .letter = 'o', .arg = "FILE"),
    ROW(list, OPT_LIST, .name = "dev", .alias = "filename the-device", .arg = "PATH"),
    ROW(number, OPT_U64, .name = "number", .min = 1, .max = 10, .def = "3"),
    ROW(real, OPT_F64, .name = "real", .min = 0, .max = 1),
    ROW(yes, OPT_BOOL, .name = "direct", .def = "1"),
    ROW(size, OPT_SIZE, .name = "size", .def = "(all of it)"),
    ROW(time, OPT_TIME, .name = "runtime", .min = 1000000, .max = UINT64_MAX, .def = "60s"),
    ROW(sizes, OPT_SIZES, .name = "bs", .alias = "blocksize", .min = 512, .max = 16 << 20,
        .def = "4k..16k"),
    ROW(counts, OPT_COUNTS, .name = "iodepth", .min = 1, .max = 64),
    ROW(steps, OPT_COUNTS, .name = "curve", .alone = "10,20"),
    ROW(choice, OPT_CHOICE, .name = "colour", .choices = colours),
    ROW(choices, OPT_CHOICES, .name = "colours", .choices = colours, .def = "red"),
    OPT_END};

static struct conf conf;
static struct opt_set set;
static const char **rest;
static size_t n_rest;
static struct error err;

static int parse(int n, const char **words)
{
    conf = (struct conf){.choice = -1};
    set = (struct opt_set){rows, &conf, 0};
    rest = NULL;
    n_rest = 0;
    error_clear(&err);
    return opt_parse(&set, 1, n, (char **)words, &rest, &n_rest, &err);
}

#define PARSE(...)                                                                                 \
    parse((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                           \
          (const char *[]){__VA_ARGS__})

static void done(void)
{
    opt_release(&set, 1);
    free(rest);
}

/* The message must name the option and say what is allowed. */
#define REFUSED(part, ...)                                                                         \
    do {                                                                                           \
        cr_assert_eq(PARSE(__VA_ARGS__), -ERR_USAGE);                                              \
        cr_assert_eq(err.code, ERR_USAGE);                                                         \
        cr_assert(strstr(err.message, part), "\"%s\" is not in: %s", part, err.message);           \
        done();                                                                                    \
    } while (0)

Test(opt, every_spelling)
{
    cr_assert_eq(
        PARSE("--flag", "--out_file=x", "--OUT-FILE", "y", "-v", "-vv", "a", "--", "--flag", "-"),
        0);
    cr_assert(conf.flag);
    cr_assert_eq(conf.tally, 3);
    cr_assert_str_eq(conf.text, "y");
    cr_assert_eq(n_rest, 3);
    cr_assert_str_eq(rest[0], "a");
    cr_assert_str_eq(rest[1], "--flag");
    cr_assert_str_eq(rest[2], "-");
    done();
    cr_assert_eq(PARSE("-fvoX", "-", "-o", "-"), 0);
    cr_assert(conf.flag);
    cr_assert_eq(conf.tally, 1);
    cr_assert_str_eq(conf.text, "-");
    cr_assert_eq(n_rest, 1);
    done();
}

Test(opt, values_of_every_type)
{
    cr_assert_eq(PARSE("--dev=/a:b", "--filename", "/c", "--the_Device=d", "--number=7",
                       "--real=0.25", "--direct=no", "--size=25%", "--runtime=500ms",
                       "--blocksize=4k,1M", "--iodepth=1..64/x4", "--colour=dark-blue",
                       "--colours=green,red,green"),
                 0, "%s", err.message);
    cr_assert_eq(conf.list.n, 3);
    cr_assert_str_eq(conf.list.item[0], "/a:b");
    cr_assert_str_eq(conf.list.item[2], "d");
    cr_assert_eq(conf.number, 7);
    cr_assert_eq(conf.real, 0.25);
    cr_assert_not(conf.yes);
    cr_assert(conf.size.given);
    cr_assert_eq(conf.size.percent, 25);
    cr_assert_eq(conf.time, 500000000);
    cr_assert_eq(conf.sizes.n, 2);
    cr_assert_eq(conf.sizes.value[1], 1048576);
    cr_assert_eq(conf.counts.n, 4);
    cr_assert_eq(conf.counts.value[3], 64);
    cr_assert_eq(conf.choice, 1);
    cr_assert_eq(conf.choices.n, 2);
    cr_assert_str_eq(conf.choices.item[0], "green");
    cr_assert(opt_given(rows, set.given, "bs"));
    cr_assert_not(opt_given(rows, set.given, "verbose"));
    done();
}

Test(opt, defaults_are_read_from_the_rows)
{
    cr_assert_eq(PARSE("x"), 0);
    cr_assert_eq(conf.number, 3);
    cr_assert(conf.yes);
    cr_assert_eq(conf.time, UINT64_C(60000000000));
    cr_assert_eq(conf.sizes.n, 3);
    cr_assert_eq(conf.choices.n, 1);
    cr_assert_not(conf.size.given);
    cr_assert_eq(conf.counts.n, 0);
    cr_assert_eq(conf.choice, -1);
    cr_assert_eq(set.given, 0);
    done();
}

Test(opt, given_values_replace_defaults_and_the_last_one_counts)
{
    cr_assert_eq(PARSE("--bs=4k", "--bs=8k,16k", "--colours=green", "--number=4", "--number=5"), 0);
    cr_assert_eq(conf.sizes.n, 2);
    cr_assert_eq(conf.sizes.value[0], 8192);
    cr_assert_eq(conf.choices.n, 1);
    cr_assert_str_eq(conf.choices.item[0], "green");
    cr_assert_eq(conf.number, 5);
    done();
}

Test(opt, errors_name_the_option_and_what_is_allowed)
{
    REFUSED("--iodept", "--iodept=4");
    REFUSED("Did you mean --iodepth?", "--iodept=4");
    REFUSED("Did you mean --runtime?", "--run=4");
    REFUSED("--number", "--number=11");
    REFUSED("from 1 to 10", "--number=11");
    REFUSED("--number", "--number=-1");
    REFUSED("--real", "--real=2");
    REFUSED("0 or 1", "--direct=maybe");
    REFUSED("--blocksize", "--blocksize=4q");
    REFUSED("4k..1M/x4", "--bs=");
    REFUSED("from 512 to 16M", "--bs=256");
    REFUSED("from 1 to 64", "--iodepth=0");
    REFUSED("500ms, 60, 60s", "--runtime=soon");
    REFUSED("too short", "--runtime=10us");
    REFUSED("did you mean green", "--colour=grean");
    REFUSED("one of red, dark_blue, green", "--colour=grean");
    REFUSED("red, dark_blue, green", "--colours=red,,green");
    REFUSED("takes no value", "--flag=1");
    REFUSED("needs a value: --out-file FILE", "--out-file");
    REFUSED("needs a value: --dev PATH", "--dev", "--flag");
    REFUSED("needs a value: -o FILE", "-o");
    REFUSED("no option -z", "-fz");
    REFUSED("Did you mean --dev=/x?", "-dev=/x");
    REFUSED("no option --", "--=3");
}

Test(opt, a_value_may_look_like_an_option_when_it_says_so)
{
    cr_assert_eq(PARSE("--out-file=--flag", "-o--x"), 0);
    cr_assert_str_eq(conf.text, "--x");
    cr_assert_not(conf.flag);
    done();
}

Test(opt, a_value_that_may_be_left_out)
{
    static const struct {
        const char *word[3];
        size_t n; /* of values */
    } said[] = {{{"--curve", "-f", NULL}, 2},
                {{"-f", "--curve", NULL}, 2},
                {{"--curve", "--flag", NULL}, 2},
                {{"--curve", "5,6,7", "-f"}, 3},
                {{"--curve=5", "-f", NULL}, 1}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        cr_assert_eq(parse(said[i].word[2] ? 3 : 2, (const char **)said[i].word), 0);
        cr_expect(conf.flag && n_rest == 0 && conf.steps.n == said[i].n, "%zu", i);
        done();
    }
    cr_assert_eq(PARSE("-f"), 0);
    cr_expect_eq(conf.steps.n, 0);
    done();
}

Test(opt, two_sets_and_options_before_the_command)
{
    struct common {
        const char *db;
        bool quiet;
    } common = {0};
    const struct opt common_rows[] = {
        {.name = "db", .type = OPT_TEXT, .offset = offsetof(struct common, db), .arg = "FILE"},
        {.name = "quiet",
         .letter = 'q',
         .type = OPT_FLAG,
         .offset = offsetof(struct common, quiet)},
        OPT_END};
    struct opt_set leading = {common_rows, &common, 0};
    char *words[] = {(char *)"--db", (char *)"x", (char *)"-q", (char *)"list", (char *)"--flag"};
    int used = 0;
    cr_assert_eq(opt_parse_leading(&leading, 1, 5, words, &used, &err), 0);
    cr_assert_eq(used, 3);
    conf = (struct conf){0};
    struct opt_set both[] = {{rows, &conf, 0}, leading};
    cr_assert_eq(opt_parse(both, 2, 1, words + 4, &rest, &n_rest, &err), 0);
    cr_assert_str_eq(common.db, "x");
    cr_assert(common.quiet);
    cr_assert(conf.flag);
    opt_release(both, 2);
    free(rest);
}

static size_t longest_line(const char *text)
{
    size_t most = 0;
    for (size_t n; *text; text += n + (text[n] == '\n')) {
        n = strcspn(text, "\n");
        most = n > most ? n : most;
    }
    return most;
}

Test(opt, help_fits_the_terminal)
{
    static const size_t widths[] = {40, 60, 80, 120};
    for (size_t i = 0; i < 4; i++) {
        struct strbuf out = STRBUF_INIT;
        opt_help(&out, rows, widths[i], false);
        cr_assert_leq(longest_line(out.text), widths[i], "%zu: %s", widths[i], out.text);
        cr_assert(strstr(out.text, "--blocksize"));
        cr_assert(strstr(out.text, "(all of it)"));
        cr_assert(strstr(out.text, "(default 4k..16k)"));
        cr_assert_not(strstr(out.text, "\033"));
        strbuf_release(&out);
    }
}
