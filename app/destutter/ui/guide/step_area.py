# SPDX-License-Identifier: GPL-3.0-or-later
"""The place of a step in the card: what does not fit into the window scrolls here, so that the
buttons below the card never leave it."""

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

_LEAST_HEIGHT_PX = 120


class StepArea(QScrollArea):
    """Shows one of its steps. ``resized()`` when the step or its place has another size."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: list[QWidget] = []
        self._holder = QWidget(self)
        self._box = QVBoxLayout(self._holder)
        self._box.setContentsMargins(0, 0, 0, 0)
        self.setWidget(self._holder)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for ground in (self._holder, self.viewport()):
            ground.setAutoFillBackground(False)

    def add(self, step: QWidget) -> None:
        """Give a step its place, hidden until it is shown."""
        step.hide()
        self._box.addWidget(step)
        self._steps.append(step)

    def show_step(self, step: QWidget) -> None:
        """Show this one, from its beginning."""
        for each in self._steps:
            each.setVisible(each is step)
        self.verticalScrollBar().setValue(0)

    @property
    def needed_height(self) -> int:
        """Pixels in which the step need not scroll."""
        return self._box.totalMinimumHeightForWidth(self.width())

    def sizeHint(self) -> QSize:
        """As little as may be; who places it gives it what the step needs."""
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        """The step is never narrower than its buttons, but a few lines high."""
        return QSize(self._holder.minimumSizeHint().width(), _LEAST_HEIGHT_PX)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice what is new in the step."""
        is_done = super().eventFilter(watched, event)
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self.resized.emit()
        return is_done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Texts of more lines need more room."""
        super().resizeEvent(event)
        self.resized.emit()
