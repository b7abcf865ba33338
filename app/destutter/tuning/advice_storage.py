# SPDX-License-Identifier: GPL-3.0-or-later
"""Advice about drives: limits of unwritten data, I/O scheduler, throttling and power saving."""

from collections.abc import Iterator, Mapping

from destutter.core.statement import Statement
from destutter.tuning.defaults import kernel_default
from destutter.tuning.machine_profile import Drive, DriveKind
from destutter.tuning.presets import ALWAYS
from destutter.tuning.recommendation import (
    LOW,
    ON_BATTERY,
    PairResult,
    Recommendation,
    Rule,
    Situation,
    usual_risk,
)

_MIB = 2**20
USUAL_WRITE_MIB_PER_S = {
    DriveKind.NVME: 1000.0,
    DriveKind.SATA_SSD: 400.0,
    DriveKind.HDD: 120.0,
    DriveKind.CARD: 20.0,
    DriveKind.USB: 20.0,
}
"""Sequential writing where nobody measured it."""

# A quarter of a second and a second of writing, within bounds: lower limits mean more and smaller
# writes.
_BACKGROUND_S, _LIMIT_S = 0.25, 1.0
_BACKGROUND_MIB, _LIMIT_MIB = (32, 256), (128, 1024)
_LEAST_RATIO = 4  # nearer, writers are slowed down ((background + limit) / 2) almost at once
# The BFQ study's heavy job lost 11.5 % under bfq; "none" costs least, so a tie is its own.
_LEAST_HEAVY_SHARE = 0.85
_TIE = 1.10
_WRITES = ("dirty_throttling", "page_cache_write", "filesystem_commit")
_QUEUE_CAUSES = ("io_unfairness",)


def writing_speed(situation: Situation) -> float | None:
    """MiB/s of the slowest drive that counts, measured or by its kind; None when unknown.

    Those that were busy count, or without knowing that, all that are built in.
    """
    measured = situation.measured
    drives = [each for each in situation.profile.drives if each.name in measured.busy_drives]
    if not drives:
        passing = (DriveKind.USB, DriveKind.LAYERED)
        drives = [each for each in situation.profile.drives if each.kind not in passing]
    speeds = [
        measured.write_mib_per_s.get(each.name, USUAL_WRITE_MIB_PER_S.get(each.kind))
        for each in drives
    ]
    known = [speed for speed in speeds if speed]
    return min(known, default=None)


def dirty_limits_mib(speed_mib_per_s: float) -> tuple[int, int]:
    """Background and hard limit of unwritten data for a drive of that speed.

    A quarter of a second and a whole second of writing, within limits, and at least four times
    apart.
    """
    background = round(
        min(max(speed_mib_per_s * _BACKGROUND_S, _BACKGROUND_MIB[0]), _BACKGROUND_MIB[1])
    )
    limit = round(min(max(speed_mib_per_s * _LIMIT_S, _LIMIT_MIB[0]), _LIMIT_MIB[1]))
    return background, max(limit, background * _LEAST_RATIO)


def dirty_bytes(situation: Situation) -> Iterator[Recommendation]:
    """Limits of unwritten data by what the drive writes in a second; none of them higher."""
    profile, speed = situation.profile, writing_speed(situation)
    if speed is None or not situation.wants(situation.preset.dirty, *_WRITES):
        return
    background, limit = dirty_limits_mib(speed)
    page_bytes = profile.page_kib * 1024
    rows = (
        ("vm.dirty_background_bytes", background, profile.dirty_background_pages),
        ("vm.dirty_bytes", limit, profile.dirty_threshold_pages),
    )
    if any(pages is None or pages * page_bytes <= mib * _MIB for _, mib, pages in rows):
        return
    for tunable, mib, pages in rows:
        now = situation.values.get(tunable)
        if now is None or pages is None:
            continue
        yield Recommendation(
            tunable,
            "",
            now,
            str(mib * _MIB),
            Statement(
                "tuning.dirty.reason",
                {
                    "speed_bytes_per_s": round(speed) * _MIB,
                    "piled_bytes": pages * page_bytes,
                    "seconds": round(pages * page_bytes / _MIB / speed, 1),
                },
            ),
            usual_risk(tunable),
            Statement("tuning.dirty.cost", {"limit_bytes": limit * _MIB}),
            Statement("tuning.dirty.effect"),
            (
                Statement("tuning.dirty.not_when.quiet"),
                Statement("tuning.dirty.not_when.copies"),
            ),
            _WRITES,
            stands_alone=situation.preset.dirty == ALWAYS,
            with_others=tuple(other for other, _, _ in rows if other != tunable),
        )


def raised_dirty_bytes(situation: Situation) -> Iterator[Recommendation]:
    """Higher limits of unwritten data, where a limit is lower than is ever advised and programs
    were measured to wait for it.

    A "gaming tweak" of 16 MB froze a game that saves 40 MB for half a second each time, and no
    better value was known. Above the least that is advised nothing is raised: what a program
    piles up there is paid by who reads. Nor is the kernel's own share, low as it is where memory
    is small.
    """
    profile = situation.profile
    page_bytes = profile.page_kib * 1024
    background, limit = dirty_limits_mib(writing_speed(situation) or 0.0)
    pages = profile.dirty_threshold_pages
    is_default = situation.values.get("vm.dirty_ratio") == kernel_default("vm.dirty_ratio")
    if pages is None or is_default or pages * page_bytes >= _LIMIT_MIB[0] * _MIB:
        return
    # With one text for both, the rows looked like one.
    effects = {
        "vm.dirty_background_bytes": "tuning.dirty.raised.effect.background",
        "vm.dirty_bytes": "tuning.dirty.raised.effect",
    }
    rows = (
        ("vm.dirty_background_bytes", background, profile.dirty_background_pages),
        ("vm.dirty_bytes", limit, pages),
    )
    higher = [row for row in rows if row[2] is not None and row[2] * page_bytes < row[1] * _MIB]
    for tunable, mib, _ in higher:
        yield Recommendation(
            tunable,
            "",
            situation.values.get(tunable, ""),
            str(mib * _MIB),
            Statement("tuning.dirty.raised.reason", {"piled_bytes": pages * page_bytes}),
            LOW,  # every distribution has a higher one
            Statement("tuning.dirty.raised.cost", {"limit_bytes": limit * _MIB}),
            Statement(effects[tunable]),
            (Statement("tuning.dirty.raised.not_when"),),
            ("dirty_throttling",),
            with_others=tuple(other for other, _, _ in higher if other != tunable),
        )


def best_scheduler(results: Mapping[str, PairResult]) -> str | None:
    """The scheduler with the quickest single reader among those that keep the heavy job fast.

    Fast is at least 85 % of the fastest. Within a tenth "none" is as good, and costs least.
    """
    most = max((each.heavy_per_s for each in results.values()), default=0.0)
    fast = {
        name: each.reader_p99_ms
        for name, each in results.items()
        if each.heavy_per_s >= most * _LEAST_HEAVY_SHARE
    }
    if not fast:
        return None
    best = min(fast, key=lambda name: (fast[name], name))
    if "none" in fast and fast["none"] <= fast[best] * _TIE:
        return "none"
    return best


def scheduler(situation: Situation) -> Iterator[Recommendation]:
    """Another I/O scheduler, only where a heavy job was measured in the way of the game."""
    for device, now in situation.devices("block.scheduler"):
        drive = situation.profile.drive(device)
        if drive is None or not situation.found_on("io_unfairness", device):
            continue
        wanted, why = _scheduler_for(situation, drive, now) or ("", None)
        if why is None or wanted not in drive.schedulers:
            continue
        yield Recommendation(
            "block.scheduler",
            device,
            now,
            wanted,
            Statement("tuning.scheduler.reason", {"device": device, "choice": why}),
            usual_risk("block.scheduler"),
            Statement("tuning.scheduler.cost.throughput")
            if wanted != "none"
            else Statement("tuning.scheduler.cost.queue"),
            Statement("tuning.scheduler.effect"),
            tuple(_not_when(wanted)),
            _QUEUE_CAUSES,
        )


def _not_when(wanted: str) -> Iterator[Statement]:
    yield Statement("tuning.scheduler.not_when.alone")
    # "none" is what a virtual drive gets: the host decides then.
    if wanted != "none":
        yield Statement("tuning.scheduler.not_when.virtual")


def _scheduler_for(situation: Situation, drive: Drive, now: str) -> tuple[str, Statement] | None:
    """The scheduler to have, and why that one; None where none is better."""
    if drive.kind in (DriveKind.VIRTUAL, DriveKind.LAYERED):
        return "none", Statement("tuning.scheduler.choice.behind")
    results = situation.measured.pairs.get(drive.name, {})
    if results:
        best = best_scheduler(results)
        return None if best is None else (best, Statement("tuning.scheduler.choice.tried"))
    if drive.kind in (DriveKind.HDD, DriveKind.CARD):
        return "bfq", Statement("tuning.scheduler.choice.fair")
    if drive.kind is DriveKind.SATA_SSD and now == "none":
        return "mq-deadline", Statement("tuning.scheduler.choice.reads")
    return None


def write_back_throttling(situation: Situation) -> Iterator[Recommendation]:
    """Off only on an NVMe drive where it was measured to hold back the game's own writes."""
    for device, now in situation.devices("block.wbt_lat_usec"):
        drive = situation.profile.drive(device)
        is_nvme = drive is not None and drive.kind is DriveKind.NVME
        if not is_nvme or not situation.found_on("wbt_throttling", device):
            continue
        yield Recommendation(
            "block.wbt_lat_usec",
            device,
            now,
            "0",
            Statement("tuning.wbt.reason", {"device": device}),
            usual_risk("block.wbt_lat_usec"),
            Statement("tuning.wbt.cost"),
            Statement("tuning.wbt.effect"),
            (Statement("tuning.wbt.not_when.others"), Statement("tuning.wbt.not_when.reads")),
            ("wbt_throttling",),
        )


def nvme_awake(situation: Situation) -> Iterator[Recommendation]:
    """Keep an NVMe drive from sleeping: on mains, with evidence or where a preset asks."""
    profile, preset = situation.profile, situation.preset
    if profile.is_guest or profile.is_on_battery is not False:
        return
    for device, now in situation.devices("nvme.latency_tolerance"):
        has_evidence = _on_controller(situation, "nvme_power_state", device)
        if not has_evidence and preset.nvme_awake != ALWAYS:
            continue
        yield Recommendation(
            "nvme.latency_tolerance",
            device,
            now,
            "0",
            Statement("tuning.nvme_awake.reason"),
            usual_risk("nvme.latency_tolerance"),
            Statement("tuning.nvme_awake.cost"),
            Statement("tuning.nvme_awake.effect"),
            (
                ON_BATTERY,
                Statement("tuning.nvme_awake.not_when.hot"),
                Statement("tuning.nvme_awake.not_when.no_pattern"),
            ),
            ("nvme_power_state",),
            stands_alone=preset.nvme_awake == ALWAYS,
        )


def _on_controller(situation: Situation, cause: str, controller: str) -> bool:
    """Whether a cause was measured on a drive of a controller: nvme0n1 belongs to nvme0."""
    devices = situation.measured.causes.get(cause)
    if devices is None:
        return False
    return not devices or any(
        each == controller or each.startswith(f"{controller}n") for each in devices
    )


def sata_link(situation: Situation) -> Iterator[Recommendation]:
    """Links that stay awake, on mains and where their sleep was measured."""
    profile = situation.profile
    if profile.is_guest or profile.is_on_battery is not False:
        return
    for device, now in situation.devices("sata.link_power"):
        yield Recommendation(
            "sata.link_power",
            device,
            now,
            "max_performance",
            Statement("tuning.sata_link.reason"),
            usual_risk("sata.link_power"),
            Statement("tuning.sata_link.cost"),
            Statement("tuning.sata_link.effect"),
            (ON_BATTERY, Statement("tuning.sata_link.not_when")),
            ("link_power",),
        )


STORAGE_RULES: tuple[Rule, ...] = (
    dirty_bytes,
    raised_dirty_bytes,
    scheduler,
    write_back_throttling,
    nvme_awake,
    sata_link,
)
