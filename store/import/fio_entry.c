/* One entry of fio's "jobs": what it states about itself, without its options. */
#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "store/import/fio_read_internal.h"

/*
 * With unified_rw_reporting=mixed there is only "mixed"; with "both" it stands beside the directions
 * it is the sum of, and would count twice.
 */
static void read_directions(struct fio_reader *r, json_id entry, struct cell *cell)
{
    bool used = false;
    for (int i = DIR_READ; i <= DIR_TRIM; i++) {
        fio_read_direction(r, json_find(r->d, entry, dir_names[i]), &cell->dir[i]);
        used |= direction_is_used(&cell->dir[i]);
    }
    if (!used)
        fio_read_direction(r, json_find(r->d, entry, "mixed"), &cell->dir[DIR_MIXED]);
    fio_read_sync(r, json_find(r->d, entry, "sync"), &cell->dir[DIR_SYNC]);
}

static void read_runtime(struct cell *cell)
{
    for (int i = DIR_READ; i <= DIR_MIXED; i++) {
        const struct direction *dir = &cell->dir[i];
        if (IS_KNOWN(dir, DIRECTION, runtime_ns) && dir->runtime_ns > cell->runtime_ns)
            SET(cell, CELL, runtime_ns, dir->runtime_ns);
    }
}

/*
 * usr_cpu and sys_cpu are percent of job_runtime, which is the sum over the jobs of the entry. Of one job
 * their sum is the share of a CPU that its thread used; of several it is a mean (fio_cell.c drops it).
 */
static void read_cpu(struct fio_reader *r, json_id entry, struct cell *cell)
{
    uint64_t ms;
    double user, system;
    if (fio_read_u64(r, entry, "job_runtime", &ms) && ms < UINT64_MAX / NS_PER_MS / 1000 &&
        fio_read_f64(r, entry, "usr_cpu", &user) && user <= 1000 &&
        fio_read_f64(r, entry, "sys_cpu", &system) && system <= 1000) {
        double ns = (double)(ms * NS_PER_MS);
        SET(cell, CELL, user_ns, (uint64_t)(ns * user / 100));
        SET(cell, CELL, system_ns, (uint64_t)(ns * system / 100));
        if (ms > 0 && user >= 0 && system >= 0)
            SET(cell, CELL, cpu_util_max, (user + system) / 100);
    }
}

/* job_start is in ms of a clock that can be chosen; only a time of day is an instant. */
static void read_start(struct fio_reader *r, json_id entry, struct cell *cell)
{
    uint64_t ms;
    const uint64_t year_2000_ms = UINT64_C(946684800000);
    if (fio_read_u64(r, entry, "job_start", &ms) && ms >= year_2000_ms &&
        ms < INT64_MAX / NS_PER_MS)
        SET(cell, CELL, started_ns, (int64_t)(ms * NS_PER_MS));
}

static void read_error(struct fio_reader *r, json_id entry, struct cell *cell)
{
    int64_t code;
    if (json_i64(r->d, json_find(r->d, entry, "error"), &code) && code != 0)
        SET(cell, CELL, error_code, code);
}

void fio_read_entry(struct fio_reader *r, json_id entry, struct cell *cell)
{
    cell->name = json_text(r->d, json_find(r->d, entry, "jobname"));
    read_directions(r, entry, cell);
    read_runtime(cell);
    fio_read_buckets(r, entry, cell);
    read_cpu(r, entry, cell);
    read_start(r, entry, cell);
    read_error(r, entry, cell);
}
