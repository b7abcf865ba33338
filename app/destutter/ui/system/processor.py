# SPDX-License-Identifier: GPL-3.0-or-later
"""Processor: interrupts and soft interrupts per core, the busiest lines, real-time threads."""

from PySide6.QtCore import QCoreApplication

from destutter.tuning.system_reading import SystemReading
from destutter.ui.system.measured import NewestValues
from destutter.ui.system.section import MISSING, Cell, Section
from destutter.ui.words.quantities import Quantities

_LINES = 8
_THREADS = 24
_SOFT = (
    "core.softirq_timer_per_s",
    "core.softirq_net_per_s",
    "core.softirq_block_per_s",
    "core.softirq_other_per_s",
)


def core_section(measured: NewestValues, quantities: Quantities) -> Section:
    """Interrupts and soft interrupts of each core, per second."""
    translate = QCoreApplication.translate
    interrupts = measured.of("core.interrupts_per_s")
    soft = [measured.of(metric) for metric in _SOFT]
    share = measured.of("core.irq_pct")
    cores = sorted({*interrupts, *(core for each in soft for core in each)}, key=_core_number)
    rows = tuple(
        (
            Cell(core, is_technical=True),
            _rate(interrupts, core, quantities),
            *(_rate(each, core, quantities) for each in soft),
            Cell(quantities.percent(share[core]) if core in share else MISSING),
        )
        for core in cores
    )
    return Section(
        "cores",
        translate("System", "Interrupts per core"),
        (
            translate("System", "Core"),
            translate("System", "Interrupts/s"),
            translate("System", "Timer/s"),
            translate("System", "Network/s"),
            translate("System", "Drives/s"),
            translate("System", "Others/s"),
            translate("System", "Time in interrupts"),
        ),
        rows,
        "" if rows else _why_nothing(measured, translate("System", "This is not measured here.")),
        (12, 15, 13, 13, 13, 13, 17),
    )


def line_section(measured: NewestValues, quantities: Quantities) -> Section:
    """The interrupt lines that come most often."""
    translate = QCoreApplication.translate
    rates = sorted(measured.of("interrupt.per_s").items(), key=lambda each: -each[1])
    quiet = translate("System", "No interrupt comes once a second or more.")
    rows = tuple(
        (Cell(name, is_technical=True), Cell(quantities.number(round(rate))))
        for name, rate in rates[:_LINES]
        if rate >= 1
    )
    return Section(
        "lines",
        translate("System", "Busiest interrupts"),
        (translate("System", "Interrupt"), translate("System", "Per second")),
        rows,
        ""
        if rows
        else _why_nothing(
            measured, quiet if rates else translate("System", "This is not measured here.")
        ),
        (70, 30),
    )


def thread_section(
    measured: NewestValues, reading: SystemReading | None, quantities: Quantities
) -> Section:
    """Threads under a real-time policy: they go before every game."""
    translate = QCoreApplication.translate
    shares = measured.of("realtime.cpu_pct")
    processors = measured.of("realtime.processor")
    policies = {} if reading is None else reading.threads
    busiest = sorted(shares.items(), key=lambda each: (-each[1], each[0]))
    rows = []
    for instance, share in busiest[:_THREADS]:
        numbers, _, name = instance.partition(" ")
        core = processors.get(instance)
        rows.append(
            (
                Cell(name, numbers),
                Cell(policies.get(numbers, MISSING)),
                Cell(quantities.percent(share)),
                Cell(MISSING if core is None else quantities.number(core)),
            )
        )
    note = ""
    if not rows:
        # A Flatpak sees no program but itself: that none was read is not that there is none.
        was_read = measured.was_read("realtime.cpu_pct")
        none = translate("System", "No program runs under a real-time policy.")
        unread = translate("System", "This is not measured here.")
        note = _why_nothing(measured, none if was_read else unread)
    elif len(busiest) > _THREADS:
        more = len(busiest) - _THREADS
        note = translate("System", "%n quieter one(s) are not listed.", None, more)
    return Section(
        "threads",
        translate("System", "Real-time threads"),
        (
            translate("System", "Thread"),
            translate("System", "Policy and priority"),
            translate("System", "Of one core"),
            translate("System", "Core"),
        )
        if rows
        else (),
        tuple(rows),
        note,
        (46, 24, 16, 14),
    )


def _why_nothing(measured: NewestValues, reason: str) -> str:
    yet = QCoreApplication.translate("System", "Nothing is measured yet.")
    return reason if measured.is_known else yet


def _rate(values: dict[str, float], core: str, quantities: Quantities) -> Cell:
    return Cell(quantities.number(round(values[core])) if core in values else MISSING)


def _core_number(core: str) -> int:
    digits = core.removeprefix("cpu")
    return int(digits) if digits.isdecimal() else 0
