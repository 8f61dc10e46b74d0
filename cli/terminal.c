#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

size_t terminal_columns(int fd)
{
    if (!isatty(fd))
        return 0;
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

bool terminal_is_live(int fd)
{
    const char *term = getenv("TERM");
    return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

bool terminal_has_colour(int fd)
{
    const char *no = getenv("NO_COLOR");
    return terminal_is_live(fd) && !(no && *no);
}
