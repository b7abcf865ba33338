# SPDX-License-Identifier: GPL-3.0-or-later
"""Values that somebody else chose: told with where they come from, and left alone."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QWidget

from destutter.bridge.tuning_model import TuningModel
from destutter.core.statement import Statement
from destutter.tuning.defaults import UNKNOWN
from destutter.tuning.ownership import BY_FILE
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.controls.leading import lead
from destutter.ui.look.fonts import mono_font
from destutter.ui.look.theme import Theme
from destutter.ui.words.change_words import left_to_right
from destutter.ui.words.words import said
from destutter_helper.api.tunables import BY_ID

_FEW = 4
_SIGN, _NAME, _TEXT, _DETAILS = range(4)


@dataclass(frozen=True, slots=True)
class ForeignValue:
    """One value, who set it, and what the next start brings if that is something else."""

    key: str
    value: str
    set_by: Statement
    next_boot: str = ""
    next_boot_by: Statement | None = None


def foreign_values(model: TuningModel) -> tuple[ForeignValue, ...]:
    """What somebody chose and Destutter did not change, in the order of the registry."""
    ours = {each.key for each in model.journal_changes}
    found = []
    for key, owner in model.owners.items():
        read = model.values.get(key)
        if not owner.is_chosen or key in ours or read is None or not read.is_active:
            continue
        value = read.value or ""
        differs = owner.next_boot not in (None, value)
        found.append(
            ForeignValue(
                key,
                value,
                owner.set_by,
                (owner.next_boot or "") if differs else "",
                owner.next_boot_by if differs else None,
            )
        )
    order = {id_: index for index, id_ in enumerate(BY_ID)}
    return tuple(sorted(found, key=lambda each: (order[each.key.partition("@")[0]], each.key)))


class LeftAlone(QFrame):
    """A card with foreign values; hidden without any. ``details_clicked(str)`` with a key."""

    details_clicked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._theme = theme
        self._shown: tuple[ForeignValue, ...] | None = None
        self._shows_all = False
        sizes = theme.sizes
        self._sign = QLabel(self)
        title = QLabel(self.tr("Set by something else — left alone"), self)
        title.setProperty("role", "strong")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(sizes.px(18), sizes.px(12), sizes.px(14), sizes.px(12))
        self._grid.setHorizontalSpacing(sizes.px(14))
        self._grid.setVerticalSpacing(sizes.px(5))
        self._grid.setColumnStretch(_TEXT, 1)
        self._grid.addWidget(self._sign, 0, _SIGN)
        self._grid.addWidget(title, 0, _NAME, 1, 3)
        self.more = QPushButton(self)
        self.more.setProperty("role", "link")
        self.more.clicked.connect(self._show_all)
        self._widgets: list[QWidget] = []
        theme.changed.connect(self._draw_sign)
        self._draw_sign()
        self.hide()

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab stops, from top to bottom."""
        return [*(each for each in self._widgets if isinstance(each, QPushButton)), self.more]

    def show_values(self, values: Sequence[ForeignValue]) -> None:
        if tuple(values) != self._shown:
            self._shown = tuple(values)
            self._fill()

    def _fill(self) -> None:
        for widget in self._widgets:
            self._grid.removeWidget(widget)
            widget.hide()
            widget.deleteLater()
        self._widgets.clear()
        values = self._shown or ()
        self.setVisible(bool(values))
        shown = values if self._shows_all else values[:_FEW]
        for row, value in enumerate(shown, start=1):
            self._add(row, value)
        rest = len(values) - len(shown)
        self.more.setVisible(rest > 0)
        self.more.setText(self.tr("Show %n more", "", rest))
        self._grid.addWidget(self.more, len(shown) + 1, _NAME, 1, 2, Qt.AlignmentFlag.AlignLeading)

    def _add(self, row: int, value: ForeignValue) -> None:
        name = lead(QLabel(f"{value.key} = {value.value}", self))
        name.setTextFormat(Qt.TextFormat.PlainText)
        name.setFont(mono_font(self._theme.sizes.small))
        text = lead(ElidedLabel(_origin(value), "small", self))
        details = QPushButton(self.tr("Details"), self)
        details.setProperty("role", "link")
        details.setAccessibleName(self.tr("Details of {setting}").format(setting=value.key))
        details.setProperty("key", value.key)
        details.clicked.connect(self._details)
        for column, widget in ((_NAME, name), (_TEXT, text), (_DETAILS, details)):
            self._grid.addWidget(widget, row, column)
            self._widgets.append(widget)

    @Slot()
    def _show_all(self) -> None:
        self._shows_all = True
        self._fill()

    @Slot()
    def _details(self) -> None:
        self.details_clicked.emit(str(self.sender().property("key")))

    @Slot()
    def _draw_sign(self) -> None:
        size, ratio = self._theme.sizes.px(18), self.devicePixelRatioF()
        pixmap = self._theme.icons.pixmap("info", self._theme.tokens.info, size, ratio)
        self._sign.setPixmap(pixmap)


def _origin(value: ForeignValue) -> str:
    translate = QCoreApplication.translate
    if value.set_by == UNKNOWN:
        text = translate("LeftAlone", "set since the start by somebody or some program")
    elif value.set_by.id == BY_FILE:
        text = translate("LeftAlone", "from {file}").format(file=left_to_right(said(value.set_by)))
    else:
        text = said(value.set_by)
    if value.next_boot_by is None:
        return text
    return translate("LeftAlone", "{origin}; the next start brings {value}, by {file}").format(
        origin=text, value=value.next_boot, file=left_to_right(said(value.next_boot_by))
    )
