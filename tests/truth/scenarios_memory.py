# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles with memory."""

import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.truth.machine import (
    MIB,
    CannotBeMadeError,
    Stage,
    cgroup,
    inside,
    meminfo_mib,
    settings,
    swap_on,
    zram_swap,
)
from tests.truth.scenario import Play, Scenario

_ROOM_MIB = 2400
_BURST_MIB = 1600
_VM = "/proc/sys/vm"
_THP = Path("/sys/kernel/mm/transparent_hugepage")
# Apart from each other, so that it is memory that the victim waits for.
ON_FIRST = ("taskset", "-c", str(min(os.sched_getaffinity(0))))
ON_LAST = ("taskset", "-c", str(max(os.sched_getaffinity(0))))
NICE = ("nice", "-n", "-20")


@contextlib.contextmanager
def _little_room(place: Stage, room_mib: int) -> Iterator[None]:
    """Only so much memory left for everybody: the rest is locked."""
    amount = meminfo_mib("MemAvailable") - room_mib
    if amount < 0:
        raise CannotBeMadeError(f"only {meminfo_mib('MemAvailable')} MiB are available")
    with place.stall("hold", amount):
        yield


def _fill_page_cache(path: Path, size: int) -> None:
    """Read a sparse file, so that free memory becomes page cache."""
    with path.open("wb") as file:
        file.truncate(size)
    with path.open("rb", buffering=0) as file:
        while file.read(8 * MIB):
            continue


@contextlib.contextmanager
def global_reclaim(place: Stage) -> Iterator[Play]:
    """Bursts of allocation by several threads over a full page cache.

    The watermarks are close together, so that the background worker is woken late, as on
    computers with little memory; the victim streams 12 MiB of fresh memory a frame.
    """
    sparse = place.disk / "sparse"
    close = {f"{_VM}/watermark_scale_factor": "1", f"{_VM}/min_free_kbytes": "16384"}
    with _little_room(place, _ROOM_MIB), settings(close):
        _fill_page_cache(sparse, 4 * _ROOM_MIB * MIB)

        try:
            yield Play(
                burst=lambda: place.stall("burst", _BURST_MIB, 4, prefix=[*NICE, *ON_FIRST]),
                victim={"alloc-kib": 12_288, "heap-mib": 240},
                prefix=[*NICE, *ON_LAST],
            )
        finally:
            sparse.unlink()


@contextlib.contextmanager
def group_reclaim(place: Stage) -> Iterator[Play]:
    """The victim's own group is full, as that of a game in a slice with a limit."""
    assets = place.disk / "sparse"
    with assets.open("wb") as file:
        file.truncate(4096 * MIB)
    with cgroup("memory", {"memory.limit_in_bytes": str(700 * MIB)}) as group:
        try:
            yield Play(
                burst=lambda: place.stall("burst", 500, 4, prefix=inside(group)),
                victim={
                    "alloc-kib": 1024,
                    "heap-mib": 100,
                    "assets": str(assets),
                    "read-kib": 2048,
                },
                prefix=[*inside(group), *NICE],
            )
        finally:
            assets.unlink()


@contextlib.contextmanager
def _swapping(place: Stage) -> Iterator[Play]:
    """The victim looks back at its memory while others push it out of its group."""
    with cgroup("memory", {"memory.limit_in_bytes": str(160 * MIB)}) as group:
        yield Play(
            burst=lambda: place.stall("burst", 280, 2, prefix=inside(group)),
            victim={"alloc-kib": 256, "heap-mib": 128, "look-kib": 2048},
            prefix=[*inside(group), *NICE],
        )


@contextlib.contextmanager
def swap_on_zram(place: Stage) -> Iterator[Play]:
    """Swap-in from compressed memory."""
    with zram_swap(1024 * MIB), _swapping(place) as play:
        yield play


@contextlib.contextmanager
def swap_on_file(place: Stage) -> Iterator[Play]:
    """Swap-in from a file on the drive."""
    path = place.disk / "swap"
    path.touch(0o600)
    subprocess.run(["fallocate", "-l", str(1024 * MIB), str(path)], check=True)
    try:
        with swap_on(path), _swapping(place) as play:
            yield play
    finally:
        path.unlink()


@contextlib.contextmanager
def compaction(place: Stage) -> Iterator[Play]:
    """Huge pages are wanted at once while free memory is in pieces of one page."""
    if not (_THP / "defrag").exists():
        raise CannotBeMadeError("this kernel has no transparent huge pages")
    wanted = {str(_THP / "enabled"): "madvise", str(_THP / "defrag"): "always"}
    pieces = meminfo_mib("MemAvailable") - 2500
    with settings(wanted), place.stall("holes", pieces):
        free = meminfo_mib("MemFree") - pieces // 2 - 200
        with contextlib.ExitStack() as stack:
            if free > 0:
                stack.enter_context(place.stall("hold", free))

            @contextlib.contextmanager
            def burst() -> Iterator[None]:
                with place.stall("burst", 1500, 2):
                    yield

            yield Play(burst=burst, victim={"alloc-kib": 4096, "heap-mib": 300, "huge": 1})


MEMORY = (
    Scenario(
        "global_reclaim",
        global_reclaim,
        frozenset({"direct_reclaim"}),
        also=frozenset({"run_queue_delay", "kswapd_overwhelmed"}),
    ),
    Scenario(
        "group_reclaim",
        group_reclaim,
        frozenset({"memcg_reclaim"}),
        also=frozenset({"run_queue_delay"}),
    ),
    Scenario(
        "swap_zram",
        swap_on_zram,
        frozenset({"swap_thrash"}),
        also=frozenset({"memcg_reclaim", "run_queue_delay"}),
    ),
    Scenario(
        "swap_file",
        swap_on_file,
        frozenset({"swap_thrash"}),
        also=frozenset({"memcg_reclaim", "slow_device", "run_queue_delay"}),
    ),
    Scenario(
        "compaction",
        compaction,
        frozenset({"compaction_stall"}),
        also=frozenset({"direct_reclaim", "kswapd_overwhelmed", "run_queue_delay"}),
    ),
)
