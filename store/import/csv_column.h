/*
 * What a column of a table means: a field of ours, in a unit. The words for it are those of the map file
 * (docs/import.md): "bs", "iodepth", "iops", "read.bw", "clat.p99", "write.lat.mean", "label.site" ...
 */
#ifndef STORE_IMPORT_CSV_COLUMN_H
#define STORE_IMPORT_CSV_COLUMN_H

#include "core/model/run.h"
#include "store/import/csv_number.h"

enum column_kind {
    COLUMN_OTHER, /* kept among the further facts of the cell */
    COLUMN_IGNORE,
    COLUMN_RUN, /* a field of the run */
    COLUMN_RUN_ID,
    COLUMN_LABELS, /* "key=value,key=value" */
    COLUMN_LABEL,
    COLUMN_DEVICES, /* names joined by " + " */
    COLUMN_CELL,
    COLUMN_CELL_ID,
    COLUMN_KEY,
    COLUMN_DIRECTION_NAME, /* the direction that the figures of the row belong to */
    COLUMN_DIRECTION,      /* a figure of a direction */
    COLUMN_LATENCY,
    COLUMN_PERCENTILE,
    COLUMN_OPERATION, /* read or write, sequential unless "random" says otherwise */
    COLUMN_RANDOM,    /* truth value */
    COLUMN_HOSTS,     /* multiplies numjobs */
};

struct column {
    enum column_kind kind;
    int dir; /* enum dir; -1: that of the row */
    enum lat_kind lat;
    size_t field;
    double p;
    double unit; /* of a plain number in it; 0: the unit of our tables; -1: the value must say it */
    enum csv_numbers numbers; /* how those of the table are written */
    char label[64];
    bool weak; /* guessed from a heading that may say something else: its values must bear it out */
};

/* From the words of a map file; false when they name nothing. */
bool column_parse(struct column *c, const char *target);
/* A unit by its name ("MB/s", "us", "MiB"); false when it is none. */
bool column_unit(const char *name, double *unit);
/* From a heading of our own CSV export. */
bool column_own(struct column *c, const char *heading);
/*
 * From a heading as people and programs write it: "Block size", "QD", "Read IOPS", "BW (MB/s)", "Lat avg
 * [us]", "p99 ms". False when it is not understood.
 */
bool column_guess(struct column *c, const char *heading);

/* True when the column holds a measured figure. */
bool column_is_figure(const struct column *c);
/* True when its values are numbers, with or without a unit. */
bool column_is_number(const struct column *c);
/* The field of the record that the column fills, NULL for kinds that have none. */
const struct field *column_field(const struct column *c);

/*
 * Reads a value for a field: as our own export writes it, else as people write it ("4k", "67.1 MB/s",
 * "3.2ms", "63", "1.5k", "70%", "random write"). False when it does not fit.
 */
bool column_read(const struct field_set *set, void *rec, const struct column *c, const char *text);

/* Why a value does not fit, in words that follow it. */
const char *column_misfit(const struct column *c, const char *text);

#endif
