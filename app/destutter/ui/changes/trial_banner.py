# SPDX-License-Identifier: GPL-3.0-or-later
"""The one thing that may interrupt: settings on trial, with the helper's own countdown.

It stands above every page while a trial runs and needs no answer: without one the old values
come back. A trial for as long as a game runs has no countdown.
"""

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, LASTS_RESTART, Busy, RunningTrial
from destutter.bridge.tuning_model import TuningModel
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.pages.said_alike import keep_always, trial_needs
from destutter.ui.words.quantities import Quantities
from destutter_helper.api.names import TRIAL_USUAL_S

TICK_MS = 250  # a bar that moves, and a countdown in seconds that skips none
LONGER_S = TRIAL_USUAL_S
# When a screen reader says that the trial ends soon. A choice: time to hear it and to act.
_SOON_S = 20


class _Bar(QWidget):
    """How much of the trial is left, as a thin bar; the words beside it say the same."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = 1.0
        self.setFixedHeight(theme.sizes.px(4))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_share(self, share: float) -> None:
        """``share`` of the whole time, 0 to 1."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        radius = self.height() / 2
        painter.setBrush(self._theme.color("surface"))
        painter.drawRoundedRect(self.rect(), radius, radius)
        painter.setBrush(self._theme.color("warn"))
        left = self.rect()
        left.setWidth(round(left.width() * self._share))
        if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            left.moveRight(self.rect().right())
        painter.drawRoundedRect(left, radius, radius)


class TrialBanner(QFrame):
    """Shows the trial of a model, hidden without one. ``announced(str)`` for screen readers;
    ``left()`` when its button that had the focus cannot have it any more.
    """

    announced = Signal(str)
    left = Signal()

    def __init__(
        self,
        theme: Theme,
        quantities: Quantities,
        model: TuningModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "banner")
        self.setProperty("kind", "warn")
        self._theme = theme
        self._quantities = quantities
        self._model = model
        self._is_confirming = False
        self._said_soon = False
        self._shown: RunningTrial | None = None
        self._asked_by: QPushButton | None = None
        self._lent_to: QWidget | None = None
        self._sign = QLabel(self)
        self.headline = ElidedLabel("", "cardTitle", self)
        self.headline.setFont(theme.sized(theme.sizes.card_title, 600))
        self.detail = QLabel(self)
        self.detail.setProperty("role", "muted")
        self.detail.setWordWrap(True)
        self.longer = QPushButton(self)
        self.revert = QPushButton(self)
        self.always = QPushButton(self)
        self.keep = QPushButton(self)
        self.keep.setProperty("role", "suggested")
        self._bar = _Bar(theme, self)
        self._is_wide: bool | None = None
        self._build()
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._show_time)
        model.changed.connect(self.refresh)
        theme.changed.connect(self._draw_sign)
        self._draw_sign()
        self.hide()
        self.refresh()

    def _build(self) -> None:
        sizes = self._theme.sizes
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addWidget(self.headline)
        texts.addWidget(self.detail)
        self._buttons = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._buttons.setSpacing(sizes.px(8))
        for pair in (
            ((self.longer, self._extend), (self.revert, self._revert)),
            ((self.always, self._keep_always), (self.keep, self._keep)),
        ):
            line = QHBoxLayout()
            line.setSpacing(sizes.px(8))
            line.addStretch(1)
            for button, act in pair:
                line.addWidget(button)
                button.clicked.connect(act)
            self._buttons.addLayout(line)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(sizes.px(16), sizes.px(9), sizes.px(12), sizes.px(9))
        self._grid.setHorizontalSpacing(sizes.px(12))
        self._grid.setVerticalSpacing(sizes.px(8))
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self._sign, 0, 0, Qt.AlignmentFlag.AlignVCenter)
        self._grid.addLayout(texts, 0, 1)
        self._grid.addWidget(self._bar, 2, 0, 1, 3)

    @property
    def stops(self) -> tuple[QPushButton, ...]:
        """Where Tab stops, in the order of reading."""
        return (self.longer, self.revert, self.always, self.keep)

    # --- what it shows -----------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        focused = next((each for each in self.stops if each.hasFocus()), None)
        self._refresh()
        if focused is not None and not (focused.isVisible() and focused.isEnabled()):
            self.left.emit()
            self._asked_by = None if self._shown is None else focused
            self._lent_to = self.window().focusWidget()
        elif self._asked_by is not None and not self._model.busy:
            self._take_back_focus(self._asked_by)
            self._asked_by = None

    def _take_back_focus(self, button: QPushButton) -> None:
        """The answer came to nothing, and nobody has gone elsewhere meanwhile."""
        if button.isVisible() and self.window().focusWidget() is self._lent_to:
            button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refresh(self) -> None:
        trial, before = self._model.trial, self._shown
        if trial is not None and trial.is_kept:
            trial = None  # nobody has to decide anything: the page of changes has it
        self._shown = trial
        if trial is None:
            self._is_confirming = False
            self._tick.stop()
            self.hide()
            return
        if before is None:
            self._said_soon = trial.seconds_left <= _SOON_S
            self.announced.emit(self._started(trial))
        self._show_words(trial)
        self._show_time()
        self.show()
        if trial.game:
            self._tick.stop()
        else:
            self._tick.start()

    def _started(self, trial: RunningTrial) -> str:
        if trial.game:
            return self._headline_of_game(trial)
        return self.tr(
            "%n setting(s) on trial, reverting in {seconds} seconds", "", len(trial.changes)
        ).format(seconds=trial.seconds_left)

    def _show_words(self, trial: RunningTrial) -> None:
        is_free = not self._model.busy
        # "Until restart" is no answer to a trial that ends with the game.
        self.keep.setVisible(trial.is_ours and not trial.game)
        self.always.setVisible(trial.is_ours)
        self.longer.setVisible(trial.is_ours and not self._is_confirming and not trial.game)
        self._bar.setVisible(not trial.game)
        take_back = self.tr("Stop the trial") if trial.game else self.tr("Revert now")
        self.revert.setText(self.tr("Go back") if self._is_confirming else take_back)
        self.longer.setText(self.tr("{time} more").format(time=self._quantities.span(LONGER_S)))
        self.always.setText(keep_always())
        self.keep.setText(self.tr("Keep until restart"))
        for button in (self.longer, self.always, self.keep):
            button.setEnabled(is_free)
        self.revert.setEnabled(self._model.busy is not Busy.WORKING)
        self.detail.setText(self._detail(trial))
        self._arrange(is_forced=True)

    def _detail(self, trial: RunningTrial) -> str:
        if self._is_confirming:
            return self.tr(
                "One of these settings may keep the computer from starting. It can be left out at "
                "a start with “destutter=off” on the kernel's command line."
            )
        if self._model.busy is Busy.ASKING:
            return self.tr("Waiting for your password… The window for it may be behind this one.")
        if trial.game:
            ends = self.tr(
                "The old values come back by themselves when {game} or Destutter ends, and when "
                "the computer stops responding."
            ).format(game=trial.game)
            return f"{trial_needs()} {ends}" if trial.is_tried_in_game else ends
        count = self.tr("%n setting(s) on trial.", "", len(trial.changes))
        if trial.is_ours:
            rest = self.tr(
                "If you do nothing, or the computer stops responding, the old values come back by "
                "themselves."
            )
        else:
            rest = self.tr("Another program began this trial and decides what is kept.")
        return self.tr("{count} {rest}").format(count=count, rest=rest)

    @Slot()
    def _show_time(self) -> None:
        trial = self._shown
        if trial is None:
            return
        if trial.game:
            question = self.tr("Keep for every start?")
            text = question if self._is_confirming else self._headline_of_game(trial)
            self.headline.set_full_text(text)
            return
        left = trial.seconds_left
        time = self._quantities.span(left)
        if self._is_confirming:
            text = self.tr("Keep for every start? Reverting in {time}")
        elif trial.is_ours:
            text = self.tr("Keep these settings? Reverting in {time}")
        else:
            text = self.tr("Settings on trial, reverting in {time}")
        self.headline.set_full_text(text.format(time=time))
        self._bar.show_share(left / trial.total_s)
        if left <= _SOON_S and not self._said_soon:
            self._said_soon = True
            self.announced.emit(text.format(time=time))

    def _headline_of_game(self, trial: RunningTrial) -> str:
        return self.tr(
            "%n change(s) on trial for as long as {game} runs", "", len(trial.changes)
        ).format(game=trial.game)

    # --- what the user does ------------------------------------------------------------------

    @Slot()
    def _extend(self) -> None:
        self._said_soon = False
        self._model.extend(LONGER_S)

    @Slot()
    def _revert(self) -> None:
        if self._is_confirming:
            self._is_confirming = False
            self.refresh()
        else:
            self._model.revert()

    @Slot()
    def _keep(self) -> None:
        self._is_confirming = False
        self._model.keep(LASTS_RESTART)

    @Slot()
    def _keep_always(self) -> None:
        if self._model.has_high_risk and not self._is_confirming:
            self._is_confirming = True
            self.refresh()
            self.announced.emit(self.detail.text())
            return
        self._is_confirming = False
        self._model.keep(LASTS_ALWAYS)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape takes the question back; the trial goes on."""
        if event.key() == Qt.Key.Key_Escape and self._is_confirming:
            self._revert()
        else:
            super().keyPressEvent(event)

    # --- layout ------------------------------------------------------------------------------

    def _arrange(self, *, is_forced: bool = False) -> None:
        """Buttons beside the words where both fit, else below them, in two lines if need be."""
        shown = [each for each in self.stops if not each.isHidden()]
        line = sum(each.sizeHint().width() + self._buttons.spacing() for each in shown)
        is_wide = self.width() >= line + self._theme.sizes.px(520)
        is_narrow = self.width() < line + self._theme.sizes.px(40)
        way = QBoxLayout.Direction
        self._buttons.setDirection(way.TopToBottom if is_narrow else way.LeftToRight)
        if is_wide != self._is_wide or is_forced:
            self._is_wide = is_wide
            self._grid.removeItem(self._buttons)
            if is_wide:
                self._grid.addLayout(self._buttons, 0, 2, Qt.AlignmentFlag.AlignVCenter)
            else:
                self._grid.addLayout(self._buttons, 1, 0, 1, 3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons where they fit."""
        super().resizeEvent(event)
        self._arrange()

    @Slot()
    def _draw_sign(self) -> None:
        size, ratio = self._theme.sizes.px(22), self.devicePixelRatioF()
        color = self._theme.tokens.warn
        self._sign.setPixmap(self._theme.icons.pixmap("watch", color, size, ratio))
