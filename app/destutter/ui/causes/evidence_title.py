# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands above the proof of a finding: which moment it is of."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN
from destutter.ui.causes.listed_moments import ListedMoment, is_beside
from destutter.ui.words.quantities import Quantities, WallClock

translate = QCoreApplication.translate


def evidence_title(
    moment: ListedMoment,
    spikes: Sequence[Spike],
    quantities: Quantities,
    clock: WallClock,
    *,
    is_open: bool,
) -> str:
    """``is_open``: nobody knows whether the game stuttered. Without a game that is measured they
    are hiccups of the computer, as in the list beside it.
    """
    time = clock.time(moment.monotonic_ns)
    if moment.duration_ms is None:
        # Or a stutter of another cause.
        if is_open or is_beside(moment, spikes):
            return translate("Causes", "Evidence: strongest at {time}").format(time=time)
        told = translate("Causes", "Evidence: strongest at {time}, no stutter then")
        return told.format(time=time)
    told = translate("Causes", "Evidence: stutter at {time}, {length}")
    ends = {each.monotonic_ns for each in spikes if each.origin == WAKEUP_ORIGIN}
    if moment.monotonic_ns in ends:
        told = translate("Causes", "Evidence: hiccup at {time}, {length}")
    return told.format(time=time, length=quantities.milliseconds(moment.duration_ms))
