/*
 * The least that an I/O through io_uring can cost on a device: 4k random reads by a loop that only
 * submits and reaps, with registered buffer and file. It reads no clock, records nothing and
 * cannot be stopped; what it costs is the kernel's. For engines.sh: name=value pairs on a line.
 *   bench_least DEVICE IODEPTH SECONDS WAIT
 * WAIT I/Os are waited for at a time: 1 as in a loop that takes each I/O when it is done; more, and
 * the others lie in the ring meanwhile.
 */
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/rng.h"
#include "core/base/units.h"
#include "core/base/xalloc.h"

enum { BS = 4096, BATCHES_A_LOOK = 64 };

struct loop {
    struct io_uring ring;
    unsigned depth, wait;
    char *buf;
    uint64_t blocks;
    struct rng rng;
    uint64_t ios, batches;
};

static int start(struct loop *l, int fd)
{
    struct io_uring_params p = {.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN};
    struct iovec iov = {.iov_base = l->buf, .iov_len = (size_t)l->depth * BS};
    int rc = io_uring_queue_init_params(l->depth, &l->ring, &p);
    if (rc == 0)
        rc = io_uring_register_buffers(&l->ring, &iov, 1);
    if (rc == 0)
        rc = io_uring_register_files(&l->ring, &fd, 1);
    if (rc == 0)
        io_uring_register_ring_fd(&l->ring);
    return rc;
}

static void prepare(struct loop *l, uint64_t slot)
{
    struct io_uring_sqe *sqe = io_uring_get_sqe(&l->ring);
    io_uring_prep_read_fixed(sqe, 0, l->buf + slot * BS, BS, rng_below(&l->rng, l->blocks) * BS, 0);
    sqe->flags = IOSQE_FIXED_FILE;
    sqe->user_data = slot;
}

/* Takes all that are back and prepares them anew. False when one failed. */
static bool turn(struct loop *l)
{
    struct io_uring_cqe *cqe;
    unsigned head, n = 0;
    io_uring_for_each_cqe(&l->ring, head, cqe)
    {
        if (cqe->res != BS)
            return false;
        prepare(l, cqe->user_data);
        n++;
    }
    io_uring_cq_advance(&l->ring, n);
    l->ios += n;
    l->batches += n > 0;
    return true;
}

static bool run(struct loop *l, uint64_t until)
{
    for (uint64_t i = 0; i < l->depth; i++)
        prepare(l, i);
    do {
        for (int i = 0; i < BATCHES_A_LOOK; i++) {
            if (io_uring_submit_and_wait(&l->ring, l->wait) < 0 || !turn(l))
                return false;
        }
    } while (clock_now_ns() < until);
    return true;
}

static double cpu_ns(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1e9 +
           (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1e3;
}

int main(int argc, char **argv)
{
    struct error err = ERROR_INIT;
    struct loop l = {0};
    uint64_t depth = 0, wait = 0, seconds = 0;
    if (argc != 5 || parse_u64(argv[2], 1, 4096, &depth, &err) ||
        parse_u64(argv[3], 1, 3600, &seconds, &err) || parse_u64(argv[4], 1, depth, &wait, &err)) {
        fprintf(stderr, "usage: bench_least DEVICE IODEPTH SECONDS WAIT\n");
        return 2;
    }
    int fd = open(argv[1], O_RDONLY | O_DIRECT | O_CLOEXEC);
    off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
    if (size < BS) {
        fprintf(stderr, "bench_least: cannot read %s\n", argv[1]);
        return 1;
    }
    l.depth = (unsigned)depth;
    l.wait = (unsigned)wait;
    l.blocks = (uint64_t)size / BS;
    l.buf = aligned_alloc(BS, depth * BS);
    rng_seed(&l.rng, 1);
    if (!l.buf || start(&l, fd) != 0) {
        fprintf(stderr, "bench_least: no ring of this kind here\n");
        return 1;
    }
    memset(l.buf, 1, depth * BS);
    double before = cpu_ns();
    bool done = run(&l, clock_now_ns() + seconds * NS_PER_S);
    double ios = (double)l.ios;
    printf("ios=%llu cpu_ns=%.1f batch=%.2f\n", (unsigned long long)l.ios,
           (cpu_ns() - before) / ios, ios / (double)l.batches);
    io_uring_queue_exit(&l.ring);
    free(l.buf);
    close(fd);
    return done ? 0 : 1;
}
