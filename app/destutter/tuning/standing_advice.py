# SPDX-License-Identifier: GPL-3.0-or-later
"""Recommendations that follow from the settings alone, whatever is measured.

What depends on measurements (how large a reserve, which limits, which scheduler) is not here:
without evidence a value that somebody chose is left alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass

_WIDE_GAP = 50


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A value that a tunable should have, and why. ``risk`` is low, medium or high."""

    tunable: str
    device: str
    current: str
    recommended: str
    reason: str
    risk: str


def standing_advice(values: Mapping[str, str]) -> tuple[Recommendation, ...]:
    """Advice for present values by "ID" (or "ID@DEVICE"); nothing where all is well."""
    found = []
    mode = values.get("vm.zone_reclaim_mode", "0")
    if mode != "0":
        reason = (
            "With it, whoever asks for memory cleans up inside one memory node before the others "
            "are used, on computers with a single node as well."
        )
        found.append(Recommendation("vm.zone_reclaim_mode", "", mode, "0", reason, "low"))
    boost = values.get("vm.watermark_boost_factor", "0")
    gap = values.get("vm.watermark_scale_factor", "0")
    if boost != "0" and gap.isdecimal() and int(gap) > _WIDE_GAP:
        reason = (
            f"With a watermark_scale_factor of {gap} the temporary boost can free several "
            "gigabytes at once, and the reserve is large enough without it."
        )
        found.append(Recommendation("vm.watermark_boost_factor", "", boost, "0", reason, "low"))
    return tuple(found)
