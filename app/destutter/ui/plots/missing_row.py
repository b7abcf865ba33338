# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands in a lane that cannot be measured here: what is missing, and what to do."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from destutter.core.statement import Statement
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.look.tokens import GRAPH_RIGHT_MARGIN
from destutter.ui.words.words import said_sentence

_TITLES = {
    "pressure": QT_TRANSLATE_NOOP("Missing", "This kernel does not report pressure (PSI)."),
    "disk": QT_TRANSLATE_NOOP("Missing", "Disk latency is not measured."),
    "vmstat": QT_TRANSLATE_NOOP("Missing", "The kernel's memory counters are not measured."),
    "wakeup": QT_TRANSLATE_NOOP("Missing", "Wake-up delay is not measured."),
}
_UNKNOWN = {"pressure": QT_TRANSLATE_NOOP("Missing", "Pressure is not measured.")}
_OTHERS = QT_TRANSLATE_NOOP("Missing", "This is not measured.")
_BY_KERNEL = frozenset({"sampling.no_pressure", "coverage.no_pressure"})
_ADVICE = {
    "pressure": QT_TRANSLATE_NOOP(
        "Missing", "The other measurements go on. To turn it on, start the kernel with psi=1."
    ),
}


class MissingRow(QWidget):
    """A sign, a bold sentence, a muted one, and "Show me how". ``clicked`` is the button's."""

    clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._sign = QLabel(self)
        self.title = ElidedLabel("", "smallStrong", self)
        self.detail = ElidedLabel("", "small", self)
        self.button = QPushButton(self.tr("Show me how"), self)
        self.button.clicked.connect(self.clicked)
        texts = QVBoxLayout()
        texts.setSpacing(1)
        texts.addStretch(1)
        texts.addWidget(self.title)
        texts.addWidget(self.detail)
        texts.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.sizes.axis + 10, 4, GRAPH_RIGHT_MARGIN, 4)
        layout.setSpacing(10)
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(texts, 1)
        layout.addWidget(self.button, 0, Qt.AlignmentFlag.AlignVCenter)
        theme.changed.connect(self._draw_sign)
        self._draw_sign()

    def explain(self, source: str, reason: Statement) -> None:
        """Say that this source is missing, and why."""
        # A log of another program, or a source that came late, says nothing of the kernel.
        is_kernels = source not in _ADVICE or reason.id in _BY_KERNEL
        title = _TITLES.get(source, _OTHERS) if is_kernels else _UNKNOWN[source]
        self.title.set_full_text(QCoreApplication.translate("Missing", str(title)))
        advice = _ADVICE.get(source) if is_kernels else None
        detail = (
            QCoreApplication.translate("Missing", str(advice)) if advice else said_sentence(reason)
        )
        self.detail.set_full_text(detail)
        self.button.setVisible(advice is not None)

    @Slot()
    def _draw_sign(self) -> None:
        tokens, size = self._theme.tokens, self._theme.sizes.px(20)
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(self._theme.icons.pixmap("not-measured", tokens.none, size, ratio))
