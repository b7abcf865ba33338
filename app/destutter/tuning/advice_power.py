# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice about processors: how fast they wake up, their power profile, and split locks."""

from collections.abc import Iterator

from destutter.core.statement import Statement
from destutter.tuning.recommendation import (
    ON_BATTERY,
    Recommendation,
    Rule,
    Situation,
    usual_risk,
)

# 10 to 50: the light sleeps stay allowed. 0 keeps every core awake, which heats it and takes its
# turbo, and tuned avoids it, too.
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
        Statement("tuning.wake_up.reason", {"limit_us": limit_us}),
        usual_risk("cpu.dma_latency"),
        Statement("tuning.wake_up.cost"),
        Statement("tuning.wake_up.effect"),
        (
            Statement("tuning.wake_up.not_when.laptop"),
            Statement("tuning.wake_up.not_when.guest"),
            Statement("tuning.wake_up.not_when.long"),
        ),
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
        Statement("tuning.power_profile.reason"),
        usual_risk("cpu.power_profile"),
        Statement("tuning.power_profile.cost"),
        Statement("tuning.power_profile.effect"),
        (ON_BATTERY, Statement("tuning.power_profile.not_when")),
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
        Statement("tuning.split_lock.reason"),
        usual_risk("kernel.split_lock_mitigate"),
        Statement("tuning.split_lock.cost"),
        Statement("tuning.split_lock.effect"),
        (
            Statement("tuning.split_lock.not_when.people"),
            Statement("tuning.split_lock.not_when.not_reported"),
        ),
        ("split_lock",),
    )


POWER_RULES: tuple[Rule, ...] = (wake_up, power_profile, split_locks)
