# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels for texts of any length: shortened to their width, or wrapped."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from destutter.ui.controls.lines_of_text import broken


class ElidedLabel(QLabel):
    """One line; what does not fit ends in an ellipsis. Readers of the screen hear all of it.

    With ``most_lines`` above 1 it becomes higher before it cuts anything.
    """

    def __init__(
        self, text: str = "", role: str = "", parent: QWidget | None = None, *, most_lines: int = 1
    ) -> None:
        super().__init__(parent)
        self._full = ""
        self._is_cut = False
        self._most_lines = most_lines
        self._tip = ""
        if role:
            self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_full_text(text)

    @property
    def full_text(self) -> str:
        return self._full

    @property
    def is_cut(self) -> bool:
        """Whether some of the text is not shown."""
        return self._is_cut

    def set_full_text(self, text: str) -> None:
        """Show this text, or as much of it as fits."""
        if text != self._full:
            self._full = text
            self.setAccessibleName(text)
            self._fit()
            self.updateGeometry()

    def set_tip(self, tip: str) -> None:
        """Always show this as the tool tip, instead of the text when it is cut."""
        self._tip = tip
        self._fit()

    def sizeHint(self) -> QSize:
        """Room for the whole text."""
        hint = super().sizeHint()
        return QSize(self.fontMetrics().horizontalAdvance(self._full) + 2, hint.height())

    def minimumSizeHint(self) -> QSize:
        """Room for a few letters."""
        return QSize(self.fontMetrics().averageCharWidth() * 3, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        lines = [self._full]
        self._is_cut = False
        width = self.contentsRect().width()
        if self.fontMetrics().horizontalAdvance(self._full) > width:
            lines = broken(self._full, self.font(), width, self._most_lines)
            self._is_cut = _letters("".join(lines)) != _letters(self._full)
        shown = "\n".join(lines)
        if shown != self.text():
            self.setText(shown)
        tip = self._tip or (self._full if self._is_cut else "")
        if tip != self.toolTip():
            self.setToolTip(tip)


def _letters(text: str) -> str:
    """The text without the spaces, which a line may end with or not."""
    return "".join(text.split())


class WrappedLabel(QLabel):
    """As many lines as it takes."""

    def __init__(self, role: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        if role:
            self.setProperty("role", role)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setMinimumWidth(1)

    @property
    def full_text(self) -> str:
        return self.text()

    def set_full_text(self, text: str) -> None:
        self.setText(text)
