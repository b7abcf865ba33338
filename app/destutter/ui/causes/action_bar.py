# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be done with the chosen changes: try, apply, copy; and what is being done."""

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from PySide6.QtCore import QSize, QTimer, Signal, Slot
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from destutter.ui.controls.suggested import mark_suggested
from destutter.ui.look.theme import Theme
from destutter.ui.pages.said_alike import (
    copy_commands,
    keep_always,
    keep_for_game,
    take_back,
    trial_needs,
    try_for_game,
)
from destutter.ui.pages.width_class import WidthClass, stack_when_narrow
from destutter_helper.api.names import TRIAL_USUAL_S

# Some desktops open the password dialog behind the window, and this says so after a while: a
# choice, longer than most take to type a password.
_SEARCH_MS = 8_000
_ENDS_OF_LINES = 2, 5  # of the buttons, in a narrow window
_LEAST_NOTE_PX = 300  # a choice: with less room the note is a column of single words


class BarState(Enum):
    """Which of its faces the bar shows."""

    READY = "ready"
    NOTHING = "nothing"
    ASKING = "asking"
    WORKING = "working"
    TRIAL = "trial"
    COPY_ONLY = "copy_only"
    HELPED = "helped"


class NowPlayed(NamedTuple):
    """What is played, by the name of its process (empty: nothing), and whether it is a flight."""

    name: str = ""
    is_flight: bool = False


NOTHING_PLAYED = NowPlayed()


@dataclass(frozen=True, slots=True)
class BarContent:
    """What the bar shows.

    ``count`` changes are chosen of ``offered``. ``note`` is the line beside the buttons, ``link``
    the text behind it (empty: none). Where something is ``played`` changes can be tried for as
    long as that runs; what has helped may be kept for a game where ``has_game_sets``.
    """

    state: BarState
    count: int = 0
    offered: int = 0
    note: str = ""
    link: str = ""
    played: NowPlayed = NOTHING_PLAYED
    has_game_sets: bool = False


class ActionBar(QFrame):
    """Signals: ``game_clicked()`` to try for as long as the game runs, ``apply_clicked()``,
    ``try_clicked()``,  ``copy_clicked()``, ``cancel_clicked()`` while a password is waited for,
    ``link_clicked()`` for what is behind the note. What has helped a flight is kept for every
    start by ``always_clicked()``, for its game by ``this_game_clicked()``, not at all by
    ``back_clicked()``.
    """

    game_clicked = Signal()
    apply_clicked = Signal()
    try_clicked = Signal()
    copy_clicked = Signal()
    cancel_clicked = Signal()
    link_clicked = Signal()
    always_clicked = Signal()
    this_game_clicked = Signal()
    back_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "row")
        self._theme = theme
        self._shown: BarContent | None = None
        self._is_calm = False
        self._is_narrow = False
        self.always = QPushButton(keep_always(), self)
        self.this_game = QPushButton(keep_for_game(), self)
        self.back = QPushButton(take_back(), self)
        self.for_game = QPushButton(self)
        self.apply = QPushButton(self)
        self.try_out = QPushButton(self)
        self.copy = QPushButton(self)
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.note = QLabel(self)
        self.note.setProperty("role", "muted")
        self.note.setWordWrap(True)
        self.note.setMinimumWidth(theme.sizes.px(60))
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.link = QPushButton(self)
        self.link.setProperty("role", "link")
        self._kept = (self.always, self.this_game, self.back)
        first, second = (self.always, self.for_game), (self.this_game, self.apply, self.try_out)
        self._buttons = (*first, *second, self.back, self.copy, self.cancel)
        self._texts = QWidget(self)
        self._lines = QVBoxLayout(self)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._search = QTimer(self)
        self._search.setSingleShot(True)
        self._search.setInterval(_SEARCH_MS)
        self._search.timeout.connect(self._say_where)
        self._build()
        theme.changed.connect(self._draw_icons)
        self._draw_icons()

    def _build(self) -> None:
        sizes = self._theme.sizes
        texts = QVBoxLayout(self._texts)
        texts.setContentsMargins(0, 0, 0, 0)
        texts.setSpacing(0)
        texts.addWidget(self.note)
        texts.addWidget(self.link)
        pad = sizes.px(16)
        self._lines.setContentsMargins(pad, sizes.px(10), pad, sizes.px(10))
        self._lines.setSpacing(sizes.px(6))
        self._lines.addLayout(self._line)
        self._line.setSpacing(sizes.px(10))
        # Of what is done and of what has helped never both are seen.
        for begin, end in pairwise((0, *_ENDS_OF_LINES, len(self._buttons))):
            part = QHBoxLayout()
            part.setSpacing(sizes.px(10))
            for button in self._buttons[begin:end]:
                part.addWidget(button)
                button.setIconSize(QSize(sizes.px(16), sizes.px(16)))
            part.addStretch()
            self._line.addLayout(part)
        for button in self._kept:
            button.hide()  # beside the others they would hold a narrow page wide
        self._line.addWidget(self._texts, 1)
        self.always.clicked.connect(self.always_clicked)
        self.this_game.clicked.connect(self.this_game_clicked)
        self.back.clicked.connect(self.back_clicked)
        self.for_game.clicked.connect(self.game_clicked)
        self.apply.clicked.connect(self.apply_clicked)
        self.try_out.clicked.connect(self.try_clicked)
        self.copy.clicked.connect(self.copy_clicked)
        self.cancel.clicked.connect(self.cancel_clicked)
        self.link.clicked.connect(self.link_clicked)

    @property
    def stops(self) -> tuple[QPushButton, ...]:
        """Where Tab stops, in the order of reading."""
        return (*self._buttons, self.link)

    def set_width_class(self, width_class: WidthClass) -> None:
        """The buttons in lines, where a single one would be wider than the window."""
        stack_when_narrow(self._line, width_class)
        self._is_narrow = width_class is WidthClass.NARROW
        self._place_texts()

    def set_calm(self, *, is_calm: bool) -> None:
        """Do not suggest what a banner above the page suggests."""
        self._is_calm = is_calm
        self._suggest_keeping()
        self._draw_icons()

    def _suggest_keeping(self) -> None:
        """For its game alone where that can be: for every start it changes all programs."""
        has_sets = self._shown is not None and self._shown.has_game_sets
        mark_suggested(self.this_game, is_suggested=has_sets and not self._is_calm)
        mark_suggested(self.always, is_suggested=not has_sets and not self._is_calm)

    @property
    def shown(self) -> BarContent | None:
        return self._shown

    def show_content(self, content: BarContent) -> None:
        if content == self._shown:
            return
        was, self._shown = self._shown, content
        had_focus = any(button.hasFocus() for button in self._buttons)
        state = content.state
        is_over = state is BarState.HELPED
        can_apply = not is_over and state not in (BarState.COPY_ONLY, BarState.NOTHING)
        # A stutter that comes every few minutes is not proved within a minute.
        has_game = bool(content.played.name)
        places = {self.for_game: has_game, self.apply: True, self.try_out: not has_game}
        for button, has_place in places.items():
            button.setVisible(can_apply and has_place)
            button.setEnabled(state is BarState.READY and content.count > 0)
        for button in self._kept:
            button.setVisible(is_over)
        self.this_game.setVisible(is_over and content.has_game_sets)
        self.copy.setVisible(content.offered > 0 and not is_over)
        self.copy.setEnabled(state in (BarState.READY, BarState.COPY_ONLY, BarState.TRIAL))
        self.cancel.setVisible(state is BarState.ASKING)
        self._write(content)
        if state is not BarState.ASKING:
            self._search.stop()
        elif was is None or was.state is not BarState.ASKING:
            self._search.start()
        mark_suggested(self.copy, is_suggested=state is BarState.COPY_ONLY)
        self._suggest_keeping()
        mark_suggested(self.for_game, is_suggested=True)
        mark_suggested(self.apply, is_suggested=not has_game)
        self._draw_icons()
        if had_focus and not any(button.hasFocus() for button in self._buttons):
            # Qt hands the focus of a button that cannot be used to any other part of the window.
            (self if self.cancel.isHidden() else self.cancel).setFocus()

    def _write(self, content: BarContent) -> None:
        self.for_game.setText(try_for_game(is_flight=content.played.is_flight))
        self.apply.setText(self._apply_text(content.count))
        self.try_out.setText(self.tr("Try for {seconds} seconds").format(seconds=TRIAL_USUAL_S))
        self.copy.setText(copy_commands())
        note = content.note
        if content.state is BarState.ASKING:
            note = self.tr("Waiting for your password…")
        elif content.state is BarState.WORKING:
            note = self.tr("Changing the settings…")
        elif self.for_game.isVisibleTo(self) and self.for_game.isEnabled():
            # A first flight of 4 minutes was tried without a word of that, and had no verdict.
            note = f"{note} {trial_needs()}".strip()
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.link.setText(content.link)
        self.link.setVisible(bool(content.link))
        self._place_texts()

    def _apply_text(self, count: int) -> str:
        return self.tr("Apply %n change(s)", "", count) if count else self.tr("Apply")

    def _place_texts(self) -> None:
        """Beside the buttons, or where they leave too little room, below them."""
        used = [each.sizeHint().width() for each in self._buttons if not each.isHidden()]
        left = self.width() - sum(used) - self._theme.sizes.px(10) * len(used)
        is_below = self._is_narrow or left < self._theme.sizes.px(_LEAST_NOTE_PX)
        if is_below == (self._lines.indexOf(self._texts) >= 0):
            return
        if is_below:
            self._line.removeWidget(self._texts)
            self._line.addStretch(1)
            self._lines.addWidget(self._texts)
        else:
            self._lines.removeWidget(self._texts)
            self._line.takeAt(self._line.count() - 1)
            self._line.addWidget(self._texts, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other width, other place for the note."""
        super().resizeEvent(event)
        self._place_texts()

    def say(self, text: str) -> None:
        """Say something short in place of the note, until the next change."""
        self.note.setText(text)
        self.note.setVisible(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """A hidden bar needs no clock."""
        super().hideEvent(event)
        self._search.stop()

    @Slot()
    def _say_where(self) -> None:
        self.note.setText(
            self.tr(
                "Waiting for your password… Look for the password window; it may be behind "
                "this one."
            )
        )

    @Slot()
    def _draw_icons(self) -> None:
        tokens, icons, size = self._theme.tokens, self._theme.icons, self._theme.sizes.px(16)
        has_game = self._shown is not None and bool(self._shown.played.name)
        lock = tokens.text if has_game else tokens.on_accent
        self.apply.setIcon(icons.icon("lock", lock, size, tokens.faint))
        self.for_game.setIcon(icons.icon("lock", tokens.on_accent, size, tokens.faint))
        for button in (self.always, self.this_game):
            color = tokens.on_accent if button.property("role") == "suggested" else tokens.text
            button.setIcon(icons.icon("lock", color, size, tokens.faint))
        is_main = self._shown is not None and self._shown.state is BarState.COPY_ONLY
        color = tokens.on_accent if is_main else tokens.text
        self.copy.setIcon(icons.icon("copy", color, size, tokens.faint))
