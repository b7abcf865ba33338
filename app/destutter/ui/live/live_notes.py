# SPDX-License-Identifier: GPL-3.0-or-later
"""The quiet notes of the live page: what limits the measurements on this computer."""

from PySide6.QtCore import QCoreApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.causes.coverage import name_of_source
from destutter.ui.live.live_state import MeasuringLimits, steal_pct
from destutter.ui.pages.said_alike import no_game
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said

translate = QCoreApplication.translate


def live_notes(snapshot: Snapshot | None, quantities: Quantities) -> list[str]:
    """What is not measured for want of a right, and that a host may interfere."""
    if snapshot is None:
        return []
    around = MeasuringLimits.of(snapshot)
    notes = [
        translate("Notes", "Not measured: {what} — {reason}").format(
            what=source_name(source), reason=said(reason)
        )
        for source, reason in around.refused
    ]
    if around.hypervisor is not None:
        notes.append(_virtual_machine(snapshot, quantities))
    return notes


def source_name(source: str) -> str:
    return said(name_of_source(source))


def _virtual_machine(snapshot: Snapshot, quantities: Quantities) -> str:
    steal = steal_pct(snapshot)
    if steal is None:
        return translate(
            "Notes",
            "In a virtual machine the host can also cause stutter; Destutter cannot see it.",
        )
    text = translate(
        "Notes",
        "In a virtual machine the host can also cause stutter; of that only the processor time "
        "that it takes can be seen.",
    )
    taken = translate("Notes", "Taken by the host now: {share}.").format(
        share=quantities.percent(steal)
    )
    return f"{text} {taken}"


def without_game(snapshot: Snapshot) -> str:
    """What is watched while it is no game: in a Flatpak one may well be running."""
    if MeasuringLimits.of(snapshot).hides_games:
        return QCoreApplication.translate(
            "LivePage", "The whole computer; the Flatpak's sandbox hides games"
        )
    return no_game()
