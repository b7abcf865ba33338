# SPDX-License-Identifier: GPL-3.0-or-later
"""Every setting that the helper could change, before and after a test."""

from contextlib import suppress
from pathlib import Path

VOLATILE = {"stat_refresh", "drop_caches", "compact_memory", "numa_stat"}
COUNTERS = {"pages_collapsed", "full_scans"}


def kernel_dump() -> dict[str, str]:
    """Return every setting that the helper could change, by path: sysctls, THP, block queues."""
    dump: dict[str, str] = {}
    paths = [path for path in Path("/proc/sys/vm").iterdir() if path.name not in VOLATILE]
    paths += Path("/sys/kernel/mm/transparent_hugepage").rglob("*")
    paths += Path("/sys/block").glob("*/queue/*")
    paths.append(Path("/proc/sys/kernel/split_lock_mitigate"))
    for path in paths:
        if path.is_file() and path.name not in COUNTERS and "/stats/" not in str(path):
            with suppress(OSError):
                dump[str(path)] = path.read_text()
    return dump


STOCK = {
    "/proc/sys/vm/swappiness": "60",
    "/proc/sys/vm/page-cluster": "3",
    "/proc/sys/vm/watermark_scale_factor": "10",
    "/proc/sys/vm/dirty_ratio": "20",
    "/sys/kernel/mm/transparent_hugepage/defrag": "madvise",
}
"""Where the tests begin, whatever this computer has been tuned to."""


def set_stock_values() -> None:
    """Write STOCK; `restore` brings back what was there before."""
    for path, value in STOCK.items():
        Path(path).write_text(value)


def differing(dump: dict[str, str]) -> list[str]:
    """Return the paths that are not as in `dump`."""
    return [path for path, value in kernel_dump().items() if dump.get(path, value) != value]


def restore(dump: dict[str, str]) -> None:
    """Write back what differs from `dump`."""
    for path in differing(dump):
        value = dump[path]
        if "[" in value:
            value = value.partition("[")[2].partition("]")[0]
        if "/dirty_" in path and value.strip() == "0":
            continue  # the other member of the pair is written; 0 is refused or breaks the pair
        with suppress(OSError):
            Path(path).write_text(value)
