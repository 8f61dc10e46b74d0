#!/usr/bin/env python3
"""Makes files for import.sh, and does the same work as an import the usual way, for comparison.

    import_files.py make FOLDER TEMPLATE [N]    N files like TEMPLATE (default 1372), each with its own numbers
    import_files.py big FILE TEMPLATE MIB       one document of that size: the job of TEMPLATE again and again
    import_files.py load FOLDER DB              json.load and sqlite3 inserts of the same figures
"""
import json
import os
import re
import sqlite3
import sys


def varied(text, i):
    """The same file with other counts: contents must differ, or an import knows them already."""
    return re.sub(r'("(?:total_ios|ctx|N|max)" : )(\d+)', lambda m: m[1] + str(int(m[2]) + i), text)


def make(folder, template, n=1372):
    with open(template, encoding="utf-8", errors="surrogateescape") as f:
        text = f.read()
    os.makedirs(folder, exist_ok=True)
    for i in range(int(n)):
        with open(os.path.join(folder, f"run-{i:04d}.json"), "w", encoding="utf-8",
                  errors="surrogateescape") as f:
            f.write(varied(text, i))


def big(file, template, mib):
    with open(template, encoding="utf-8") as f:
        text = f.read()
    start, end = text.index("    {", text.index('"jobs"')), text.rindex("\n  ],")
    job, n = text[start:end], int(mib) * 1024 * 1024 // (end - start)
    name = re.search(r'"jobname" : "[^"]*', job)[0]
    with open(file, "w", encoding="utf-8") as f:
        f.write(text[:start])
        for i in range(n):
            f.write(("" if i == 0 else ",\n") + job.replace(name, f"{name}-{i}", 1))
        f.write(text[end:])


def latency(entry):
    return [entry.get(k) for k in ("N", "min", "max", "mean", "stddev")]


def load(folder, db):
    con = sqlite3.connect(db)
    con.execute("PRAGMA journal_mode=WAL")
    con.execute("CREATE TABLE run(id INTEGER PRIMARY KEY, path, version, timestamp, extra)")
    con.execute("CREATE TABLE cell(id INTEGER PRIMARY KEY, run, name, error, runtime, usr, sys, options, extra)")
    con.execute("CREATE TABLE direction(cell, dir, ios, bytes, runtime, iops, bw, short, iops_min, iops_max,"
                " iops_mean, iops_stddev, bw_min, bw_max, bw_mean, bw_dev)")
    con.execute("CREATE TABLE latency(cell, dir, kind, n, min, max, mean, stddev, percentiles)")
    con.execute("CREATE TABLE bucket(cell, position, label, share)")
    con.execute("CREATE TABLE disk(cell, name, read_ios, write_ios, read_merges, write_merges, read_ticks,"
                " write_ticks, in_queue, util)")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as f:
            doc = json.load(f)
        run = con.execute("INSERT INTO run VALUES(NULL,?,?,?,?)", (name, doc["fio version"], doc["timestamp_ms"],
                                                                  doc["time"])).lastrowid
        for job in doc["jobs"]:
            options = dict(doc.get("global options", {}), **job.get("job options", {}))
            extra = {k: job[k] for k in ("ctx", "majf", "minf", "iodepth_level", "iodepth_submit",
                                         "iodepth_complete") if k in job}
            cell = con.execute("INSERT INTO cell VALUES(NULL,?,?,?,?,?,?,?,?)", (
                run, job["jobname"], job["error"], job.get("job_runtime"), job["usr_cpu"], job["sys_cpu"],
                json.dumps(options), json.dumps(extra))).lastrowid
            for d in ("read", "write", "trim"):
                x = job[d]
                if not x["io_bytes"]:
                    continue
                con.execute("INSERT INTO direction VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", [cell, d] + [
                    x.get(k) for k in ("total_ios", "io_bytes", "runtime", "iops", "bw", "short_ios", "iops_min",
                                       "iops_max", "iops_mean", "iops_stddev", "bw_min", "bw_max", "bw_mean",
                                       "bw_dev")])
                for kind in ("slat_ns", "clat_ns", "lat_ns"):
                    con.execute("INSERT INTO latency VALUES(?,?,?,?,?,?,?,?,?)", [cell, d, kind] + latency(x[kind])
                                + [json.dumps(x[kind].get("percentile"))])
            rows = [(cell, i, label, share) for i, (label, share) in enumerate(
                (f"{table}:{label}", share) for table in ("latency_ns", "latency_us", "latency_ms")
                for label, share in job.get(table, {}).items()) if share]
            con.executemany("INSERT INTO bucket VALUES(?,?,?,?)", rows)
            for disk in doc.get("disk_util", []):
                con.execute("INSERT INTO disk VALUES(?,?,?,?,?,?,?,?,?,?)", [cell] + [disk.get(k) for k in (
                    "name", "read_ios", "write_ios", "read_merges", "write_merges", "read_ticks", "write_ticks",
                    "in_queue", "util")])
    con.commit()


if __name__ == "__main__":
    {"make": make, "big": big, "load": load}[sys.argv[1]](*sys.argv[2:])
