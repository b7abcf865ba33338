# SPDX-License-Identifier: GPL-3.0-or-later
"""Every lane that can be chosen, made when somebody wants it."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from destutter.ui.plots.lane_choice import DIRTY, DRIVES, FRAMES, PRESSURE, RECLAIM
from destutter.ui.plots.lane_models import DirtyLane, DiskLane, FrameLane, PressureLane
from destutter.ui.plots.lane_show import LaneModel
from destutter.ui.plots.measured_lane import MeasuredLane
from destutter.ui.plots.more_lanes import DRIVE, MORE_LANES, drive_lane
from destutter.ui.plots.reclaim_lane import ReclaimLane
from destutter.ui.words.quantities import Quantities

translate = QCoreApplication.translate

_TITLES = {
    FRAMES: QT_TRANSLATE_NOOP("Lanes", "Frame time"),
    DRIVES: QT_TRANSLATE_NOOP("Lanes", "Drive delay"),
    RECLAIM: QT_TRANSLATE_NOOP("Lanes", "Waiting for free memory"),
    PRESSURE: QT_TRANSLATE_NOOP("Lanes", "Time spent waiting"),
    DIRTY: QT_TRANSLATE_NOOP("Lanes", "Unwritten data"),
}
_SPECS = {spec.id: spec for spec in MORE_LANES}


class LaneCatalogue:
    """One model of each lane: one that comes back knows what it knew."""

    def __init__(self, quantities: Quantities, refresh_hz: float) -> None:
        self._quantities = quantities
        self._made: dict[str, LaneModel] = {}
        self._usual: dict[str, Callable[[], LaneModel]] = {
            FRAMES: partial(FrameLane, quantities, refresh_hz),
            DRIVES: partial(DiskLane, quantities),
            RECLAIM: partial(ReclaimLane, quantities),
            PRESSURE: partial(PressureLane, quantities),
            DIRTY: partial(DirtyLane, quantities),
        }

    def ids(self, drives: Iterable[str] = ()) -> tuple[str, ...]:
        """The usual lanes, the others, and one for each of these drives."""
        return (*self._usual, *_SPECS, *(f"{DRIVE}{drive}" for drive in drives))

    def is_known(self, lane: str) -> bool:
        is_drive = lane.startswith(DRIVE) and lane != DRIVE
        return is_drive or lane in self._usual or lane in _SPECS

    def title(self, lane: str) -> str:
        text = _TITLES.get(lane)
        if text is not None:
            return str(translate("Lanes", str(text)))
        model = self.model(lane)
        return model.title if isinstance(model, MeasuredLane) else lane

    def model(self, lane: str) -> LaneModel:
        """The model of a known lane."""
        found = self._made.get(lane)
        if found is None:
            found = self._made[lane] = self._make(lane)
        return found

    def _make(self, lane: str) -> LaneModel:
        usual = self._usual.get(lane)
        if usual is not None:
            return usual()
        drive = lane.removeprefix(DRIVE)
        spec = _SPECS.get(lane) or drive_lane(drive)
        return MeasuredLane(self._quantities, spec, drive)
