#!/usr/bin/env python3
"""Writes expected.tsv: what an import of the files of this folder must give.

Independent of the program: Python's own JSON reader, the rules of docs/import.md written down a
second time. Run it after adding a file; look at the difference before keeping it.
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# documents that are running totals of one process: only the last counts
SNAPSHOTS = {"d16-fio3.30-steadystate-3docs.json", "l08-status-interval.json"}
DIRECTIONS = ("read", "write", "trim", "mixed", "sync")
FIELDS = ("ios bytes runtime_ms iops bw slat_mean clat_n clat_min clat_max clat_mean clat_stddev "
          "clat_p50 clat_p99 lat_mean lat_max lat_p99").split()


def documents(text):
    decoder = json.JSONDecoder(strict=False)
    at = 0
    while True:
        at = text.find("{", at)
        if at < 0:
            return
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            at += 1
            continue
        if isinstance(value, dict) and ("jobs" in value or "client_stats" in value):
            yield value
        at = end


def bucket(v):
    """fio's histogram: index of a value, and the middle of that bucket (stat.h)."""
    if v < 128:
        return v, v
    e = v.bit_length() - 1 - 6
    i = min(((e + 1) << 6) + ((v >> e) & 63), 1855)
    e = (i >> 6) - 1
    return i, (1 << (e + 6)) + int((i % 64 + 0.5) * (1 << e))


class Latency:
    def __init__(self, direction, kind, ios):
        unit = 1
        data = direction.get(kind + "_ns")
        if data is None:
            data, unit = direction.get(kind, {}), 1000
        self.known = data.get("max", 0) > 0 or data.get("mean", 0) > 0
        self.n_stated = data.get("N")
        self.weight = data.get("N", ios)
        self.min, self.max = data.get("min", 0) * unit, data.get("max", 0) * unit
        self.mean, self.stddev = data.get("mean", 0) * unit, data.get("stddev", 0) * unit
        self.bins = None
        if data.get("bins"):
            self.bins = {}
            for key, count in data["bins"].items():
                index, _ = bucket(int(key) * unit)
                self.bins[index] = self.bins.get(index, 0) + count
            self.n_stated = sum(self.bins.values())
        self.reported = {float(p): v * unit for p, v in data.get("percentile", {}).items()}

    def merge(self, other):
        n = self.weight + other.weight
        delta = other.mean - self.mean
        squares = (self.stddev ** 2 * max(self.weight - 1, 0)
                   + other.stddev ** 2 * max(other.weight - 1, 0)
                   + delta ** 2 * self.weight * other.weight / n)
        self.mean += delta * other.weight / n
        self.stddev = (squares / (n - 1)) ** 0.5
        self.weight = n
        both = self.n_stated is not None and other.n_stated is not None
        self.n_stated = n if both else None
        self.min, self.max = min(self.min, other.min), max(self.max, other.max)
        if self.bins is not None and other.bins is not None:
            for index, count in other.bins.items():
                self.bins[index] = self.bins.get(index, 0) + count
        else:
            self.bins = None
        self.reported = {}
        self.known = self.known and other.known

    def percentile(self, p):
        if not self.known:
            return None
        if self.bins:
            total, seen = sum(self.bins.values()), 0
            for index in sorted(self.bins):
                seen += self.bins[index]
                if seen >= p / 100 * total:
                    middle = index
                    if index >= 128:
                        e = (index >> 6) - 1
                        middle = (1 << (e + 6)) + int((index % 64 + 0.5) * (1 << e))
                    return min(max(middle, self.min), self.max)
        for key, value in self.reported.items():
            if abs(key - p) < 1e-6:
                return value
        return None


class Direction:
    def __init__(self, name, data, version):
        self.name = name
        self.ios = data.get("total_ios")
        self.bytes = data.get("io_bytes")
        if self.bytes is not None and version < (2, 21):
            self.bytes *= 1024
        self.runtime = data.get("runtime")
        self.iops = data.get("iops")
        self.bw = data["bw_bytes"] if "bw_bytes" in data else data["bw"] * 1024 if "bw" in data else None
        if self.ios is None and self.iops:
            self.ios = round(self.iops * self.runtime / 1000)
        if name == "sync" and not self.ios:  # 3.33 counts the samples only
            self.ios = data.get("lat_ns", {}).get("N")
        self.lat = {kind: Latency(data, kind, self.ios or 0) for kind in ("slat", "clat", "lat")}
        self.used = bool(self.ios or self.bytes)

    def merge(self, other):
        if not other.used:
            return
        if not self.used:
            self.__dict__ = other.__dict__
            return
        for kind, lat in self.lat.items():
            lat.merge(other.lat[kind])
        self.ios += other.ios
        if self.bytes is not None:
            self.bytes += other.bytes
            self.runtime = max(self.runtime, other.runtime)
            self.iops = self.ios * 1000 / self.runtime
            self.bw = self.bytes * 1000 / self.runtime


def version_of(doc):
    return tuple(int(x) for x in re.findall(r"\d+", doc.get("fio version", "fio-99.0"))[:2])


def directions_of(entry, version):
    out = {n: Direction(n, entry[n], version) for n in DIRECTIONS if n in entry}
    if any(out[n].used for n in ("read", "write", "trim") if n in out):
        out.pop("mixed", None)
    return out


def cells_of(doc):
    entries = doc.get("jobs", doc.get("client_stats"))
    total = [e for e in entries if e["jobname"] == "All clients" and "client_stats" in doc]
    groups = {}
    for e in entries:
        if e in total:
            continue
        key = (e["jobname"], e["groupid"], json.dumps(e.get("job options")))
        groups.setdefault(key, []).append(e)
    version = version_of(doc)
    for (name, _, _), members in groups.items():
        sums = directions_of(members[0], version)
        for member in members[1:]:
            for n, d in directions_of(member, version).items():
                sums[n].merge(d)
        if len(groups) == 1 and total and len(members) > 1:
            for n, d in directions_of(total[0], version).items():
                for kind, lat in d.lat.items():
                    if not sums[n].lat[kind].bins:
                        sums[n].lat[kind].reported = lat.reported
        errors = [m["error"] for m in members if m["error"]]
        yield name, len(members), errors[0] if errors else 0, sums


def text_of(v):
    if v is None:
        return "-"
    return repr(v) if isinstance(v, float) else str(v)


def row_of(d):
    slat, clat, lat = d.lat["slat"], d.lat["clat"], d.lat["lat"]
    sync = d.name == "sync"
    return [d.ios, None if sync else d.bytes, None if sync else d.runtime,
            None if sync else d.iops, None if sync else d.bw,
            slat.mean if slat.known else None] + \
        ([clat.n_stated, clat.min, clat.max, clat.mean, clat.stddev, clat.percentile(50),
          clat.percentile(99)] if clat.known else [None] * 7) + \
        ([lat.mean, lat.max, lat.percentile(99)] if lat.known else [None] * 3)


def main():
    out = [["file", "run", "cell", "name", "members", "error", "direction"] + FIELDS]
    for file in sorted(os.listdir(HERE)):
        if not re.search(r"\.(json|txt)$", file):
            continue
        with open(os.path.join(HERE, file), encoding="utf-8-sig", errors="surrogateescape") as f:
            docs = list(documents(f.read()))
        if file in SNAPSHOTS:
            docs = docs[-1:]
        for r, doc in enumerate(docs):
            for c, (name, members, error, sums) in enumerate(cells_of(doc)):
                used = [d for d in sums.values() if d.used]
                for d in used:
                    out.append([file, r, c, name, members, error, d.name] + row_of(d))
                if not used:
                    out.append([file, r, c, name, members, error, "-"] + [None] * len(FIELDS))
    with open(os.path.join(HERE, "expected.tsv"), "w", encoding="utf-8",
              errors="surrogateescape") as f:
        for row in out:
            f.write("\t".join(text_of(v) for v in row) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
