/*
 * From a volume's answers to the cell: sweeps of a simulated device that sysfs, a recorded one, says is
 * an EBS volume. Its page changes while the cell runs; the pages are those of tests/data/volume_page.
 */
#include "runner/sweep/volumes.h"

#include <criterion/criterion.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/sweep/loads.h"

#define MS UINT64_C(1000000)

static char root[] = "/tmp/blkmatrix-volumes.XXXXXX";

static void shell(const char *fmt, const char *a, const char *b)
{
    char *command = xasprintf(fmt, root, a, b);
    cr_assert_eq(system(command), 0, "%s", command);
    free(command);
}

static void setup(void)
{
    cr_assert(mkdtemp(root));
    shell("cd %s && mkdir -p dev sys/class/block/nvme1n1/device sys/class/block/sda/device &&"
          " echo '%-40s' > sys/class/block/nvme1n1/device/model &&"
          " echo '1 0 8 0 0 0 0 0 0 0 0' | tee sys/class/block/nvme1n1/stat >%s",
          "Amazon Elastic Block Store", "sys/class/block/sda/stat");
}

static void teardown(void)
{
    shell("rm -rf %s%s%s", "", "");
}

/* From now on the volume answers with this page. */
static void answer(const char *page)
{
    shell("cp " TEST_DATA "/volume_page/%2$s.bin %1$s/dev/nvme1n1.log-d0%3$s", page, "");
}

static const struct sysroot recorded = {root};

/* What happens on the way, and what was kept. */
struct story {
    const char *at_begin, *in_ramp, *in_window; /* pages; NULL: nothing changes */
    bool went_ramp, went_window;
    size_t cells, volumes;
    struct volume_stat stat;
};

static void forget(struct story *s)
{
    fields_release(&volume_stat_fields, &s->stat);
}

static int keep(void *self, struct cell *cell, struct error *err)
{
    struct story *s = self;
    (void)err;
    s->cells++;
    s->volumes = cell->n_volumes;
    forget(s);
    if (cell->n_volumes)
        fields_copy(&volume_stat_fields, &s->stat, &cell->volume[0]);
    return 0;
}

static int pass(void *self, struct run *run, struct error *err)
{
    (void)self, (void)run, (void)err;
    return 0;
}

static void begins(void *arg, const struct sweep_state *state)
{
    struct story *s = arg;
    (void)state;
    if (s->at_begin)
        answer(s->at_begin);
}

static void follow(struct story *s, const struct job_progress *p)
{
    if (p->ramping && !s->went_ramp && s->in_ramp) {
        answer(s->in_ramp);
        s->went_ramp = true;
    }
    /* not at once: when the window begins the page must still be the one before */
    bool late = p->elapsed_ns + 500 * MS > p->total_ns;
    if (!p->ramping && late && !s->went_window && s->in_window) {
        answer(s->in_window);
        s->went_window = true;
    }
}

static void tick(void *arg, const struct sweep_state *state, const struct job_progress *p)
{
    (void)state;
    follow(arg, p);
}

static void loads_tick(void *arg, const struct loads_state *state, const struct job_progress *p)
{
    (void)state;
    follow(arg, p);
}

static struct range range_of(const char *text, enum range_unit unit)
{
    struct range r = RANGE_INIT;
    cr_assert_eq(range_parse(&r, text, unit, 0, UINT64_MAX, NULL), 0);
    return r;
}

static struct run *run_on(const char *resolved, const char *below)
{
    struct run *run = run_create();
    struct device_info *d = run_add_device(run);
    field_set_text(&device_fields, d, DEVICE_path, resolved);
    field_set_text(&device_fields, d, DEVICE_resolved, resolved);
    if (below)
        field_set_text(&device_fields, d, DEVICE_below, below);
    return run;
}

static void tell(struct story *s, const char *resolved, const char *below, uint64_t ramp_ms,
                 uint64_t runtime_ms)
{
    struct plan_axes a = {.rw = {RW_RANDREAD},
                          .n_rw = 1,
                          .repeats = 1,
                          .n_devices = 1,
                          .seed = 1,
                          .ramp_ns = ramp_ms * MS,
                          .runtime_ns = runtime_ms * MS,
                          .interval_ns = 100 * MS,
                          .bs = range_of("4k", RANGE_SIZE),
                          .iodepth = range_of("1", RANGE_COUNT),
                          .numjobs = range_of("1", RANGE_COUNT)};
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine, "sim");
    field_set_text(&cell_key_fields, &a.base, CELL_KEY_engine_options, "lat=1ms");
    SET(&a.base, CELL_KEY, direct, true);
    struct plan *plan;
    cr_assert_eq(plan_create(&plan, &a, NULL), 0);
    struct sweep_target target;
    const struct device_request request = {.path = "sim", .size = 64 << 20};
    cr_assert_eq(sweep_target_open(&target, engine_find("sim"), &request, NULL), 0);
    struct run *run = run_on(resolved, below);
    struct sink sink = {s, pass, keep, NULL, pass};
    const struct sweep_spec spec = {.plan = plan,
                                    .run = run,
                                    .target = &target,
                                    .sink = &sink,
                                    .sysroot = &recorded,
                                    .watch = {.cell_begins = begins, .tick = tick, .arg = s}};
    struct sweep_outcome outcome;
    struct error err = ERROR_INIT;
    cr_assert_eq(sweep_run(&outcome, &spec, &err), 0, "%s", err.message);
    cr_assert_eq(s->cells, 1);
    run_destroy(run);
    sweep_target_close(&target);
    plan_destroy(plan);
}

/* The same of jobs of a file, on the simulated device. */
static void tell_jobs(struct story *s, const char *text)
{
    char *path = xasprintf("%s/jobs.fio", root);
    FILE *f = fopen(path, "we");
    cr_assert(f && fputs(text, f) >= 0);
    fclose(f);
    struct jobfile *file;
    struct error err = ERROR_INIT;
    cr_assert_eq(jobfile_read(&file, path, NULL, &err), 0, "%s", err.message);
    free(path);
    size_t first = 0;
    size_t **used = xcalloc(file->n, sizeof *used);
    for (size_t i = 0; i < file->n; i++) {
        used[i] = &first;
        field_set_text(&cell_key_fields, &file->job[i].key, CELL_KEY_engine, "sim");
        field_set_text(&cell_key_fields, &file->job[i].key, CELL_KEY_engine_options, "lat=1ms");
    }
    struct sweep_target target;
    const struct device_request request = {.path = "sim", .size = 64 << 20};
    cr_assert_eq(sweep_target_open(&target, engine_find("sim"), &request, NULL), 0);
    struct run *run = run_on("/dev/nvme1n1", NULL);
    struct sink sink = {s, pass, keep, NULL, pass};
    const struct loads_spec spec = {.file = file,
                                    .used = used,
                                    .target = &target,
                                    .run = run,
                                    .sink = &sink,
                                    .sysroot = &recorded,
                                    .watch = {.tick = loads_tick, .arg = s}};
    struct sweep_outcome outcome;
    answer(s->at_begin);
    cr_assert_eq(loads_run(&outcome, &spec, &err), 0, "%s", err.message);
    run_destroy(run);
    sweep_target_close(&target);
    jobfile_destroy(file);
    free(used);
}

Test(volumes, what_was_counted_during_the_cell, .init = setup, .fini = teardown)
{
    struct story s = {.at_begin = "start", .in_window = "disk-iops"};
    tell(&s, "/dev/nvme1n1", NULL, 0, 1500);
    cr_assert_eq(s.volumes, 1);
    cr_assert_str_eq(s.stat.name, "nvme1n1");
    cr_assert_eq(s.stat.disk_iops_exceeded_ns, UINT64_C(29500000000));
    cr_assert_eq(s.stat.vm_bw_exceeded_ns, 0);
    cr_assert_eq(s.stat.write_ios, 12000);
    cr_assert_geq(s.stat.span_ns, 1400 * MS);
    cr_assert_leq(s.stat.span_ns, 4000 * MS);
    forget(&s);
}

/* Counted in the ramp: 29.5 s above the IOPS cap. In the window: the rest, throughput of the VM. */
Test(volumes, the_ramp_is_not_in_it, .init = setup, .fini = teardown)
{
    struct story s = {.at_begin = "start", .in_ramp = "idle", .in_window = "vm-tp"};
    tell(&s, "/dev/nvme1n1", NULL, 1200, 1200);
    cr_assert(s.went_ramp && s.went_window);
    cr_assert_eq(s.volumes, 1);
    cr_assert_eq(s.stat.read_ios, 3372 - 10);
    cr_assert_eq(s.stat.vm_bw_exceeded_ns, UINT64_C(4600000000));
    cr_assert_lt(s.stat.span_ns, 2000 * MS, "the window, not the ramp before it");
    forget(&s);
}

Test(volumes, a_volume_below_another_device, .init = setup, .fini = teardown)
{
    struct story s = {.at_begin = "start", .in_window = "disk-tp"};
    tell(&s, "/dev/sda", "[\"nvme1n1\"]", 0, 1200);
    cr_assert_eq(s.volumes, 1);
    cr_assert_str_eq(s.stat.name, "nvme1n1");
    cr_assert_eq(s.stat.disk_bw_exceeded_ns, UINT64_C(4900000000));
    forget(&s);
}

/* Cells of less than a second would have it asked more often than its makers want. */
Test(volumes, not_asked_twice_in_a_second, .init = setup, .fini = teardown)
{
    struct story s = {.at_begin = "start", .in_window = "disk-tp"};
    tell(&s, "/dev/nvme1n1", NULL, 0, 600);
    cr_assert_eq(s.volumes, 0);
}

Test(volumes, attached_anew_or_mute, .init = setup, .fini = teardown)
{
    struct story back = {.at_begin = "vm-tp", .in_window = "start"};
    tell(&back, "/dev/nvme1n1", NULL, 0, 1200);
    cr_assert_eq(back.volumes, 0, "counters went down");
    struct story other = {.at_begin = "start", .in_window = "both"};
    tell(&other, "/dev/sda", NULL, 0, 1100);
    cr_assert_eq(other.volumes, 0, "not the volume that was loaded");
    shell("rm %s/dev/nvme1n1.log-d0%s%s", "", "");
    struct story mute = {0};
    tell(&mute, "/dev/nvme1n1", NULL, 0, 1100);
    cr_assert_eq(mute.volumes, 0);
}

#define JOB "rw=randread\nbs=4k\nsize=1m\nfilename=/dev/nvme1n1\ntime_based\n"

Test(volumes, a_job_that_is_alone_has_its_window, .init = setup, .fini = teardown)
{
    struct story s = {.at_begin = "start", .in_ramp = "idle", .in_window = "vm-tp"};
    tell_jobs(&s, "[one]\n" JOB "ramp_time=1200ms\nruntime=1200ms\n");
    cr_assert(s.cells == 1 && s.volumes == 1);
    cr_assert_eq(s.stat.read_ios, 3372 - 10);
    cr_assert_lt(s.stat.span_ns, 2000 * MS);
    forget(&s);
}

/* Windows differ, the volume counts for all: each cell has what was counted in the group. */
Test(volumes, jobs_of_a_group_have_its_time, .init = setup, .fini = teardown)
{
    struct story s = {.at_begin = "start", .in_ramp = "idle", .in_window = "vm-tp"};
    tell_jobs(&s, "[one]\n" JOB "ramp_time=1200ms\nruntime=1200ms\n[two]\n" JOB "runtime=2400ms\n");
    cr_assert(s.cells == 2 && s.volumes == 1);
    cr_assert_eq(s.stat.read_ios, 3372);
    cr_assert_gt(s.stat.span_ns, 2000 * MS);
    forget(&s);
}

/* ---- said once, before it begins ---- */

static char *warning_for(size_t n)
{
    struct run *run = run_on("/dev/nvme1n1", NULL);
    for (size_t i = 1; i < n; i++) {
        struct device_info *d = run_add_device(run);
        field_set_text(&device_fields, d, DEVICE_resolved, i == 1 ? "/dev/nvme1n1" : "/dev/sda");
    }
    struct strbuf warning = STRBUF_INIT;
    volumes_check(&warning, &recorded, run->device, run->n_devices);
    run_destroy(run);
    return strbuf_detach(&warning);
}

Test(volumes, one_sentence_when_they_cannot_be_read, .init = setup, .fini = teardown)
{
    char *text = warning_for(1);
    cr_assert(strncmp(text, "nvme1n1 counts when it exceeds its caps, but ", 45) == 0, "%s", text);
    cr_assert_str_eq(strchr(text, '\n'), "\n");
    free(text);
    text = warning_for(3);
    cr_assert(strncmp(text, "nvme1n1 and 1 more count ", 25) == 0, "%s", text);
    cr_assert_str_eq(strchr(text, '\n'), "\n");
    free(text);
    answer("start");
    text = warning_for(3);
    cr_assert_str_eq(text, "");
    free(text);
}
