/*
 * What a job file works on when fio is to run it, and what is not passed to it. Expected is what fio
 * 3.33 did with such files: which it opened, wrote to or made.
 */
#include <criterion/criterion.h>

#include "core/base/xalloc.h"
#include "runner/jobfile/jobfile.h"

struct outcome {
    struct jobfile_use *use;
    size_t n;
    struct strbuf text;
    struct error err;
    int rc;
};

static int read_it(void *arg, const char *path, struct strbuf *text, struct error *err)
{
    (void)path, (void)err;
    strbuf_adds(text, arg);
    return 0;
}

static const char *variable_of(void *arg, const char *name)
{
    (void)arg;
    return strcmp(name, "NEWLINE") == 0   ? "x\nwrite_iolog=y"
           : strcmp(name, "BLANK") == 0   ? "  x"
           : strcmp(name, "COMMENT") == 0 ? "x;y"
                                          : "plain";
}

static struct outcome look(const char *text)
{
    const struct jobfile_source source = {NULL, read_it, variable_of, (void *)text};
    struct outcome o = {.text = STRBUF_INIT, .err = ERROR_INIT};
    o.rc = jobfile_uses(&o.use, &o.n, &o.text, "x.fio", &source, &o.err);
    return o;
}

static void release(struct outcome *o)
{
    jobfile_uses_free(o->use, o->n);
    strbuf_release(&o->text);
}

/* want: paths with + in front where written, each with a blank behind */
static void expect_uses(const char *text, const char *want)
{
    struct outcome o = look(text);
    cr_expect_eq(o.rc, 0, "%s", o.err.message);
    struct strbuf got = STRBUF_INIT;
    for (size_t i = 0; i < o.n; i++)
        strbuf_addf(&got, "%s%s ", o.use[i].written ? "+" : "", o.use[i].path);
    cr_expect_str_eq(got.len ? got.text : "", want, "%s: %s", text, got.text);
    strbuf_release(&got);
    release(&o);
}

static void expect_refused(const char *line, const char *part)
{
    char *text = xasprintf("[a]\nrw=read\nfilename=x\n%s\n", line);
    struct outcome o = look(text);
    cr_expect_eq(o.rc, -ERR_REFUSED, "%s", line);
    cr_expect(strstr(o.err.message, "x.fio:4: "), "%s: %s", line, o.err.message);
    cr_expect(strstr(o.err.message, part), "%s: %s", line, o.err.message);
    cr_expect_eq(o.text.len, 0);
    release(&o);
    free(text);
}

Test(uses, files)
{
    expect_uses("[global]\nverify=md5\ndirectory=d\n"
                "[a]\nfilename=e:b\nrw=randread\n"
                "[b]\nfilename=e\nreadwrite=sideways\n"
                "[c]\nnumjobs=2\nrw=write\n",
                "+d/e d/b +d/c.0.0 +d/c.1.0 ");
    /* an empty name after another one was looked for behind the end of the list */
    expect_uses("[a]\nfilename=x:\n", "x  ");
    expect_uses("[a]\nnr_files=2\nrw=write\n", "+a.0.0 +a.0.1 ");
    /* fio puts the directory in front of every name */
    expect_uses("[a]\ndirectory=d\nfilename=/x\n", "d//x ");
    expect_uses("[/x]\ndirectory=d\n", "d//x.0.0 ");
    /* and takes the files of all lists */
    expect_uses("[a]\nfilename=x\nfilename=y\nrw=write\n", "+x +y ");
    expect_uses("[global]\nfilename=x\n[a]\nfilename=y\nrw=write\n", "+x +y ");
    expect_uses("[global]\nfilename=x\ndirectory=d\n[a]\ndirectory=e\n", "d/x e/x x ");
    /* some versions reset zones before they read */
    expect_uses("[a]\nfilename=/dev/x\nrw=read\nzonemode=zbd\n", "+/dev/x ");
    expect_uses("[a]\nfilename=/dev/x\nrw=read\nzonemode=strided\n", "/dev/x ");
}

Test(uses, other_files_are_refused)
{
    expect_refused("mem=mmapshared:/dev/x", "mem=mmapshared:/dev/x is not passed to fio");
    expect_refused("mem=mmap:y", "overwrites");
    expect_refused("mem=mmaphuge:y", "overwrites");
    expect_refused("iomem=mmap:y", "overwrites");
    expect_refused("write_bw_log=y", "overwrites files");
    expect_refused("write_bw_log", "overwrites files");
    expect_refused("write_lat_log=y", "overwrites files");
    expect_refused("write_iops_log=y", "overwrites files");
    expect_refused("write_hist_log=y", "overwrites files");
    expect_refused("write_iolog=y", "overwrites a file");
    expect_refused("read_iolog=y", "in another file");
    expect_refused("replay_redirect=/dev/x", "in another file");
    expect_refused("merge_blktrace_file=y", "beside what is measured");
    expect_refused("opendir=.", "not named");
    expect_refused("filename_format=$jobname", "names of files");
    expect_refused("verify_dump=1", "not named");
    expect_refused("verify_state_save=1", "not named");
    expect_refused("verify_state_load", "not named");
    expect_refused("unlink=1", "removes");
    expect_refused("unlink_each_loop", "removes");
    expect_refused("buffer_pattern='y'", "names a file");
    expect_refused("verify_pattern=0xff'y'", "names a file");
    expect_refused("donorname=y", "not known");
    expect_refused("directory=a:b", "list of directories");
}

Test(uses, programs_and_the_system_are_refused)
{
    expect_refused("exec_prerun=true", "starts a program");
    expect_refused("exec_postrun=true", "starts a program");
    expect_refused("profile=tiobench", "options that are not in the file");
    expect_refused("ioscheduler=mq-deadline", "scheduler");
    expect_refused("cgroup=a", "control groups");
    expect_refused("cgroup_weight=100", "not known");
    expect_refused("uid=1", "not known");
    expect_refused("allow_mounted_write=1", "never written");
    expect_refused("anything_new=1", "not known");
    static const char *const engines[] = {"external:/tmp/x.so",
                                          "exec",
                                          "filedelete",
                                          "dirdelete",
                                          "filecreate",
                                          "falloc",
                                          "ftruncate",
                                          "e4defrag",
                                          "net",
                                          "netsplice",
                                          "sg",
                                          "io_uring_cmd",
                                          "mtd",
                                          "nbd",
                                          "rbd",
                                          "rados",
                                          "rdma",
                                          "http",
                                          "libpmem",
                                          "pmemblk",
                                          "dev-dax",
                                          "gfapi",
                                          "libcufile",
                                          "xnvme",
                                          "nfs",
                                          "/tmp/x.so",
                                          ""};
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        char *line = xasprintf("ioengine=%s", engines[i]);
        expect_refused(line, "only engines");
        free(line);
    }
}

/* What fio would read as something else than was looked at. */
Test(uses, what_fio_reads_otherwise)
{
    expect_refused("numjobs=(1+1)", "plain number");
    expect_refused("nrfiles=$ncpus", "plain number");
    expect_refused("filename=$ncpus", "calculate");
    expect_refused("description=${NEWLINE}", "ends the value");
    expect_refused("filename=${COMMENT}", "ends the value");
    expect_refused("filename=${BLANK}", "blank");
    char line[5000] = "description=";
    memset(line + 12, 'x', sizeof line - 13);
    expect_refused(line, "longer");
    struct outcome o = look("[a\x01]\n");
    cr_expect_eq(o.rc, -ERR_REFUSED);
    cr_expect(strstr(o.err.message, "x.fio:1: "), "%s", o.err.message);
    release(&o);
}

/* fio gets what was looked at: variables filled in, nothing to include, no long line to be cut. */
Test(uses, the_text_for_fio)
{
    struct outcome o = look("# a comment\n[global]\n thread\nbs = ${SIZE} ; blocks\n[a]\nrw=read\n"
                            "[b]\nioengine=libaio\nmem=shm\n[global]\nverify=md5\n[c]\nunlink=0\n");
    cr_expect_eq(o.rc, 0, "%s", o.err.message);
    cr_expect_str_eq(o.text.text, "[global]\nverify_state_save=0\n[global]\nthread\nbs=plain\n[a]\n"
                                  "rw=read\n[b]\nioengine=libaio\nmem=shm\n[global]\nverify=md5\n"
                                  "[c]\nunlink=0\n");
    release(&o);
}
