# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel, clock, other tools that change settings, and what cannot be measured here."""

from PySide6.QtCore import QCoreApplication

from destutter.tuning.other_programs import SCHEDULER_CHANGES
from destutter.tuning.system_reading import KernelSettings, SystemReading
from destutter.ui.system.measured import NewestValues
from destutter.ui.system.section import MISSING, Cell, Section, hidden
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said, said_sentence, spoken


def kernel_section(
    reading: SystemReading, measured: NewestValues, quantities: Quantities
) -> Section:
    """Names and choices of the kernel, one line each."""
    translate = QCoreApplication.translate
    kernel, facts = reading.kernel, measured.facts
    unused = (each for each in kernel.clocksources if each != kernel.clocksource)
    others = spoken().enumerated(unused)
    virtual = facts.get("machine.virtual") or "no"
    words = {"no": translate("System", "no"), "unknown": translate("System", "yes")}
    pairs = (
        (translate("System", "Kernel"), Cell(kernel.release or MISSING, kernel.preemption or "")),
        (translate("System", "Distribution"), Cell(facts.get("distribution", MISSING))),
        (
            translate("System", "Virtual machine"),
            Cell(words.get(virtual, virtual)),
        ),
        (translate("System", "Clock source"), _clock(kernel, others)),
        (translate("System", "Control group"), _cgroup(kernel)),
        (translate("System", "Real-time limit"), _realtime(kernel, quantities)),
        (translate("System", "PCI Express power saving"), _aspm(kernel)),
        (translate("System", "NVMe power states"), _power_states(kernel, quantities)),
        (
            translate("System", "Started with"),
            Cell(kernel.command_line or MISSING, is_technical=True),
        ),
    )
    rows = tuple((Cell(name, tone="muted"), cell) for name, cell in pairs)
    return Section("kernel", translate("System", "Kernel and clock"), (), rows, "", (28, 72))


def _clock(kernel: KernelSettings, others: str) -> Cell:
    translate = QCoreApplication.translate
    if kernel.clocksource is None:
        return Cell(MISSING)
    note = translate("System", "also there: {others}").format(others=others) if others else ""
    is_slow = kernel.clocksource in ("hpet", "acpi_pm")
    if is_slow:
        note = translate("System", "slow: every look at the clock costs a game time")
    return Cell(kernel.clocksource, note, "warn" if is_slow else "")


def _cgroup(kernel: KernelSettings) -> Cell:
    version = "cgroup v2" if kernel.is_cgroup_v2 else "cgroup v1"
    return Cell(MISSING) if kernel.cgroup is None else Cell(kernel.cgroup, version)


def _realtime(kernel: KernelSettings, quantities: Quantities) -> Cell:
    translate = QCoreApplication.translate
    if kernel.rt_runtime_us is None:
        return Cell(MISSING)
    if kernel.rt_runtime_us < 0:
        note = translate("System", "a real-time thread that runs wild takes the whole core")
        return Cell(translate("System", "none"), note, "warn")
    share = quantities.percent(kernel.rt_runtime_us / 10_000, 0)
    return Cell(translate("System", "{share} of each second").format(share=share))


def _aspm(kernel: KernelSettings) -> Cell:
    if kernel.aspm is None and kernel.is_partly_hidden:
        return hidden()
    return Cell(kernel.aspm or MISSING)


def _power_states(kernel: KernelSettings, quantities: Quantities) -> Cell:
    translate = QCoreApplication.translate
    limit_us = kernel.nvme_max_latency_us
    if limit_us is None and kernel.is_partly_hidden:
        return hidden()
    if limit_us is None:
        return Cell(MISSING, translate("System", "no NVMe driver"))
    if limit_us == 0:
        return Cell(translate("System", "off"))
    time = quantities.milliseconds(limit_us / 1000)
    return Cell(translate("System", "those that wake within {time}").format(time=time))


def program_section(reading: SystemReading) -> Section:
    """Programs that run now and change settings by themselves."""
    translate = QCoreApplication.translate
    rows = [(Cell(each.name), Cell(said(each.changes))) for each in reading.programs.running]
    if reading.programs.scheduler is not None:
        what = Cell(said(SCHEDULER_CHANGES))
        rows.append((Cell(reading.programs.scheduler, "sched_ext"), what))
    note = translate("System", "None of the known ones runs.") if not rows else ""
    if reading.programs.are_hidden:
        note = translate("System", "Not measured: the Flatpak's sandbox hides all other programs.")
    return Section(
        "programs",
        translate("System", "Other tools that change settings"),
        (translate("System", "Program"), translate("System", "Changes")) if rows else (),
        tuple(rows),
        note,
        (34, 66),
    )


def missing_section(reading: SystemReading | None, measured: NewestValues) -> Section:
    """What cannot be measured on this computer, and why."""
    translate = QCoreApplication.translate
    rows = [
        (Cell(said(each.what)), Cell(said_sentence(each.why))) for each in measured.not_measured
    ]
    rows += [
        (Cell(translate("System", "A file of the kernel")), Cell(said(problem)))
        for problem in (() if reading is None else reading.problems)
    ]
    note = translate("System", "Everything that Destutter knows is measured here.")
    if not measured.is_known:
        note = translate("System", "Nothing is measured yet.")
    return Section(
        "missing",
        translate("System", "Not measured here"),
        (translate("System", "What"), translate("System", "Why")) if rows else (),
        tuple(rows),
        "" if rows else note,
        (34, 66),
    )
