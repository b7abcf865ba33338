# SPDX-License-Identifier: GPL-3.0-or-later
"""The five groups as icons with the shape of their state below: readable without colour."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from destutter.diagnosis.finding import Group, GroupState, TileState
from destutter.ui.controls.signs import state_look, state_name
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import Words

_STEP = 31  # from sign to sign: 19 of the icon, the rest is air; a choice


class GroupSigns(QWidget):
    """Two rows of signs. Its tool tip and its name for readers of the screen say it in words."""

    def __init__(self, theme: Theme, words: Words, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = words
        self._states: dict[Group, TileState] = {}
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self._repaint)

    @property
    def states(self) -> dict[Group, TileState]:
        """The state of each group that is known."""
        return dict(self._states)

    def show_groups(self, groups: Sequence[GroupState]) -> None:
        states = {each.group: each.state for each in groups}
        if states == self._states:
            return
        self._states = states
        lines = [
            self.tr("{group}: {state}").format(
                group=self._words.group(each.group), state=state_name(each.state)
            )
            for each in groups
        ]
        self.setAccessibleName(self._words.renderer.enumerated(lines))
        self.setToolTip("\n".join(lines))
        self.update()

    def sizeHint(self) -> QSize:
        """Room for five signs."""
        sizes = self._theme.sizes
        return QSize(sizes.px(_STEP * 5), sizes.px(44))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        sizes, tokens, icons = self._theme.sizes, self._theme.tokens, self._theme.icons
        step, big, small = sizes.px(_STEP), sizes.px(19), sizes.px(15)
        is_mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        for index, group in enumerate(Group):
            column = 4 - index if is_mirrored else index
            centre = column * step + step / 2
            state = self._states.get(group)
            is_quiet = state in (None, TileState.NOT_MEASURED)
            color = tokens.faint if is_quiet else tokens.text
            icons.paint(painter, group.value, color, QPointF(centre - big / 2, 0), big)
            sign, tone = state_look(state)
            corner = QPointF(centre - small / 2, self.height() - small - 1)
            icons.paint(painter, sign, getattr(tokens, tone), corner, small)

    @Slot()
    def _repaint(self) -> None:
        self.update()
