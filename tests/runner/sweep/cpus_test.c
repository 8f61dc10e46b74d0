/* Lists of CPUs, and their way through the key. */
#include "runner/sweep/cpus.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_error(const char *text, const char *words)
{
    unsigned *cpu = NULL, n = 0;
    struct error err = ERROR_INIT;
    cr_expect_eq(cpus_parse(&cpu, &n, text, &err), -ERR_USAGE, "%s", text);
    cr_expect_neq(strstr(err.message, words), NULL, "%s: %s", text, err.message);
    cr_expect_null(cpu);
}

Test(cpus, lists)
{
    unsigned *cpu = NULL, n = 0;
    cr_assert_eq(cpus_parse(&cpu, &n, "0", NULL), 0);
    cr_expect(n == 1 && cpu[0] == 0);
    free(cpu);
    /* the order is that of the jobs, and a CPU may come twice */
    cr_assert_eq(cpus_parse(&cpu, &n, "0-0,0", NULL), 0);
    cr_expect(n == 2 && cpu[0] == 0 && cpu[1] == 0);
    free(cpu);
    expect_error("", "no CPU");
    expect_error("0,", "no CPU");
    expect_error("3-1", "no CPU");
    expect_error("-1", "no CPU");
    expect_error("0 ", "no CPU");
    expect_error("99999", "no CPU");
    expect_error("0-1023", "does not exist here");
}

Test(cpus, key)
{
    struct cell_key key = {0};
    unsigned *cpu = NULL, n = 7;
    bool shared = true;
    cr_assert_eq(cpus_from_key(&cpu, &n, &shared, &key, NULL), 0);
    cr_expect(n == 0 && cpu == NULL);
    cpus_to_key(&key, "0");
    cr_expect_str_eq(key.options, "{\"cpus_allowed\":\"0\"}");
    cr_assert_eq(cpus_from_key(&cpu, &n, &shared, &key, NULL), 0);
    cr_expect(n == 1 && cpu[0] == 0 && !shared);
    free(cpu);
    field_set_text(&cell_key_fields, &key, CELL_KEY_options,
                   "{\"cpus_allowed\":\"0\",\"cpus_allowed_policy\":\"shared\"}");
    cr_assert_eq(cpus_from_key(&cpu, &n, &shared, &key, NULL), 0);
    cr_expect(n == 1 && shared);
    free(cpu);
    fields_release(&cell_key_fields, &key);
    /* further options of an imported run are no list */
    field_set_text(&cell_key_fields, &key, CELL_KEY_options, "{\"prio\":\"1\"}");
    cr_assert_eq(cpus_from_key(&cpu, &n, &shared, &key, NULL), 0);
    cr_expect_eq(n, 0);
    fields_release(&cell_key_fields, &key);
}
