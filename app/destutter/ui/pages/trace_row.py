# SPDX-License-Identifier: GPL-3.0-or-later
"""One quiet line about the kernel's trace: it is offered, asked for, runs, or could not be had."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from destutter.bridge.kernel_trace import KernelTrace, TraceKind
from destutter.ui.controls.signed_row import SignedRow
from destutter.ui.look.theme import Theme
from destutter.ui.pages.said_alike import about_helper
from destutter.ui.words.words import said_sentence


class TraceRow(SignedRow):
    """Asks for the trace and gives it back.

    It is never asked for by itself. ``helper_requested()`` where there is no helper to ask.
    Without a ``trace`` the line is not there.
    """

    helper_requested = Signal()

    def __init__(
        self, theme: Theme, trace: KernelTrace | None, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, parent)
        self._trace = trace
        self._is_offered = self._is_kept_back = False
        self.link.clicked.connect(self._act)
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
            if status.why is not None:
                told = self.tr(
                    "Looking closer, but not at the game's waits for a core: {reason}"
                ).format(reason=said_sentence(status.why))
            return told, self.tr("Stop")
        if status.why is not None:
            link = about_helper() if status.is_absent else self.tr("Try again")
            return said_sentence(status.why), link
        if self._is_offered:
            told = self.tr(
                "A closer look tells which part of the game waited, for what and how long."
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

    def _sign_look(self) -> tuple[str, str]:
        has_failed = self._trace is not None and self._trace.status.why is not None
        tokens = self._theme.tokens
        return ("watch", tokens.warn) if has_failed else ("info", tokens.info)
