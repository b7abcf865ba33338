# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes that take a core away: the host, interrupts, the kernel's work, real-time tasks."""

from math import ceil

from destutter.core.catalog import SLOW_PERIODS_S
from destutter.core.kernel_names import KSOFTIRQD
from destutter.core.statement import Statement
from destutter.diagnosis.causes import suspects
from destutter.diagnosis.causes.cause import (
    MS_PER_PCT,
    CauseSpec,
    Limits,
    Signal,
    unjudged,
    worst,
)
from destutter.diagnosis.finding import Group
from destutter.diagnosis.history.window import LOOK_BACK_S, Window
from destutter.diagnosis.shares import DELAY_MS_PER_S, REALTIME_PCT
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN

_SEEN_SELDOM = ("process", "realtime", "kernel_thread", "firmware_event")
_TASKS_BACK_S = ceil(max(map(SLOW_PERIODS_S.__getitem__, _SEEN_SELDOM))) + 1  # one may come late
# Of one line, or of the calls between cores that empty address caches: fewer of those come from
# every program that gives memory back.
_INTERRUPTS_PER_S = 20_000.0
# They are real-time everywhere and work for the scheduler or for devices.
_KERNEL_REALTIME = ("migration/", "irq/", "idle_inject/", "stopper/", "watchdog/")


def cpu_steal(window: Window, limits: Limits) -> Signal | None:
    """The host of this virtual machine ran something else (steal in /proc/stat)."""
    steal = window.mean("cpu.steal_pct", seconds=3)
    if steal is None:
        return None
    evidence = worst(window, "cpu.steal_pct", limits["steal_pct"], seconds=3)
    return Signal(steal / limits["steal_pct"], evidence)


def irq_storm(window: Window, limits: Limits) -> Signal | None:
    """One device interrupts without end, or interrupts fill the core of the game's main thread.

    Only numbered lines count: timers and calls between cores are rows with a short name, and
    grow with ordinary work. Events of the firmware come over one line and are counted apart.
    While interrupts hold the game's own core it does not run, which no run queue shows. A drive
    interrupts once for each request at most: as many are no fault of the line.
    """
    lines = {
        name: window.mean("interrupt.per_s", name, LOOK_BACK_S) or 0.0
        for name in window.instances("interrupt.per_s", LOOK_BACK_S)
        if name[:1].isdigit()
    }
    core = _main_core(window)
    share = None if core is None else window.mean("core.irq_pct", core, LOOK_BACK_S)
    events = _busiest(window, "firmware.events_per_s", _TASKS_BACK_S)
    if not lines and share is None and not events[0]:
        return None
    line = max(lines, key=lambda name: lines[name], default=None)
    by_line = 0.0
    if line is not None:
        by_line = max(lines[line] - _requests_per_s(window), 0.0) / limits["per_s"]
    by_event = events[1] / limits["firmware_per_s"]
    by_share = (share or 0.0) / limits["share_pct"]
    evidence = (
        *worst(window, "interrupt.per_s", limits["per_s"], line, LOOK_BACK_S),
        *worst(
            window, "firmware.events_per_s", limits["firmware_per_s"], events[0], _TASKS_BACK_S
        ),
        *worst(window, "core.irq_pct", limits["share_pct"], core, LOOK_BACK_S),
    )
    subject = line if by_line >= 1.0 else events[0] if by_event >= 1.0 else None
    peak = None if core is None else window.peak("core.irq_pct", core, LOOK_BACK_S)
    return Signal(
        max(by_line, by_event, by_share),
        evidence,
        subject,
        stall_ms=None if peak is None else peak[0] * MS_PER_PCT,
        stall_peak_ms=None if peak is None else peak[0],
    )


def _requests_per_s(window: Window) -> float:
    """Requests that all drives together answered."""
    return sum(
        window.mean(metric, drive, LOOK_BACK_S) or 0.0
        for metric in ("disk.reads_per_s", "disk.writes_per_s")
        for drive in window.instances(metric, LOOK_BACK_S)
    )


def _busiest(window: Window, metric: str, seconds: int) -> tuple[str | None, float]:
    """The instance with the highest newest value, and that value."""
    values = {
        name: window.last(metric, name, seconds) or 0.0
        for name in window.instances(metric, seconds)
    }
    name = max(values, key=lambda each: values[each], default=None)
    return name, values[name] if name is not None else 0.0


def _main_core(window: Window) -> str | None:
    """The core that the game's busiest thread runs on, such as "cpu3"."""
    metric = "thread.cpu_ms_per_s"
    busy = {
        name: window.last(metric, name, LOOK_BACK_S) or 0.0
        for name in window.instances(metric, LOOK_BACK_S)
    }
    thread = max(busy, key=lambda name: busy[name], default=None)
    number = None if thread is None else window.last("thread.processor", thread, LOOK_BACK_S)
    return None if number is None else f"cpu{int(number)}"


def realtime_tasks(window: Window) -> dict[str, float]:
    """Shares of a core that programs under a real-time policy used in the last look."""
    metric = "realtime.cpu_pct"
    return {
        name: window.last(metric, name, _TASKS_BACK_S) or 0.0
        for name in window.instances(metric, _TASKS_BACK_S)
        if not name.partition(" ")[2].startswith(_KERNEL_REALTIME)
    }


def softirq_starvation(window: Window, limits: Limits) -> Signal | None:
    """Work of interrupts waits: ksoftirqd did not get its core (kernel/softirq.c).

    What an interrupt leaves to do moves to ksoftirqd, an ordinary thread, when there is much of
    it; a real-time task on that core runs first. Network, timers and drives then wait.
    """
    waits = _kernel_waits(window, KSOFTIRQD)
    if not waits:
        return None
    name = max(waits, key=lambda each: waits[each])
    metric, limit_ms = "kernel_thread.run_delay_ms_per_s", limits["delay_ms_per_s"]
    evidence = worst(window, metric, limit_ms, name, _TASKS_BACK_S)
    return Signal(waits[name] / limit_ms, evidence, name)


def kworker_starvation(window: Window, limits: Limits) -> Signal | None:
    """The kernel's workers wait behind a real-time task on their core (kernel/workqueue.c).

    They finish what drives, encryption and file systems began. Without a busy real-time task on
    the same core they share it as every program does, and no signal is given.
    """
    waits = _kernel_waits(window, "kworker/")
    if not waits:
        return None
    metric, limit_ms = "kernel_thread.run_delay_ms_per_s", limits["delay_ms_per_s"]
    strength, worst_name, task = 0.0, None, None
    for name, share in realtime_tasks(window).items():
        cpu = window.last("realtime.processor", name, _TASKS_BACK_S)
        worker = None if cpu is None else f"kworker/{int(cpu)}"
        held = waits.get(worker or "", 0.0) / limit_ms
        if share >= limits["share_pct"] and held > strength:
            strength, worst_name, task = held, worker, name
    evidence = (
        *worst(window, metric, limit_ms, worst_name, _TASKS_BACK_S),
        *worst(window, "realtime.cpu_pct", limits["share_pct"], task, _TASKS_BACK_S),
    )
    return Signal(strength, evidence, worst_name)


def _kernel_waits(window: Window, kind: str) -> dict[str, float]:
    metric = "kernel_thread.run_delay_ms_per_s"
    return {
        name: window.last(metric, name, _TASKS_BACK_S) or 0.0
        for name in window.instances(metric, _TASKS_BACK_S)
        if name.startswith(kind)
    }


def rt_runaway(window: Window, limits: Limits) -> Signal | None:
    """A task under a real-time policy keeps a core: ordinary programs cannot push it aside.

    Threads of the kernel that are real-time by nature are left out; sound servers stay far below
    the threshold. The kernel itself lets such tasks have 95 % of a core (kernel/sched/rt.c).
    What the game's main thread waited for a core, on the core that such a task keeps, is the wait
    for that task. Without a game, late wake-ups of the probe are that wait while such tasks keep a
    good part of all cores, unless the host of a virtual machine took the time (steal).
    """
    shares = realtime_tasks(window)
    if not shares and not window.instances("process.cpu_pct", _TASKS_BACK_S):
        return None
    name = max(shares, key=lambda each: shares[each], default=None)
    if name is None:
        return Signal(0.0, ())
    evidence = worst(window, "realtime.cpu_pct", limits["share_pct"], name, _TASKS_BACK_S)
    strength = shares[name] / limits["share_pct"]
    cpu = window.last("realtime.processor", name, _TASKS_BACK_S)
    delay_ms = window.mean("game.run_delay_ms_per_s")
    if delay_ms is None and _keep_the_cores(window, sum(shares.values()), limits):
        return Signal(strength, evidence, name, proves_origin=WAKEUP_ORIGIN)
    if cpu is None or delay_ms is None or _main_core(window) != f"cpu{int(cpu)}":
        return Signal(strength, evidence, name)
    evidence += worst(window, "game.run_delay_ms_per_s", limits["delay_ms_per_s"])
    stalls = tuple(window.ticks("game.run_delay_ms_per_s"))
    return Signal(strength, evidence, name, delay_ms, stalls=stalls)


def _keep_the_cores(window: Window, share_pct: float, limits: Limits) -> bool:
    """Whether tasks that use so much of a core leave little of the computer to the others."""
    cores = len(window.instances("core.busy_pct", LOOK_BACK_S))
    steal = window.mean("cpu.steal_pct", seconds=2) or 0.0
    kept_pct = share_pct / cores if cores else 0.0
    return kept_pct >= limits["of_all_pct"] and steal < limits["steal_pct"]


def tlb_shootdowns(window: Window, limits: Limits) -> Signal | None:
    """Cores interrupt each other to forget addresses (row TLB of /proc/interrupts).

    Mostly a consequence of reclaim, compaction or of a program that gives memory back all the
    time.
    """
    rate = window.mean("interrupt.per_s", "TLB", LOOK_BACK_S)
    if rate is None:
        return None
    evidence = worst(window, "interrupt.per_s", limits["per_s"], "TLB", LOOK_BACK_S)
    return Signal(rate / limits["per_s"], evidence)


def clocksource(window: Window, limits: Limits) -> Signal | None:
    """The kernel gave up the processor's own clock and asks a slow chip for every time.

    A lasting state: what it has to do with single stutters cannot be told from their times.
    """
    name = window.facts.get("clocksource")
    if name is None:
        return None
    is_slow = name in ("hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit")
    evidence = worst(window, "cpu.context_switches_per_s", limits["switches_per_s"])
    return Signal(1.0 if is_slow else 0.0, evidence, name)


KERNEL_WORK: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="cpu_steal",
        group=Group.CPU,
        rule=cpu_steal,
        suspects=suspects.nobody,
        # 0.5 to 4.2 % cost the KVM article's guest 26 % of its work; 4 % are the alarm.
        limits={"steal_pct": 1.0},
        watches=("cpu.steal_pct",),
        needs=(frozenset({"stat"}),),
        alarm=4.0,
        # Work of the kernel, and writers that it put to sleep: no host that runs something else
        # makes them, though it makes them last longer. Slow drives it makes as well.
        yields_to_measured=(
            "direct_reclaim",
            "memcg_reclaim",
            "compaction_stall",
            "swap_thrash",
            "dirty_throttling",
            "io_unfairness",
        ),
    ),
    CauseSpec(
        id="irq_storm",
        group=Group.CPU,
        rule=irq_storm,
        suspects=suspects.which_interrupt,
        # A firmware event runs its method in a worker (drivers/acpi/evgpe.c); a thousand a second
        # keep a good part of a core busy: a fifth of the core that the game's main thread is on.
        limits={"per_s": _INTERRUPTS_PER_S, "share_pct": 20.0, "firmware_per_s": 1000.0},
        watches=(
            "interrupt.per_s",
            "core.irq_pct",
            "firmware.events_per_s",
            "thread.cpu_ms_per_s",
            "thread.processor",
        ),
        needs=(frozenset({"interrupt"}),),
        alarm=2.5,
    ),
    CauseSpec(
        id="softirq_starvation",
        group=Group.CPU,
        rule=softirq_starvation,
        suspects=suspects.who_held_the_cpu,
        # As for every thread; a single wait of 5 ms shows only in a trace.
        limits={"delay_ms_per_s": DELAY_MS_PER_S},
        watches=("kernel_thread.run_delay_ms_per_s",),
        needs=(frozenset({"kernel_thread"}),),
        tunables=("softirq.policy",),
        alarm=4.0,
        yields_to=(
            "rt_runaway",
            "cpu_steal",
            "irq_storm",
            "run_queue_delay",
        ),
    ),
    CauseSpec(
        id="kworker_starvation",
        group=Group.CPU,
        rule=kworker_starvation,
        suspects=suspects.who_held_the_cpu,
        # Less than for a thread, for what drives have read waits for it; beside a real-time task
        # that keeps a core.
        limits={"delay_ms_per_s": 10.0, "share_pct": REALTIME_PCT},
        watches=(
            "kernel_thread.run_delay_ms_per_s",
            "realtime.cpu_pct",
            "realtime.processor",
        ),
        needs=(frozenset({"kernel_thread"}),),
        alarm=10.0,
        yields_to=("rt_runaway",),
    ),
    CauseSpec(
        id="rt_runaway",
        group=Group.CPU,
        rule=rt_runaway,
        suspects=suspects.who_held_the_cpu,
        limits={
            "share_pct": REALTIME_PCT,
            "delay_ms_per_s": DELAY_MS_PER_S,
            "of_all_pct": 40.0,
            "steal_pct": 1.0,
        },
        watches=(
            "realtime.cpu_pct",
            "realtime.processor",
            "process.cpu_pct",
            "core.busy_pct",
            "cpu.steal_pct",
            "game.run_delay_ms_per_s",
            "thread.cpu_ms_per_s",
            "thread.processor",
        ),
        needs=(frozenset({"process"}),),
        alarm=2.5,
    ),
    CauseSpec(
        id="split_lock",
        group=Group.CPU,
        rule=unjudged,
        suspects=suspects.nobody,
        limits={},
        tunables=("kernel.split_lock_mitigate",),
        unmeasurable=Statement("coverage.only_log"),
        traced_by="printk/console",
    ),
    CauseSpec(
        id="tlb_shootdowns",
        group=Group.CPU,
        rule=tlb_shootdowns,
        suspects=suspects.nobody,
        limits={"per_s": _INTERRUPTS_PER_S},
        watches=("interrupt.per_s",),
        needs=(frozenset({"interrupt"}),),
        alarm=5.0,
        yields_to=(
            "direct_reclaim",
            "memcg_reclaim",
            "kswapd_overwhelmed",
            "compaction_stall",
            "swap_thrash",
            "run_queue_delay",
            "gpu_starvation",
        ),
    ),
    CauseSpec(
        id="clocksource",
        group=Group.CPU,
        rule=clocksource,
        suspects=suspects.which_device,
        limits={"switches_per_s": 1000.0},
        watches=("cpu.context_switches_per_s",),
        needs=(frozenset({"stat"}),),
    ),
)
