# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice about memory: the reserve of free pages, swap, huge pages and reclaim inside a node."""

import math
from collections.abc import Iterator, Mapping

from destutter.core.statement import Statement, Value
from destutter.tuning.machine_profile import MachineProfile, SwapKind
from destutter.tuning.presets import NEVER
from destutter.tuning.recommendation import Recommendation, Rule, Situation, usual_risk
from destutter.tuning.watermarks import (
    MarksTotal,
    needed_scale_factor,
    total_marks,
    zone_marks,
)
from destutter_helper.api.safe_values import safe_range
from destutter_helper.api.tunables import BY_ID

USUAL_PEAK_MIB_PER_S = 300.0
"""The highest rate of allocation that was seen while a simulator streams scenery."""

WIDE_GAP = 50
"""From this scale factor on a boost of the marks frees far too much at once."""

_GIB_KIB = 1024 * 1024
# Up to this much memory (GiB) the scale factor stays within these limits. A choice: each step
# between two marks is so many ten-thousandths of memory, at most 180 MB of 12 GB and 490 MB of 24,
# which the usual peak asks for in 0.6 and 1.6 s.
_SCALE_BY_MEMORY = ((12, 50, 150), (24, 100, 200), (48, 100, 250), (math.inf, 100, 300))
# Of 64 GB, less what firmware keeps, with twice the high mark to spare.
_MOST_SCALE, _LARGE_GIB, _ROOMY = 500, 60, 2.0
# In memory that another program had filled a lead of 72 MB was all that could be afforded, of the
# 479 that 24 GB get else, and with it 21 of 21 bursts of 250 MB waited as before; with 171 MB 22
# did, where 65 had.
_LITTLE_BYTES, _A_PART = 128 << 20, 0.25
# 30: a computer of 32 GB tells a little less. The marks must not take more than 30 % of what was
# ever available in a session.
_LARGE_RESERVE_GIB, _USUAL_RESERVE_PCT = 30, 5.0
_RESERVE_OF_AVAILABLE = 0.3
# One percent of memory, up to this much (KiB) below this size of memory (GiB).
_MIN_FREE_BY_MEMORY = ((16, 160 * 1024), (64, 512 * 1024), (math.inf, _GIB_KIB))
# With so little, and swapping already, a reserve makes it worse.
_SCARCE_KIB = 8 * _GIB_KIB
_RECLAIM = ("direct_reclaim", "kswapd_overwhelmed")


def _marks(profile: MachineProfile, min_free_kbytes: int, scale: int) -> MarksTotal:
    managed: Mapping[str, int] = profile.managed
    if not sum(managed.values()):
        # MemTotal is the sum of the managed pages of all zones.
        managed = {"node0/Normal": (profile.memory_kib or 0) // profile.page_kib}
    marks = zone_marks(managed, min_free_kbytes, scale, profile.page_kib)
    return total_marks(marks, profile.page_kib)


def reserve_limit_bytes(situation: Situation) -> float:
    """How much may be kept free at most: a share of memory, and of what was ever available.

    More than 5 % only from 32 GB on.
    """
    memory_kib = situation.profile.memory_kib or 0
    share = situation.preset.reserve_pct
    if memory_kib < _LARGE_RESERVE_GIB * _GIB_KIB:
        share = min(share, _USUAL_RESERVE_PCT)
    limit = memory_kib * 1024 * share / 100
    least = situation.measured.least_available_mib
    return limit if least is None else min(limit, least * 2**20 * _RESERVE_OF_AVAILABLE)


def wanted_min_free(situation: Situation) -> int | None:
    """KiB that cannot be used by anybody: raised only for streaming simulators."""
    now, memory_kib = situation.number("vm.min_free_kbytes"), situation.profile.memory_kib
    if now is None or memory_kib is None or not situation.preset.raises_min_free:
        return now
    most = next(most for gib, most in _MIN_FREE_BY_MEMORY if memory_kib < gib * _GIB_KIB)
    limits = safe_range(BY_ID["vm.min_free_kbytes"], memory_kib)
    wanted = min(memory_kib // 100, most, limits[1] if limits else most)
    wide = situation.number("vm.watermark_scale_factor") or 10
    while wanted > now and not _is_affordable(situation, wanted, wide):
        wanted = wanted * 9 // 10
    return max(wanted, now)


def wanted_scale(situation: Situation) -> int | None:
    """The scale factor for the measured (or usual) rate, within the limits of the memory.

    None when the present one is at least as wide, or when none can be afforded that would do much.
    """
    profile, preset = situation.profile, situation.preset
    now = situation.number("vm.watermark_scale_factor")
    min_free = wanted_min_free(situation)
    if now is None or min_free is None or not profile.memory_mib or preset.watermarks == NEVER:
        return None
    least, most = _scale_limits(situation, min_free)
    peak = situation.measured.peak_mib_per_s or USUAL_PEAK_MIB_PER_S
    whole = min(max(needed_scale_factor(profile.memory_mib, peak, preset.lead_s), least), most)
    scale = whole
    while scale > now and not _is_affordable(situation, min_free, scale):
        scale -= 1
    lead_bytes, whole_bytes = (
        _marks(profile, min_free, each).lead_bytes for each in (scale, whole)
    )
    is_little = lead_bytes < _LITTLE_BYTES and lead_bytes < _A_PART * whole_bytes
    return scale if scale > now and not is_little else None


def _scale_limits(situation: Situation, min_free: int) -> tuple[int, int]:
    gib = (situation.profile.memory_kib or 0) / _GIB_KIB
    least, most = next((low, top) for size, low, top in _SCALE_BY_MEMORY if gib < size)
    available = situation.measured.least_available_mib
    if gib >= _LARGE_GIB and available is not None and situation.found(*_RECLAIM):
        high = _marks(situation.profile, min_free, _MOST_SCALE).high_bytes
        most = _MOST_SCALE if available * 2**20 > _ROOMY * high else most
    preset = situation.preset
    most = min(most, preset.scale_most or most)
    return min(max(least, preset.scale_least), most), most


def _is_affordable(situation: Situation, min_free: int, scale: int) -> bool:
    return _marks(situation.profile, min_free, scale).high_bytes <= reserve_limit_bytes(situation)


def _is_short_of_memory(profile: MachineProfile) -> bool:
    return (profile.memory_kib or 0) <= _SCARCE_KIB and profile.swapped_kib > 0


def _cost(situation: Situation, min_free: int, scale: int) -> Statement:
    profile = situation.profile
    now = situation.number("vm.min_free_kbytes") or 0
    factor = situation.number("vm.watermark_scale_factor") or 10
    before, after = _marks(profile, now, factor), _marks(profile, min_free, scale)
    return Statement(
        "tuning.scale_factor.cost",
        {
            "low_bytes": after.low_bytes,
            "high_bytes": after.high_bytes,
            "low_now_bytes": before.low_bytes,
            "high_now_bytes": before.high_bytes,
        },
    )


def scale_factor(situation: Situation) -> Iterator[Recommendation]:
    """A lead for kswapd, so that the game need not reclaim by itself."""
    scale, min_free = wanted_scale(situation), wanted_min_free(situation)
    if scale is None or min_free is None:
        return
    peak = situation.measured.peak_mib_per_s
    after = _marks(situation.profile, min_free, scale)
    rate = peak or USUAL_PEAK_MIB_PER_S
    yield Recommendation(
        "vm.watermark_scale_factor",
        "",
        situation.values["vm.watermark_scale_factor"],
        str(scale),
        _lead(after.lead_bytes, rate, is_measured=peak is not None),
        usual_risk("vm.watermark_scale_factor"),
        _cost(situation, min_free, scale),
        Statement("tuning.scale_factor.effect"),
        (
            Statement("tuning.scale_factor.not_when.no_reclaim"),
            Statement(
                "tuning.scale_factor.not_when.little_memory", {"memory_bytes": _SCARCE_KIB * 1024}
            ),
        ),
        _RECLAIM,
        stands_alone=not (situation.profile.is_guest or _is_short_of_memory(situation.profile)),
    )


def _lead(lead_bytes: int, rate_mib_per_s: float, *, is_measured: bool) -> Statement:
    return Statement(
        "tuning.scale_factor.reason.measured"
        if is_measured
        else "tuning.scale_factor.reason.usual",
        {
            "lead_bytes": lead_bytes,
            "seconds": round(lead_bytes / 2**20 / rate_mib_per_s, 1),
            "rate_bytes_per_s": round(rate_mib_per_s) * 2**20,
        },
    )


def boost_factor(situation: Situation) -> Iterator[Recommendation]:
    """No boost beside a wide gap."""
    now = situation.number("vm.watermark_scale_factor") or 0
    if situation.number("vm.watermark_boost_factor") is None:
        return
    wanted = next(iter(scale_factor(situation)), None)
    is_wide = now > WIDE_GAP
    if not is_wide and (wanted is None or int(wanted.recommended) <= WIDE_GAP):
        return
    factor = now if is_wide else int(wanted.recommended) if wanted else 0
    yield Recommendation(
        "vm.watermark_boost_factor",
        "",
        situation.values["vm.watermark_boost_factor"],
        "0",
        Statement("tuning.boost_factor.reason", {"factor": factor}),
        usual_risk("vm.watermark_boost_factor"),
        Statement("tuning.boost_factor.cost"),
        Statement("tuning.boost_factor.effect"),
        (Statement("tuning.boost_factor.not_when", {"factor": WIDE_GAP}),),
        (*_RECLAIM, "compaction_stall"),
        stands_alone=is_wide or bool(wanted and wanted.stands_alone),
        with_others=() if is_wide else ("vm.watermark_scale_factor",),
    )


def min_free(situation: Situation) -> Iterator[Recommendation]:
    """A larger emergency reserve, only where a preset asks for it."""
    wanted, now = wanted_min_free(situation), situation.number("vm.min_free_kbytes")
    if wanted is None or now is None or wanted <= now:
        return
    yield Recommendation(
        "vm.min_free_kbytes",
        "",
        str(now),
        str(wanted),
        Statement("tuning.min_free.reason", {"kept_bytes": wanted * 1024}),
        usual_risk("vm.min_free_kbytes"),
        Statement("tuning.min_free.cost", {"more_bytes": (wanted - now) * 1024}),
        Statement("tuning.min_free.effect"),
        (Statement("tuning.min_free.not_when"),),
        _RECLAIM,
        stands_alone=not (situation.profile.is_guest or _is_short_of_memory(situation.profile)),
    )


def zone_reclaim(situation: Situation) -> Iterator[Recommendation]:
    """Reclaim inside a node is never wanted where games are played."""
    if situation.values.get("vm.zone_reclaim_mode", "0") == "0":
        return
    yield Recommendation(
        "vm.zone_reclaim_mode",
        "",
        situation.values["vm.zone_reclaim_mode"],
        "0",
        Statement("tuning.zone_reclaim.reason"),
        usual_risk("vm.zone_reclaim_mode"),
        Statement("tuning.zone_reclaim.cost"),
        Statement("tuning.zone_reclaim.effect"),
        (Statement("tuning.zone_reclaim.not_when"),),
        ("zone_exhaustion", *_RECLAIM),
        stands_alone=True,
        overrules=True,
    )


def _swappiness(profile: MachineProfile) -> tuple[int, int, int] | None:
    """Least, most and recommended swappiness by where swapped pages go; None: irrelevant."""
    gib = (profile.memory_kib or 0) / _GIB_KIB
    match profile.swap:
        case SwapKind.ZRAM:
            return (100, 180, 150) if gib <= 16 else (100, 150, 100)
        case SwapKind.ZRAM_AND_DISK:
            return 100, 150, 100
        case SwapKind.ZSWAP:
            return 60, 100, 60
        case SwapKind.SSD:
            return (8 if gib >= _LARGE_GIB else 10), 30, 30
        case SwapKind.HDD:
            return 10, 10, 10
        case _:
            return None


_PLACES = {
    SwapKind.ZRAM: Statement("tuning.swap_to.zram"),
    SwapKind.ZRAM_AND_DISK: Statement("tuning.swap_to.zram_and_disk"),
    SwapKind.ZSWAP: Statement("tuning.swap_to.zswap"),
    SwapKind.SSD: Statement("tuning.swap_to.ssd"),
    SwapKind.HDD: Statement("tuning.swap_to.hdd"),
}


def swappiness(situation: Situation) -> Iterator[Recommendation]:
    """Cheap swap is used early, dear swap late; values between are left alone."""
    profile, now = situation.profile, situation.number("vm.swappiness")
    limits = _swappiness(profile)
    if limits is None or now is None or not profile.memory_kib or not situation.preset.swap:
        return
    least, most, wanted = limits
    if situation.preset.raises_min_free and profile.swap is SwapKind.ZRAM:
        wanted = 100  # a simulator's files are read from the cache again and again
    if least <= now <= most:
        return
    kind = "files" if most <= 30 else "compressing"
    told: dict[str, Value] = {"where": _PLACES[profile.swap], "least": least, "most": most}
    yield Recommendation(
        "vm.swappiness",
        "",
        str(now),
        str(wanted),
        Statement("tuning.swappiness.reason", told),
        usual_risk("vm.swappiness"),
        Statement(f"tuning.swappiness.cost.{kind}"),
        Statement(f"tuning.swappiness.effect.{kind}"),
        (Statement("tuning.swappiness.not_when"),),
        ("swap_thrash",),
        stands_alone=True,
    )


def page_cluster(situation: Situation) -> Iterator[Recommendation]:
    """Reading ahead from swap only pays where seeking is dear."""
    now, swap = situation.number("vm.page-cluster"), situation.profile.swap
    if now is None or swap not in _PLACES or not situation.preset.swap:
        return
    if (now in (2, 3)) if swap is SwapKind.HDD else now == 0:
        return
    wanted = 3 if swap is SwapKind.HDD else 0
    yield Recommendation(
        "vm.page-cluster",
        "",
        str(now),
        str(wanted),
        Statement(
            "tuning.page_cluster.reason",
            {"where": _PLACES[swap], "wanted": 2**wanted, "now": 2**now},
        ),
        usual_risk("vm.page-cluster"),
        Statement("tuning.page_cluster.cost"),
        Statement("tuning.page_cluster.effect"),
        (Statement("tuning.page_cluster.not_when"),),
        ("swap_thrash",),
        stands_alone=True,
    )


def huge_pages(situation: Situation) -> Iterator[Recommendation]:
    """Who waits for huge pages; only against measured compaction."""
    wanted = (
        ("thp.enabled", "always", "madvise", Statement("tuning.huge_pages.effect.asked")),
        (
            "thp.defrag",
            "always",
            "defer+madvise",
            Statement("tuning.huge_pages.effect.background"),
        ),
        ("thp.khugepaged_defrag", "1", "0", Statement("tuning.huge_pages.effect.thread")),
        ("vm.compaction_proactiveness", "", "0", Statement("tuning.huge_pages.effect.ahead")),
    )
    for tunable, only_from, to, effect in wanted:
        now = situation.values.get(tunable)
        if now is None or (only_from and now != only_from):
            continue
        yield Recommendation(
            tunable,
            "",
            now,
            to,
            Statement("tuning.huge_pages.reason"),
            usual_risk(tunable),
            Statement("tuning.huge_pages.cost"),
            effect,
            (
                Statement("tuning.huge_pages.not_when.no_compaction"),
                Statement("tuning.huge_pages.not_when.running"),
            ),
            ("compaction_stall",),
        )


MEMORY_RULES: tuple[Rule, ...] = (
    scale_factor,
    boost_factor,
    min_free,
    zone_reclaim,
    swappiness,
    page_cluster,
    huge_pages,
)
