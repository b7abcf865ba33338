# SPDX-License-Identifier: GPL-3.0-or-later
"""The widgets of one row of the table of changes."""

from PySide6.QtCore import QObject, QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.tuning.recommendation import usual_risk
from destutter.ui.causes.row_words import (
    SIGNS,
    details_of,
    effect_of,
    risk_meaning,
    set_by_of,
    state_word,
)
from destutter.ui.causes.setting_rows import RowState, SettingRow
from destutter.ui.controls.chip import StateChip
from destutter.ui.controls.elided import ElidedLabel, WrappedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.controls.risk import risk_look, risk_word
from destutter.ui.controls.tick_box import TickBox
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import ChangeWords
from destutter.ui.words.words import spoken


class SettingRowView(QObject):
    """The cells of a row, and the details below it.

    ``ticked(str, bool)``, ``opened(str, bool)`` and ``undo_clicked(str)`` with the row's key,
    ``changes_clicked()``.
    """

    ticked = Signal(str, bool)
    opened = Signal(str, bool)
    undo_clicked = Signal(str)
    changes_clicked = Signal()

    def __init__(
        self,
        theme: Theme,
        words: ChangeWords,
        row: SettingRow,
        *,
        can_choose: bool,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words.settings
        self._change_words = words
        self._parent = parent
        self.row = row
        self._can_choose = can_choose
        self._are_choices_enabled = True
        self._is_opened = False
        self._name = words.settings.name(row.tunable)
        self.check = TickBox(theme, parent)
        self.sign = QLabel(parent)
        self.button = QPushButton(parent)
        self.more = QPushButton(parent)
        self.details = self._details()
        self.cells = (
            self._choice(),
            self._setting(),
            self._now(),
            self._recommended(),
            self._risk(),
            self._effect(),
            self._buttons(),
        )
        theme.changed.connect(self._draw_signs)
        self._draw_signs()
        self.show_opened(is_opened=False)

    # --- cells ----------------------------------------------------------------------------------

    def _choice(self) -> QWidget:
        is_offered = self.row.change is not None and self._can_choose
        self.check.setVisible(is_offered)
        self.sign.setVisible(self.row.state in SIGNS)
        self.sign.setFixedWidth(self.check.width())
        self.sign.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.sign.setToolTip(state_word(self.row.state))
        self.sign.setAccessibleName(state_word(self.row.state))
        self.check.clicked.connect(self._check_clicked)
        if self.row.advice is not None:
            self.check.setAccessibleName(
                self.tr("Change {setting} to {value}").format(
                    setting=self._name,
                    value=self._words.plain(self.row.tunable, self.row.advice.recommended),
                )
            )
        return _column(self._parent, self.check, self.sign)

    def _setting(self) -> QWidget:
        name = lead(WrappedLabel("strong", self._parent))
        name.set_full_text(self._name)
        device = lead(ElidedLabel(self.row.device, "caption", self._parent))
        device.setVisible(bool(self.row.device))
        return _column(self._parent, name, device, self._together())

    def _together(self) -> QLabel:
        """Of a pair one tick is both: who ticked one after the other had ticked none."""
        others = () if self.row.advice is None else self.row.advice.with_others
        names = spoken().listed([self._words.name(each.partition("@")[0]) for each in others])
        text = self.tr("ticked together with “{names}”").format(names=names)
        label = lead(WrappedLabel("caption", self._parent))
        label.set_full_text(text)
        label.setVisible(bool(others) and self.row.change is not None and self._can_choose)
        return label

    def _now(self) -> QWidget:
        text = "–" if self.row.now is None else self._words.plain(self.row.tunable, self.row.now)
        value = lead(ElidedLabel(text, "muted", self._parent))
        set_by = lead(ElidedLabel(set_by_of(self.row), "caption", self._parent))
        set_by.setVisible(bool(set_by.full_text))
        return _column(self._parent, value, set_by)

    def _recommended(self) -> QWidget:
        advice = self.row.advice
        if advice is None or self.row.state is RowState.IMPOSSIBLE:
            return QWidget(self._parent)
        text = self._words.plain(advice.tunable, advice.recommended)
        return _column(self._parent, lead(ElidedLabel(text, "strong", self._parent)))

    def _risk(self) -> QWidget:
        if not self.row.risk:
            return QWidget(self._parent)
        chip = StateChip(self._theme, self._parent)
        chip.show_sign(*risk_look(self.row.risk), risk_word(self.row.risk).capitalize())
        chip.setToolTip(risk_meaning(self.row.risk))
        chip.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, on=False)
        return chip

    def _effect(self) -> QWidget:
        first, second = effect_of(self.row, self._change_words)
        labels = []
        what = "bad" if self.row.failure else "small"
        for text, role in ((first, what), (second, "caption")):
            label = lead(plain_label(text, role, self._parent, wraps=True))
            label.setVisible(bool(text))
            labels.append(label)
        return _column(self._parent, *labels)

    def _buttons(self) -> QWidget:
        is_applied = self.row.state is RowState.APPLIED
        is_drifted = self.row.state is RowState.DRIFTED
        text = self.tr("Undo") if is_applied else self.tr("Decide…")
        self.button.setText(text)
        self.button.setObjectName("undo")
        self.button.setAccessibleName(
            self.tr("{action}: {setting}").format(action=text, setting=self._name)
        )
        self.button.setVisible(is_applied or is_drifted)
        self.button.clicked.connect(self._button_clicked)
        self.more.setProperty("role", "flat")
        self.more.setObjectName("more")
        self.more.setFixedWidth(self._theme.sizes.px(28))
        self.more.setIconSize(QSize(self._theme.sizes.px(16), self._theme.sizes.px(16)))
        self.more.setAccessibleName(self.tr("Details: {setting}").format(setting=self._name))
        self.more.setToolTip(self.tr("Details"))
        self.more.clicked.connect(self._more_clicked)
        self.more.setVisible(bool(self._parts()))
        holder = QWidget(self._parent)
        box = QHBoxLayout(holder)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(self._theme.sizes.px(4))
        box.addStretch(1)
        for widget in (self.button, self.more):
            box.addWidget(widget)
        return holder

    def _parts(self) -> list[tuple[str, str]]:
        # A page tells the usual risk; what is advised may have less, as a limit that is raised.
        is_usual = self.row.risk == usual_risk(self.row.tunable)
        return details_of(self.row, self._words.risk(self.row.tunable) if is_usual else "")

    def _details(self) -> QWidget:
        holder = QWidget(self._parent)
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, self._theme.sizes.px(10))
        grid.setHorizontalSpacing(self._theme.sizes.px(14))
        grid.setVerticalSpacing(self._theme.sizes.px(4))
        grid.setColumnStretch(1, 1)
        for row, (heading, text) in enumerate(self._parts()):
            for column, (words, role) in enumerate(((heading, "caption"), (text, "small"))):
                label = lead(plain_label(words, role, holder, wraps=column == 1))
                grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)
        return holder

    # --- state ----------------------------------------------------------------------------------

    @property
    def has_focus(self) -> bool:
        return bool(self.focus_name)

    @property
    def focus_name(self) -> str:
        named = (("check", self.check), ("undo", self.button), ("more", self.more))
        return next((name for name, widget in named if widget.hasFocus()), "")

    def take_focus(self, name: str) -> None:
        """Give the focus to this control, or to one that is there."""
        named = {"check": self.check, "undo": self.button, "more": self.more}
        wanted = named.get(name, self.more)
        (wanted if not wanted.isHidden() else self.more).setFocus()

    def show_ticked(self, *, is_ticked: bool) -> None:
        self.check.setChecked(is_ticked)

    def show_opened(self, *, is_opened: bool) -> None:
        """Show or hide the details; a dangerous change can be chosen only with them open."""
        self._is_opened = is_opened
        self.details.setVisible(is_opened)
        self._enable()
        self._draw_signs()

    def set_choices_enabled(self, *, are_enabled: bool) -> None:
        self._are_choices_enabled = are_enabled
        self._enable()

    def _enable(self) -> None:
        is_read = self._is_opened or not self.row.is_dangerous
        self.check.setEnabled(self._are_choices_enabled and is_read)
        self.check.setToolTip("" if is_read else self.tr("Read the details first"))
        self.button.setEnabled(self._are_choices_enabled or self.row.state is RowState.DRIFTED)

    # --- events ---------------------------------------------------------------------------------

    @Slot(bool)
    def _check_clicked(self, is_ticked: bool) -> None:  # noqa: FBT001  a Qt slot
        self.ticked.emit(self.row.key, is_ticked)

    @Slot()
    def _button_clicked(self) -> None:
        if self.row.state is RowState.APPLIED:
            self.undo_clicked.emit(self.row.key)
        else:
            self.changes_clicked.emit()

    @Slot()
    def _more_clicked(self) -> None:
        self.show_opened(is_opened=not self._is_opened)
        self.opened.emit(self.row.key, self._is_opened)

    @Slot()
    def _draw_signs(self) -> None:
        tokens, sizes, icons = self._theme.tokens, self._theme.sizes, self._theme.icons
        size = sizes.px(16)
        if self.row.state in SIGNS:
            icon, tone = SIGNS[self.row.state]
            ratio = self._parent.devicePixelRatioF()
            self.sign.setPixmap(icons.pixmap(icon, getattr(tokens, tone), sizes.px(18), ratio))
        if self.row.state is RowState.APPLIED:
            self.button.setIcon(icons.icon("undo", tokens.text, size, tokens.faint))
        arrow = "collapse" if self._is_opened else "expand"
        self.more.setIcon(icons.icon(arrow, tokens.text, size))


def _column(parent: QWidget, *widgets: QWidget) -> QWidget:
    """Widgets one below the other, with the row's own margins."""
    holder = QWidget(parent)
    box = QVBoxLayout(holder)
    box.setContentsMargins(0, 7, 0, 7)
    box.setSpacing(1)
    for widget in widgets:
        box.addWidget(widget)
    return holder
