# SPDX-License-Identifier: GPL-3.0-or-later
"""What all steps of the guide have in common."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.followed_frames import FollowedFrames
from destutter.bridge.session_services import SessionServices
from destutter.bridge.tuning_model import TuningModel
from destutter.guide_progress import GuideProgress, GuideProgressError, GuideStore
from destutter.ui.help.connect_view import ReadGames, no_games
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.setting_words import SettingWords
from destutter.ui.words.words import Words


@dataclass(frozen=True, slots=True)
class GuideTools:
    """What steps work with. ``tuning`` None: this window cannot change settings."""

    theme: Theme
    quantities: Quantities
    words: Words
    settings: SettingWords
    explanations: ExplanationPages
    models: SessionServices
    tuning: TuningModel | None
    read_games: ReadGames = no_games
    followed: FollowedFrames = field(default_factory=FollowedFrames)


class GuideMemory(QObject):
    """The progress, for all steps. ``not_kept(Statement)`` when it cannot be written."""

    not_kept = Signal(object)

    def __init__(self, store: GuideStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store

    @property
    def progress(self) -> GuideProgress:
        return self._store.progress

    def keep(self, progress: GuideProgress) -> None:
        self._try(partial(self._store.keep, progress))

    def note_shown(self) -> None:
        """The guide is shown: no later start opens on it by itself."""
        self._try(self._store.note_shown)

    def _try(self, write: Callable[[], None]) -> None:
        try:
            write()
        except GuideProgressError as error:
            self.not_kept.emit(error.statement)


class Step(QWidget):
    """One step. ``changed()`` when title or buttons are new, ``finished()`` to go on.

    The window's news reach a step by the methods of pages.
    """

    changed = Signal()
    finished = Signal()

    def __init__(
        self, tools: GuideTools, memory: GuideMemory, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.tools = tools
        self.memory = memory
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(0, 0, 0, 0)
        self.body.setSpacing(0)

    @property
    def heading(self) -> str:
        """The title of the card."""
        raise NotImplementedError

    @property
    def sentence(self) -> str:
        """The line below the title."""
        return ""

    @property
    def next_text(self) -> str:
        """What the button to go on says; empty: there is no going on yet."""
        return self.tr("Continue")

    @property
    def needs_rights(self) -> bool:
        """Whether going on asks for a password."""
        return False

    @property
    def suggested(self) -> QPushButton | None:
        """A button of the step that most would click now; None: the one to go on is."""
        return None

    @property
    def can_go_on(self) -> bool:
        """Whether the button works."""
        return True

    def entered(self) -> None:
        """The step is shown."""

    def go_on(self) -> None:
        """The button was clicked."""
        self.finished.emit()

    def set_calm(self, *, is_calm: bool) -> None:
        """Do not suggest what a banner above the page suggests."""

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """What was measured; several times a second."""

    def show_recording(self, state: RecordingState) -> None:
        """Whether a recording runs."""
