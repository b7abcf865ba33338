# SPDX-License-Identifier: GPL-3.0-or-later
"""One line that waits for the first frame of a game, and then says how many arrive."""

from collections import deque

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.analysis.report.said_of_sessions import origin_name
from destutter.ui.controls.elided import WrappedLabel
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import spoken

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
        self._origin = ""
        self.is_arriving = False
        self._sign = QLabel(self)
        self.text = WrappedLabel("cardTitle", self)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(theme.sizes.px(8))
        layout.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.text, 1)
        theme.changed.connect(self._draw)
        self._show()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Count what arrived."""
        for frames in snapshot.frames:
            self._origin = frames.origin or self._origin
            self._ends_ns.extend(frames.monotonic_ns)
        if not self._ends_ns:
            return
        now_ns = max(snapshot.assessment.monotonic_ns, self._ends_ns[-1])
        self.is_arriving = now_ns - self._ends_ns[-1] < _SILENT_NS
        newest_ns = self._ends_ns[-1]
        while newest_ns - self._ends_ns[0] > _COUNTED_NS:
            self._ends_ns.popleft()
        self._show()

    def _show(self) -> None:
        text = self.tr("Waiting for the first frame…")
        if self._ends_ns:
            text = self.tr("Waiting for the next frame…")
        if self.is_arriving:
            text = self.tr("Frames arrive: {count} a second, told by {tool}").format(
                count=self._quantities.number(self._per_second()),
                tool=origin_name(self._origin, spoken()),
            )
        if text != self.text.full_text:
            self.text.set_full_text(text)
            self._draw()

    def _per_second(self) -> float:
        span_ns = self._ends_ns[-1] - self._ends_ns[0]
        return (len(self._ends_ns) - 1) * 1e9 / span_ns if span_ns > 0 else 1.0

    @Slot()
    def _draw(self) -> None:
        tokens, size = self._theme.tokens, self._theme.sizes.px(18)
        name, color = ("clear", tokens.ok) if self.is_arriving else ("measuring", tokens.muted)
        self._sign.setPixmap(self._theme.icons.pixmap(name, color, size, self.devicePixelRatioF()))
