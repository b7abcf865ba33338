# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules about memory."""

from destutter.diagnosis.cause import Limits, Signal, gate, worst
from destutter.diagnosis.window import Window

_BARELY_NOT = 0.99


def direct_reclaim(window: Window, limits: Limits) -> Signal | None:
    """Programs that asked for memory had to free some first (mm/page_alloc.c, mm/vmscan.c).

    The kernel counts passes of direct reclaim (``allocstall_*``: entries, not time) and the pages
    that they freed, 32 or more in a pass. Or direct reclaim did a noticeable share of all reclaim
    while the number is worth mentioning: kswapd did not keep up.

    No signal while somebody drops the caches by hand. Where PSI reports that nobody lost time to
    memory, the passes were too short to be felt.
    """
    stalls = window.mean("memory.allocstall_per_s")
    pages = window.mean("memory.direct_reclaim_per_s")
    if stalls is None and pages is None:
        return None
    if (window.peak("memory.drop_caches_per_s", seconds=3) or (0.0, 0))[0] > 0:
        return None
    strength = max(
        (stalls or 0.0) / limits["allocstall_per_s"],
        (pages or 0.0) / limits["pages_per_s"],
        _share_strength(window, pages or 0.0, limits),
    )
    if gate(window, "memory", limits["pressure_pct"]) is False:
        strength = min(strength, _BARELY_NOT)
    evidence = (
        *worst(window, "memory.direct_reclaim_per_s", limits["pages_per_s"]),
        *worst(window, "memory.allocstall_per_s", limits["allocstall_per_s"]),
        *worst(window, "pressure.some_pct", limits["pressure_pct"], "memory"),
    )
    return Signal(strength, evidence)


def _share_strength(window: Window, pages: float, limits: Limits) -> float:
    """Strength by the share of direct reclaim in all reclaim; a high share is an alarm."""
    if pages < limits["pages_for_share_per_s"]:
        return 0.0
    background = window.mean("memory.kswapd_reclaim_per_s") or 0.0
    share_pct = 100.0 * pages / (pages + background)
    return share_pct / limits["share_pct"] * limits["share_strength"]
