# SPDX-License-Identifier: GPL-3.0-or-later
"""Causes about the clock, the sleep and the heat of the processor."""

from collections.abc import Sequence
from math import ceil

from destutter.core.catalog import SLOW_PERIODS_S
from destutter.diagnosis.causes import suspects
from destutter.diagnosis.causes.cause import CauseSpec, Limits, Signal, worst
from destutter.diagnosis.finding import Group
from destutter.diagnosis.history.window import LOOK_BACK_S, Window

# One may come a second or two late.
_SENSORS_BACK_S = ceil(max(SLOW_PERIODS_S["cpuidle"], SLOW_PERIODS_S["temperature"])) + 2


def deep_c_state(window: Window, limits: Limits) -> Signal | None:
    """Cores wake from a sleep so deep that the exit alone is felt (drivers/cpuidle).

    The exit takes up to 0.4 ms on a desktop: it matters for sound and virtual reality, and never
    makes a hitch of 10 ms. Only looked at while a game works, for an idle computer should sleep.
    Virtual machines have no such states.
    """
    if (window.mean("game.main_cpu_ms_per_s", seconds=LOOK_BACK_S) or 0.0) < limits["busy"]:
        return None
    late_ms = window.mean("wakeup.average_ms", seconds=LOOK_BACK_S)
    state, exit_us = _deepest(window, limits)
    if late_ms is None or state is None:
        return None
    strength = min(exit_us / limits["exit_us"], late_ms * 1000.0 / limits["exit_us"])
    evidence = (
        *worst(window, "wakeup.average_ms", limits["exit_us"] / 1000.0, seconds=LOOK_BACK_S),
        *worst(window, "cpuidle.entered_per_s", limits["entered_per_s"], state, _SENSORS_BACK_S),
    )
    return Signal(strength, evidence, state)


def _deepest(window: Window, limits: Limits) -> tuple[str | None, float]:
    """The state in use with the longest exit, from instances like "C6 133us"."""
    best: tuple[str | None, float] = (None, 0.0)
    for name in window.instances("cpuidle.entered_per_s", _SENSORS_BACK_S):
        text = name.rpartition(" ")[2].removesuffix("us")
        entered = window.last("cpuidle.entered_per_s", name, _SENSORS_BACK_S) or 0.0
        exit_us = float(text) if text.isdecimal() else 0.0
        if entered >= limits["entered_per_s"] and (best[0] is None or exit_us > best[1]):
            best = (name, exit_us)
    return best


def frequency_ramp(window: Window, limits: Limits) -> Signal | None:
    """A busy thread of the game runs on a core far below the clock that it could have.

    No signal while the processor is hot or throttled: then the clock is the consequence.
    """
    metric = "thread.cpu_ms_per_s"
    names = window.instances(metric, LOOK_BACK_S)
    policies = window.instances("cpufreq.of_max_pct", LOOK_BACK_S)
    if not names or not policies:
        return None
    if _is_hot(window, limits) or (window.mean("throttle.core_ms_per_s", seconds=3) or 0.0) > 0:
        return None
    best = Signal(0.0, ())
    for name in names:
        busy = window.last(metric, name, LOOK_BACK_S) or 0.0
        cpu = window.last("thread.processor", name, LOOK_BACK_S)
        policy = None if cpu is None else _policy_of(policies, int(cpu))
        if busy < limits["busy_ms_per_s"] or policy is None:
            continue
        share = _of_hardware(window, policy)
        if share and limits["clock_pct"] / share > best.strength:
            evidence = worst(window, metric, limits["busy_ms_per_s"], name, LOOK_BACK_S)
            best = Signal(limits["clock_pct"] / share, evidence, policy)
    return best


def _policy_of(policies: Sequence[str], cpu: int) -> str | None:
    """The policy of a core: that with the highest number that is not above the core's."""
    numbers = {
        int(name.removeprefix("policy")): name
        for name in policies
        if name.removeprefix("policy").isdecimal()
    }
    below = [number for number in numbers if number <= cpu]
    return numbers[max(below)] if below else None


def _of_hardware(window: Window, policy: str) -> float | None:
    """The present clock in percent of the hardware's highest."""
    share = window.mean("cpufreq.of_max_pct", policy, LOOK_BACK_S)
    limit = window.mean("cpufreq.limit_pct", policy, LOOK_BACK_S)
    return None if share is None else share * (100.0 if limit is None else limit) / 100.0


def _is_hot(window: Window, limits: Limits) -> bool:
    return _hottest(window, limits["margin_celsius"])[0] is not None


def _hottest(window: Window, margin_celsius: float) -> tuple[str | None, float]:
    """A sensor of the processor within a margin of its critical mark, and that mark."""
    for name in window.instances("temperature.critical_celsius", _SENSORS_BACK_S):
        critical = window.last("temperature.critical_celsius", name, _SENSORS_BACK_S)
        now = window.last("temperature.celsius", name, _SENSORS_BACK_S)
        if critical and now is not None and critical > 40.0 and now >= critical - margin_celsius:
            return name, critical - margin_celsius
    return None, 0.0


def thermal_throttling(window: Window, limits: Limits) -> Signal | None:
    """The processor slows itself down because it is hot.

    Intel counts the time (thermal_throttle in /sys; arch/x86/kernel/cpu/mce/therm_throt.c).
    Elsewhere a sensor at its critical mark together with a low clock says the same.
    """
    slowed = window.mean("throttle.core_ms_per_s", seconds=LOOK_BACK_S)
    package = window.mean("throttle.package_ms_per_s", seconds=LOOK_BACK_S)
    if slowed is not None or package is not None:
        strength = max(slowed or 0.0, package or 0.0) / limits["ms_per_s"]
        return Signal(
            strength,
            (
                *worst(window, "throttle.core_ms_per_s", limits["ms_per_s"], seconds=3),
                *worst(window, "throttle.package_ms_per_s", limits["ms_per_s"], seconds=3),
            ),
        )
    policies = window.instances("cpufreq.of_max_pct", LOOK_BACK_S)
    if not policies or not window.instances("temperature.critical_celsius", _SENSORS_BACK_S):
        return None
    name, mark = _hottest(window, limits["margin_celsius"])
    busy = window.mean("cpu.busy_pct", seconds=LOOK_BACK_S) or 0.0
    clock = max((_of_hardware(window, policy) or 0.0 for policy in policies), default=0.0)
    is_slowed = name is not None and busy >= limits["busy_pct"] and clock < limits["clock_pct"]
    evidence = worst(window, "temperature.celsius", mark, name, _SENSORS_BACK_S)
    return Signal(1.0 if is_slowed else 0.0, evidence, name)


POWER: tuple[CauseSpec, ...] = (
    CauseSpec(
        id="deep_c_state",
        group=Group.POWER,
        rule=deep_c_state,
        suspects=suspects.nobody,
        # A tenth of a core and ten entries a second tell a running game from a resting computer.
        limits={"busy": 100.0, "exit_us": 200.0, "entered_per_s": 10.0},
        watches=(
            "game.main_cpu_ms_per_s",
            "wakeup.average_ms",
            "cpuidle.entered_per_s",
        ),
        needs=(frozenset({"cpuidle", "wakeup", "game"}),),
        tunables=("cpu.dma_latency",),
        yields_to=(
            "run_queue_delay",
            "rt_runaway",
            "cpu_steal",
        ),
    ),
    CauseSpec(
        id="frequency_ramp",
        group=Group.POWER,
        rule=frequency_ramp,
        suspects=suspects.nobody,
        # A thread that runs for 80 % of the time and has less than 70 % of the clock.
        limits={"busy_ms_per_s": 800.0, "clock_pct": 70.0, "margin_celsius": 2.0},
        watches=(
            "thread.cpu_ms_per_s",
            "thread.processor",
            "cpufreq.of_max_pct",
            "cpufreq.limit_pct",
            "throttle.core_ms_per_s",
            "temperature.celsius",
            "temperature.critical_celsius",
        ),
        needs=(frozenset({"cpufreq", "thread"}),),
        tunables=("cpu.power_profile",),
        alarm=1.5,
        yields_to=("thermal_throttling",),
    ),
    CauseSpec(
        id="thermal_throttling",
        group=Group.POWER,
        rule=thermal_throttling,
        suspects=suspects.nobody,
        # A twentieth of the time slowed down.
        limits={"ms_per_s": 50.0, "margin_celsius": 2.0, "busy_pct": 20.0, "clock_pct": 70.0},
        watches=(
            "throttle.core_ms_per_s",
            "throttle.package_ms_per_s",
            "temperature.celsius",
            "temperature.critical_celsius",
            "cpufreq.of_max_pct",
            "cpufreq.limit_pct",
            "cpu.busy_pct",
        ),
        needs=(
            frozenset({"throttle"}),
            frozenset({"temperature", "cpufreq"}),
        ),
        alarm=5.0,
    ),
)
