# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial for as long as a game runs is recorded, and compared with the last time before it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, RunningTrial
from destutter.analysis.comparing.further_runs import last_before
from destutter.bridge.recording import SessionRecording
from destutter.bridge.session_services import SessionServices
from destutter.bridge.tuning_model import TuningModel
from destutter.core.statement import Statement
from destutter_helper.api.payload import Change

if TYPE_CHECKING:
    from destutter.bridge.session_examiner import Examined


@dataclass
class _Tried:
    """What was tried with which game, and the file in which that was recorded."""

    game: str
    changes: tuple[Change, ...]
    origins: Mapping[str, str]
    path: Path | None = None
    before: Path | None = None
    is_over: bool = False
    is_told: bool = False


class RecordedTrials(QObject):
    """Starts a recording with such a trial and ends it with it, and has both compared.

    ``recording`` is the one of the measurement that runs now. Signals: ``begun()`` with another
    trial, ``reading()`` at its end, and what became of it: ``compared(Comparison)``,
    ``was_first()`` where no recording of the game is from before, ``failed(Statement)`` where one
    cannot be read.
    """

    begun = Signal()
    reading = Signal()
    compared = Signal(object)
    was_first = Signal()
    failed = Signal(object)

    def __init__(
        self,
        tuning: TuningModel,
        models: SessionServices,
        recording: Callable[[], SessionRecording | None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tuning = tuning
        self._models = models
        self._recording = recording
        self._tried: _Tried | None = None
        self._latest: Path | None = None
        tuning.changed.connect(self._follow)
        models.library.changed.connect(self._look_for_both)
        models.trial_examiner.examined.connect(self._compared)
        models.trial_examiner.failed.connect(self._unreadable)

    # --- the latest --------------------------------------------------------------------------

    @property
    def game(self) -> str:
        """The game of the latest trial; empty before the first one."""
        return "" if self._tried is None else self._tried.game

    @property
    def changes(self) -> tuple[Change, ...]:
        """What was tried in it."""
        return () if self._tried is None else self._tried.changes

    @property
    def both(self) -> tuple[Path, Path] | None:
        """The recordings before and of the latest trial, once they are compared."""
        tried = self._tried
        if tried is None or tried.path is None or tried.before is None:
            return None
        return tried.before, tried.path

    @property
    def is_kept(self) -> bool:
        """Whether somebody has kept it for every start while the game ran."""
        journal = self._tuning.journal_changes
        kept = {each.change for each in journal if each.lasts == LASTS_ALWAYS}
        return self._tried is not None and kept >= set(self._tried.changes)

    @property
    def may_be_kept_for_game(self) -> bool:
        """Whether the helper can, and has not got all of it already."""
        return self._tuning.games.may_keep(self.game, self.changes)

    def keep(self) -> None:
        """Ask for what was tried at every start."""
        if self._tried is not None and self.both is not None:
            self._tuning.apply(self._tried.changes, LASTS_ALWAYS)

    def keep_for_game(self) -> None:
        """Ask for what was tried whenever this game runs."""
        if self._tried is not None and self.both is not None:
            self._tuning.games.keep(self._tried.game, self._tried.changes)

    # --- its way -----------------------------------------------------------------------------

    @Slot()
    def _follow(self) -> None:
        trial, tried = self._tuning.trial, self._tried
        runs = trial is not None and trial.is_tried_in_game
        if trial is not None and runs and (tried is None or tried.is_over):
            self._begin(trial)
        elif not runs and tried is not None and not tried.is_over:
            self._end(tried)

    def _begin(self, trial: RunningTrial) -> None:
        """Record from now on, in a file of its own: what ran before is the time before."""
        changes = tuple(each.change for each in trial.changes if each.change is not None)
        self._tuning.helped.offer(None)
        origins = {each.key: each.origin for each in trial.changes if each.origin is not None}
        self._tried = _Tried(trial.game, changes, origins)
        self.begun.emit()
        recording = self._recording()
        if recording is not None:
            recording.stop()
            recording.start(trial.game)

    def _end(self, tried: _Tried) -> None:
        tried.is_over = True
        recording = self._recording()
        # What the user has begun since goes on.
        if recording is not None and tried.path is not None and self._latest == tried.path:
            recording.stop()
        if tried.path is not None:
            self.reading.emit()
        self._models.library.refresh()

    @Slot(str)
    def recording_started(self, path: str) -> None:
        """The first one after the begin is that of the trial."""
        self._latest = Path(path)
        tried = self._tried
        if tried is not None and tried.path is None and not tried.is_over:
            tried.path = self._latest

    @Slot()
    def _look_for_both(self) -> None:
        """The list of recordings is new: with both of them there they are compared."""
        tried, library = self._tried, self._models.library
        if tried is None or not tried.is_over or tried.path is None or tried.is_told:
            return
        flight = library.session(tried.path)
        if flight is None:
            return
        tried.is_told = True
        before = last_before(library.sessions, flight, tried.origins)
        if before is None:
            self.was_first.emit()
            return
        tried.before = before.path
        self._models.trial_examiner.examine(
            [before.path, flight.path],
            [before.duration_s or 0.0, flight.duration_s or 0.0],
            library.further_runs(before, flight),
        )

    @Slot(object)
    def _compared(self, answer: Examined) -> None:
        if self._tried is not None and answer.comparison is not None:
            self.compared.emit(answer.comparison)

    @Slot(object, object)
    def _unreadable(self, _path: Path, reason: Statement) -> None:
        self.failed.emit(reason)
