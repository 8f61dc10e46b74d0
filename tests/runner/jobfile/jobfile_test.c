/*
 * Job files to jobs. What the options mean is fio's HOWTO and what fio 3.33 did with them (numbers,
 * defaults, variables, comments, rates of a job).
 */
#include <criterion/criterion.h>

#include "core/base/clock.h"
#include "core/base/xalloc.h"
#include "runner/jobfile/jobfile.h"

/* Files by name, and variables, as a test gives them. */
struct world {
    const char *file[8][2];
    const char *variable[4][2];
};

static int read_world(void *arg, const char *path, struct strbuf *text, struct error *err)
{
    const struct world *w = arg;
    for (size_t i = 0; i < 8 && w->file[i][0]; i++) {
        if (strcmp(w->file[i][0], path) == 0) {
            strbuf_adds(text, w->file[i][1]);
            return 0;
        }
    }
    return error_set(err, ERR_INPUT, "%s: cannot be read", path);
}

static const char *variable_of(void *arg, const char *name)
{
    const struct world *w = arg;
    for (size_t i = 0; i < 4 && w->variable[i][0]; i++) {
        if (strcmp(w->variable[i][0], name) == 0)
            return w->variable[i][1];
    }
    return NULL;
}

static int read_from(struct jobfile **out, const struct world *w, struct error *err)
{
    const struct jobfile_source source = {NULL, read_world, variable_of, (void *)w};
    *out = NULL;
    return jobfile_read(out, w->file[0][0], &source, err);
}

static struct jobfile *read_text(const char *text)
{
    struct world w = {.file = {{"dir/x.fio", text}}};
    struct jobfile *f;
    struct error err = ERROR_INIT;
    cr_assert_eq(read_from(&f, &w, &err), 0, "%s", err.message);
    return f;
}

static void expect_error(const char *text, const char *part)
{
    struct world w = {.file = {{"x.fio", text}}};
    struct jobfile *f;
    struct error err = ERROR_INIT;
    cr_expect_eq(read_from(&f, &w, &err), -ERR_INPUT, "%s", text);
    cr_expect(strstr(err.message, part), "\"%s\" is not in: %s", part, err.message);
    jobfile_destroy(f);
}

static void expect_key(const struct jobfile_job *job, const char *want)
{
    struct strbuf text = STRBUF_INIT;
    cell_key_text(&text, &job->key);
    cr_expect_str_eq(text.text, want);
    strbuf_release(&text);
}

/* A steady log writer and a burst of reads at its end, as it stands in a tutorial on fio. */
static const char two_jobs[] =
    " ; -- start job file including.fio --\n"
    "[global]\n"
    "ioengine=libaio\n"
    "direct=1 ; write directly to the drive\n"
    "time_based\n"
    "runtime=30\n"
    "group_reporting=1\n"
    "log_avg_msec=1000\n"
    "rate=16m,5m ; limit to 16 MB/s and 5MB/s for read and write per job\n"
    "numjobs=${NUM_JOBS} ; set at the command line\n"
    "iodepth=${IO_DEPTH} ; set at the command line\n"
    "filename=/dev/nvme1n1 ; or nvme2n1\n"
    "\n"
    "[steady_write]\n"
    "name=steady_write\n"
    "rw=write ; sequential write\n"
    "bs=64k ; Block size of 64KiB (default block size of 4 KiB)\n"
    "\n"
    "[burst_read]\n"
    "name=burst_read\n"
    "rw=read\n"
    "bs=256k ; Block size of 256KiB for reads (default is 4KiB)\n"
    "startdelay=25 ; simulate a 5-second read burst at the end of a 30-second window\n"
    "runtime=5\n"
    "; -- end job file including.fio --\n";

Test(jobfile, steady_write_and_burst_read)
{
    struct world w = {.file = {{"nvme1.fio", two_jobs}},
                      .variable = {{"NUM_JOBS", "16"}, {"IO_DEPTH", "64"}}};
    struct jobfile *f;
    struct error err = ERROR_INIT;
    cr_assert_eq(read_from(&f, &w, &err), 0, "%s", err.message);
    cr_assert_eq(f->n, 2);
    cr_expect_eq(f->n_groups, 1);
    expect_key(&f->job[0], "rw=write bs=65536 iodepth=64 numjobs=16 engine=libaio direct=1 "
                           "rate_bw=5242880 arrival=constant");
    expect_key(&f->job[1], "rw=read bs=262144 iodepth=64 numjobs=16 engine=libaio direct=1 "
                           "rate_bw=16777216 arrival=constant");
    cr_expect_str_eq(f->job[0].name, "steady_write");
    cr_expect_eq(f->job[0].runtime_ns, 30 * NS_PER_S);
    cr_expect_eq(f->job[0].delay_ns, 0);
    cr_expect_eq(f->job[1].runtime_ns, 5 * NS_PER_S);
    cr_expect_eq(f->job[1].delay_ns, 25 * NS_PER_S);
    cr_expect_eq(f->job[1].interval_ns, NS_PER_S);
    cr_assert_eq(f->job[1].n_files, 1);
    cr_expect_str_eq(f->job[1].file[0], "/dev/nvme1n1");
    cr_expect_str_eq(f->text, two_jobs);
    cr_expect_str_eq(f->note.text, "");
    jobfile_destroy(f);
}

Test(jobfile, a_variable_that_is_not_set)
{
    struct world w = {.file = {{"x.fio", two_jobs}}, .variable = {{"NUM_JOBS", "16"}}};
    struct jobfile *f;
    struct error err = ERROR_INIT;
    cr_expect_eq(read_from(&f, &w, &err), -ERR_INPUT);
    cr_expect(strstr(err.message, "x.fio:11: the variable IO_DEPTH is not set"), "%s", err.message);
    cr_expect(strstr(err.message, "IO_DEPTH=... blkmatrix run x.fio"), "%s", err.message);
}

/* fio's defaults: 4k reads by psync, one at a time, through the page cache. */
/* Editors on Windows put U+FEFF in front. */
Test(jobfile, a_byte_order_mark)
{
    struct jobfile *f = read_text("\xef\xbb\xbf[a]\nfilename=x\nrw=read\nbs=8k\nsize=1m\n");
    cr_expect_eq(f->job[0].key.bs, 8192);
    jobfile_destroy(f);
}

Test(jobfile, defaults)
{
    struct jobfile *f = read_text("[a]\nfilename=/dev/x\nruntime=1\n");
    expect_key(&f->job[0], "rw=read bs=4096 iodepth=1 numjobs=1 engine=psync direct=0");
    cr_expect(strstr(f->note.text, "as with time_based"));
    cr_expect_eq(f->job[0].interval_ns, 0);
    jobfile_destroy(f);
}

Test(jobfile, numbers_as_fio_reads_them)
{
    struct jobfile *f =
        read_text("[global]\nfilename=/dev/x\nruntime=1\n"
                  "[a]\nbs=4KiB\n[b]\nblocksize=0x1000\n[c]\nrw=randrw\nbs=4k,16k\nrwmixwrite=30\n"
                  "[d]\nkb_base=1000\nbs=4k\nstonewall\n[e]\nbssplit=4k/60:64k/\nrw=randread\n");
    cr_expect_eq(f->job[0].key.bs, 4000);
    cr_expect_eq(f->job[1].key.bs, 4096);
    cr_expect_eq(f->job[2].key.bs_write, 16384);
    cr_expect_eq(f->job[2].key.rwmixread, 70);
    cr_expect_eq(f->job[3].key.bs, 4000);
    cr_expect_str_eq(f->job[4].key.bs_text, "4k/60:64k/");
    jobfile_destroy(f);
}

Test(jobfile, loads)
{
    struct jobfile *f =
        read_text("[global]\nfilename=/dev/x\nruntime=500ms\ndirect=1\nioengine=io_uring\n"
                  "[a]\nrw=randwrite\nfsync=8\nthinktime=250\n"
                  "[b]\nrw=randrw\nrate=8m\nrate_process=poisson\n"
                  "[c]\nrw=randread\nrate_iops=1k\nrandom_distribution=zipf:1.2\nrandseed=42\n"
                  "[d]\nrw=randread\nnorandommap=0\nsize=50%\noffset=25%\nrandrepeat=0\n"
                  "[e]\nrw=randrw\nrate_iops=700,300\n"
                  "[f]\nrw=randwrite\nrate_iops=700,300\n"
                  "[g]\nrw=randread\nsqthread_poll=1\nhipri\nfixedbufs=0\ncpus_allowed=0-1\n");
    expect_key(&f->job[0], "rw=randwrite bs=4096 iodepth=1 numjobs=1 engine=io_uring direct=1 "
                           "sync=fsync=8 thinktime_ns=250000");
    cr_expect_eq(f->job[1].key.rate_bw, 8 << 20);
    cr_expect_not(IS_KNOWN(&f->job[1].key, CELL_KEY, rate_bw_write));
    cr_expect_str_eq(f->job[1].key.arrival, "poisson");
    cr_expect_eq(f->job[2].key.rate_iops, 1024); /* fio: k is 1024 for counts too */
    cr_expect_str_eq(f->job[2].key.distribution, "zipf:1.2");
    cr_expect_eq(f->job[2].seed, 42);
    cr_expect_str_eq(f->job[3].key.distribution, "cover");
    cr_expect(f->job[4].key.rate_iops == 700 && f->job[4].key.rate_iops_write == 300);
    cr_expect_eq(f->job[5].key.rate_iops, 300);
    cr_expect_not(IS_KNOWN(&f->job[5].key, CELL_KEY, rate_iops_write));
    expect_key(&f->job[6], "rw=randread bs=4096 iodepth=1 numjobs=1 engine=io_uring "
                           "engine_options=fixedbufs=0,hipri=1,sqthread_poll=1 direct=1 "
                           "options={\"cpus_allowed\":\"0-1\",\"cpus_allowed_policy\":\"shared\"}");
    cr_expect_eq(f->job[3].size_percent, 50);
    cr_expect_eq(f->job[3].offset_percent, 25);
    cr_expect(f->job[3].random_seed);
    cr_expect_not(f->job[2].random_seed);
    cr_expect_eq(f->job[0].runtime_ns, 500 * NS_PER_MS);
    jobfile_destroy(f);
}

/* A later [global] holds for what comes after it; equal names are two jobs; stonewall parts groups. */
Test(jobfile, sections_and_groups)
{
    struct jobfile *f = read_text("[global]\nfilename=/dev/x\nruntime=1\nbs=8k\n"
                                  "[a]\n[a]\nbs=16k\n"
                                  "[global]\nbs=32k\n"
                                  "[b]\nstonewall\n[c]\nrw=write\n[d]\nwait_for_previous=1\n"
                                  "[e]\nrw=write\nstonewall=0");
    static const struct {
        const char *name;
        uint64_t bs;
        size_t group;
    } want[] = {{"a", 8192, 0},  {"a", 16384, 0}, {"b", 32768, 1},
                {"c", 32768, 1}, {"d", 32768, 2}, {"e", 32768, 2}};
    cr_assert_eq(f->n, 6);
    cr_expect_eq(f->n_groups, 3);
    for (size_t i = 0; i < 6; i++) {
        cr_expect_str_eq(f->job[i].name, want[i].name);
        cr_expect_eq(f->job[i].key.bs, want[i].bs);
        cr_expect_eq(f->job[i].group, want[i].group);
    }
    jobfile_destroy(f);
}

/* What fio would start as threads with one set of options: 2 + 2 on one file, one on each of two others. */
Test(jobfile, sections_of_one_load_at_one_time_are_one_job)
{
    struct jobfile *f = read_text("[global]\nrw=randread\nruntime=5\ntime_based\n"
                                  "[a]\nfilename=/dev/sdb\nnumjobs=2\n[b]\nfilename=/dev/sdc\n"
                                  "[c]\nfilename=/dev/sdb\nnumjobs=2\n[d]\nfilename=/dev/sdd\n");
    cr_assert_eq(f->n, 2);
    cr_expect_str_eq(f->job[0].name, "a");
    cr_expect(f->job[0].key.numjobs == 4 && f->job[0].n_files == 1);
    cr_expect_str_eq(f->job[1].name, "b");
    cr_assert(f->job[1].key.numjobs == 1 && f->job[1].n_files == 2);
    cr_expect_str_eq(f->job[1].file[0], "/dev/sdc");
    cr_expect_str_eq(f->job[1].file[1], "/dev/sdd");
    cr_expect(strstr(f->note.text, "[a] and [c] are one cell"));
    cr_expect(strstr(f->note.text, "[b] and [d] are one cell"));
    jobfile_destroy(f);
}

/* A wait between them, another time, another load, a file in common: not one load. */
Test(jobfile, sections_that_differ_stay_apart)
{
    static const char *const second[] = {
        "filename=/dev/sdb\nstonewall",  "filename=/dev/sdb\nstartdelay=1",
        "filename=/dev/sdb\nruntime=6",  "filename=/dev/sdb\nbs=8k",
        "filename=/dev/sdc\nruntime=6",  "filename=/dev/sdb:/dev/sdc\nnumjobs=2",
        "filename=/dev/sdc\nrandseed=7", "size=1m\ndirectory=.",
    };
    for (size_t i = 0; i < sizeof second / sizeof *second; i++) {
        char *text = xasprintf("[global]\nrw=randread\nruntime=5\ntime_based\n"
                               "[a]\nfilename=/dev/sdb\n[b]\n%s\n",
                               second[i]);
        struct jobfile *f = read_text(text);
        cr_expect_eq(f->n, 2, "%s", second[i]);
        jobfile_destroy(f);
        free(text);
    }
}

Test(jobfile, files)
{
    struct jobfile *f = read_text(
        "[global]\nruntime=1\n"
        "[a]\ndirectory=/tmp/d\nsize=1m\nnumjobs=2\n"
        "[b]\nfilename=/dev/disk/by-path/pci-0000\\:00\\:1f:/dev/b\nnumjobs=4\niodepth=8\n"
        "ioengine=libaio\n"
        "[c]\nfilename=one:two\ndirectory=d\niodepth=8\nioengine=libaio\nrate=2m\nsize=8m\n");
    cr_assert_eq(f->job[0].n_files, 2);
    cr_expect_str_eq(f->job[0].file[1], "/tmp/d/a.1.0");
    cr_expect_eq(f->job[0].key.numjobs, 1);
    cr_expect_eq(f->job[0].key.size, 1 << 20);
    cr_expect(f->job[0].makes_files);
    cr_assert_eq(f->job[1].n_files, 2);
    cr_expect_str_eq(f->job[1].file[0], "/dev/disk/by-path/pci-0000:00:1f");
    cr_expect_eq(f->job[1].key.numjobs, 2);
    cr_expect_eq(f->job[1].key.iodepth, 8);
    cr_expect_str_eq(f->job[2].file[1], "d/two");
    cr_expect_eq(f->job[2].key.iodepth, 4);
    cr_expect_eq(f->job[2].key.rate_bw, 1 << 20);
    cr_expect_eq(f->job[2].key.size, 4 << 20);
    jobfile_destroy(f);
}

Test(jobfile, all_that_cannot_be_run_in_one_error)
{
    struct world w = {
        .file = {{"x.fio", "[global]\nverify=crc32c\nruntime=1\n[a]\nfilename=/dev/x\n"
                           "rw=sideways\nzonemode=zbd\nruntime=soon\nioengine=rbd\n"
                           "write_bw_log=log\n"}}};
    struct jobfile *f;
    struct error err = ERROR_INIT;
    cr_expect_eq(read_from(&f, &w, &err), -ERR_INPUT);
    static const char *const want[] = {"5 options cannot be run",
                                       "line 2: verify=crc32c",
                                       "line 6: rw=sideways",
                                       "line 7: zonemode=zbd",
                                       "line 8: runtime=soon: ",
                                       "line 9: ioengine=rbd: there are",
                                       "--engine fio"};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        cr_expect(strstr(err.message, want[i]), "\"%s\" is not in: %s", want[i], err.message);
    cr_expect_not(strstr(err.message, "write_bw_log"));
}

Test(jobfile, what_is_passed_over_is_said)
{
    struct jobfile *f =
        read_text("[global]\nwrite_lat_log=l\ndisk_util=0\nper_job_logs=0\nruntime=1\n"
                  "filename=/dev/x\ntime_based\ninvalidate=1\n[a]\nioengine=sync\n[b]\nbs=8k\n");
    cr_expect_str_eq(f->note.text,
                     "line 8: invalidate is passed over: the page cache is left as it is\n"
                     "passed over, as they only change what fio writes: write_lat_log, disk_util, "
                     "per_job_logs\n"
                     "line 10: ioengine=sync: psync does the same I/O\n");
    jobfile_destroy(f);
}

Test(jobfile, includes_are_relative_to_the_file)
{
    struct world w = {.file = {{"d/x.fio", "[global]\ninclude sub/common.fio\n[a]\n"},
                               {"d/sub/common.fio", "runtime=3\ninclude more.fio\n"},
                               {"d/sub/more.fio", "filename=/dev/x\n"}}};
    struct jobfile *f;
    struct error err = ERROR_INIT;
    cr_assert_eq(read_from(&f, &w, &err), 0, "%s", err.message);
    cr_expect_eq(f->job[0].runtime_ns, 3 * NS_PER_S);
    jobfile_destroy(f);

    struct world bad = {.file = {{"x.fio", "[a]\ninclude b.fio\n"}, {"b.fio", "verify=md5\n"}}};
    cr_expect_eq(read_from(&f, &bad, &err), -ERR_INPUT);
    cr_expect(strstr(err.message, "b.fio line 1: verify=md5"), "%s", err.message);
}

Test(jobfile, hostile_texts)
{
    expect_error("", "has no job");
    expect_error("[global]\nbs=4k\n", "has no job");
    expect_error("bs=4k\n[a]\n", "x.fio:1: an option before the first [section]");
    expect_error("[a\nbs=4k\n", "x.fio:1: a section looks like");
    expect_error("[]\n", "x.fio:1: the name of a section");
    expect_error("[a]\n=4\n", "x.fio:2: an option needs a name");
    expect_error("[a]\ninclude x.fio\n", "does one include itself?");
    expect_error("[a]\ninclude\n", "include needs");
    expect_error("[a]\ninclude nothing.fio\n", "nothing.fio: cannot be read");
    expect_error("[a]\nruntime=1\n", "x.fio:1: [a]: there is no filename, and no size");
    expect_error("[a]\nfilename=/dev/x\nnumjobs=99999\n", "numjobs is from 1 to");
    expect_error("[a]\nfilename=/dev/x\nbs=0\n", "block size");
    expect_error("[a]\nfilename=/dev/x\nbssplit=4k/60:8k/60\n", "add up to");
    expect_error("[a]\nfilename=/dev/x\nnumjobs=4000\n[b]\nfilename=/dev/x\nnumjobs=4000\n",
                 "threads at one time");
    expect_error("[a]\nfilename=a:b:c\nnumjobs=4\n", "can be divided by its 3 files");
    expect_error("[a]\nfilename=a:b\niodepth=2\nthinktime=5ms\n",
                 "the thinktime of 1 thread cannot be divided by its 2 files");
    expect_error("[a]\nfilename=-\n", "cannot be measured");
    expect_error("[a]\nfilename=/dev/x\nhipri\n", "takes no options");
    expect_error("[a]\nfilename=/dev/x\ncpus_allowed=a\n", "line 3: cpus_allowed=a");
    expect_error("[a]\nfilename=/dev/x\nrw=randrw\nrwmixread=100\nrate_iops=100,\n",
                 "no writes to go on with");
    expect_error("[a]\nfilename=/dev/x\nrw=randread:8\n", "line 3: rw=randread:8");

    char *line = xmalloc(70001);
    memset(line, 'x', 70000);
    line[70000] = '\0';
    expect_error(line, "longer than 64 KiB");
    free(line);
}

/* A section printed from what it became is read as the same load again. */
Test(jobfile, printed_and_read_again)
{
    static const char *const sections[] = {
        "rw=randrw\nbs=4k,16k\nrwmixread=70\nrate=8m,3m\ndirect=1\nioengine=libaio\niodepth=16\n",
        "rw=randrw\nrate_iops=700,300\nioengine=libaio\niodepth=4\n",
        "rw=read\nioengine=io_uring\nhipri\nfixedbufs=0\nsqthread_poll_cpu=1\ncpus_allowed=0\n",
        "rw=read\ncpus_allowed=0-1\ncpus_allowed_policy=split\nnrfiles=1\n",
        "rw=write\nbs=64k\nrate=5m\nnumjobs=16\nrate_process=poisson\n",
        "rw=randread\nbssplit=4k/60:64k/40\nioengine=io_uring\niodepth=7\nrate_iops=1000\n",
        "rw=randwrite\nbsrange=4k-64k\nfdatasync=32\nsize=1g\noffset=4k\n",
        ("rw=randwrite\nsync=dsync\nthinktime=10ms\nbuffer_compress_percentage=30\n"
         "dedupe_percentage=20\nrandom_distribution=zipf:1.1\n"),
        "rw=randread\nnorandommap=0\nnumjobs=2\nfilename=/dev/y\nbs=512\n",
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        char *text = xasprintf("[the name]\nfilename=/dev/a\\:b\nruntime=2500ms\nramp_time=1\n"
                               "startdelay=3\ntime_based\n%s",
                               sections[i]);
        struct jobfile *f = read_text(text);
        struct jobfile_job *job = &f->job[0];
        struct run *run = run_create();
        struct cell *cell = cell_create();
        for (size_t k = 0; k < job->n_files; k++)
            field_set_text(&device_fields, run_add_device(run), DEVICE_path, job->file[k]);
        size_t device[] = {0, 1};
        cell->device = device;
        cell->n_devices = job->n_files;
        field_set_text(&cell_fields, cell, CELL_name, job->name);
        fields_copy(&cell_key_fields, &cell->key, &job->key);
        const struct jobfile_times times = {job->delay_ns, job->ramp_ns, job->runtime_ns, NS_PER_S};
        struct strbuf out = STRBUF_INIT, key = STRBUF_INIT;
        jobfile_print(&out, run, cell, &times, false);
        cell_key_text(&key, &job->key);

        struct jobfile *again = read_text(out.text);
        expect_key(&again->job[0], key.text);
        cr_expect_str_eq(again->job[0].name, "the name");
        cr_expect_eq(again->job[0].n_files, job->n_files);
        cr_expect_str_eq(again->job[0].file[0], "/dev/a:b");
        cr_expect_eq(again->job[0].runtime_ns, 2500 * NS_PER_MS);
        cr_expect_eq(again->job[0].ramp_ns, NS_PER_S);
        cr_expect_eq(again->job[0].delay_ns, 3 * NS_PER_S);
        jobfile_destroy(again);
        jobfile_destroy(f);
        strbuf_release(&out);
        strbuf_release(&key);
        cell->device = NULL;
        cell->n_devices = 0;
        cell_destroy(cell);
        run_destroy(run);
        free(text);
    }
}
