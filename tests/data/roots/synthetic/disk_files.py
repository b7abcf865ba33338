# SPDX-License-Identifier: GPL-3.0-or-later
"""Disks below /sys and in /proc/diskstats, and swap.

Documentation/admin-guide/iostats.rst, Documentation/ABI/stable/sysfs-block,
Documentation/admin-guide/blockdev/zram.rst, drivers/nvme/host/{core,sysfs}.c,
Documentation/ABI/testing/sysfs-ata.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.data.roots.synthetic.tree import Content, Tree

QUEUE: Mapping[str, Content] = {
    "add_random": 0,
    "discard_granularity": 512,
    "fua": 1,
    "hw_sector_size": 512,
    "io_poll": 0,
    "iostats": 1,
    "logical_block_size": 512,
    "max_sectors_kb": 512,
    "nomerges": 0,
    "nr_requests": 1023,
    "physical_block_size": 512,
    "read_ahead_kb": 128,
    "rotational": 0,
    "rq_affinity": 1,
    "scheduler": "[none] mq-deadline kyber bfq ",
    "stable_writes": 0,
    "wbt_lat_usec": 2000,
    "write_cache": "write back",
    "zoned": "none",
}
DEADLINE: Mapping[str, Content] = {  # block/mq-deadline.c
    "async_depth": 48,
    "fifo_batch": 16,
    "front_merges": 1,
    "prio_aging_expire": 10000,
    "read_expire": 500,
    "write_expire": 5000,
    "writes_starved": 2,
}


@dataclass(frozen=True)
class Work:
    """The seventeen numbers of diskstats: each kind is count, merged, sectors and ms.

    ``queue`` is requests in flight, ms with any in flight, and ms weighted by their number;
    ``flushes`` have no merged ones and no sectors.
    """

    reads: tuple[int, int, int, int]
    writes: tuple[int, int, int, int]
    queue: tuple[int, int, int]
    discards: tuple[int, int, int, int] = (0, 0, 0, 0)
    flushes: tuple[int, int] = (0, 0)

    @property
    def numbers(self) -> tuple[int, ...]:
        """In the order of the file."""
        return (*self.reads, *self.writes, *self.queue, *self.discards, *self.flushes)


@dataclass(frozen=True)
class Disk:
    """A whole disk, its folder below /sys/devices and what it has done."""

    name: str
    folder: str
    number: str
    sectors: int
    diskseq: int
    work: Work
    in_flight: tuple[int, int] = (0, 0)
    queue: Mapping[str, Content] = field(default_factory=dict)
    files: Mapping[str, Content] = field(default_factory=dict)
    partitions: int = 0


def add_disks(tree: Tree, disks: Iterable[Disk]) -> None:
    """All disks, their partitions and /proc/diskstats."""
    rows = []
    for disk in disks:
        _add_disk(tree, disk)
        major, minor = (int(part) for part in disk.number.split(":"))
        rows.append(_row(major, minor, disk.name, disk.work.numbers))
        for partition in range(1, disk.partitions + 1):
            half = tuple(number // 2 for number in disk.work.numbers)
            rows.append(_row(major, minor + partition, _partition(disk, partition), half))
    tree.put("/proc/diskstats", "\n".join(rows))


def add_zram_swap(tree: Tree, size_bytes: int, used_kib: int, mm_stat: tuple[int, ...]) -> None:
    """What zram0 has beyond a disk, and that it is the swap. ``mm_stat``: zram.rst."""
    files: dict[str, Content] = {
        "disksize": size_bytes,
        "initstate": 1,
        "comp_algorithm": "lzo-rle lzo lz4 lz4hc [zstd] deflate 842 ",
        "mm_stat": " ".join(f"{value:>8}" for value in mm_stat),
        "io_stat": "       0        0        0        0",
        "bd_stat": "       0        0        0",
        "backing_dev": "none",
    }
    tree.put_all("/sys/devices/virtual/block/zram0", files)
    size_kib = size_bytes // 1024 - 4  # the first page holds the signature
    add_swaps(tree, [("/dev/zram0", "partition", size_kib, used_kib, 100)])


def add_swaps(tree: Tree, areas: Iterable[tuple[str, str, int, int, int]]) -> None:
    """/proc/swaps as mm/swapfile.c prints it: name, kind, size and use in KiB, priority."""
    lines = ["Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority"]
    for name, kind, size_kib, used_kib, priority in areas:
        padded = name + " " * max(40 - len(name), 1)
        wide = ["\t" if kib < 10_000_000 else "" for kib in (size_kib, used_kib)]
        kind_text = kind if kind == "partition" else f"{kind}\t"
        lines.append(f"{padded}{kind_text}\t{size_kib}\t{wide[0]}{used_kib}\t{wide[1]}{priority}")
    tree.put("/proc/swaps", "\n".join(lines))


def add_nvme(tree: Tree, name: str, folder: str, files: Mapping[str, Content]) -> None:
    """An NVMe controller that can save power: its tolerance is the kernel's default."""
    common: dict[str, Content] = {
        "state": "live",
        "transport": "pcie",
        "cntrltype": "io",
        "queue_count": 17,
        "sqsize": 1023,
        "power/pm_qos_latency_tolerance_us": 100000,
        "power/control": "auto",
        "power/runtime_status": "unsupported",
        "uevent": "MAJOR=240\nMINOR=0\nDEVNAME=nvme0\nNVME_TRTYPE=pcie",
    }
    tree.put_all(folder, {**common, **files})
    tree.put("/sys/module/nvme_core/parameters/default_ps_max_latency_us", 100000)
    tree.link(f"/sys/class/nvme/{name}", folder)


def add_sata_host(tree: Tree, name: str, folder: str, policy: str) -> None:
    """A SATA port with the policy of its link; link_power_management_supported came in 6.12."""
    files: dict[str, Content] = {
        "proc_name": "ahci",
        "state": "running",
        "unique_id": int(name.removeprefix("host")) + 1,
        "link_power_management_policy": policy,
    }
    tree.put_all(folder, files)
    tree.link(f"/sys/class/scsi_host/{name}", folder)


def _add_disk(tree: Tree, disk: Disk) -> None:
    reads, writes = disk.in_flight
    stat = " ".join(f"{number:>8}" for number in disk.work.numbers)
    files: dict[str, Content] = {
        "dev": disk.number,
        "diskseq": disk.diskseq,
        "hidden": 0,
        "inflight": f"{reads:>9}{writes:>9}",
        "range": 0,
        "removable": 0,
        "ro": 0,
        "size": disk.sectors,
        "stat": stat,
        **disk.files,
    }
    tree.put_all(disk.folder, files)
    queue = {**QUEUE, **disk.queue}
    tree.put_all(f"{disk.folder}/queue", queue)
    if "[mq-deadline]" in str(queue["scheduler"]):
        tree.put_all(f"{disk.folder}/queue/iosched", DEADLINE)
    for parent in ("/sys/block", "/sys/class/block"):
        tree.link(f"{parent}/{disk.name}", disk.folder)
    for partition in range(1, disk.partitions + 1):
        name = _partition(disk, partition)
        share: dict[str, Content] = {"partition": partition, "size": disk.sectors // 2}
        tree.put_all(f"{disk.folder}/{name}", share)
        tree.link(f"/sys/class/block/{name}", f"{disk.folder}/{name}")


def _partition(disk: Disk, number: int) -> str:
    return f"{disk.name}p{number}" if disk.name[-1].isdigit() else f"{disk.name}{number}"


def _row(major: int, minor: int, name: str, numbers: Iterable[int]) -> str:
    return f"{major:>4} {minor:>7} {name} " + " ".join(map(str, numbers))
