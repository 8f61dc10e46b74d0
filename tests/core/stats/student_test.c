/* Student's t against scipy and R. */
#include "core/stats/student.h"

#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/near.h"
#include "tests/support/vectors.h"

/* scipy's own inverse of t is good to about 3e-9 (R's qt(0.95, 4) is 2.131846786326649). */
Test(student, against_scipy)
{
    near(t_ppf(0.95, 4), 2.131846786326649, 1e-13, "qt(0.95, 4)");
    cJSON *v = vectors_load("special");
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(v, "t_sf2"))
        near(t_sf2(at(row, 0), at(row, 1)), at(row, 2), 1e-10, "t_sf2");
    cJSON_ArrayForEach(row, cJSON_GetObjectItem(v, "t_ppf"))
        near(t_ppf(at(row, 0), at(row, 1)), at(row, 2), 1e-8, "t_ppf");
    cJSON_Delete(v);
}
