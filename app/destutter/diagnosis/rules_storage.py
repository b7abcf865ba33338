# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about drives and about writing to them."""

from destutter.diagnosis.cause import Limits, Signal, gate, worst
from destutter.diagnosis.window import Window

_NO_DRIVES = ("loop", "ram", "zram", "sr", "fd", "nbd")
_BARELY_NOT = 0.99
_ROTATIONAL = "1"


def drives(window: Window, seconds: int = 1) -> list[str]:
    """Devices whose latency is their own: loop devices mirror the drive below them."""
    return [
        name
        for name in window.instances("disk.reads_per_s", seconds)
        if not name.startswith(_NO_DRIVES)
    ]


def dirty_throttling(window: Window, limits: Limits) -> Signal | None:
    """Unwritten data reached the kernel's limit, and somebody besides the writer pays for it.

    Above the middle of the two dirty thresholds ``balance_dirty_pages`` puts writers to sleep, up
    to 200 ms at a time (mm/page-writeback.c); close to the limit a game that saves or records
    waits as well, and the burst that follows holds up its reads. So beside a high share of the
    limit, or much data on its way to the drive, the game must write or reads must have become
    slow. A large copy that hurts nobody is no signal, nor is a high share that nobody adds to.
    """
    share = window.mean("memory.dirty_of_threshold_pct")
    written = window.mean("memory.dirtied_bytes_per_s", seconds=3)
    if share is None or written is None:
        return None
    if written < limits["dirtied_bytes_per_s"]:
        return None
    suffering = max(_slow_reads(window, limits), _waiting_writers(window, limits))
    strength = min(suffering, max(share / limits["share_pct"], _burst(window, limits)))
    if gate(window, "io", limits["pressure_pct"]) is False:
        strength = min(strength, _BARELY_NOT)
    evidence = (
        *worst(window, "memory.dirty_of_threshold_pct", limits["share_pct"]),
        *worst(window, "memory.writeback_bytes", limits["writeback_bytes"]),
        *worst(window, "write.worst_write_ms", limits["write_ms"]),
    )
    return Signal(strength, evidence)


def _burst(window: Window, limits: Limits) -> float:
    """How much data is on its way to the drives, in limits."""
    return (window.mean("memory.writeback_bytes") or 0.0) / limits["writeback_bytes"]


def _slow_reads(window: Window, limits: Limits) -> float:
    """How much slower than their usual time reads have become, in limits, on the worst drive."""
    worst_strength = 0.0
    for name in drives(window):
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
    one odd request does not decide, or no answer at all for a whole second. Large requests may
    take longer in proportion to their size: these are copies, not what a game waits for.
    """
    signals = [_slow_drive(window, name, limits) for name in drives(window)]
    measured = [signal for signal in signals if signal is not None]
    return max(measured, key=lambda signal: signal.strength, default=None)


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


def _stuck(window: Window, name: str) -> Signal | None:
    """Reads were in flight for the whole second and none was answered."""
    in_flight = window.low("disk.reads_in_flight", name)
    reads = window.mean("disk.reads_per_s", name)
    if not in_flight or reads is None or reads > 0:
        return None
    return Signal(10.0, worst(window, "disk.reads_in_flight", 1.0, name), name)


def is_rotational(window: Window, name: str) -> bool:
    """Whether a drive has turning discs."""
    return window.facts.get(f"disk.{name}.rotational") == _ROTATIONAL
