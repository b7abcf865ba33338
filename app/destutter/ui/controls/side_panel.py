# SPDX-License-Identifier: GPL-3.0-or-later
"""A panel beside the graphs: a title, a way to close it, and whatever explains something."""

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme


class SidePanel(QFrame):
    """Shows one content at a time. ``closed()`` when the user has enough; Escape closes too."""

    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self._theme = theme
        self.title = ElidedLabel("", "cardTitle", self)
        self.close_button = QPushButton(self)
        self.close_button.setProperty("role", "flat")
        self.close_button.setAccessibleName(self.tr("Close the panel"))
        self.close_button.setToolTip(self.tr("Close (Esc)"))
        self.close_button.setFixedWidth(theme.sizes.px(28))
        self.close_button.setIconSize(QSize(theme.sizes.px(16), theme.sizes.px(16)))
        self.close_button.clicked.connect(self.close_panel)
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.viewport().setAutoFillBackground(False)
        head = QHBoxLayout()
        head.setContentsMargins(theme.sizes.px(14), theme.sizes.px(8), theme.sizes.px(8), 0)
        head.addWidget(self.title, 1)
        head.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self._scroll, 1)
        theme.changed.connect(self._apply_theme)
        self._apply_theme()
        self.hide()

    @property
    def content(self) -> QWidget | None:
        """What is shown; None while the panel is closed."""
        # The binding says "never None"; Qt returns none before the first content.
        widget = self._scroll.widget()
        return widget if isinstance(widget, QWidget) and not self.isHidden() else None

    def show_content(self, title: str, content: QWidget) -> None:
        """Open with this content; the one before is deleted."""
        self.title.set_full_text(title)
        self._scroll.setWidget(content)
        content.setAutoFillBackground(False)  # which setWidget has switched on
        self.setAccessibleName(title)
        self.show()

    @Slot()
    def close_panel(self) -> None:
        if self.isHidden():
            return
        self.hide()
        content = self._scroll.takeWidget()
        if isinstance(content, QWidget):
            content.deleteLater()
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_panel()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _apply_theme(self) -> None:
        icons, tokens = self._theme.icons, self._theme.tokens
        self.close_button.setIcon(icons.icon("close", tokens.muted, self._theme.sizes.px(16)))
