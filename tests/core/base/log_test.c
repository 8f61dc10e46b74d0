#include "core/base/log.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>

Test(log, is_silent_until_asked, .init = cr_redirect_stderr)
{
    log_debug(1, "hidden");
    log_set_level(1);
    log_debug(1, "shown %d", 7);
    log_debug(2, "hidden too");
    fflush(stderr);
    cr_assert_stderr_eq_str("blkmatrix: shown 7\n");
}
