/* The plan of a stored run: whatever the text, a plan or an error; a plan is the same after a round trip. */
#include "core/base/xalloc.h"
#include "runner/plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    char *text = xstrndup((const char *)data, n);
    struct plan *plan = NULL, *again = NULL;
    struct error err = ERROR_INIT;
    int rc = plan_from_json(&plan, text, &err);
    if (rc < 0) {
        if (!err.message[0] || plan)
            abort();
    } else {
        char *json = plan_to_json(plan);
        if (plan_from_json(&again, json, &err) < 0 || again->n != plan->n ||
            plan_left_ns(again) != plan_left_ns(plan))
            abort();
        free(json);
    }
    plan_destroy(plan);
    plan_destroy(again);
    free(text);
    return 0;
}
