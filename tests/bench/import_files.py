#!/usr/bin/env python3
"""Makes files for import.sh, and does the same work as an import the usual way, for comparison.

    import_files.py make FOLDER TEMPLATE [N]    N files like TEMPLATE (default 1372), each with its own numbers
    import_files.py big FILE TEMPLATE MIB       one document of that size: the job of TEMPLATE again and again
    import_files.py load FOLDER DB SCHEMA       json.load and sqlite3 inserts of the same rows
"""
import hashlib
import json
import os
import re
import sqlite3
import sys
import uuid


def varied(text, i):
    """The same file with other counts: contents must differ, or an import knows them already."""
    return re.sub(r'("(?:total_ios|ctx|N|max)" : )([1-9]\d*)', lambda m: m[1] + str(int(m[2]) + i), text)


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


KINDS = ("slat", "clat", "lat")
BUCKETS = (("latency_ns", 1), ("latency_us", 1000), ("latency_ms", 1000000))
DISK = ("read_ios", "write_ios", "read_merges", "write_merges")
SHOWN = ("50.000000", "90.000000", "99.000000", "99.900000")


def insert(con, table, row):
    """One INSERT text a set of columns: sqlite3 keeps the prepared statements."""
    return con.execute(f"INSERT INTO {table} ({','.join(row)}) VALUES ({','.join('?' * len(row))})",
                       list(row.values())).lastrowid


def buckets(job):
    shares, low = {}, 0
    for table, unit in BUCKETS:
        for label, percent in job.get(table, {}).items():
            high = "" if label.startswith(">=") else int(label) * unit
            if percent:
                shares[f"{low}-{high}"] = round(percent * 1e6) / 1e8
            low = high
    return shares


def directions(con, cell, job):
    for name in ("read", "write", "trim"):
        x = job[name]
        if not x["total_ios"]:
            continue
        con.execute("INSERT INTO direction (cell_id, part, direction, main_latency, ios, bytes, runtime_ns, iops, bw,"
                    " short_ios, iops_mean, bw_mean, rate_samples) VALUES (?, -1, ?, 'clat', ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (cell, name, x["total_ios"], x["io_bytes"], x["runtime"] * 1000000, x["iops"], x["bw"] * 1024,
                     x["short_ios"], x["iops_mean"], x["bw_mean"] * 1024, x["iops_samples"]))
        for kind in KINDS:
            y = x[kind + "_ns"]
            percent = y.get("percentile", {})
            con.execute("INSERT INTO latency (cell_id, part, direction, kind, n, min, max, mean, stddev, p50, p90, p99,"
                        " p99_9, reported) VALUES (?, -1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        [cell, name, kind] + [y.get(k) for k in ("N", "min", "max", "mean", "stddev")] +
                        [percent.get(p) for p in SHOWN] +
                        [json.dumps({f"{float(p):g}": v for p, v in percent.items()}) if percent else None])


def cells(con, run, doc):
    for ordinal, job in enumerate(doc["jobs"]):
        options = dict(doc.get("global options", {}), **job.get("job options", {}))
        runtime = max(job[d]["runtime"] for d in ("read", "write", "trim"))
        depth = sum(job[d]["iops"] * job[d]["lat_ns"]["mean"] / 1e9 for d in ("read", "write"))
        extra = {k: job[k] for k in ("ctx", "majf", "minf", "iodepth_level", "latency_depth", "latency_percentile",
                                     "latency_target", "latency_window") if k in job}
        cell = insert(con, "cell", {
            "run_id": run, "ordinal": ordinal, "repeat": 1, "name": job["jobname"],
            "status": "partial" if job["error"] else "complete", "runtime_ns": runtime * 1000000,
            "depth_reached": depth, "caveats": '["several-sections"]', "extra": json.dumps(extra),
            "options": json.dumps({"job": job["jobname"]}), "lat_buckets": json.dumps(buckets(job)),
            "engine": options.get("ioengine")})
        con.execute("INSERT INTO cell_device VALUES (?, 0, 0)", (cell,))
        directions(con, cell, job)
        for number, disk in enumerate(doc.get("disk_util", ())):
            con.execute("INSERT INTO disk_stat (cell_id, number, name, read_ios, write_ios, read_merges, write_merges,"
                        " read_ns, write_ns, in_queue_ns, util) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        [cell, number, disk["name"]] + [disk[k] for k in DISK] +
                        [disk[k] * 1000000 for k in ("read_ticks", "write_ticks", "in_queue")] + [disk["util"] / 100])


def load(folder, db, schema):
    """The same rows and columns in the same tables, with the same check for what is there already."""
    con = sqlite3.connect(db)
    with open(schema, encoding="utf-8") as f:
        con.executescript(f"BEGIN; {f.read()}; COMMIT")
    con.execute("PRAGMA journal_mode=WAL")
    con.execute("PRAGMA synchronous=FULL")
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        with open(path, "rb") as f:
            data = f.read()
        sha256 = hashlib.sha256(data).hexdigest()
        if con.execute("SELECT id FROM run WHERE source_sha256 = ?", (sha256,)).fetchone():
            continue
        doc = json.loads(data)
        elapsed = max(job.get("elapsed", 0) for job in doc["jobs"])
        run = insert(con, "run", {
            "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, sha256)), "name": name[:-5], "tool": doc["fio version"],
            "status": "complete", "started_ns": (doc["timestamp_ms"] - elapsed * 1000) * 1000000,
            "finished_ns": doc["timestamp_ms"] * 1000000, "source_path": path, "source_sha256": sha256,
            "source_format": "fio-json", "extra": json.dumps({"time": doc["time"]})})
        options = dict(doc.get("global options", {}), **doc["jobs"][0].get("job options", {}))
        con.execute("INSERT INTO device (run_id, number, path) VALUES (?, 0, ?)", (run, options.get("filename")))
        cells(con, run, doc)
    con.commit()
    con.close()


if __name__ == "__main__":
    {"make": make, "big": big, "load": load}[sys.argv[1]](*sys.argv[2:])
