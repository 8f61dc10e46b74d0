#!/usr/bin/env python3
"""Makes the statistics pages of this folder: volumes before and after 30 s of load.

The layout is that of amazon-ec2-utils (ebsnvme) and nvme-cli (plugins/amzn), not of the parser under test:
magic, version, eleven 64-bit counters, 416 bytes of nothing, two histograms of 64 bins, 496 bytes of nothing.
"""
import pathlib
import struct

EBS, INSTANCE_STORE = 0x3C23B510, 0xEC2C0D7E
BOUNDS = [(0, 512), (512, 1024), (1024, 4096)]


def histogram(counts):
    bins = [(lo, hi, n, 0) for (lo, hi), n in zip(BOUNDS, counts)]
    bins += [(0, 0, 0, 0)] * (64 - len(bins))
    return struct.pack("<Q", len(counts)) + b"".join(struct.pack("<QQII", *b) for b in bins)


def page(magic=EBS, reads=0, writes=0, read_bytes=0, write_bytes=0, exceeded=(0, 0, 0, 0), queue=0):
    """What was there at the start, and so much more; every further I/O took 1024 to 4096 us."""
    return (struct.pack("<II11Q", magic, 0, 1000 + reads, 2000 + writes, 16384000 + read_bytes,
                        131072000 + write_bytes, 900000 + 2000 * reads, 3000000 + 2000 * writes, *exceeded, queue)
            + bytes(416) + histogram([600, 300, 100 + reads]) + histogram([1200, 600, 200 + writes]) + bytes(496))


PAGES = {
    "start": page(),
    "disk-tp": page(EBS, 1712, 28944, 448790528, 1896873984, (0, 4900000, 0, 0), 16),
    "disk-iops": page(EBS, 0, 12000, 0, 49152000, (29500000, 0, 0, 0), 32),
    "vm-tp": page(EBS, 3372, 38400, 883949568, 2516582400, (0, 0, 0, 4600000), 24),
    "both": page(EBS, 2360, 38400, 618659840, 2516582400, (1630000, 0, 0, 3370000), 20),
    "idle": page(EBS, 10, 10, 40960, 40960),
    "store-start": page(INSTANCE_STORE),
    "store-end": page(INSTANCE_STORE, 300000, 0, 1228800000, 0, (0, 0, 29000000, 1000), 7),
}

for name, content in PAGES.items():
    assert len(content) == 4096
    (pathlib.Path(__file__).parent / f"{name}.bin").write_bytes(content)
