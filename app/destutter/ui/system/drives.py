# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives: kind, queue, power saving, and health where UDisks2 knows it."""

from PySide6.QtCore import QCoreApplication

from destutter.bridge.power_states import PowerStatesModel, WakeUpDelays
from destutter.tuning.drive_details import DriveDetails
from destutter.tuning.drive_health import Condition, Health, HealthReport, NoHealth
from destutter.tuning.machine_profile import DriveKind
from destutter.tuning.system_reading import SystemReading
from destutter.ui.system.section import MISSING, Cell, Section, known
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said, spoken

DRIVES = "drives"


def drive_section(
    reading: SystemReading,
    health: HealthReport,
    power_states: PowerStatesModel | None,
    quantities: Quantities,
) -> Section:
    """One row per drive; those without a queue of their own, such as zram, come last."""
    translate = QCoreApplication.translate
    drives = sorted(
        (each for each in reading.drives if not each.name.startswith("loop")),
        key=lambda each: each.kind is DriveKind.LAYERED,
    )
    rows = tuple(_row(each, health, power_states, quantities) for each in drives)
    sleeps = [_sleep_of(each, power_states) for each in drives if each.kind is DriveKind.NVME]
    note = translate(
        "System",
        "How long an NVMe drive needs to wake up stands in the drive itself, and only the helper "
        "may ask it.",
    )
    if not rows:
        note = translate("System", "No drive is visible here.")
    return Section(
        DRIVES,
        translate("System", "Drives"),
        (
            translate("System", "Drive"),
            translate("System", "Scheduler"),
            translate("System", "Write throttling"),
            translate("System", "Readahead"),
            translate("System", "Queue depth"),
            translate("System", "Power saving"),
            translate("System", "Health"),
        ),
        rows,
        note if None in sleeps or not rows else "",
        (25, 13, 13, 9, 10, 20, 22),
    )


def kind_name(kind: DriveKind) -> str:
    translate = QCoreApplication.translate
    return {
        DriveKind.NVME: translate("System", "NVMe"),
        DriveKind.SATA_SSD: translate("System", "SATA SSD"),
        DriveKind.HDD: translate("System", "hard disk"),
        DriveKind.CARD: translate("System", "memory card"),
        DriveKind.USB: translate("System", "USB drive"),
        DriveKind.VIRTUAL: translate("System", "virtual drive"),
        DriveKind.LAYERED: translate("System", "on top of other storage"),
    }[kind]


def _row(
    drive: DriveDetails,
    health: HealthReport,
    power_states: PowerStatesModel | None,
    quantities: Quantities,
) -> tuple[Cell, ...]:
    size = None if drive.size_bytes is None else quantities.size(drive.size_bytes)
    details = (kind_name(drive.kind), size, drive.model)
    others = spoken().enumerated(each for each in drive.schedulers if each != drive.scheduler)
    depth = None if drive.device_depth is None else quantities.number(drive.device_depth)
    return (
        Cell(drive.name, " · ".join(each for each in details if each), is_technical=True),
        Cell(drive.scheduler or MISSING, others),
        _throttling(drive, quantities),
        Cell(
            MISSING
            if drive.read_ahead_kib is None
            else quantities.size(drive.read_ahead_kib * 1024)
        ),
        Cell(
            MISSING if drive.requests is None else quantities.number(drive.requests),
            ""
            if depth is None
            else QCoreApplication.translate("System", "drive: {depth}").format(depth=depth),
        ),
        _power(drive, _sleep_of(drive, power_states), quantities),
        _health(drive, health, quantities),
    )


def _throttling(drive: DriveDetails, quantities: Quantities) -> Cell:
    translate = QCoreApplication.translate
    if drive.wbt_us is None:
        return Cell(MISSING, translate("System", "not in this queue"))
    if drive.wbt_us == 0:
        return Cell(translate("System", "off"))
    target = quantities.milliseconds(drive.wbt_us / 1000)
    return Cell(target, translate("System", "target for reads"))


def _sleep_of(drive: DriveDetails, power_states: PowerStatesModel | None) -> WakeUpDelays | None:
    return None if power_states is None else power_states.of_drive(drive.name)


def _wakes(sleep: WakeUpDelays, quantities: Quantities) -> str:
    translate = QCoreApplication.translate
    if sleep.unavailable is not None:
        return said(sleep.unavailable)
    if not sleep.exits_ms:
        return translate("System", "never sleeps by itself")
    times = spoken().enumerated(quantities.milliseconds(each) for each in sleep.exits_ms)
    return translate("System", "wakes in {times}").format(times=times)


def _power(drive: DriveDetails, sleep: WakeUpDelays | None, quantities: Quantities) -> Cell:
    translate = QCoreApplication.translate
    notes = [] if sleep is None else [_wakes(sleep, quantities)]
    if drive.link_speed:
        notes.append(f"{drive.link_speed} ×{drive.link_width}")
    if drive.power_control == "auto":
        notes.append(translate("System", "may sleep"))
    note = " · ".join(notes)
    if drive.latency_tolerance is not None:
        text = drive.latency_tolerance
        if text.isdecimal():
            text = translate("System", "tolerates {time} µs").format(time=text)
        return Cell(text, note)
    if drive.link_power is not None:
        return Cell(drive.link_power, note)
    return Cell(MISSING, note)


def _health(drive: DriveDetails, report: HealthReport, quantities: Quantities) -> Cell:
    translate = QCoreApplication.translate
    health = report.drives.get(drive.name)
    if health is None or health.condition is Condition.UNKNOWN:
        return known(None, _why_not(drive, report))
    note = _notes(health, quantities)
    if health.condition is Condition.GOOD:
        return Cell(translate("System", "Good"), note, "ok")
    advice = translate("System", "save your data")
    return Cell(translate("System", "Failing"), " · ".join(filter(None, (advice, note))), "bad")


def _notes(health: Health, quantities: Quantities) -> str:
    found = list(health.warnings)
    if health.celsius is not None:
        found.append(quantities.with_unit(quantities.number(health.celsius), "°C"))
    if health.power_on_hours is not None:
        hours = quantities.number(health.power_on_hours)
        found.append(quantities.with_unit(hours, quantities.unit("h")))
    return " · ".join(found)


def _why_not(drive: DriveDetails, report: HealthReport) -> str:
    translate = QCoreApplication.translate
    if drive.kind in (DriveKind.VIRTUAL, DriveKind.LAYERED):
        return translate("System", "not a drive of its own")
    return {
        None: translate("System", "the drive does not tell UDisks2"),
        NoHealth.NO_BUS: translate("System", "no system bus"),
        NoHealth.NO_UDISKS: translate("System", "UDisks2 does not run"),
        NoHealth.FAILED: translate("System", "UDisks2 did not answer"),
        NoHealth.HIDDEN: translate("System", "the Flatpak may not ask UDisks2"),
    }[report.missing]
