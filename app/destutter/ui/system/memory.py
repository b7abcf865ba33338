# SPDX-License-Identifier: GPL-3.0-or-later
"""Memory: zones with their watermarks, and where pages go that are swapped out."""

from PySide6.QtCore import QCoreApplication

from destutter.tuning.machine_profile import SwapKind
from destutter.tuning.system_reading import SwapDetails, SystemReading, Zone
from destutter.ui.system.section import MISSING, Cell, Section
from destutter.ui.words.quantities import Quantities


def zone_section(reading: SystemReading, quantities: Quantities) -> Section:
    """One row per zone of every NUMA node."""
    translate = QCoreApplication.translate
    page_bytes = reading.profile.page_kib * 1024
    rows = tuple(_zone(each, page_bytes, quantities) for each in reading.zones)
    note = translate(
        "System",
        "Free memory below the mark low: the kernel frees more in the background. Below the mark "
        "min, the program that asks for memory waits for it.",
    )
    return Section(
        "zones",
        translate("System", "Memory zones"),
        (
            translate("System", "Zone"),
            translate("System", "Free"),
            translate("System", "Mark min"),
            translate("System", "Mark low"),
            translate("System", "Mark high"),
            translate("System", "Managed"),
            translate("System", "State"),
        ),
        rows,
        note if rows else translate("System", "The kernel's zones cannot be read."),
        (20, 14, 14, 12, 12, 14, 22),
    )


def _zone(zone: Zone, page_bytes: int, quantities: Quantities) -> tuple[Cell, ...]:
    translate = QCoreApplication.translate
    sizes = [
        Cell(quantities.size(pages * page_bytes))
        for pages in (zone.free, zone.min, zone.low, zone.high, zone.managed)
    ]
    if zone.free <= zone.min:
        state = Cell(translate("System", "Below min: programs wait"), tone="bad")
    elif zone.free <= zone.low:
        state = Cell(translate("System", "Below low: being freed"), tone="warn")
    elif zone.free <= zone.high:
        state = Cell(translate("System", "Between low and high"), tone="info")
    else:
        state = Cell(translate("System", "Enough free"), tone="ok")
    return (Cell(zone.name, is_technical=True), *sizes, state)


def swap_section(reading: SystemReading, quantities: Quantities) -> Section:
    """Kind of swap, each area, and huge pages."""
    translate = QCoreApplication.translate
    rows = [_swap(each, quantities) for each in reading.swaps]
    kernel = reading.kernel
    is_hidden = kernel.is_partly_hidden
    unseen = translate("System", "hidden by the Flatpak's sandbox")
    zswap = {
        None: unseen if is_hidden else translate("System", "not in this kernel"),
        True: translate("System", "on"),
        False: translate("System", "off"),
    }[kernel.zswap]
    notes = translate(
        "System", "Swap: {kind}. zswap: {zswap}. Transparent huge pages: {thp}, defrag {defrag}."
    ).format(
        kind=swap_name(reading.profile.swap),
        zswap=zswap,
        thp=kernel.thp or (unseen if is_hidden else MISSING),
        defrag=kernel.thp_defrag or (unseen if is_hidden else MISSING),
    )
    return Section(
        "swap",
        translate("System", "Swap and huge pages"),
        (
            translate("System", "Area"),
            translate("System", "Size"),
            translate("System", "Used"),
            translate("System", "Priority"),
            translate("System", "Compression"),
        )
        if rows
        else (),
        tuple(rows),
        notes,
        (34, 16, 16, 12, 22),
    )


def swap_name(kind: SwapKind) -> str:
    translate = QCoreApplication.translate
    return {
        SwapKind.NONE: translate("System", "none"),
        SwapKind.ZRAM: translate("System", "compressed in memory (zram)"),
        SwapKind.ZRAM_AND_DISK: translate("System", "zram first, then a drive"),
        SwapKind.ZSWAP: translate("System", "a drive behind zswap"),
        SwapKind.SSD: translate("System", "on an SSD"),
        SwapKind.HDD: translate("System", "on a hard disk"),
        SwapKind.UNKNOWN: translate("System", "of several or unknown kinds"),
    }[kind]


def _swap(area: SwapDetails, quantities: Quantities) -> tuple[Cell, ...]:
    compression = Cell(MISSING)
    if area.algorithm is not None:
        note = ""
        if area.stored is not None and area.stored[1] > 0:
            ratio = quantities.number(area.stored[0] / area.stored[1], 1)
            note = QCoreApplication.translate("System", "{ratio} to 1").format(ratio=ratio)
        compression = Cell(area.algorithm, note)
    return (
        Cell(area.name, is_technical=True),
        Cell(quantities.size(area.size_kib * 1024)),
        Cell(quantities.size(area.used_kib * 1024)),
        Cell(quantities.number(area.priority)),
        compression,
    )
