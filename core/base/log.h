/*
 * Debug messages of the libraries, on stderr, only with --verbose. The level is the one piece of
 * global state of the program. Anything a user must see is not logged: it is an error, a result
 * or a caveat.
 */
#ifndef CORE_BASE_LOG_H
#define CORE_BASE_LOG_H

/* 0 silent (the default), 1 --verbose, 2 --verbose twice. Set once, before threads start. */
void log_set_level(int level);
void log_debug(int level, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
