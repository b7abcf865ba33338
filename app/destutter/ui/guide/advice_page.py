# SPDX-License-Identifier: GPL-3.0-or-later
"""What is read in place of a step's lines, with the way back to them."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from destutter.ui.controls.elided import ElidedLabel


class AdvicePage(QWidget):
    """``closed()`` when somebody goes back, by the button or by Escape."""

    closed = Signal()

    def __init__(
        self, title: str, content: QWidget, back_to: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self.back = QPushButton(back_to, self)
        self.back.setProperty("role", "link")
        self.back.clicked.connect(self.closed)
        layout.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeading)
        layout.addWidget(ElidedLabel(title, "cardTitle", self))
        layout.addWidget(content)
        layout.addStretch(1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)


class AdviceStack(QStackedWidget):
    """The views of a step, and at most one page of advice above them.

    ``closed()`` when somebody goes back from that; whoever hears it forgets the page.
    """

    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page: AdvicePage | None = None

    @property
    def is_reading(self) -> bool:
        """Whether advice is shown."""
        return self._page is not None

    def open(self, title: str, content: QWidget, back_to: str) -> None:
        """Show this, and stand on the way back."""
        self.forget()
        page = self._page = AdvicePage(title, content, back_to, self)
        page.closed.connect(self.closed)
        self.setCurrentIndex(self.addWidget(page))
        page.back.setFocus(Qt.FocusReason.OtherFocusReason)

    def forget(self) -> None:
        """No advice any more; the first view is shown where one was."""
        page, self._page = self._page, None
        if page is not None:
            self.setCurrentIndex(0)
            self.removeWidget(page)
            page.deleteLater()
