# SPDX-License-Identifier: GPL-3.0-or-later
"""What waits for the first frame of a game, and then says how many arrive, or why none does."""

from collections import deque

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.analysis.report.said_of_sessions import origin_name
from destutter.core.statement import Statement
from destutter.sampling.frames.frame_feed import AUTO, FRAMES
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import said_sentence, spoken

_COUNTED_NS = 2_000_000_000  # a choice: long enough for a calm number
_SILENT_NS = 5_000_000_000  # as in frame_feed.py: a level that loads has none for a second or two


class ArrivingFrames(QWidget):
    """``is_arriving``: whether a frame came in the last five seconds of the stream."""

    def __init__(
        self, theme: Theme, quantities: Quantities, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quantities = quantities
        self._ends_ns: deque[int] = deque()
        self._origin = self._xplane = ""
        self._why_not: Statement | None = None
        self.is_arriving = False
        self._sign = QLabel(self)
        self.text = WrappedLabel("cardTitle", self)
        self.why_not = WrappedLabel("muted", self)
        self.why_not.hide()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(8))
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        lines = QVBoxLayout()
        lines.setSpacing(theme.sizes.px(4))
        lines.addWidget(self.text)
        lines.addWidget(self.why_not)
        layout.addLayout(lines, 1)
        theme.changed.connect(self._draw)
        self._show()

    def wait_for(self, xplane: str) -> None:
        """Begin anew, with the X-Plane at this address; empty: with whatever is found."""
        self._ends_ns.clear()
        self._xplane = "" if xplane == AUTO else xplane
        self._why_not, self.is_arriving = None, False
        self._show()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Count what arrived."""
        self._why_not = snapshot.troubles.get(FRAMES)
        for frames in snapshot.frames:
            self._origin = frames.origin or self._origin
            self._ends_ns.extend(frames.monotonic_ns)
        if self._ends_ns:
            newest_ns = self._ends_ns[-1]
            now_ns = max(snapshot.assessment.monotonic_ns, newest_ns)
            self.is_arriving = now_ns - newest_ns < _SILENT_NS
            while newest_ns - self._ends_ns[0] > _COUNTED_NS:
                self._ends_ns.popleft()
        self._show()

    def _show(self) -> None:
        text = self.tr("Waiting for the first frame…")
        if self._ends_ns:
            text = self.tr("Waiting for the next frame…")
        elif self._xplane:
            text = self.tr("Waiting for X-Plane at {address}…").format(address=self._xplane)
        if self.is_arriving:
            text = self.tr("Frames arrive: {count} a second, told by {tool}").format(
                count=self._quantities.number(self._per_second()),
                tool=origin_name(self._origin, spoken()),
            )
        why_not = ""
        if self._why_not is not None and not self.is_arriving:
            why_not = said_sentence(self._why_not)
        if (text, why_not) != (self.text.full_text, self.why_not.full_text):
            self.text.set_full_text(text)
            self.why_not.set_full_text(why_not)
            self.why_not.setVisible(bool(why_not))
            self._draw()

    def _per_second(self) -> float:
        span_ns = self._ends_ns[-1] - self._ends_ns[0]
        return (len(self._ends_ns) - 1) * 1e9 / span_ns if span_ns > 0 else 1.0

    @Slot()
    def _draw(self) -> None:
        tokens, size = self._theme.tokens, self._theme.sizes.px(18)
        name, color = "measuring", tokens.muted
        if self.is_arriving:
            name, color = "clear", tokens.ok
        elif self.why_not.full_text:
            name, color = "watch", tokens.warn
        self._sign.setPixmap(self._theme.icons.pixmap(name, color, size, self.devicePixelRatioF()))
