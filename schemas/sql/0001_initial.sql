-- The blkmatrix store, version 1.
--
-- One run has cells, one cell has directions (read, write ...), one direction has latencies (slat,
-- clat, lat) and perhaps a series over time. NULL always means unknown, never zero. Units are SI
-- base units: bytes, bytes/s, I/Os per second, ns; instants are ns since 1970 UTC. Truth values are
-- 0 and 1. Columns marked JSON hold JSON text (read them with json_each and json_extract).
--
-- Start with the views at the end: v_cell has one flat row a cell and direction.
-- Histograms and sample series are compact blobs (store/db/README.md); the percentiles people ask
-- for most stand beside them as columns.
--
-- A shipped file of this folder never changes; a change of the schema is a new file.

-- One sweep, job file or imported file. Never changes once it is finished, but for its labels.
CREATE TABLE run (
    id               INTEGER PRIMARY KEY AUTOINCREMENT, -- an id is never given twice
    uuid             TEXT,      -- random UUID, or made from the content of an imported file
    name             TEXT,      -- name, chosen by the user or the source
    tool             TEXT,      -- what measured: blkmatrix 0.1.0, fio-3.33 ...
    command          TEXT,      -- command line
    status           TEXT,      -- running, complete, partial, failed
    started_ns       INTEGER,   -- start
    finished_ns      INTEGER,   -- end
    seed             INTEGER,   -- seed of all random choices
    plan             TEXT,      -- the plan as JSON, for resuming
    planned_cells    INTEGER,   -- cells in the plan
    source_path      TEXT,      -- imported from
    source_sha256    TEXT,      -- SHA-256 of the imported bytes
    source_format    TEXT,      -- importer and version: fio-json ...
    messages         TEXT,      -- array of lines the source held beside the results; JSON
    extra            TEXT       -- further facts of the source, name to value; JSON
) STRICT;
CREATE UNIQUE INDEX run_uuid ON run (uuid);
CREATE INDEX run_name ON run (name);
CREATE INDEX run_source ON run (source_sha256);
CREATE INDEX run_path ON run (source_path);

-- key=value marks of a run, e.g. release=6.9.
CREATE TABLE label (
    run_id           INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    key              TEXT NOT NULL,
    value            TEXT NOT NULL,
    PRIMARY KEY (run_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX label_key_value ON label (key, value);

-- The machine as it was when the run started.
CREATE TABLE host (
    run_id           INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    hostname         TEXT,      -- host name
    machine          TEXT,      -- architecture
    os               TEXT,      -- distribution
    kernel           TEXT,      -- kernel release
    kernel_version   TEXT,      -- kernel build
    cmdline          TEXT,      -- kernel command line
    mitigations      TEXT,      -- CPU vulnerability to its mitigation; JSON
    cpu_model        TEXT,      -- CPU model
    cpus_online      INTEGER,   -- CPUs online
    cpus_allowed     TEXT,      -- CPUs this process may use
    smt              INTEGER,   -- simultaneous multithreading on
    turbo            INTEGER,   -- turbo frequencies on
    governor         TEXT,      -- frequency governor
    numa_nodes       INTEGER,   -- NUMA nodes
    memory           INTEGER,   -- memory; bytes
    clocksource      TEXT,      -- kernel clock source
    clock_read_ns    REAL,      -- cost of reading the clock once
    virt             TEXT,      -- hypervisor: kvm, hyperv, xen, vmware, firecracker, none ...
    dmi_vendor       TEXT,      -- system vendor
    dmi_product      TEXT,      -- product name
    dmi_bios         TEXT,      -- firmware vendor and version
    cloud            TEXT,      -- aws, azure, gcp
    instance_type    TEXT,      -- VM size
    region           TEXT,      -- region and zone
    image            TEXT,      -- image of the VM
    cgroup           TEXT,      -- cgroup of this process
    io_limits        TEXT,      -- cgroup io limits that apply, as found; JSON
    ionice           TEXT,      -- I/O priority class and level
    memlock_limit    INTEGER,   -- locked-memory limit; bytes
    nofile_limit     INTEGER,   -- open-file limit
    aio_max_nr       INTEGER,   -- fs.aio-max-nr
    io_uring_off     INTEGER    -- kernel.io_uring_disabled: 0 on, 1 group only, 2 off
) STRICT;

-- The devices and files of a run as they were when it started.
CREATE TABLE device (
    run_id           INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    number           INTEGER NOT NULL, -- from 0 within the run
    path             TEXT,      -- path as given
    resolved         TEXT,      -- path it leads to, /dev/NAME for a block device
    type             TEXT,      -- disk, part, loop, zram, dm, md, file, sim
    size             INTEGER,   -- capacity
    devno            TEXT,      -- MAJOR:MINOR
    model            TEXT,      -- model
    vendor           TEXT,      -- vendor
    serial           TEXT,      -- serial number
    wwid             TEXT,      -- world-wide id
    firmware         TEXT,      -- firmware revision
    logical_block    INTEGER,   -- logical block size; bytes
    physical_block   INTEGER,   -- physical block size; bytes
    alignment_offset INTEGER,   -- offset of the first aligned block; bytes
    dio_align        INTEGER,   -- alignment that O_DIRECT needs; bytes
    scheduler        TEXT,      -- I/O scheduler
    nr_requests      INTEGER,   -- request queue length
    hw_queues        INTEGER,   -- hardware queues
    nomerges         INTEGER,   -- merging: 0 on, 1 simple only, 2 off
    rq_affinity      INTEGER,   -- completion on the submitting CPU: 0, 1, 2
    wbt_lat_us       INTEGER,   -- writeback throttling target, us; 0 off
    max_sectors_kb   INTEGER,   -- largest request, KiB
    rotational       INTEGER,   -- spinning medium
    write_cache      TEXT,      -- write back or write through
    fua              INTEGER,   -- forced unit access
    io_poll          INTEGER,   -- polled completions possible
    zoned            TEXT,      -- none, host-aware, host-managed
    discard_max      INTEGER,   -- largest discard; 0 is no discard; bytes
    numa_node        INTEGER,   -- NUMA node of the device
    temperature      REAL,      -- temperature before the run
    percent_used     INTEGER,   -- wear as the device reports it
    fs_type          TEXT,      -- filesystem of a file target
    mount_point      TEXT,      -- where that filesystem is mounted
    mount_options    TEXT,      -- its mount options
    backing_file     TEXT,      -- file behind a loop device
    below            TEXT,      -- kernel names it stands on (dm, md, partitions); JSON
    transport        TEXT,      -- nvme, sata, scsi, virtio, xen, usb, loop ...
    cloud_volume_id  TEXT,      -- volume id of the cloud
    volume_type      TEXT,      -- cloud volume type, e.g. gp3, Premium_LRS
    cache_mode       TEXT,      -- host caching of the volume: none, ro, rw
    precondition     TEXT,      -- what was done to it before
    purge            TEXT,      -- how it was emptied before that, or why it was not
    made_here        INTEGER,   -- the file was made by this tool
    PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

-- Known caps that applied to the run that day: of the disk, the VM or the host.
CREATE TABLE run_limit (
    run_id           INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    number           INTEGER NOT NULL, -- from 0 within the run
    owner            TEXT,      -- who sets the cap: disk, vm, host
    device           INTEGER,   -- device.number that a disk limit belongs to; NULL: each of them
    kind             TEXT,      -- iops, or bw in bytes/s
    side             TEXT,      -- any: reads and writes share it; read; write
    phase            TEXT,      -- base (for ever) or burst (while credits last)
    path             TEXT,      -- host cache path it holds on: any, cached, uncached
    value            REAL,      -- I/Os per second or bytes per second, by kind
    value_max        REAL,      -- upper end where the published unit is unsure (10^6 or 2^20)
    published        TEXT,      -- figure and unit as published, e.g. 64 MBps
    io_size          INTEGER,   -- an I/O above this counts as several
    credits          REAL,      -- burst bucket: I/Os or bytes
    name             TEXT,      -- what has the cap: P6, Standard_DS2_v2, cgroup ...
    source           TEXT,      -- where the figure is from
    checked          TEXT,      -- date of that source
    PRIMARY KEY (run_id, number)
) STRICT, WITHOUT ROWID;

-- One combination of the matrix. The first columns are what was measured about it, the second part
-- (from rw on) are the settings that make it comparable with cells of other runs.
CREATE TABLE cell (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id           INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    ordinal          INTEGER,   -- place in the plan, from 0
    repeat           INTEGER,   -- repeat of this key in the run, from 1
    name             TEXT,      -- job name
    status           TEXT,      -- complete, partial or failed
    error_code       INTEGER,   -- errno of the first failure
    error            TEXT,      -- what failed, in words
    started_ns       INTEGER,   -- start of the measured part
    runtime_ns       INTEGER,   -- length of the measured part
    ramp_ns          INTEGER,   -- same load before it, not measured
    stage            TEXT,      -- what else than a result of a suite's rounds it is: histogram, a long measurement after them
    round            INTEGER,   -- round of a test for steady state, from 1; of a result: NULL
    rounds           INTEGER,   -- rounds until that test ended; the result is of the last 5
    steady           INTEGER,   -- steady state was reached (SNIA's rule)
    steady_range     REAL,      -- largest less smallest of the last 5 rounds over their mean
    steady_slope     REAL,      -- fitted change over the last 5 rounds over their mean
    round_values     TEXT,      -- array: IOPS of this cell in each round; mean latency, ns, in snia-lat and under a rate; JSON
    ci_half          REAL,      -- half width of the 95 % interval of the mean IOPS, over that mean
    n_eff            REAL,      -- independent samples that interval stands on
    ended_by         TEXT,      -- why the measured part ended: interval, drained, max-runtime
    user_ns          INTEGER,   -- CPU time of the load generator in user mode
    system_ns        INTEGER,   -- CPU time of the load generator in the kernel
    cpu_per_io_ns    REAL,      -- generator CPU time an I/O
    cpu_util_max     REAL,      -- share of one CPU of the busiest job thread
    nvcsw            INTEGER,   -- voluntary context switches
    nivcsw           INTEGER,   -- involuntary context switches
    depth_reached    REAL,      -- I/Os in flight by Little's law: IOPS x mean lat
    little_ratio     REAL,      -- depth_reached / (iodepth x numjobs); 1 in a closed loop
    steal            REAL,      -- CPU time taken by the hypervisor, share of all CPUs
    together         INTEGER,   -- several devices loaded at once
    caveats          TEXT,      -- array of short names of doubts, e.g. ["buffered"]; JSON
    assumed          TEXT,      -- array of names of fields the source did not state; JSON
    extra            TEXT,      -- further facts of the source, name to value; JSON
    rw               TEXT,      -- access pattern, as fio's rw
    rwmixread        INTEGER,   -- share of reads in a mixed pattern
    bs               INTEGER,   -- block size (of reads, when writes differ); bytes
    bs_write         INTEGER,   -- block size of writes, where it differs from bs; bytes
    bs_text          TEXT,      -- block sizes that are not one number: bssplit, bsrange, r,w,t
    iodepth          INTEGER,   -- I/Os in flight asked for, per job
    numjobs          INTEGER,   -- jobs (threads) with this same load
    engine           TEXT,      -- I/O interface: libaio, io_uring, psync ...
    engine_options   TEXT,      -- options of the engine, name=value, sorted
    direct           INTEGER,   -- O_DIRECT; false is buffered
    sync             TEXT,      -- sync, dsync, fsync=N, fdatasync=N; unknown when none
    size             INTEGER,   -- extent of the device or file that is used
    offset           INTEGER,   -- start of that extent; bytes
    distribution     TEXT,      -- random offsets: uniform, cover, zipf:THETA
    rate_iops        REAL,      -- own limit of I/Os per second, per job and direction (of reads, when writes differ)
    rate_iops_write  REAL,      -- own limit of writes per second, per job, where it differs; 0: none
    rate_bw          REAL,      -- own limit of bytes/s, per job and direction (of reads, when writes differ)
    rate_bw_write    REAL,      -- own limit of written bytes per second, per job, where it differs; 0: none
    arrival          TEXT,      -- arrivals of a rate-limited load: constant, poisson
    thinktime_ns     INTEGER,   -- pause between I/Os of a job
    compress         INTEGER,   -- compressible share of the written buffers
    dedupe           INTEGER,   -- duplicate share of the written buffers
    options          TEXT,      -- further options that change the load, name to text; JSON
    lat_buckets      TEXT       -- see the view lat_bucket: {"LO-HI": share, ...} in ns; JSON
) STRICT;
CREATE INDEX cell_run ON cell (run_id, ordinal, repeat);

-- Which devices a cell loaded, in the order given.
CREATE TABLE cell_device (
    cell_id          INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    position         INTEGER NOT NULL, -- from 0
    device           INTEGER NOT NULL, -- device.number
    PRIMARY KEY (cell_id, position)
) STRICT, WITHOUT ROWID;

-- One direction of a cell.
CREATE TABLE direction (
    cell_id          INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    part             INTEGER NOT NULL, -- -1: the whole cell; else the share of this device.number
    direction        TEXT NOT NULL,    -- read, write, trim, mixed (fio's unified reporting), sync
    main_latency     TEXT,             -- which kind stands for it: clat, under a rate limit lat
    ios              INTEGER,   -- completed I/Os
    bytes            INTEGER,   -- bytes they moved
    runtime_ns       INTEGER,   -- time they are counted over
    iops             REAL,      -- ios / runtime
    bw               REAL,      -- bytes / runtime
    short_ios        INTEGER,   -- I/Os that moved less than asked
    failed_ios       INTEGER,   -- I/Os that failed
    iops_min         REAL,      -- smallest sampled rate
    iops_max         REAL,      -- largest sampled rate
    iops_mean        REAL,      -- mean of the sampled rates
    iops_stddev      REAL,      -- standard deviation of the sampled rates
    bw_min           REAL,      -- smallest sampled bandwidth; bytes/s
    bw_max           REAL,      -- largest sampled bandwidth; bytes/s
    bw_mean          REAL,      -- mean of the sampled bandwidths; bytes/s
    bw_stddev        REAL,      -- standard deviation of the sampled bandwidths; bytes/s
    rate_samples     INTEGER,   -- number of those samples
    offered_iops     REAL,      -- I/Os per second that a rate-limited load was due to issue
    backlog_max      INTEGER,   -- most I/Os due and not issued at one time
    late_share       REAL,      -- share of I/Os issued later than one gap after they were due
    PRIMARY KEY (cell_id, part, direction)
) STRICT, WITHOUT ROWID;

-- One of the three latencies of a direction.
CREATE TABLE latency (
    cell_id          INTEGER NOT NULL,
    part             INTEGER NOT NULL,
    direction        TEXT NOT NULL,
    kind             TEXT NOT NULL, -- slat (submission), clat (completion), lat (both)
    n                INTEGER,   -- samples
    min              INTEGER,   -- smallest; ns
    max              INTEGER,   -- largest; ns
    mean             REAL,      -- mean; ns
    stddev           REAL,      -- standard deviation; ns
    p50              INTEGER, -- percentiles, ns: from the histogram where at least 10 samples lie
    p90              INTEGER, -- beyond them, else as the imported file states them
    p99              INTEGER,
    p99_9            INTEGER,
    reported         TEXT,    -- all percentiles an imported file states, JSON: {"99.9":ns}
    hist             BLOB,    -- the whole histogram; NULL when only figures are known
    PRIMARY KEY (cell_id, part, direction, kind),
    FOREIGN KEY (cell_id, part, direction) REFERENCES direction ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Samples of a direction over time.
CREATE TABLE series (
    cell_id          INTEGER NOT NULL,
    part             INTEGER NOT NULL,
    direction        TEXT NOT NULL,
    interval_ns      INTEGER NOT NULL, -- nominal
    points           INTEGER NOT NULL, -- number of samples
    samples          BLOB NOT NULL,
    hist             BLOB,             -- a latency histogram a sample
    PRIMARY KEY (cell_id, part, direction),
    FOREIGN KEY (cell_id, part, direction) REFERENCES direction ON DELETE CASCADE
) STRICT;

-- What the kernel counted on a block device during a cell.
CREATE TABLE disk_stat (
    cell_id          INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    number           INTEGER NOT NULL, -- from 0
    name             TEXT,      -- kernel name
    host             TEXT,      -- host, where results of several are in one file
    aggregate        INTEGER,   -- figures are averages over the devices below (fio's aggr_)
    below            TEXT,      -- name of the stacked device this one is part of
    read_ios         INTEGER,   -- read requests completed, after splits and merges
    write_ios        INTEGER,   -- write requests completed
    discard_ios      INTEGER,   -- discard requests completed
    read_bytes       INTEGER,   -- bytes read
    write_bytes      INTEGER,   -- bytes written
    read_merges      INTEGER,   -- reads merged into another request
    write_merges     INTEGER,   -- writes merged into another request
    read_ns          INTEGER,   -- time of all reads added up
    write_ns         INTEGER,   -- time of all writes added up
    in_queue_ns      INTEGER,   -- time of all requests added up
    util             REAL,      -- share of the time with at least one request
    PRIMARY KEY (cell_id, number)
) STRICT, WITHOUT ROWID;

-- What the volumes of a cloud counted about themselves during a cell.
CREATE TABLE volume_stat (
    cell_id          INTEGER NOT NULL REFERENCES cell (id) ON DELETE CASCADE,
    number           INTEGER NOT NULL, -- from 0
    name                  TEXT,     -- kernel name
    kind                  TEXT,     -- whose statistics: ebs, instance-store
    span_ns               INTEGER,  -- time between the two readings; ns
    disk_iops_exceeded_ns INTEGER,  -- time the load asked for more than the IOPS of the volume; ns
    disk_bw_exceeded_ns   INTEGER,  -- time it asked for more than the throughput of the volume; ns
    vm_iops_exceeded_ns   INTEGER,  -- time it asked for more than the IOPS of the VM; ns
    vm_bw_exceeded_ns     INTEGER,  -- time it asked for more than the throughput of the VM; ns
    read_ios              INTEGER,  -- reads completed, as the volume counts them
    write_ios             INTEGER,  -- writes completed, as the volume counts them
    read_bytes            INTEGER,  -- bytes read
    write_bytes           INTEGER,  -- bytes written
    read_ns               INTEGER,  -- time of all reads added up; ns
    write_ns              INTEGER,  -- time of all writes added up; ns
    queue                 INTEGER,  -- I/Os waiting in the volume at the end
    read_hist             TEXT,     -- array: reads by latency, [from ns, to ns, reads]; JSON
    write_hist            TEXT,     -- array: writes by latency, [from ns, to ns, writes]; JSON
    PRIMARY KEY (cell_id, number)
) STRICT, WITHOUT ROWID;

-- What was found to limit a run; `blkmatrix diagnose` and reports make it when it is missing.
CREATE TABLE diagnosis (
    run_id           INTEGER PRIMARY KEY REFERENCES run (id) ON DELETE CASCADE,
    version          INTEGER NOT NULL, -- of the method that found it
    document         TEXT NOT NULL     -- as `diagnose --format json` prints it; JSON
) STRICT;

-- It follows from the cells and the limits of the run: when one of them changes, it goes.
CREATE TRIGGER cell_added AFTER INSERT ON cell
BEGIN DELETE FROM diagnosis WHERE run_id = new.run_id; END;
CREATE TRIGGER cell_removed AFTER DELETE ON cell
BEGIN DELETE FROM diagnosis WHERE run_id = old.run_id; END;
CREATE TRIGGER limit_added AFTER INSERT ON run_limit
BEGIN DELETE FROM diagnosis WHERE run_id = new.run_id; END;
CREATE TRIGGER limit_changed AFTER UPDATE ON run_limit
BEGIN DELETE FROM diagnosis WHERE run_id = new.run_id; END;
CREATE TRIGGER limit_removed AFTER DELETE ON run_limit
BEGIN DELETE FROM diagnosis WHERE run_id = old.run_id; END;

-- Share of the I/Os of a cell (all directions) in a latency range, as fio's tables give it.
CREATE VIEW lat_bucket AS
SELECT
    c.id AS cell_id,
    b.id AS number,                  -- rises in the order of the source
    CAST(b.key AS INTEGER) AS lo_ns, -- lo <= latency < hi; NULL: open end
    nullif(CAST(substr(b.key, instr(b.key, '-') + 1) AS INTEGER), 0) AS hi_ns,
    b.value AS share                 -- 0..1
FROM cell AS c, json_each(c.lat_buckets) AS b;

-- Runs, one flat row each.
CREATE VIEW v_run AS
SELECT
    r.id,
    r.uuid,
    r.name,
    (SELECT group_concat(key || '=' || value, ',') FROM label WHERE run_id = r.id) AS labels,
    strftime('%Y-%m-%dT%H:%M:%SZ', r.started_ns / 1000000000, 'unixepoch') AS started,
    (r.finished_ns - r.started_ns) / 1e9 AS seconds,
    r.status,
    r.tool,
    (SELECT count(*) FROM cell WHERE run_id = r.id AND round IS NULL) AS cells,
    (SELECT group_concat(path, ' ') FROM device WHERE run_id = r.id) AS devices,
    h.hostname,
    h.kernel,
    h.instance_type,
    r.source_path,
    r.command
FROM run AS r
LEFT JOIN host AS h ON h.run_id = r.id;

-- Cells, one flat row each direction: the view for questions in plain SQL. Rounds of a test for steady
-- state are not in it, their result is.
CREATE VIEW v_cell AS
SELECT
    r.id AS run,
    r.name AS run_name,
    (SELECT group_concat(key || '=' || value, ',') FROM label WHERE run_id = r.id) AS labels,
    c.id AS cell,
    c.name AS job,
    (SELECT group_concat(path, ' + ')
     FROM cell_device AS cd JOIN device AS dv ON dv.run_id = c.run_id AND dv.number = cd.device
     WHERE cd.cell_id = c.id) AS devices,
    c.rw,
    c.rwmixread,
    c.bs,
    c.iodepth,
    c.numjobs,
    c.engine,
    c.direct,
    c.repeat,
    c.stage,                         -- histogram: a long measurement beside the results
    c.status,
    d.direction,
    d.ios,
    d.bytes,
    d.runtime_ns / 1e9 AS runtime_s,
    d.iops,
    d.bw,                            -- bytes/s
    d.bw / 1048576.0 AS mib_s,       -- MiB/s
    d.bw / 1e6 AS mb_s,              -- MB/s
    l.kind AS latency,               -- which latency the next columns are, ns
    l.min AS lat_min,
    l.mean AS lat_mean,
    l.stddev AS lat_stddev,
    l.p50,
    l.p90,
    l.p99,
    l.p99_9,
    l.max AS lat_max,
    c.cpu_per_io_ns
FROM cell AS c
JOIN run AS r ON r.id = c.run_id
JOIN direction AS d ON d.cell_id = c.id AND d.part = -1
LEFT JOIN latency AS l
    ON l.cell_id = d.cell_id AND l.part = d.part AND l.direction = d.direction
    AND l.kind = d.main_latency
WHERE c.round IS NULL;

-- "BLKM": how the program (and file(1)) knows its own files.
PRAGMA application_id = 0x424c4b4d;
