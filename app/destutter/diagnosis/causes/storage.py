# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes about drives and about writing to them."""

import itertools
from dataclasses import replace

from destutter.core.statement import Statement
from destutter.diagnosis.causes import suspects
from destutter.diagnosis.causes.cause import (
    AT_ITS_WORST,
    AT_ONCE_MS,
    BARELY_NOT,
    CauseSpec,
    Limits,
    Signal,
    is_felt,
    unjudged,
    with_own_wait,
    worst,
)
from destutter.diagnosis.finding import OWN_LIMIT, Evidence, Group
from destutter.diagnosis.history.drives import (
    MIRROR,
    block_devices,
    games_drives,
    held_by_game,
    is_rotational,
)
from destutter.diagnosis.history.window import Window
from destutter.diagnosis.shares import SLOW_HDD_MS, SLOW_SSD_MS, SWAP_INS_PER_S

_WRITERS = ("game.dirty_wait_pct", "game.journal_wait_pct")
READAHEAD_BYTES = 64 * 1024.0  # one read of the usual readahead: who reads less waits for none
FELT_PCT = 1.0  # by pressure, where no game is watched: 1 ms of a tick of 100; a choice
_FREE_PCT = 50.0  # the middle of both dirty thresholds, in percent of their sum


def waiting_signal(
    window: Window,
    strength: float,
    evidence: tuple[Evidence, ...],
    limits: Limits,
    subject: str | None = None,
) -> Signal:
    """A signal with the game's own wait for drives; below the threshold when nobody waited."""
    if not is_felt(window, "io", limits["pressure_pct"]):
        strength = min(strength, BARELY_NOT)
    return with_own_wait(window, "io", Signal(strength, evidence, subject))


def dirty_throttling(window: Window, limits: Limits) -> Signal | None:
    """Unwritten data reached the kernel's limit, and somebody besides the writer pays for it.

    Above the middle of the two dirty thresholds ``balance_dirty_pages`` puts writers to sleep, up
    to 200 ms at a time (dirty_freerun_ceiling in mm/page-writeback.c); a game that saves or
    records waits as well, and the burst that follows holds up its reads. So beside that much
    unwritten data, or much on its way to the drive, the game must write or reads must have become
    slow. A large copy that hurts nobody is no signal, nor is a high share that nobody adds to.
    The game's main thread asleep in that very function is proof by itself.
    """
    share = window.mean("memory.dirty_of_threshold_pct")
    written = window.mean("memory.dirtied_bytes_per_s", seconds=3)
    if share is None or written is None:
        return None
    paused = (window.mean("game.dirty_wait_pct") or 0.0) / limits["paused_pct"]
    if written < limits["dirtied_bytes_per_s"] and paused < 1.0:
        return None
    suffering = max(_slow_reads(window, limits), _waiting_writers(window, limits), paused)
    full = max(_fullness(window, share, limits), _burst(window, limits), paused)
    strength = min(suffering, full)
    evidence = (
        *worst(window, "game.dirty_wait_pct", limits["paused_pct"]),
        *worst(window, "memory.dirty_of_sum_pct", _FREE_PCT),
        *worst(window, "memory.dirty_of_threshold_pct", limits["share_pct"]),
        *worst(window, "memory.writeback_bytes", limits["writeback_bytes"]),
        *worst(window, "write.worst_write_ms", limits["write_ms"]),
    )
    return waiting_signal(window, strength, evidence, limits)


def _fullness(window: Window, share_pct: float, limits: Limits) -> float:
    """How full the limit is: 1 where writers begin to wait, or as it was told before."""
    free = window.mean("memory.dirty_of_sum_pct")
    return share_pct / limits["share_pct"] if free is None else free / _FREE_PCT


def _burst(window: Window, limits: Limits) -> float:
    """How much data is on its way to the drives, in limits."""
    return (window.mean("memory.writeback_bytes") or 0.0) / limits["writeback_bytes"]


def _slow_reads(window: Window, limits: Limits) -> float:
    """How much slower than their usual time reads have become, in limits, on the worst drive."""
    worst_strength = 0.0
    for name in games_drives(window):
        await_ms = window.mean("disk.read_await_ms", name)
        usual_ms = window.median("disk.read_await_ms", name)
        if await_ms is None or usual_ms is None or await_ms < limits["read_floor_ms"]:
            continue
        limit_ms = max(usual_ms * limits["read_factor"], limits["read_floor_ms"])
        worst_strength = max(worst_strength, await_ms / limit_ms)
    return worst_strength


def _waiting_writers(window: Window, limits: Limits) -> float:
    """Whether the watched game writes, or the write probe itself was held up, in limits."""
    game = (window.mean("game.write_bytes_per_s") or 0.0) / limits["game_bytes_per_s"]
    probe = (window.peak("write.worst_write_ms") or (0.0, 0))[0] / limits["write_ms"]
    return max(game, probe)


def slow_device(window: Window, limits: Limits) -> Signal | None:
    """A drive answers reads slowly (Documentation/admin-guide/iostats.rst).

    The average time of a read from its request to its answer, over at least so many reads that
    one odd request does not decide, or no answer at all for a whole second. Requests of several
    megabytes may take longer in proportion: these are copies, not what a game waits for.

    One slow answer among few, or many of a drive that is asked by others too, shows in no average:
    then the game's main thread tells, asleep for the drive much of the time or for the length of
    a stutter at once, as far as the drive had requests meanwhile. Those that a group's limit holds
    back never reach it, and are told as that limit's.
    """
    names = held_by_game(window, block_devices(window))
    signals = [_slow_drive(window, name, limits) for name in names]
    measured = [signal for signal in signals if signal is not None]
    # A loop device is as slow as the drive below it; that one is the better name.
    own = [each for each in measured if not (each.subject or "").startswith(MIRROR)]
    best = max(own, key=_strength, default=None)
    if best is None or best.strength < 1.0:
        held = _held_back(window, limits)
        best = max((*measured, *held), key=_strength, default=None)
    return None if best is None else reading_signal(window, best, limits)


def reading_signal(window: Window, signal: Signal, limits: Limits) -> Signal:
    """A signal about reads with the game's own wait for drives.

    Below the threshold when the game neither waited nor read: others' reads are slow then. A game
    that reads without waiting at the spot (io_getevents is in no pressure) is not cleared.
    """
    waited = window.peak("game.pressure_some_pct", "io", seconds=2)
    read = window.mean("game.read_bytes_per_s", seconds=3)
    strength = signal.strength
    if waited is not None and waited[0] <= 0 and read is not None:
        strength = strength if read >= limits["game_bytes_per_s"] else min(strength, BARELY_NOT)
    return with_own_wait(window, "io", replace(signal, strength=strength))


def _strength(signal: Signal) -> float:
    return signal.strength


def _slow_drive(window: Window, name: str, limits: Limits) -> Signal | None:
    limit_ms = limits["hdd_ms" if is_rotational(window, name) else "ssd_ms"]
    stuck = _stuck(window, name)
    if stuck is not None:
        return stuck
    reads = window.mean("disk.reads_per_s", name)
    await_ms = window.mean("disk.read_await_ms", name)
    if reads is None:
        return None
    evidence = worst(window, "disk.read_await_ms", limit_ms, name)
    if await_ms is None or reads < limits["reads_per_s"]:
        return Signal(0.0, evidence, name)
    size = (window.mean("disk.read_bytes_per_s", name) or 0.0) / reads
    allowance = max(1.0, size / limits["request_bytes"])
    evidence += worst(window, "disk.queue_depth", 1.0, name)
    return Signal(await_ms / allowance / limit_ms, evidence, name)


def _held_back(window: Window, limits: Limits) -> tuple[Signal, ...]:
    """The game reads or saves, and its main thread waits for that, while no drive is slow.

    What comes back from swap is read by the game too, and has its own rule; so have writers that
    the kernel puts to sleep, and the commits of file systems.
    """
    swapped = window.mean("memory.swap_in_per_s", seconds=2) or 0.0
    if swapped >= limits["swap_pages_per_s"]:
        return ()
    blocked = window.mean("game.blocked_pct", seconds=2)
    waited = window.mean("game.pressure_some_pct", "io")
    moved = ("game.read_bytes_per_s", "game.write_bytes_per_s")
    moves = any(window.mean(metric, seconds=3) for metric in moved)
    if blocked is None or waited is None or not moves:
        return ()
    strength = _longest_wait_ms(window) / limits["waited_ms"]
    if not any(map(window.mean, _WRITERS)):
        much = min(blocked / limits["blocked_pct"], waited / limits["waited_pct"])
        strength = max(strength, much)
    evidence = (
        *worst(window, "game.blocked_pct", limits["blocked_pct"], seconds=2),
        *worst(window, "game.pressure_some_pct", limits["waited_pct"], "io"),
    )
    name, requests = _fullest(window)
    limited = window.mean("cgroup.io_limits", seconds=2)
    if requests is None or requests >= limits["requests"] * waited / 100.0:
        return (Signal(strength, evidence, name),)
    if limited is None:
        # Recordings from before limits were read: which of both it was nobody can tell.
        return (Signal(strength, evidence),)
    if not limited:
        # Something else above the drives, of which the threads may know more.
        return ()
    return (Signal(strength, evidence, kind=OWN_LIMIT),)


def _fullest(window: Window) -> tuple[str | None, float | None]:
    """The drive with most requests in it on average, and how many; None where none is measured.

    Whoever waits for a drive has one in it all the while. The time of requests is booked when they
    end, so those without an answer count as they are.
    """
    found = {
        name: max(depth, window.low("disk.reads_in_flight", name) or 0.0)
        for name in held_by_game(window, block_devices(window))
        if (depth := window.mean("disk.queue_depth", name)) is not None
    }
    name = max(found, key=lambda each: found[each], default=None)
    return (None, None) if name is None else (name, found[name])


def _longest_wait_ms(window: Window) -> float:
    """How long the game waited for drives at once, with its main thread seen asleep for them.

    One wait of the length of a stutter is little in a second. It may lie across two ticks; those
    that end in the newest second count, so that no wait counts twice.
    """
    newest = window.newest
    start_ns = 0 if newest is None else newest.start_ns
    asleep = _ticks_with(window, "game.blocked_pct")
    asleep -= {at for metric in _WRITERS for at in _ticks_with(window, metric)}
    ticks = window.ticks("game.pressure_some_pct", "io", seconds=2)
    waits_ms = [
        10.0 * (earlier + later)
        for (before, earlier), (at, later) in itertools.pairwise([(0, 0.0), *ticks])
        if at > start_ns and not asleep.isdisjoint((before, at))
    ]
    return max(waits_ms, default=0.0)


def _ticks_with(window: Window, metric: str) -> set[int]:
    return {at for at, value in window.ticks(metric, seconds=2) if value}


def _stuck(window: Window, name: str) -> Signal | None:
    """Reads were in flight for the whole second and none was answered."""
    in_flight = window.low("disk.reads_in_flight", name)
    reads = window.mean("disk.reads_per_s", name)
    if not in_flight or reads is None or reads > 0:
        return None
    # A second without any answer needs no second one.
    return Signal(AT_ITS_WORST, worst(window, "disk.reads_in_flight", 1.0, name), name)


_MIB = 1024.0 * 1024.0

STORAGE: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="dirty_throttling",
        group=Group.STORAGE,
        rule=dirty_throttling,
        suspects=suspects.who_wrote,
        limits={
            # Where a recording has no background threshold.
            "share_pct": 80.0,
            # What logs and caches write on a resting desktop stays below it.
            "dirtied_bytes_per_s": _MIB,
            # So much on its way to the drive, and reads three times as slow; the X-Plane study saw
            # bursts of more than 1 GB.
            "writeback_bytes": 256 * _MIB,
            "read_factor": 3.0,
            "read_floor_ms": 5.0,
            # The write probe beside a game writes every 10 ms, and finds writes that block for 20.
            "write_ms": 20.0,
            "game_bytes_per_s": _MIB,
            # One tick in ten; three of them are an alarm.
            "paused_pct": 10.0,
            "pressure_pct": FELT_PCT,
        },
        # Unwritten data can never be three times what the limit allows: short of proof that the
        # game itself was put to sleep, twice the free run is what there is at most.
        alarm=1.5,
        watches=(
            "game.dirty_wait_pct",
            "game.pressure_some_pct",
            "memory.dirty_of_sum_pct",
            "memory.dirty_of_threshold_pct",
            "memory.dirtied_bytes_per_s",
            "memory.writeback_bytes",
            "disk.reads_per_s",
            "disk.read_await_ms",
            "game.write_bytes_per_s",
            "write.worst_write_ms",
            "pressure.some_pct",
        ),
        remembers=("disk.read_await_ms",),
        needs=(frozenset({"vmstat", "disk"}), frozenset({"vmstat", "write"})),
        tunables=(
            "vm.dirty_bytes",
            "vm.dirty_background_bytes",
            "vm.dirty_ratio",
            "vm.dirty_background_ratio",
        ),
    ),
    CauseSpec(
        id="slow_device",
        group=Group.STORAGE,
        rule=slow_device,
        suspects=suspects.who_used_the_disk,
        limits={
            "ssd_ms": SLOW_SSD_MS,
            "hdd_ms": SLOW_HDD_MS,
            "reads_per_s": 10.0,
            # A drive of 50 MB/s moves this much within the limit for hard disks.
            "request_bytes": _MIB,
            # A fifth of the time; or at once as long as three refreshes at 60 Hz: a stutter.
            "blocked_pct": 20.0,
            "waited_pct": 20.0,
            "waited_ms": AT_ONCE_MS,
            "game_bytes_per_s": READAHEAD_BYTES,
            "swap_pages_per_s": SWAP_INS_PER_S,
            # Of a drive that is waited for all the time; there is one at least (drive_load.py).
            "requests": 0.5,
        },
        # 50 ms of a solid-state drive, 150 of a hard disk.
        alarm=2.5,
        watches=(
            "memory.swap_in_per_s",
            "game.dirty_wait_pct",
            "game.journal_wait_pct",
            "game.blocked_pct",
            "game.pressure_some_pct",
            "game.read_bytes_per_s",
            "game.write_bytes_per_s",
            "disk.reads_per_s",
            "disk.read_bytes_per_s",
            "disk.read_await_ms",
            "disk.reads_in_flight",
            "disk.queue_depth",
            "cgroup.io_limits",
        ),
        needs=(frozenset({"disk"}),),
        tunables=("block.scheduler", "block.wbt_lat_usec", "block.nr_requests"),
        explained_by=("io_unfairness", "nvme_power_state", "link_power"),
        yields_to=(
            "dropped_caches",
            "io_unfairness",
            "nvme_power_state",
            "link_power",
            "swap_thrash",
            "dirty_throttling",
            "filesystem_commit",
            # A host that gives its processors to others is late to answer for its drives too.
            "cpu_steal",
        ),
    ),
    CauseSpec(
        id="wbt_throttling",
        group=Group.STORAGE,
        rule=unjudged,
        suspects=suspects.nobody,
        limits={},
        tunables=("block.wbt_lat_usec",),
        unmeasurable=Statement("coverage.only_trace"),
        traced_by="wbt/wbt_timer",
    ),
)
