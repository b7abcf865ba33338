# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice about processors: how fast they wake up, their power profile, and split locks."""

from collections.abc import Iterator

from destutter.tuning.recommendation import Recommendation, Rule, Situation, usual_risk

_USUAL_WAKE_UP_US = 20


def wake_up(situation: Situation) -> Iterator[Recommendation]:
    """Processors that sleep lightly while the game runs; on desktops only."""
    profile, wanted_us = situation.profile, situation.preset.wake_up_us
    now = situation.values.get("cpu.dma_latency")
    if now is None or profile.is_guest or profile.is_on_battery is not False:
        return
    limit_us = wanted_us or _USUAL_WAKE_UP_US
    if now.isdecimal() and int(now) <= limit_us:
        return
    yield Recommendation(
        "cpu.dma_latency",
        "",
        now,
        str(limit_us),
        f"Processors then sleep only so deeply that they wake up within {limit_us} µs.",
        usual_risk("cpu.dma_latency"),
        "More power and heat all the time, and less headroom for the highest frequencies.",
        "Tenths of a millisecond less until the game runs on; nothing against longer pauses.",
        ("A laptop or handheld.", "A virtual machine.", "Pauses of milliseconds."),
        ("deep_c_state",),
        stands_alone=wanted_us > 0,
    )


def power_profile(situation: Situation) -> Iterator[Recommendation]:
    """The performance profile, where the frequency was measured to rise too late."""
    now = situation.values.get("cpu.power_profile")
    if now is None or situation.profile.is_guest or situation.profile.is_on_battery is not False:
        return
    yield Recommendation(
        "cpu.power_profile",
        "",
        now,
        "performance",
        "The processor's frequency followed the load too late.",
        usual_risk("cpu.power_profile"),
        "More power, heat and noise while it is held.",
        "The frequency is high when the load comes.",
        ("On battery.", "The processor is held back by heat or its power limit."),
        ("frequency_ramp",),
    )


def split_locks(situation: Situation) -> Iterator[Recommendation]:
    """No penalty for split locks, where a game was measured to pay it."""
    now = situation.values.get("kernel.split_lock_mitigate")
    if now is None:
        return
    yield Recommendation(
        "kernel.split_lock_mitigate",
        "",
        now,
        "0",
        "The kernel slows down a program that locks memory across two cache lines, and the game "
        "does that.",
        usual_risk("kernel.split_lock_mitigate"),
        "A program that does it on purpose can slow down all the others.",
        "The game is no longer stopped for it.",
        ("Several people use the computer.", "No split lock was reported."),
        ("split_lock",),
    )


POWER_RULES: tuple[Rule, ...] = (wake_up, power_profile, split_locks)
