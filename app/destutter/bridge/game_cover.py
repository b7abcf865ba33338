# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a full-screen window covers ours, and what happened meanwhile.

On X11 the window in front is asked once a second, only while a game is watched. On Wayland no
program may know of the windows of others; there the compositor stops asking for pictures.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from destutter.analysis.examining.pipeline import Snapshot
from destutter.diagnosis.finding import Spike, VerdictKind
from destutter.diagnosis.findings.time_lost import lost_ms

_MEASURED = (VerdictKind.SMOOTH, VerdictKind.HITCHES)
INTERVAL_MS = 1000  # so long graphs may be painted behind a game; each asks the X server


@dataclass(frozen=True, slots=True)
class Played:
    """What happened while a game filled the screen. ``by_cause`` counts the stutters of each cause
    by its id and begins with the most; ``lost_ms`` is what they took beyond usual frames.

    ``is_measured``: that there was no stutter is known by frame times.
    """

    seconds: float
    stutters: int
    by_cause: tuple[tuple[str, int], ...]
    is_measured: bool = True
    lost_ms: float = 0.0


class GameCover(QObject):
    """``covered()`` when a full-screen window begins to cover ours, ``uncovered(Played)`` when
    it no longer does. ``is_covered`` asks the window system.
    """

    covered = Signal()
    uncovered = Signal(object)

    def __init__(self, is_covered: Callable[[], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ask = is_covered
        self._is_covered = False
        self._began_ns: int | None = None
        self._newest_ns = 0
        self._spikes: dict[int, Spike] = {}
        self._is_measured = False
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.look)

    @property
    def is_covered(self) -> bool:
        """Whether a full-screen window covers ours now."""
        return self._is_covered

    def set_playing(self, *, is_playing: bool) -> None:
        """Whether a game is watched: only then it is worth asking."""
        if is_playing and not self._timer.isActive():
            self._timer.start()
        elif not is_playing and self._timer.isActive():
            self._timer.stop()
            self._change(is_covered=False)

    def accept_snapshot(self, snapshot: Snapshot) -> None:
        """Count the stutters while covered; a cause that is found later counts, too."""
        assessment = snapshot.assessment
        self._newest_ns = assessment.monotonic_ns
        if not self._is_covered:
            return
        self._is_measured = self._is_measured or assessment.verdict.kind in _MEASURED
        if self._began_ns is None:
            self._began_ns = self._newest_ns
        for spike in assessment.spikes:
            if spike.monotonic_ns >= self._began_ns:
                self._spikes[spike.monotonic_ns] = spike

    def stop(self) -> None:
        self._timer.stop()

    @Slot()
    def look(self) -> None:
        self._change(is_covered=self._ask())

    def _change(self, *, is_covered: bool) -> None:
        if is_covered == self._is_covered:
            return
        self._is_covered = is_covered
        if is_covered:
            self._began_ns = None
            self._spikes = {}
            self._is_measured = False
            self.covered.emit()
            return
        began_ns = self._newest_ns if self._began_ns is None else self._began_ns
        spikes = self._spikes.values()
        # A guess is no answer.
        causes = Counter(each.cause for each in spikes if each.cause and not each.is_guess)
        seconds = (self._newest_ns - began_ns) / 1e9
        told = tuple(causes.most_common())
        lost = sum(map(lost_ms, spikes))
        self.uncovered.emit(Played(seconds, len(spikes), told, self._is_measured, lost))
