/*
 * The one error type that travels from where something failed to the user.
 *
 * A fallible function returns 0, or a negative ERR_* code, and fills the caller's struct error with
 * a message that is complete: what failed, on what, why, and what to do. On failure its out
 * parameters are untouched; on success the error is. Callers add context with error_prefix(). Only
 * cli/ prints.
 *
 * The codes are the exit codes of the program (docs/exit-codes in the manual), negated.
 */
#ifndef CORE_BASE_ERROR_H
#define CORE_BASE_ERROR_H

#include <stdarg.h>
#include <stddef.h>

enum {
    ERR_REGRESSION = 1,    /* `check` found something worse */
    ERR_USAGE = 2,         /* the user asked for something that cannot be */
    ERR_REFUSED = 3,       /* refused for the safety of data */
    ERR_DEVICE = 4,        /* the device or the host failed */
    ERR_INPUT = 5,         /* an input file is bad */
    ERR_STORE = 6,         /* the store failed */
    ERR_INTERRUPTED = 130, /* SIGINT or SIGTERM */
};

#define ERROR_MESSAGE_MAX 2048

struct error {
    int code;                        /* 0 or ERR_* (positive) */
    char message[ERROR_MESSAGE_MAX]; /* UTF-8, no control characters but newline; cut with "..." */
};

#define ERROR_INIT                                                                                 \
    {                                                                                              \
        0,                                                                                         \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/*
 * Sets code and message; returns -code, so that `return error_set(err, ERR_INPUT, ...)` works.
 * Control characters in the result (names come from files) are shown as \xNN. `err` may be NULL.
 */
int error_set(struct error *err, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* As error_set, with ": " and the text of errno value `errnum` appended. */
int error_errno(struct error *err, int code, int errnum, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/*
 * The functions, in a form that shows every compiler and analyzer what the rule above says: the
 * result is -code, below zero, so the caller's out parameter is not read.
 */
static inline int error_negative(int set, int code)
{
    (void)set;
    return -code;
}
#define error_set(err, code, ...) error_negative((error_set)((err), (code), __VA_ARGS__), (code))
#define error_errno(err, code, ...)                                                                \
    error_negative((error_errno)((err), (code), __VA_ARGS__), (code))

/* Puts "text: " in front of the message; returns -err->code (or -fallback when err is NULL). */
int error_prefix(struct error *err, int fallback, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends a new line with what the user can do about it. */
void error_hint(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void error_clear(struct error *err);

/* The name of a code for messages and tests: "usage", "refused", ... ; "unknown" for any other. */
const char *error_code_name(int code);

#endif
