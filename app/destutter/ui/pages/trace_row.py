# SPDX-License-Identifier: GPL-3.0-or-later
"""One quiet line about the kernel's trace: it is offered, asked for, runs, or could not be had."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from destutter.bridge.kernel_trace import KernelTrace, TraceKind
from destutter.ui.controls.elided import ElidedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.words.words import said_sentence


class TraceRow(QWidget):
    """Asks for the trace and gives it back.

    It is never asked for by itself. ``helper_requested()`` where there is no helper to ask.
    Without a ``trace`` the line is not there.
    """

    helper_requested = Signal()

    def __init__(
        self, theme: Theme, trace: KernelTrace | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._trace = trace
        self._is_offered = self._is_kept_back = False
        self._sign = QLabel(self)
        self.text = ElidedLabel("", "small", self)
        self.link = QPushButton(self)
        self.link.setProperty("role", "link")
        self.link.clicked.connect(self._act)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(theme.sizes.px(4), 0, 0, 0)
        layout.setSpacing(theme.sizes.px(7))
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.text, 1)
        layout.addWidget(self.link)
        theme.changed.connect(self._draw_sign)
        if trace is not None:
            trace.changed.connect(self._show)
        self._show()

    def offer(self, *, is_offered: bool) -> None:
        """Whether a look at the trace would tell more."""
        if is_offered != self._is_offered:
            self._is_offered = is_offered
            self._show()

    def keep_back(self, *, is_kept_back: bool) -> None:
        """Whether what is shown is a recording, and nothing of this line is of it."""
        if is_kept_back != self._is_kept_back:
            self._is_kept_back = is_kept_back
            self._show()

    @Slot()
    def _show(self) -> None:
        text, link = self._words()
        self.setVisible(bool(text) and not self._is_kept_back)
        self.text.set_full_text(text)
        self.link.setText(link)
        self._draw_sign()

    def _words(self) -> tuple[str, str]:
        if self._trace is None:
            return "", ""
        status = self._trace.status
        if status.kind is TraceKind.ASKING:
            return self.tr("Waiting for your password…"), self.tr("Cancel")
        if status.kind is TraceKind.RUNNING:
            told = self.tr("Looking closer: the kernel records what the game's threads wait for.")
            return told, self.tr("Stop")
        if status.why is not None:
            link = self.tr("Set up the helper") if status.is_absent else self.tr("Try again")
            return said_sentence(status.why), link
        if self._is_offered:
            told = self.tr(
                "The kernel can tell which threads of the game waited, for what and how long."
            )
            return told, self.tr("Look closer")
        return "", ""

    @Slot()
    def _act(self) -> None:
        if self._trace is None:
            return
        status = self._trace.status
        if status.kind is not TraceKind.OFF:
            self._trace.end()
        elif status.is_absent:
            self.helper_requested.emit()
        else:
            self._trace.ask()

    @Slot()
    def _draw_sign(self) -> None:
        tokens, size = self._theme.tokens, self._theme.sizes.px(15)
        has_failed = self._trace is not None and self._trace.status.why is not None
        name, color = ("watch", tokens.warn) if has_failed else ("info", tokens.info)
        ratio = self.devicePixelRatioF()
        self._sign.setPixmap(self._theme.icons.pixmap(name, color, size, ratio))
