# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about single drives: who else uses them, how they sleep, and what writing costs."""

from dataclasses import replace

from destutter.diagnosis.cause import Limits, Signal, worst
from destutter.diagnosis.idle_waits import spread
from destutter.diagnosis.rules_storage import (
    drives,
    is_rotational,
    reading_signal,
    waiting_signal,
)
from destutter.diagnosis.window import Window

_BARELY_NOT = 0.99


def io_unfairness(window: Window, limits: Limits) -> Signal | None:
    """The game's reads wait behind somebody who keeps the drive's queue full.

    Reads are slow while others move at least ten times as much as the game, which reads itself.
    What others move is what the drive moved without the game's own part: processes are looked at
    too seldom. Without a scheduler a deep queue inside the drive serves the many first.
    """
    own = window.mean("game.read_bytes_per_s", seconds=3)
    if own is None:
        return None
    best = Signal(0.0, ())
    waited = _waited_for_drives(window, limits)
    for name in drives(window):
        read = window.mean("disk.read_bytes_per_s", name) or 0.0
        moved = read + (window.mean("disk.write_bytes_per_s", name) or 0.0) - own
        is_unfair = moved >= max(limits["times"] * own, limits["other_bytes_per_s"])
        signal = _waiting_reads(window, name, limits)
        strength = max(signal.strength, waited)
        if own >= limits["game_bytes_per_s"] and is_unfair and strength > best.strength:
            by = worst(window, "disk.queue_depth", limits["queue"], name)
            best = Signal(strength, (*signal.evidence, *by), name)
    evidence = worst(window, "game.pressure_some_pct", limits["waited_pct"], "io")
    return reading_signal(window, replace(best, evidence=(*best.evidence, *evidence)), limits)


def _waited_for_drives(window: Window, limits: Limits) -> float:
    """The game's own wait in limits: one slow read among quick ones is lost in their average."""
    swapped = window.mean("memory.swap_in_per_s", seconds=2) or 0.0
    if swapped >= limits["swap_pages_per_s"]:
        return 0.0
    if any(map(window.mean, ("game.dirty_wait_pct", "game.journal_wait_pct"))):
        return 0.0
    return (window.mean("game.pressure_some_pct", "io") or 0.0) / limits["waited_pct"]


def _waiting_reads(window: Window, name: str, limits: Limits) -> Signal:
    limit_ms = limits["hdd_ms" if is_rotational(window, name) else "ssd_ms"]
    reads = window.mean("disk.reads_per_s", name) or 0.0
    await_ms = window.mean("disk.read_await_ms", name)
    if await_ms is None or reads < limits["reads_per_s"]:
        return Signal(0.0, (), name)
    return Signal(await_ms / limit_ms, worst(window, "disk.read_await_ms", limit_ms, name), name)


def nvme_power_state(window: Window, limits: Limits) -> Signal | None:
    """An NVMe drive wakes from a deep power state when it is asked after a pause.

    The kernel lets the drive go there after 100 ms of rest (drivers/nvme/host/core.c). The mark:
    several slow reads in five minutes, most of them after a pause, and all of nearly the same
    length. Slow reads without a pause before them are housekeeping of the drive.
    """
    names = [name for name in drives(window, 30) if name.startswith("nvme")]
    return _asleep(window, names, limits)


def link_power(window: Window, limits: Limits) -> Signal | None:
    """A SATA link, or a hard disk's motor, has to start again after a pause.

    As for NVMe, on drives of the SCSI layer; and a single wait of seconds on a hard disk that
    rested for minutes is its motor.
    """
    names = [name for name in drives(window, 30) if name.startswith("sd")]
    started = [_spin_up(window, name, limits) for name in names if is_rotational(window, name)]
    asleep = _asleep(window, names, limits)
    signals = [signal for signal in (asleep, *started) if signal is not None]
    return max(signals, key=lambda signal: signal.strength, default=None)


def _asleep(window: Window, names: list[str], limits: Limits) -> Signal | None:
    if not names:
        return None
    signals = [_sleeper(window, name, limits) for name in names]
    return max(signals, key=lambda signal: signal.strength)


def _sleeper(window: Window, name: str, limits: Limits) -> Signal:
    """Strength above 1 only in the second of such a read, once the pattern is established."""
    slow = window.idle_waits.slow_reads(name)
    rested = [each for each in slow if each.rest_s >= limits["rest_s"]]
    newest = window.newest
    if newest is None or not rested or rested[-1].monotonic_ns <= newest.start_ns:
        return Signal(0.0, (), name)
    evidence = worst(window, "disk.read_await_ms", 5.0, name)
    is_alike = spread([each.await_ms for each in rested]) < limits["spread"]
    is_mostly = len(rested) > limits["share"] * len(slow)
    strength = len(rested) / limits["events"] if is_alike and is_mostly else 0.0
    return Signal(strength, evidence, name)


def _spin_up(window: Window, name: str, limits: Limits) -> Signal | None:
    newest, slow = window.newest, window.idle_waits.slow_reads(name)
    if newest is None or not slow or slow[-1].monotonic_ns <= newest.start_ns:
        return None
    if slow[-1].rest_s < limits["motor_rest_s"] or slow[-1].await_ms < limits["motor_ms"]:
        return None
    return Signal(10.0, worst(window, "disk.read_await_ms", limits["motor_ms"], name), name)


def filesystem_commit(window: Window, limits: Limits) -> Signal | None:
    """A file system waits for the drive to have written everything down (a flush).

    Programs that save, and the file system's own commits every 5 or 30 seconds, wait until the
    drive has emptied its cache (Documentation/admin-guide/iostats.rst, fields 16 and 17). Where
    nobody lost time to the drives, the flush happened in the background. The game's main thread
    asleep in the file system's commit is proof by itself.
    """
    found: list[Signal] = []
    for name in drives(window):
        await_ms = window.mean("disk.flush_await_ms", name)
        if window.mean("disk.flushes_per_s", name) is None:
            continue
        limit_ms = limits["hdd_ms" if is_rotational(window, name) else "ssd_ms"]
        strength = 0.0 if await_ms is None else await_ms / limit_ms
        found.append(Signal(strength, worst(window, "disk.flush_await_ms", limit_ms, name), name))
    best = max(found, key=lambda signal: signal.strength, default=None)
    if best is not None:
        best = waiting_signal(window, best.strength, best.evidence, limits, best.subject)
    asleep = _asleep_in_commit(window, limits)
    signals = [signal for signal in (best, asleep) if signal is not None]
    return max(signals, key=lambda signal: signal.strength, default=None)


def _asleep_in_commit(window: Window, limits: Limits) -> Signal | None:
    """The game's main thread in the file system's commit: no pressure counts that wait.

    Looked at once a tick, so a tick in which it was found there stands for its whole length.
    """
    metric = "game.journal_wait_pct"
    waits = window.mean(metric)
    if waits is None:
        return None
    stalls = tuple((at, asleep * 10.0) for at, asleep in window.ticks(metric) if asleep)
    evidence = worst(window, metric, limits["waits_pct"])
    return Signal(waits / limits["waits_pct"], evidence, stall_ms=waits * 10.0, stalls=stalls)


def page_cache_write(window: Window, limits: Limits) -> Signal | None:
    """A small buffered write took long although no limit held it back.

    The write probe measures writes and wake-ups apart: what came late only because the probe
    itself got no core is left out, and so is what the limit of unwritten data explains.
    """
    peak = window.peak("write.worst_write_ms")
    if peak is None:
        return None
    strength = peak[0] / limits["write_ms"]
    share = window.mean("memory.dirty_of_threshold_pct") or 0.0
    late_ms = (window.peak("write.worst_wake_ms") or (0.0, 0))[0]
    if share >= limits["dirty_pct"] or late_ms >= peak[0]:
        strength = min(strength, _BARELY_NOT)
    return Signal(strength, worst(window, "write.worst_write_ms", limits["write_ms"]))
