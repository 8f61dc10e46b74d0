#include "runner/sweep/target.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/xalloc.h"

#define MIB (UINT64_C(1) << 20)

static void simulate(struct sweep_target *t, const struct device_request *request)
{
    t->size = request->size ? request->size : SIM_DISK_SIZE;
    field_set_text(&device_fields, &t->info, DEVICE_path, request->path);
    field_set_text(&device_fields, &t->info, DEVICE_type, "sim");
    SET(&t->info, DEVICE, size, t->size);
}

/* In a file a trim makes a hole, and what is measured there later is memory. Asked before it is made. */
static int check_trim(const struct device_request *request, struct error *err)
{
    struct stat st;
    bool there = stat(request->path, &st) == 0;
    bool file = there ? S_ISREG(st.st_mode) : strncmp(request->path, "/dev/", 5) != 0;
    if (!request->trim || !file)
        return 0;
    return error_set(err, ERR_USAGE, "%s: trims are for block devices, and this is a file",
                     request->path);
}

int sweep_target_open(struct sweep_target *out, const struct engine_ops *engine,
                      const struct device_request *request, struct error *err)
{
    struct sweep_target t = {0};
    if (engine->flags & ENGINE_NO_DEVICE) {
        simulate(&t, request);
    } else {
        int rc = check_trim(request, err);
        if (rc == 0)
            rc = device_open(&t.device, request, err);
        if (rc < 0)
            return rc;
        t.size = device_size(t.device);
        fields_copy(&device_fields, &t.info, device_snapshot(t.device));
    }
    t.path = xstrdup(request->path);
    *out = t;
    return 0;
}

static int judge_write(const struct device_info *info, const struct device_request *request,
                       struct error *err)
{
    struct findings findings = {0};
    struct usage *usage = usage_create(&sysroot_system);
    safety_inspect(&findings, usage, info);
    usage_destroy(usage);
    int rc = safety_judge(&findings, info, &request->permit, err);
    findings_release(&findings);
    return rc;
}

int sweep_target_look(struct sweep_target *out, const struct engine_ops *engine,
                      const struct device_request *request, struct error *refused,
                      struct error *err)
{
    struct sweep_target t = {0};
    int rc = engine->flags & ENGINE_NO_DEVICE ? 0 : check_trim(request, err);
    if (engine->flags & ENGINE_NO_DEVICE)
        simulate(&t, request);
    else if (rc == 0)
        rc = device_describe(&t.info, &sysroot_system, request->path, request->size, err);
    if (rc == 0 && t.size == 0)
        rc = device_check_extent(&t.info, request, err);
    if (rc == 0 && t.size == 0)
        t.size = request->size ? request->size : t.info.size;
    if (rc == 0 && request->write && !(engine->flags & ENGINE_NO_DEVICE)) {
        struct error why = ERROR_INIT;
        rc = judge_write(&t.info, request, &why);
        struct error *to = rc == -ERR_REFUSED ? refused : err;
        if (rc < 0 && to && to->code == 0)
            *to = why;
        rc = rc == -ERR_REFUSED ? 0 : rc;
    }
    if (rc < 0) {
        fields_release(&device_fields, &t.info);
        return rc;
    }
    t.path = xstrdup(request->path);
    *out = t;
    return 0;
}

void sweep_target_close(struct sweep_target *t)
{
    device_close(t->device);
    fields_release(&device_fields, &t->info);
    free(t->path);
    *t = (struct sweep_target){0};
}

uint64_t sweep_target_size(const char *path, uint64_t size, double offset_percent)
{
    double rest = 1 - offset_percent / 100;
    if (access(path, F_OK) == 0 || rest <= 0)
        return 0;
    double all = ceil((double)size / rest / (double)MIB);
    return all < (double)(UINT64_MAX / MIB) ? (uint64_t)all * MIB : 0;
}
