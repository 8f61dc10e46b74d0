#include "cli/interrupt.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Two are answered by those who measure; after them the program ends whatever it does. */
#define INTERRUPTS_MAX 2

static void fill(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
}

int interrupt_begin(struct interrupt *in, struct error *err)
{
    sigset_t set;
    fill(&set);
    atomic_init(&in->count, 0);
    in->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    if (in->fd < 0)
        return error_errno(err, ERR_DEVICE, errno, "cannot watch for signals");
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    /* a closed pipe behind stderr must not end a measurement */
    signal(SIGPIPE, SIG_IGN);
    return 0;
}

bool interrupt_poll(struct interrupt *in)
{
    struct signalfd_siginfo info;
    while (read(in->fd, &info, sizeof info) == (ssize_t)sizeof info)
        atomic_fetch_add(&in->count, 1);
    if (atomic_load(&in->count) > INTERRUPTS_MAX)
        _exit(ERR_INTERRUPTED);
    return atomic_load(&in->count) > 0;
}

void interrupt_end(struct interrupt *in)
{
    sigset_t set;
    fill(&set);
    /* one that is still waiting was answered already, or would end a program that is done */
    interrupt_poll(in);
    close(in->fd);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}
