# SPDX-License-Identifier: GPL-3.0-or-later
"""Computers for the tests of recommendations, and shorthand for asking."""

from destutter.tuning.advice import recommend
from destutter.tuning.machine_profile import Drive, DriveKind, MachineProfile, SwapKind
from destutter.tuning.presets import GENERAL
from destutter.tuning.recommendation import Measured, Recommendation, Situation

GIB_KIB = 1024 * 1024
SCHEDULERS = ("none", "mq-deadline", "kyber", "bfq")

DEFAULTS = {
    "vm.min_free_kbytes": "67584",
    "vm.watermark_scale_factor": "10",
    "vm.watermark_boost_factor": "15000",
    "vm.swappiness": "60",
    "vm.page-cluster": "3",
    "vm.zone_reclaim_mode": "0",
    "vm.dirty_ratio": "20",
    "vm.dirty_bytes": "0",
    "vm.dirty_background_ratio": "10",
    "vm.dirty_background_bytes": "0",
    "vm.compaction_proactiveness": "20",
    "thp.enabled": "always",
    "thp.defrag": "madvise",
    "thp.khugepaged_defrag": "1",
    "kernel.split_lock_mitigate": "1",
    "cpu.dma_latency": "none",
}


def zones(gib: float) -> dict[str, int]:
    """DMA, DMA32 and Normal with 97.5 % of the nominal size."""
    pages = int(gib * 1024 * 0.975 * 256)
    low = min(2900 * 256, pages)
    return {"node0/DMA": 3840, "node0/DMA32": low, "node0/Normal": max(pages - low - 3840, 0)}


def machine(gib: float = 32, **changes: object) -> MachineProfile:
    """A desktop with one NVMe drive and no swap; ``changes`` are fields of the profile."""
    managed = zones(gib)
    fields: dict[str, object] = {
        "memory_kib": sum(managed.values()) * 4,
        "managed": managed,
        "cache_kib": int(gib * GIB_KIB / 2),
        "dirty_threshold_pages": int(gib * 1024 * 256 / 5),
        "dirty_background_pages": int(gib * 1024 * 256 / 10),
        "swap": SwapKind.NONE,
        "drives": (Drive("nvme0n1", DriveKind.NVME, SCHEDULERS),),
        "is_on_battery": False,
    }
    return MachineProfile(**{**fields, **changes})  # type: ignore[arg-type]


def causes(*names: str, on: str = "") -> Measured:
    """Findings of these causes, on one device or on none in particular."""
    devices = frozenset({on} if on else ())
    return Measured(causes=dict.fromkeys(names, devices))


def advice(
    profile: MachineProfile,
    values: dict[str, str] | None = None,
    measured: Measured | None = None,
    **more: object,
) -> dict[str, Recommendation]:
    """Recommendations by key for the kernel's defaults with some values changed."""
    situation = Situation(
        profile,
        {**DEFAULTS, **(values or {})},
        measured=measured or Measured(),
        **{"preset": GENERAL, **more},  # type: ignore[arg-type]
    )
    return {each.key: each for each in recommend(situation)}
