# SPDX-License-Identifier: GPL-3.0-or-later
"""What vm.min_free_kbytes and vm.watermark_scale_factor mean in pages, zone by zone.

The arithmetic is the kernel's own (``__setup_per_zone_wmarks`` in mm/page_alloc.c), integer
divisions included, so that a preview shows the very numbers that /proc/zoneinfo will print. All
figures are pages; the kernel adds its temporary boost to what it prints, which is not part of
this calculation.
"""

from collections.abc import Mapping
from dataclasses import dataclass

_MOVABLE_LEAST = 32  # SWAP_CLUSTER_MAX
_MOVABLE_MOST = 128  # pages: the clamp of __setup_per_zone_wmarks
_WITHOUT_LOWMEM = frozenset({"Movable", "HighMem"})


@dataclass(frozen=True, slots=True)
class ZoneMarks:
    """The marks of one zone: below ``low`` kswapd starts, up to ``high`` it works, and at
    ``min`` an allocation has to reclaim by itself."""

    min: int
    low: int
    high: int

    @property
    def lead(self) -> int:
        """Pages between the start of kswapd and direct reclaim."""
        return self.low - self.min


def zone_marks(
    managed: Mapping[str, int], min_free_kbytes: int, scale_factor: int, page_kib: int = 4
) -> dict[str, ZoneMarks]:
    """The marks of every zone.

    ``managed`` has the managed pages of each zone, named as in /proc/zoneinfo with the node in
    front ("node0/Normal"). A zone without managed pages has no marks except Movable, to which
    the kernel gives its smallest.
    """
    pages_min = min_free_kbytes // page_kib
    lowmem = sum(pages for zone, pages in managed.items() if not _is_without_lowmem(zone))
    marks = {}
    for zone, pages in managed.items():
        share = pages_min * pages // lowmem if lowmem else 0
        least = share
        if _is_without_lowmem(zone):
            least = min(max(pages // 1024, _MOVABLE_LEAST), _MOVABLE_MOST)
        gap = max(share // 4, pages * scale_factor // 10_000)
        marks[zone] = ZoneMarks(least, least + gap, least + 2 * gap)
    return marks


@dataclass(frozen=True, slots=True)
class MarksTotal:
    """Sums over all zones, in bytes. While the game streams, free memory swings between ``low``
    and ``high``: that is what the page cache gives up."""

    min_bytes: int
    low_bytes: int
    high_bytes: int

    @property
    def lead_bytes(self) -> int:
        """How much may be allocated after kswapd started before direct reclaim begins."""
        return self.low_bytes - self.min_bytes


def total_marks(marks: Mapping[str, ZoneMarks], page_kib: int = 4) -> MarksTotal:
    """The sums of the marks of all zones that hold memory."""
    page = page_kib * 1024
    return MarksTotal(
        sum(zone.min for zone in marks.values()) * page,
        sum(zone.low for zone in marks.values()) * page,
        sum(zone.high for zone in marks.values()) * page,
    )


def needed_scale_factor(managed_mib: float, peak_mib_per_s: float, lead_s: float) -> int:
    """The scale factor that gives kswapd ``lead_s`` seconds at this rate of allocation.

    One step is a ten-thousandth of the managed memory; the result is within the kernel's range
    of 1 to 3000 and not yet within a safe one.
    """
    if managed_mib <= 0:
        raise ValueError("managed memory must be positive")
    needed = -(-10_000 * peak_mib_per_s * lead_s // managed_mib)
    return int(min(max(needed, 1), 3000))


def available_loss_bytes(before: MarksTotal, after: MarksTotal, cache_bytes: int) -> int:
    """By how much MemAvailable falls when the marks move from one to the other.

    MemAvailable takes the sum of ``high`` off the free pages and half of the page cache, or
    ``low`` where that is less (si_mem_available in mm/show_mem.c).
    """
    low_before = min(cache_bytes // 2, before.low_bytes)
    low_after = min(cache_bytes // 2, after.low_bytes)
    return (after.high_bytes - before.high_bytes) + (low_after - low_before)


def _is_without_lowmem(zone: str) -> bool:
    return zone.rpartition("/")[2] in _WITHOUT_LOWMEM
