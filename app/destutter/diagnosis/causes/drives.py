# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes about single drives: who else uses them, how they sleep, and what writing costs."""

from dataclasses import replace

from destutter.core.metric_table import METRIC_BY_ID
from destutter.diagnosis.causes import suspects
from destutter.diagnosis.causes.cause import (
    AT_ITS_WORST,
    BARELY_NOT,
    IMMEDIATE,
    MS_PER_PCT,
    CauseSpec,
    Limits,
    Signal,
    Span,
    worst,
)
from destutter.diagnosis.causes.sleep_pattern import SleepPattern, is_slow_anyway, sleep_pattern
from destutter.diagnosis.causes.storage import (
    FELT_PCT,
    READAHEAD_BYTES,
    reading_signal,
    waiting_signal,
)
from destutter.diagnosis.circumstances.drive_load import WRITTEN_BACK_S, own_share
from destutter.diagnosis.finding import Evidence, Group
from destutter.diagnosis.history.drives import games_drives, is_rotational
from destutter.diagnosis.history.idle_waits import SLOW_READ_MS, Waking
from destutter.diagnosis.history.window import KEPT_S, Window
from destutter.diagnosis.shares import (
    OTHER_BYTES_PER_S,
    SLOW_HDD_MS,
    SLOW_SSD_MS,
    SWAP_INS_PER_S,
    TIMES_THE_GAME,
)


def io_unfairness(window: Window, limits: Limits) -> Signal | None:
    """The game's reads wait behind somebody who keeps the drive's queue full.

    Reads are slow while others move at least twice as much as the game, which reads itself.
    What others move is what the drive moved without the game's own part, of what is written that
    of the last seconds: processes are looked at too seldom. Without a scheduler a deep queue
    inside the drive serves the many first.
    """
    own = window.mean("game.read_bytes_per_s", seconds=3)
    if own is None:
        return None
    best = Signal(0.0, ())
    waited = _waited_for_drives(window, limits)
    for name in games_drives(window):
        read = window.mean("disk.read_bytes_per_s", name) or 0.0
        moved = max(read - own, 0.0) + _written_by_others(window, name)
        is_unfair = moved >= max(limits["times"] * own, limits["other_bytes_per_s"])
        signal = _waiting_reads(window, name, limits)
        strength = max(signal.strength, waited if _is_crowded(window, name, limits) else 0.0)
        if own >= limits["game_bytes_per_s"] and is_unfair and strength > best.strength:
            by = worst(window, "disk.queue_depth", limits["queue"], name)
            best = Signal(strength, (*signal.evidence, *by), name)
    evidence = worst(window, "game.pressure_some_pct", limits["waited_pct"], "io")
    return reading_signal(window, replace(best, evidence=(*best.evidence, *evidence)), limits)


def _written_by_others(window: Window, name: str) -> float:
    """What a program writes is counted before the drive has it (``drive_load.own_written``)."""
    metric = "write_bytes_per_s"
    own = window.mean(f"game.{metric}", seconds=WRITTEN_BACK_S) or 0.0
    drive = window.mean(f"disk.{metric}", name, seconds=WRITTEN_BACK_S) or 0.0
    share = own_share(own, drive)
    return (1.0 - share) * (window.mean(f"disk.{metric}", name) or 0.0)


def _waited_for_drives(window: Window, limits: Limits) -> float:
    """The game's own wait in limits: one slow read among quick ones is lost in their average."""
    swapped = window.mean("memory.swap_in_per_s", seconds=2) or 0.0
    if swapped >= limits["swap_pages_per_s"]:
        return 0.0
    if any(map(window.mean, ("game.dirty_wait_pct", "game.journal_wait_pct"))):
        return 0.0
    return (window.mean("game.pressure_some_pct", "io") or 0.0) / limits["waited_pct"]


def _is_crowded(window: Window, name: str, limits: Limits) -> bool:
    """Whether the drive had others' requests beside the game's while that waited.

    With fewer than one and a half in it whenever the game has one, nobody stands before the game
    for long: a drive that has nothing else to do answers.
    """
    waited = window.mean("game.pressure_some_pct", "io") or 0.0
    requests = window.mean("disk.queue_depth", name)
    return requests is None or requests >= limits["requests"] * waited / 100.0


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
    reads after a rest take the exit latency of a state, nearly all of them, and much less without
    one (``sleep_pattern``). Slow reads without a pause before them are housekeeping of the drive.
    """
    names = [name for name in games_drives(window, KEPT_S) if name.startswith("nvme")]
    return _asleep(window, names, limits)


def link_power(window: Window, limits: Limits) -> Signal | None:
    """A SATA link, or a hard disk's motor, has to start again after a pause.

    As for NVMe, on drives of the SCSI layer; and a single wait of seconds on a hard disk that
    rested for minutes is its motor.
    """
    names = [name for name in games_drives(window, KEPT_S) if name.startswith("sd")]
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
    """Strength above 1 only in the second of such a read, once the pattern is established.

    The pattern is the proof, so its first second counts at once, with all wake-ups that led to it.
    """
    newest, last = window.newest, window.idle_waits.newest(name)
    if newest is None or last is None or last.monotonic_ns <= newest.start_ns:
        return Signal(0.0, (), name)
    history = window.idle_waits.history(name)
    pattern = sleep_pattern(history, limits)
    if pattern is None or pattern.waits[-1][0].monotonic_ns <= newest.start_ns:
        return Signal(0.0, (), name, refutes=is_slow_anyway(history, limits))
    is_games = _reads_for_itself(window, name, limits["own_share"])
    return Signal(
        IMMEDIATE * max(len(pattern.waits) / limits["events"], 1.0),
        tuple(_wake_up(pattern, state_ms, name) for state_ms in pattern.states_ms),
        name,
        spans=tuple(
            Span(waking.start_ns, waking.monotonic_ns, _stall_ms(waking, is_games=is_games))
            for waking, _ in pattern.waits
        ),
        is_provisional=not pattern.is_compared,
    )


def _wake_up(pattern: SleepPattern, state_ms: float, name: str) -> Evidence:
    """The typical wake-up from a state, at the newest one that is nearest to it."""
    nearest = min(reversed(pattern.waits), key=lambda each: abs(each[1] - state_ms))
    at_ns = nearest[0].monotonic_ns
    metric = "disk.read_await_ms"
    return Evidence(metric, METRIC_BY_ID[metric].unit, state_ms, SLOW_READ_MS, at_ns, name)


def _stall_ms(waking: Waking, *, is_games: bool) -> float | None:
    """How long the game waited for a wake-up, where that was measured.

    Its own group tells. Without one the wait of the whole computer is the game's as far as it is
    the game that reads from the drive; a game that goes on while it reads is in no pressure.
    """
    if waking.game_ms is not None:
        return waking.game_ms
    return waking.anybody_ms if is_games else None


def _reads_for_itself(window: Window, name: str, share: float) -> bool:
    """Whether nearly all that was read from a drive in half a minute was read by the game."""
    own = window.mean("game.read_bytes_per_s", seconds=KEPT_S)
    read = window.mean("disk.read_bytes_per_s", name, seconds=KEPT_S)
    return bool(own and read and own >= share * read)


def _spin_up(window: Window, name: str, limits: Limits) -> Signal | None:
    newest, last = window.newest, window.idle_waits.newest(name)
    if newest is None or last is None or last.monotonic_ns <= newest.start_ns:
        return None
    wait_ms = last.read_ms / last.reads
    if last.rest_s < limits["motor_rest_s"] or wait_ms < limits["motor_ms"]:
        return None
    # One read that waited for the motor is all that there will be.
    evidence = worst(window, "disk.read_await_ms", limits["motor_ms"], name)
    return Signal(AT_ITS_WORST, evidence, name)


def filesystem_commit(window: Window, limits: Limits) -> Signal | None:
    """A file system waits for the drive to have written everything down (a flush).

    Programs that save, and the file system's own commits every 5 or 30 seconds, wait until the
    drive has emptied its cache (Documentation/admin-guide/iostats.rst, fields 16 and 17). Where
    nobody lost time to the drives, the flush happened in the background. The game's main thread
    asleep in the file system's commit is proof by itself.
    """
    found: list[Signal] = []
    for name in games_drives(window):
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
    stalls = tuple((at, asleep * MS_PER_PCT) for at, asleep in window.ticks(metric) if asleep)
    evidence = worst(window, metric, limits["waits_pct"])
    strength = waits / limits["waits_pct"]
    return Signal(strength, evidence, stall_ms=waits * MS_PER_PCT, stalls=stalls)


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
        strength = min(strength, BARELY_NOT)
    return Signal(strength, worst(window, "write.worst_write_ms", limits["write_ms"]))


_SLEEPS = {
    # So many wake-ups are what "chance" asks for at least.
    "events": 8.0,
    # Nearly all reads after a rest are slow, and nearly all of these alike; hardly any others are.
    "share": 0.8,
    "others": 0.2,
    # Looked at once a second at most: in an hour four accidents among a thousand such drives.
    "chance": 1e-6,
    # A system's own reads beside the game's, such as of its log, are few.
    "own_share": 0.7,
}

DRIVES: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="io_unfairness",
        group=Group.STORAGE,
        rule=io_unfairness,
        suspects=suspects.who_used_the_disk,
        limits={
            "ssd_ms": SLOW_SSD_MS,
            "hdd_ms": SLOW_HDD_MS,
            "reads_per_s": 10.0,
            "game_bytes_per_s": READAHEAD_BYTES,
            "other_bytes_per_s": OTHER_BYTES_PER_S,
            "times": TIMES_THE_GAME,
            # What one program that waits for each read keeps in a queue.
            "queue": 1.0,
            # As much of the time as a wait for a core may take.
            "waited_pct": 5.0,
            # The game's own, and somebody else's half of the time (drive_load.py).
            "requests": 1.5,
            "swap_pages_per_s": SWAP_INS_PER_S,
        },
        watches=(
            "memory.swap_in_per_s",
            "game.dirty_wait_pct",
            "game.journal_wait_pct",
            "game.read_bytes_per_s",
            "game.pressure_some_pct",
            "pressure.some_pct",
            "disk.reads_per_s",
            "disk.read_await_ms",
            "disk.read_bytes_per_s",
            "disk.write_bytes_per_s",
            "disk.queue_depth",
        ),
        needs=(frozenset({"disk", "game_status"}),),
        tunables=("block.scheduler",),
        alarm=2.5,
    ),
    CauseSpec(
        id="nvme_power_state",
        group=Group.STORAGE,
        rule=nvme_power_state,
        suspects=suspects.which_device,
        limits=_SLEEPS,
        watches=(
            "disk.reads_per_s",
            "disk.read_await_ms",
            "disk.read_bytes_per_s",
            "game.read_bytes_per_s",
        ),
        needs=(frozenset({"disk"}),),
        tunables=("nvme.latency_tolerance",),
        # The pattern enters at once; twice as many wake-ups as are enough are an alarm.
        alarm=10.0,
    ),
    CauseSpec(
        id="link_power",
        group=Group.STORAGE,
        rule=link_power,
        suspects=suspects.which_device,
        limits={
            **_SLEEPS,
            "motor_rest_s": 300.0,
            "motor_ms": 2000.0,
        },
        watches=(
            "disk.reads_per_s",
            "disk.read_await_ms",
            "disk.read_bytes_per_s",
            "game.read_bytes_per_s",
        ),
        needs=(frozenset({"disk"}),),
        tunables=("sata.link_power",),
        # The pattern enters at once; twice as many wake-ups as are enough are an alarm.
        alarm=10.0,
    ),
    CauseSpec(
        id="filesystem_commit",
        group=Group.STORAGE,
        rule=filesystem_commit,
        suspects=suspects.who_wrote_to_the_disk,
        # A flush waits like a read: the same limits. One tick in ten in the commit is 100 ms.
        limits={
            "ssd_ms": SLOW_SSD_MS,
            "hdd_ms": SLOW_HDD_MS,
            "waits_pct": 10.0,
            "pressure_pct": FELT_PCT,
        },
        watches=(
            "game.journal_wait_pct",
            "disk.flushes_per_s",
            "disk.flush_await_ms",
            "disk.reads_per_s",
            "pressure.some_pct",
            "game.pressure_some_pct",
        ),
        needs=(frozenset({"disk"}),),
        tunables=(
            "vm.dirty_bytes",
            "vm.dirty_background_bytes",
        ),
        alarm=2.5,
        yields_to=("dirty_throttling",),
    ),
    CauseSpec(
        id="page_cache_write",
        group=Group.STORAGE,
        rule=page_cache_write,
        suspects=suspects.who_wrote,
        # Idle, the worst of 30,000 such writes takes well below 1 ms; with a slow refill of buffer
        # heads 40 ms were seen. From 10 ms on it costs a frame at 100 Hz.
        limits={"write_ms": 10.0, "dirty_pct": 50.0},
        watches=(
            "write.worst_write_ms",
            "write.worst_wake_ms",
            "memory.dirty_of_threshold_pct",
        ),
        needs=(frozenset({"write"}),),
        alarm=4.0,
        yields_to=(
            "dirty_throttling",
            "direct_reclaim",
            "filesystem_commit",
        ),
    ),
)
