/* Shared by fio_key.c, fio_load.c and fio_infer.c. */
#ifndef STORE_IMPORT_FIO_KEY_INTERNAL_H
#define STORE_IMPORT_FIO_KEY_INTERNAL_H

#include "store/import/fio_read_internal.h"

struct key_reader {
    struct cell *cell;
    struct cell_key *key; /* of the cell */
    const struct fio_options *o;
    unsigned kb_base;
    struct fio_reader *reader; /* is told of numbers that cannot be; NULL: nobody is */
};

/* An option that is a number in bytes or counts; false when it is missing or no number. */
bool key_option_number(const struct key_reader *k, const char *name, uint64_t *v);
/* Tells of the number of an option that cannot be, and stays unknown. */
void key_say_bad(const struct key_reader *k, const char *name);
void key_set_text(struct key_reader *k, size_t field, const char *text);

/* Sync calls, extent, rates, pauses, buffer contents and whatever else changes the load. */
void key_read_load(struct key_reader *k);

/* True when fio read back what the job had written: those reads are none of its pattern. */
bool key_is_verified(const struct key_reader *k);

/*
 * True when the entry reports a group of different sections: its options are then those of the last
 * one and its name that of the first.
 */
bool key_is_of_several(const struct key_reader *k, const struct fio_key_facts *facts);

#endif
