# SPDX-License-Identifier: GPL-3.0-or-later
"""Troubles with memory."""

import contextlib
import os
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from tests.truth.machine import (
    MIB,
    CannotBeMadeError,
    Stage,
    cgroup,
    inside,
    late_workers,
    meminfo_mib,
    settings,
    swap_on,
    whole_mib,
    zram_swap,
)
from tests.truth.makes import Options
from tests.truth.scenario import Play, Scenario

_ROOM_MIB = 700
# Enough for nine bursts, which a trial with too few stutters comes to: at a quarter of its size
# the cold memory leaves 7,500 MiB. With less the kernel ends the programs instead.
_COLD_MIB = 10_000
_BURST_MIB = 900
_GROUP_COLD_MIB = 5500
_GROUP_BURST_MIB = 550
_STALL = frozenset({"stall"})
_BROWSERS = ("browser", "webcontent")
_MEMORY_SAVER = "memory-saver"
_LEFT_WHOLE_MIB = 100
_PUT_TOGETHER_MIB = 1100
_VM = "/proc/sys/vm"
_CLOSE_MARKS = {f"{_VM}/watermark_scale_factor": "1", f"{_VM}/min_free_kbytes": "16384"}
_THP = Path("/sys/kernel/mm/transparent_hugepage")
# Apart from each other, so that it is memory that the victim waits for.
_FIRST = min(os.sched_getaffinity(0))
ON_FIRST = ("taskset", "-c", str(_FIRST))
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


def _make_sparse(path: Path, size: int) -> None:
    """A file without data: it costs no drive anything."""
    with path.open("wb") as file:
        file.truncate(size)


def _kept_bursts(
    place: Stage, stack: contextlib.ExitStack, what: str, size_mib: int, prefix: Sequence[str]
) -> Callable[[], AbstractContextManager[None]]:
    """Bursts that take fresh memory and keep it until the end.

    What one gave back would be there for the next, and nobody would have to free anything.
    """

    @contextlib.contextmanager
    def burst() -> Iterator[None]:
        stack.enter_context(place.stall(what, size_mib, prefix=prefix))
        yield

    return burst


@contextlib.contextmanager
def global_reclaim(place: Stage) -> Iterator[Play]:
    """Bursts of allocation while memory is full of what has to be compressed to be freed.

    The watermarks are close together, so that the background worker is woken late, as on
    computers with little memory; the victim streams fresh memory in each frame.
    """
    with (
        zram_swap(2 * _COLD_MIB * MIB),
        _little_room(place, _COLD_MIB + _ROOM_MIB),
        place.stall("cold", _COLD_MIB),
        settings(_CLOSE_MARKS),
        contextlib.ExitStack() as stack,
    ):
        yield Play(
            burst=_kept_bursts(place, stack, "keep", _BURST_MIB, [*NICE, *ON_FIRST]),
            victim={"alloc-kib": 20_480, "heap-mib": 240, "work-ms": 2},
            prefix=[*NICE, *ON_LAST],
        )


@contextlib.contextmanager
def group_reclaim(place: Stage) -> Iterator[Play]:
    """The victim's own group is full, as that of a game in a slice with a limit."""
    limit = {"memory.limit_in_bytes": str((_GROUP_COLD_MIB + 500) * MIB)}
    with (
        zram_swap(2 * _COLD_MIB * MIB),
        cgroup("memory", limit) as group,
        place.stall("cold", _GROUP_COLD_MIB, prefix=inside(group)),
        contextlib.ExitStack() as stack,
    ):
        prefix = [*inside(group), *NICE]
        yield Play(
            burst=_kept_bursts(place, stack, "keep", _GROUP_BURST_MIB, [*prefix, *ON_FIRST]),
            victim={"alloc-kib": 20_480, "heap-mib": 240, "work-ms": 2},
            prefix=[*prefix, *ON_LAST],
        )


@contextlib.contextmanager
def _swapping(place: Stage) -> Iterator[Play]:
    """The victim looks back at its memory while others push it out of its group.

    The computer has memory free all the while: the limit is the reason, and that the pages come
    back from swap is how it is felt, which is told beneath it. (Swap without such a limit is in
    no scenario: it takes memory that is full as a whole, and then the kernel frees it first.)
    """
    with cgroup("memory", {"memory.limit_in_bytes": str(160 * MIB)}) as group:
        yield Play(
            burst=lambda: place.stall("burst", 280, 3, prefix=[*inside(group), *ON_FIRST]),
            victim={"alloc-kib": 256, "heap-mib": 128, "look-kib": 65_536},
            prefix=[*inside(group), *NICE, *ON_LAST],
        )


@contextlib.contextmanager
def swap_on_zram(place: Stage) -> Iterator[Play]:
    """Swap-in from compressed memory."""
    with zram_swap(1024 * MIB), _swapping(place) as play:
        yield play


@contextlib.contextmanager
def _swap_file(place: Stage) -> Iterator[None]:
    path = place.disk / "swap"
    path.touch(0o600)
    subprocess.run(["fallocate", "-l", str(1024 * MIB), str(path)], check=True)
    try:
        with swap_on(path):
            yield
    finally:
        path.unlink()


@contextlib.contextmanager
def swap_on_file(place: Stage) -> Iterator[Play]:
    """Swap-in from a file on the drive."""
    with _swap_file(place), _swapping(place) as play:
        yield play


@contextlib.contextmanager
def paged_out(place: Stage) -> Iterator[Play]:
    """Another program pages the game out, as one that saves memory does.

    What the game touches again is mostly still in the swap cache: it takes minor faults.
    """
    with _swap_file(place):
        yield Play(
            burst=lambda: place.stall(
                "pageout", place.victim_pid, prefix=ON_FIRST, name=_MEMORY_SAVER
            ),
            victim={"alloc-kib": 1024, "heap-mib": 240, "look-kib": 65_536, "work-ms": 2},
            prefix=[*NICE, *ON_LAST],
        )


@contextlib.contextmanager
def compaction(place: Stage) -> Iterator[Play]:
    """Huge pages are wanted at once while free memory is in pieces of one page.

    What is still whole is taken first, since a burst that finds enough of it moves nothing, and
    the kernel's own worker, which would put more together meanwhile, gets no processor.
    """
    if not (_THP / "defrag").exists():
        raise CannotBeMadeError("this kernel has no transparent huge pages")
    wanted = {str(_THP / "enabled"): "madvise", str(_THP / "defrag"): "always"}
    pieces = meminfo_mib("MemAvailable") - 2500
    with (
        settings(wanted),
        late_workers("kcompactd", _FIRST),
        place.stall("spin", 1, prefix=ON_FIRST),
        place.stall("holes", pieces),
        contextlib.ExitStack() as stack,
    ):
        whole = whole_mib() - _LEFT_WHOLE_MIB
        if whole > 0:
            stack.enter_context(place.stall("blocks", whole))
        victim: Options = {
            "alloc-kib": 92_160,
            "heap-mib": 240,
            "huge": 1,
            "work-ms": 1,
        }
        burst = _kept_bursts(place, stack, "huge", _PUT_TOGETHER_MIB, ON_FIRST)
        yield Play(burst=burst, victim=victim, prefix=[*NICE, *ON_LAST])


@contextlib.contextmanager
def small_group(place: Stage) -> Iterator[Play]:
    """The game alone in a group that is smaller than it, as in a container with a limit.

    A new place alone is larger than the group: part of it goes to compressed memory at once. (One
    of 100 MiB fitted as soon as the rest of the game was there, and made 3 stutters in a trial.)
    """
    with (
        zram_swap(1024 * MIB),
        cgroup("memory", {"memory.limit_in_bytes": str(160 * MIB)}) as group,
    ):
        victim = {"alloc-kib": 512, "heap-mib": 120, "load-mib": 240, "load-every": 1.6}
        yield Play(victim=victim, prefix=[*inside(group), *NICE])


@contextlib.contextmanager
def memory_burst(place: Stage) -> Iterator[Play]:
    """Two programs want much memory at once, on all processors, while the game loads too.

    With watermarks as far apart as the kernel's own the background worker keeps up in most bursts
    (2 and 3 stutters in two of four makes).
    """
    with (
        zram_swap(2 * _COLD_MIB * MIB),
        _little_room(place, _COLD_MIB + _ROOM_MIB),
        place.stall("cold", _COLD_MIB),
        settings(_CLOSE_MARKS),
        contextlib.ExitStack() as stack,
    ):

        @contextlib.contextmanager
        def burst() -> Iterator[None]:
            for name in _BROWSERS:
                stack.enter_context(place.stall("keep", _BURST_MIB // 2, name=name))
            yield

        victim = {"alloc-kib": 20_480, "heap-mib": 240, "work-ms": 2}
        yield Play(burst=burst, victim=victim)


MEMORY = (
    Scenario(
        "global_reclaim",
        global_reclaim,
        frozenset({"direct_reclaim"}),
        also=frozenset({"run_queue_delay", "kswapd_overwhelmed"}),
        culprits=_STALL,
    ),
    Scenario(
        "group_reclaim",
        group_reclaim,
        frozenset({"memcg_reclaim"}),
        also=frozenset({"run_queue_delay"}),
        culprits=_STALL,
    ),
    Scenario(
        "swap_zram",
        swap_on_zram,
        frozenset({"memcg_reclaim"}),
        also=frozenset({"swap_thrash", "run_queue_delay"}),
        culprits=_STALL,
    ),
    Scenario(
        "swap_file",
        swap_on_file,
        frozenset({"memcg_reclaim"}),
        also=frozenset({"swap_thrash", "slow_device", "run_queue_delay"}),
        culprits=_STALL,
    ),
    Scenario(
        "paged_out",
        paged_out,
        frozenset({"swap_thrash"}),
        also=frozenset({"run_queue_delay"}),
        culprits=frozenset({_MEMORY_SAVER}),
    ),
    Scenario(
        "compaction",
        compaction,
        frozenset({"compaction_stall"}),
        also=frozenset({"direct_reclaim", "kswapd_overwhelmed", "run_queue_delay"}),
        culprits=_STALL,
    ),
    Scenario(
        "small_group",
        small_group,
        frozenset({"memcg_reclaim"}),
        also=frozenset({"swap_thrash"}),
    ),
    Scenario(
        "memory_burst",
        memory_burst,
        frozenset({"direct_reclaim"}),
        also=frozenset({"run_queue_delay", "kswapd_overwhelmed", "swap_thrash"}),
        culprits=frozenset(_BROWSERS),
    ),
)
