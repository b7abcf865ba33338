# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that pages need to show, compare and pass on recordings."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QObject

from destutter.analysis.reading.read_once import ReadOnce
from destutter.analysis.reading.session_reader import SessionReading
from destutter.bridge.background_jobs import Jobs
from destutter.bridge.session_examiner import SessionExaminer
from destutter.bridge.session_library import SessionLibrary
from destutter.bridge.session_outcomes import SessionOutcomes
from destutter.tuning.presets import Preset


class SessionServices(QObject):
    """The library of ``folder`` and what reads it.

    ``secrets`` maps what a report must not tell to what stands in its place. The examiner has a
    thread of its own: the list must not wait for an hour of frames.
    """

    def __init__(
        self,
        folder: Path,
        secrets: Mapping[str, str],
        reading: SessionReading,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.secrets = dict(secrets)
        self._jobs = tuple(Jobs(self) for _ in range(5))
        self.library = SessionLibrary(folder, self._jobs[0], reading, self)
        once = ReadOnce()
        self.examiner = SessionExaminer(self._jobs[1], reading, once, self)
        self.guide_examiner = SessionExaminer(self._jobs[2], reading, once, self)
        self.trial_examiner = SessionExaminer(self._jobs[3], reading, once, self)
        examiners = (self.examiner, self.guide_examiner, self.trial_examiner)
        self.outcomes = SessionOutcomes(self.library, self._jobs[4], reading, examiners, self)

    def set_preset(self, preset: Preset) -> None:
        """What is played decides what is advised."""
        self.examiner.set_preset(preset)
        self.guide_examiner.set_preset(preset)
        self.trial_examiner.set_preset(preset)

    def stop(self) -> None:
        """Read no more; what was deleted is deleted for good."""
        self.examiner.cancel()
        self.guide_examiner.cancel()
        self.trial_examiner.cancel()
        self.outcomes.cancel()
        self.library.stop()
        for jobs in self._jobs:
            jobs.stop()
