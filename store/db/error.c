/* SQLite's error codes in words that say what to do. */
#include <errno.h>

#include "store/db/store_internal.h"

/* What the user can do about it; NULL when the code alone says nothing. */
static const char *advice(int rc)
{
    switch (rc & 0xff) {
    case SQLITE_FULL:
        return "Free some space on that file system and try again; what was stored before is safe.";
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return "Another program is writing to it: wait until it is done, or use another store with "
               "--db FILE.";
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
        return "Check the permissions of the file and of its folder (SQLite makes files beside "
               "it), or use another store with --db FILE.";
    case SQLITE_NOTADB:
        return "It is not a blkmatrix store; name another file with --db FILE.";
    case SQLITE_CORRUPT:
        return "The file is damaged: go back to a copy, or save what can still be read with "
               "`sqlite3 FILE .recover`.";
    case SQLITE_IOERR:
        return "The disk that holds it failed or is full (see `dmesg` and `df`); what was stored "
               "before is safe.";
    default:
        return NULL;
    }
}

int store_error(const char *path, sqlite3 *db, int rc, const char *what, struct error *err)
{
    int system = db ? sqlite3_system_errno(db) : 0;
    const char *why = db ? sqlite3_errmsg(db) : sqlite3_errstr(rc);
    bool by_system = system && ((rc & 0xff) == SQLITE_CANTOPEN || (rc & 0xff) == SQLITE_IOERR);
    /* whatever was asked for, what failed then was a write */
    if ((rc & 0xff) == SQLITE_FULL || (by_system && system == ENOSPC))
        what = "cannot write to";
    char text[128];
    int fault = error_set(
        err, ERR_STORE, "%s the store %s: %s%s%s%s", what, path, why, by_system ? " (" : "",
        by_system ? strerror_r(system, text, sizeof text) : "", by_system ? ")" : "");
    if (advice(rc))
        error_hint(err, "%s", advice(rc));
    return fault;
}
