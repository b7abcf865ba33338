# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes about waiting for a core, and what comes in a beat."""

from destutter.diagnosis.causes import suspects
from destutter.diagnosis.causes.cause import (
    BARELY_NOT,
    CauseSpec,
    Limits,
    Signal,
    gate,
    is_felt,
    unjudged,
    worst,
)
from destutter.diagnosis.finding import OWN_LIMIT, Group
from destutter.diagnosis.history.window import LOOK_BACK_S, Window
from destutter.diagnosis.shares import DELAY_MS_PER_S
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN

_TICK_S = 0.1  # a rate in ms/s of one tick is a tenth of it in ms


def run_queue_delay(window: Window, limits: Limits) -> Signal | None:
    """Somebody who was ready to run had to wait for a core.

    With a watched game its own threads tell: the share of time in which its main thread, or a
    thread that does much work, stood in a run queue (``run_delay`` of schedstat; kernel/sched).
    Threads that hardly run are left out: helpers at low priority wait by design. Time that the
    CPU limit of its own group withholds is such a wait too, with idle cores beside it.

    Without a game the whole computer is looked at: more tasks ready to run than cores. That is a
    signal only where the host of a virtual machine did not take the time (steal), and late
    wake-ups of the probe in such a second are this very wait.
    """
    own = _game_delay(window, limits)
    return own if own is not None else _crowd(window, limits)


def _game_delay(window: Window, limits: Limits) -> Signal | None:
    metric, instance, delay_ms = "game.run_delay_ms_per_s", None, None
    main = window.mean(metric)
    # Who waits does not work meanwhile: the last seconds tell whether it has work to do.
    if main is not None and _works(window.mean("game.main_cpu_ms_per_s", seconds=10), limits):
        delay_ms = main
    for name in window.instances("thread.run_delay_ms_per_s", LOOK_BACK_S):
        if main is not None and name.partition(" ")[0] == window.facts.get("game.pid"):
            continue  # the main thread again, and less exactly
        thread_ms = window.mean("thread.run_delay_ms_per_s", name, LOOK_BACK_S)
        busy = _works(window.mean("thread.cpu_ms_per_s", name, 10), limits)
        if thread_ms is not None and busy and thread_ms > (delay_ms or 0.0):
            metric, instance, delay_ms = "thread.run_delay_ms_per_s", name, thread_ms
    withheld = window.mean("cgroup.cpu_limit_ms_per_s", seconds=2)
    if withheld is not None and withheld >= limits["delay_ms_per_s"]:
        return _withheld(window, withheld, limits)
    if main is None and delay_ms is None:
        return None
    delay_ms = delay_ms or 0.0
    strength = delay_ms / limits["delay_ms_per_s"]
    if not is_felt(window, "cpu", limits["pressure_pct"]):
        strength = min(strength, BARELY_NOT)
    seconds = 1 if instance is None else LOOK_BACK_S
    evidence = (
        *worst(window, metric, limits["delay_ms_per_s"], instance, seconds),
        *worst(window, "cpu.running", _cores(window) or 1.0),
    )
    peak = window.peak(metric, instance, seconds)
    peak_ms = None if peak is None else peak[0] * _TICK_S
    stalls = tuple(window.ticks(metric, instance))
    return Signal(strength, evidence, instance, delay_ms, peak_ms, stalls=stalls)


def _withheld(window: Window, withheld_ms: float, limits: Limits) -> Signal:
    """The limit of the game's own group, or of one above it, held it back (cpu.stat)."""
    metric, limit_ms = "cgroup.cpu_limit_ms_per_s", limits["delay_ms_per_s"]
    evidence = worst(window, metric, limit_ms, seconds=2)
    return Signal(withheld_ms / limit_ms, evidence, stall_ms=withheld_ms, kind=OWN_LIMIT)


def _works(cpu_ms_per_s: float | None, limits: Limits) -> bool:
    return cpu_ms_per_s is not None and cpu_ms_per_s >= limits["busy_ms_per_s"]


def _crowd(window: Window, limits: Limits) -> Signal | None:
    running, cores = window.mean("cpu.running"), _cores(window)
    if running is None or cores is None:
        return None
    # The sampler itself runs while it counts.
    strength = max(running - 1.0, 0.0) / (cores + limits["waiting_tasks"])
    steal = window.mean("cpu.steal_pct", seconds=2) or 0.0
    if steal >= limits["steal_pct"] or gate(window, "cpu", limits["pressure_pct"]) is False:
        strength = min(strength, BARELY_NOT)
    evidence = (
        *worst(window, "cpu.running", cores + 1.0),
        *worst(window, "cpu.busy_pct", 95.0),
        *worst(window, "pressure.some_pct", limits["pressure_pct"], "cpu"),
    )
    return Signal(strength, evidence, proves_origin=WAKEUP_ORIGIN)


def _cores(window: Window) -> float | None:
    count = len(window.instances("core.busy_pct", LOOK_BACK_S))
    return float(count) if count else None


CORES: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="run_queue_delay",
        group=Group.CPU,
        rule=run_queue_delay,
        suspects=suspects.who_held_the_cpu,
        limits={
            "delay_ms_per_s": DELAY_MS_PER_S,
            # A main or render thread: a helper that works less than a tenth of the time is none.
            "busy_ms_per_s": 100.0,
            # Half a task more than cores on average: one that waits every other moment.
            "waiting_tasks": 0.5,
            "steal_pct": 1.0,
            "pressure_pct": 1.0,
        },
        alarm=3.0,
        watches=(
            "game.run_delay_ms_per_s",
            "game.main_cpu_ms_per_s",
            "game.pressure_some_pct",
            "cgroup.cpu_limit_ms_per_s",
            "thread.run_delay_ms_per_s",
            "thread.cpu_ms_per_s",
            "cpu.running",
            "cpu.busy_pct",
            "cpu.steal_pct",
            "core.busy_pct",
            "pressure.some_pct",
        ),
        needs=(frozenset({"game"}), frozenset({"stat", "cpu"})),
        yields_to=(
            "rt_runaway",
            "irq_storm",
            "cpu_steal",
            "direct_reclaim",
            "memcg_reclaim",
            "compaction_stall",
            "swap_thrash",
            # A game's own compilers, as many as cores, stand in each other's way.
            "shader_compilation",
        ),
    ),
    CauseSpec(
        id="periodic_overlay",
        group=Group.CPU,
        rule=unjudged,
        suspects=suspects.nobody,
        limits={},
        yields_to=(
            "direct_reclaim",
            "memcg_reclaim",
            "kswapd_overwhelmed",
            "compaction_stall",
            "swap_thrash",
            "zone_exhaustion",
            "dirty_throttling",
            "slow_device",
            "io_unfairness",
            "nvme_power_state",
            "link_power",
            "filesystem_commit",
            "page_cache_write",
            "cpu_steal",
            "run_queue_delay",
            "frequency_ramp",
            "thermal_throttling",
            "irq_storm",
            "softirq_starvation",
            "kworker_starvation",
            "rt_runaway",
            "vram_eviction",
            "gpu_throttling",
            "shader_compilation",
            "gpu_starvation",
        ),
    ),
)
