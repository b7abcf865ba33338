# SPDX-License-Identifier: GPL-3.0-or-later
"""All settings for whoever wants to see and set each of them."""

from collections.abc import Iterable

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from destutter.analysis.changes.tuning_state import Asked, Busy, OutcomeKind
from destutter.bridge.helper_client import Availability
from destutter.bridge.tuning_model import TuningModel
from destutter.tuning.shell_text import as_commands
from destutter.ui.changes import tunable_words
from destutter.ui.changes.tunable_detail import TunableDetail
from destutter.ui.changes.tunable_tree import TunableRow, TunableTree
from destutter.ui.controls.own_keys import named_shortcut
from destutter.ui.controls.suggested import mark_suggested
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GAP
from destutter.ui.pages.said_alike import copy_commands, trial_needs, try_for_game
from destutter.ui.pages.width_class import WidthClass, stack_when_narrow
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter_helper.api.names import TRIAL_USUAL_S
from destutter_helper.api.tunables import BY_ID

_BELOW_PX = 300  # of the details: the start of what they say, in a low window
_BESIDE_PX = 860  # of the view: less left names of one word a line beside the details
_FIRST = "vm.min_free_kbytes"


class TunablesView(QWidget):
    """Shows and changes every setting of the model."""

    copied = Signal()

    def __init__(
        self,
        theme: Theme,
        words: ChangeWords,
        explanations: ExplanationPages,
        model: TuningModel,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self._model = model
        self._key = _FIRST
        self._width_class = WidthClass.WIDE
        self.search = QLineEdit(self)  # the page puts it beside the choice of the view
        self.search.setMaximumWidth(theme.sizes.px(340))
        self.search.setPlaceholderText(self.tr("Search settings"))
        self.search.setAccessibleName(self.tr("Search settings"))
        self.search.setClearButtonEnabled(True)
        self.tree = TunableTree(theme, words.value, self)
        self.detail = TunableDetail(theme, words, explanations, model, self)
        self.note = QLabel(self)
        self.note.setProperty("role", "small")
        self.note.setWordWrap(True)
        self.clear = QPushButton(self.tr("Clear"), self)
        self.copy = QPushButton(copy_commands(), self)
        self.try_out = QPushButton(self)
        self.apply = QPushButton(self.tr("Apply"), self)
        self._build()
        self._connect()

    def _build(self) -> None:
        sizes = self._theme.sizes
        self.tree.setMinimumHeight(sizes.px(300))
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self.detail)
        self._scroll.setMinimumWidth(sizes.px(340))
        beside = QBoxLayout.Direction.LeftToRight
        self._body = QBoxLayout(beside)
        self._body.setSpacing(GAP)
        self._body.addWidget(self.tree, 5)
        self._body.addWidget(self._scroll, 2)
        self._buttons = buttons = QBoxLayout(beside)
        first, second = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.note, 1)
        for half, those in (
            (first, (self.clear, self.copy)),
            (second, (self.try_out, self.apply)),
        ):
            for button in those:
                half.addWidget(button)
        for box in (buttons, first, second):
            box.setSpacing(sizes.px(8))
        buttons.addLayout(first, 1)
        buttons.addLayout(second)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(GAP)
        box.addLayout(self._body, 1)
        box.addLayout(buttons)
        self.apply.setIconSize(QSize(sizes.px(16), sizes.px(16)))

    def _connect(self) -> None:
        self.search.textChanged.connect(self.tree.filter)
        find = QKeySequence.StandardKey.Find
        named_shortcut(self, find, self.tr("Search settings"), self._find)
        self.tree.wishes_changed.connect(self._show_wishes)
        self.tree.setting_chosen.connect(self._choose)
        self.tree.editing_ended.connect(self.refresh, Qt.ConnectionType.QueuedConnection)
        self.detail.wished.connect(self.tree.set_wish)
        self.clear.clicked.connect(self._clear)
        self.copy.clicked.connect(self._copy)
        self.try_out.clicked.connect(self._try)
        self.apply.clicked.connect(self._apply)
        self._model.outcome_changed.connect(self._take_outcome)

    def set_width_class(self, width_class: WidthClass) -> None:
        """Narrow window: the list has fewer columns; the details have all, or stand below it."""
        self._width_class = width_class
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A panel that opens beside it makes it narrow in a wide window."""
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        width_class = self._width_class
        if self.width() < self._theme.sizes.px(_BESIDE_PX):
            width_class = WidthClass.NARROW
        widths = {WidthClass.WIDE: 340, WidthClass.COMPACT: 310, WidthClass.NARROW: 0}
        self._scroll.setMinimumWidth(self._theme.sizes.px(widths[width_class]))
        is_narrow = width_class is WidthClass.NARROW
        self._scroll.setMinimumHeight(self._theme.sizes.px(_BELOW_PX) if is_narrow else 0)
        for box in (self._body, self._buttons):
            stack_when_narrow(box, width_class)

    # --- what it shows -----------------------------------------------------------------------

    @Slot()
    def refresh(self) -> None:
        """Show what the model has now; what somebody types in is not disturbed."""
        if self.tree.is_editing:
            return
        rows = list(self._rows())
        groups = list(dict.fromkeys(row.group for row in rows))
        if tunable_words.ABSENT in groups:
            groups.remove(tunable_words.ABSENT)
            groups.append(tunable_words.ABSENT)
        headings = [(group, tunable_words.group_name(group)) for group in groups]
        self.tree.show_rows(rows, self._model.reading.profile.memory_kib, headings)
        if self.search.text():
            self.tree.filter(self.search.text())
        if rows and self.tree.currentItem() is None:
            self.select(self._key)

    def _rows(self) -> Iterable[TunableRow]:
        model, words = self._model, self._words.settings
        memory_kib = model.reading.profile.memory_kib
        for key, value in model.values.items():
            present = tunable_words.present_value(value, model, key)
            advice = model.recommendations.get(key)
            name = words.name(value.id)
            is_known = present is not None
            yield TunableRow(
                key,
                tunable_words.group_of(value, is_known=is_known),
                name if is_known or not value.device else f"{name} ({value.device})",
                present,
                tunable_words.shown_value(value, present, words),
                tunable_words.accepted(BY_ID[value.id], memory_kib, words),
                tunable_words.set_by(model, key) if is_known else "",
                advice.recommended if advice else None,
                words.value(value.id, advice.recommended) if advice else "",
                "" if is_known else tunable_words.unavailable(value, model, key),
            )

    def select(self, key: str) -> None:
        """Show this setting in the list and in the details."""
        self._key = key
        if self.tree.row(key) is None:
            return
        item = self.tree.item(key)
        item.setHidden(False)
        self.tree.setCurrentItem(item)
        self.tree.scrollToItem(item)
        self._choose(key)

    @Slot(str)
    def _choose(self, key: str) -> None:
        self._key = key
        row = self.tree.row(key)
        if row is not None:
            wishes = {each: wish for each in self._model.values if (wish := self.tree.wish(each))}
            self.detail.show_setting(row, wishes, self.tree.complaint(key))

    @Slot()
    def _show_wishes(self) -> None:
        wishes, complaints = self.tree.wishes(), self.tree.complaints()
        is_ready = self._model.status.availability is Availability.READY
        self._offer_trial()
        can_ask = bool(wishes) and not complaints and self._model.can_change
        self.try_out.setVisible(is_ready)
        self.apply.setVisible(is_ready)
        self.try_out.setEnabled(can_ask and self._model.trial is None)
        self.apply.setEnabled(can_ask and self._model.trial is None)
        self.copy.setEnabled(bool(wishes))
        is_asking = self._model.busy is Busy.ASKING
        self.clear.setText(self.tr("Stop waiting") if is_asking else self.tr("Clear"))
        self.clear.setEnabled(is_asking or bool(wishes or complaints))
        self.note.setText(self._note(len(wishes), complaints, is_ready=is_ready))
        self.note.setProperty("role", "bad" if complaints else "small")
        self.note.style().polish(self.note)
        # The slider in the details moves a wish itself; building it anew would stop the drag.
        if not self._is_sliding():
            self._choose(self._key)

    def _offer_trial(self) -> None:
        """A minute proves nothing of a stutter that comes every five: with a game it lasts as
        long as that."""
        has_game = self._model.game is not None
        text = self.tr("Try for {seconds} seconds").format(seconds=TRIAL_USUAL_S)
        if has_game:
            text = try_for_game(is_flight=self._model.preset.is_flight)
        self.try_out.setText(text)
        mark_suggested(self.try_out, is_suggested=has_game)
        mark_suggested(self.apply, is_suggested=not has_game)

    def _is_sliding(self) -> bool:
        return any(slider.isSliderDown() for slider in self.detail.marks.sliders.values())

    def _note(self, count: int, complaints: list[str], *, is_ready: bool) -> str:
        if complaints:
            return "\n".join(complaints)
        if self._model.busy is Busy.ASKING:
            return self.tr("Waiting for your password… The window for it may be behind this one.")
        if (trial := self._model.trial) is not None and trial.is_kept:
            text = self.tr("What is kept for {game} is set. Revert it to try something else.")
            return text.format(game=trial.game)
        if trial is not None:
            return self.tr("A trial is running. Keep it or revert it first.")
        if count:
            text = self.tr("%n change(s) chosen.", "", count)
            rest = self.tr("Apply keeps them until the next restart.")
            text = self.tr("{count} {rest}").format(count=text, rest=rest)
            return text if self._model.game is None else f"{text} {trial_needs()}"
        if not is_ready:
            return self.tr("Without the helper, values can be copied as commands.")
        return self.tr("Enter a new value, or tick a setting that has an advised one.")

    # --- what the user does ------------------------------------------------------------------

    @Slot()
    def _find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    @Slot()
    def _clear(self) -> None:
        if self._model.busy is Busy.ASKING:
            self._model.cancel()
        else:
            self.tree.clear_wishes()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_commands(self.tree.wishes()))
        self.note.setText(self.tr("The commands are in the clipboard."))
        self.copied.emit()

    @Slot()
    def _try(self) -> None:
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)  # the button goes to sleep under it
        if self._model.game is None:
            self._model.try_changes(self.tree.wishes())
        else:
            self._model.try_for_game(self.tree.wishes())

    @Slot()
    def _apply(self) -> None:
        self.tree.setFocus(Qt.FocusReason.OtherFocusReason)
        self._model.apply(self.tree.wishes())

    @Slot()
    def _take_outcome(self) -> None:
        outcome = self._model.outcome
        is_done = outcome is not None and outcome.kind is OutcomeKind.DONE
        if is_done and outcome is not None and outcome.what in (Asked.TRY, Asked.APPLY):
            self.tree.clear_wishes()
