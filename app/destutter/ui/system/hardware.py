# SPDX-License-Identifier: GPL-3.0-or-later
"""What this computer is made of, as one posts it in a forum, and what it does right now."""

from collections.abc import Iterator

from PySide6.QtCore import QCoreApplication

from destutter.bridge.system_model import HardwareReport
from destutter.sampling.hardware import GraphicsCard, Hardware
from destutter.tuning.drive_details import DriveDetails
from destutter.tuning.machine_profile import DriveKind
from destutter.ui.system.drives import kind_name
from destutter.ui.system.measured import NewestValues
from destutter.ui.system.section import MISSING, Cell, Section
from destutter.ui.words.quantities import Quantities

translate = QCoreApplication.translate

_GENERATIONS = {
    "2.5": "1.0",
    "5.0": "2.0",
    "8.0": "3.0",
    "16.0": "4.0",
    "32.0": "5.0",
    "64.0": "6.0",
}

Line = tuple[str, Cell, Cell]


def hardware_section(
    report: HardwareReport,
    drives: tuple[DriveDetails, ...],
    measured: NewestValues,
    quantities: Quantities,
) -> Section:
    """One row per part: its name with what it has, and beside it what it does now."""
    parts = report.parts
    lines = [_processor(parts, measured, quantities)]
    lines += [_card(each, parts, measured, quantities) for each in parts.cards]
    lines.append(_memory(parts, measured, quantities))
    lines += _drives(drives, report, quantities)
    lines.append(_software(parts))
    rows = tuple((Cell(name, tone="muted"), what, now) for name, what, now in lines)
    heads = "", translate("System", "Part"), translate("System", "Now")
    return Section("hardware", translate("System", "Overview"), heads, rows, "", (16, 54, 30))


def _joined(*parts: str | None) -> str:
    return " · ".join(part for part in parts if part)


def _processor(parts: Hardware, measured: NewestValues, quantities: Quantities) -> Line:
    number = quantities.number
    cores = cpus = clock = None
    if parts.cores:
        cores = translate("System", "{count} cores").format(count=number(parts.cores))
    if parts.cpus:
        cpus = translate("System", "{count} threads").format(count=number(parts.cpus))
    if parts.most_mhz:
        most = quantities.with_unit(number(parts.most_mhz / 1000, 1), "GHz")
        clock = translate("System", "up to {clock}").format(clock=most)
    note = _joined(cores, cpus, clock, _caches(parts, quantities))
    busy, clocks = measured.one("cpu.busy_pct"), measured.of("cpufreq.current_mhz").values()
    now = MISSING if busy is None else _busy(busy, quantities)
    fastest = quantities.with_unit(number(max(clocks) / 1000, 1), "GHz") if clocks else ""
    name = translate("System", "Processor")
    return name, Cell(parts.processor or MISSING, note), Cell(now, fastest)


def _caches(parts: Hardware, quantities: Quantities) -> str:
    """The caches of the last level; two and more are dies, between which data is slow."""
    sizes = [quantities.size(1024 * die.cache_kib) for die in parts.dies]
    if len(sizes) > 1:
        text = translate("System", "{count} dies with a cache of their own: {sizes}")
        return text.format(count=quantities.number(len(sizes)), sizes=" + ".join(sizes))
    return translate("System", "{size} cache").format(size=sizes[0]) if sizes else ""


def _busy(share_pct: float, quantities: Quantities) -> str:
    return translate("System", "{share} busy").format(share=quantities.percent(share_pct, 0))


def _card(
    card: GraphicsCard, parts: Hardware, measured: NewestValues, quantities: Quantities
) -> Line:
    def now_of(metric: str) -> float | None:
        found = measured.of(metric)
        # NVIDIA's library counts its cards by itself; of a single one there is no doubt.
        is_alone = len(found) == 1 and len(parts.cards) == 1
        return next(iter(found.values())) if is_alone else found.get(card.instance)

    total = now_of("gpu.vram_total_bytes") or card.memory_bytes
    memory = None if total is None else quantities.size(total)
    link = None if card.link is None else _link(*card.link)
    driver = parts.nvidia_driver if card.driver == "nvidia" else None
    busy, used, degrees = (
        now_of(each) for each in ("gpu.busy_pct", "gpu.vram_used_bytes", "gpu.temperature_celsius")
    )
    in_use = translate("System", "{size} of its memory in use")
    details = _joined(
        None if used is None else in_use.format(size=quantities.size(used)),
        None if degrees is None else quantities.of_metric(round(degrees), "°C"),
    )
    name = translate("System", "Graphics card")
    what = Cell(card.name, _joined(memory, link, driver or card.driver))
    return name, what, Cell(MISSING if busy is None else _busy(busy, quantities), details)


def _link(speed: str, width: str) -> str:
    """The generation that people know, of the kernel's "16.0 GT/s PCIe"; else its own word."""
    rate = speed.partition(" ")[0]
    return f"PCIe {_GENERATIONS.get(rate, speed)} x{width}"


def _memory(parts: Hardware, measured: NewestValues, quantities: Quantities) -> Line:
    size = MISSING if parts.memory_kib is None else quantities.size(1024 * parts.memory_kib)
    free = measured.one("memory.available_bytes")
    text = translate("System", "{size} available")
    now = MISSING if free is None else text.format(size=quantities.size(free))
    return translate("System", "Memory"), Cell(size), Cell(now)


def _drives(
    drives: tuple[DriveDetails, ...], report: HardwareReport, quantities: Quantities
) -> Iterator[Line]:
    for drive in drives:
        if drive.kind is DriveKind.LAYERED or drive.name.startswith("loop"):
            continue
        size = None if drive.size_bytes is None else quantities.size(drive.size_bytes)
        is_linked = drive.link_speed is not None and drive.link_width is not None
        link = _link(drive.link_speed or "", drive.link_width or "") if is_linked else None
        free = report.free_bytes.get(drive.name)
        text = translate("System", "{size} free")
        now = MISSING if free is None else text.format(size=quantities.size(free))
        details = _joined(drive.name, kind_name(drive.kind), size, link)
        what = Cell(drive.model or drive.name, details)
        yield translate("System", "Drive"), what, Cell(now)


def _software(parts: Hardware) -> Line:
    details = _joined(parts.desktop, parts.nvidia_driver)
    what = Cell(_joined(parts.distribution) or MISSING, details)
    return translate("System", "System"), what, Cell(parts.kernel or MISSING)
