/* Numbers as fio's normal output prints them, with the unit behind: "15.8k", "61.9MiB/s", "10010msec". */
#ifndef STORE_IMPORT_FIO_TEXT_NUMBER_H
#define STORE_IMPORT_FIO_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* The text behind a mark in the line, NULL when the mark is not there. */
const char *text_after(const char *line, const char *mark);

/* A plain number with blanks in front; *p moves behind it. */
bool text_decimal(const char **p, double *v);
bool text_u64(const char **p, uint64_t *v);
/* With a decimal k, M, G, T behind: "15.8k" is 15800. */
bool text_count(const char **p, double *v);
/*
 * An amount of bytes: "620MiB", "64.9MB". fio 2 knows only "KB", "MB" ..., which are powers of 1024:
 * `old` says that it wrote the line.
 */
bool text_bytes(const char **p, bool old, double *v);
/* ns a unit name in brackets stands for: "(usec)"; 0 when it is none. p is at the bracket. */
uint64_t text_time_unit(const char *p);

#endif
