/* What safety.c shares with the opener and the signature search. */
#ifndef RUNNER_DEVICE_SAFETY_INTERNAL_H
#define RUNNER_DEVICE_SAFETY_INTERNAL_H

#include "runner/device/safety.h"

/* Adds a finding; text is a format. */
void finding_add(struct findings *f, enum finding_kind kind, const char *device, const char *fmt,
                 ...) __attribute__((format(printf, 4, 5)));

/*
 * As safety_inspect, on a target that is open: fd is what is looked at, not the path (-1: open the
 * path). claimed: fd holds it with O_EXCL, so no second claim is tried.
 */
void safety_look(struct findings *out, const struct usage *u, const struct device_info *info,
                 int fd, bool claimed);

/* The two kinds of target. */
void look_at_block(struct findings *out, const struct usage *u, const struct device_info *info,
                   int fd, bool claimed);
void look_at_file(struct findings *out, const struct usage *u, const struct device_info *info,
                  int fd);

/*
 * Partition table and signatures of the open device, as libblkid finds them; title is how the
 * device is called in the findings.
 */
void signature_look(struct findings *out, const char *title, int fd);

#endif
