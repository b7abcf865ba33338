# SPDX-License-Identifier: GPL-3.0-or-later
"""What is shown while a recording is read."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QVBoxLayout, QWidget

from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme


class ReadingView(QWidget):
    """A bar while a recording is read. ``cancelled()``."""

    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = ElidedLabel(self.tr("Reading the recording…"), "strong", self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(theme.sizes.px(6))
        self.bar.setAccessibleName(self.tr("Progress of reading"))
        self.cancel = QPushButton(self.tr("Cancel"), self)
        self.cancel.clicked.connect(self.cancelled)
        card = QFrame(self)
        card.setProperty("role", "card")
        inner = QVBoxLayout(card)
        pad = theme.sizes.px(18)
        inner.setContentsMargins(pad, pad, pad, pad)
        inner.setSpacing(theme.sizes.px(12))
        inner.addWidget(self.text)
        inner.addWidget(self.bar)
        inner.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignTrailing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(card)
        layout.addStretch(1)
