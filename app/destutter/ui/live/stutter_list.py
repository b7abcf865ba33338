# SPDX-License-Identifier: GPL-3.0-or-later
"""The stutters as text: time, length and cause. The same as the graphs, for eyes and ears."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from destutter.core.statement import Statement
from destutter.diagnosis.finding import HORIZON_S, Spike
from destutter.diagnosis.findings.time_lost import told_as_lost, told_as_lost_in_one
from destutter.diagnosis.lost_time import TimeLost
from destutter.ui.controls.column_rows import PARTS, ColumnRows
from destutter.ui.controls.plain_label import plain_label
from destutter.ui.look.theme import Theme
from destutter.ui.words.quantities import Quantities, WallClock
from destutter.ui.words.words import Words
from destutter.words.measures import NBSP

_SPIKE = Qt.ItemDataRole.UserRole


class StutterList(QWidget):
    """Newest first. ``chosen(Spike)`` when one is selected."""

    chosen = Signal(object)

    def __init__(
        self,
        theme: Theme,
        words: Words,
        quantities: Quantities,
        clock: WallClock,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._words = words
        self._quantities = quantities
        self._row_px = theme.sizes.px(46)
        self._clock = clock
        self._spikes: tuple[Spike, ...] = ()
        self._is_game = False
        self._lost_of: tuple[tuple[Spike, ...], TimeLost] = (), TimeLost()
        self.list = QListWidget(self)
        self.list.setAccessibleName(self.tr("Stutters"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(
            ColumnRows(theme, self.list, stretch=0, trailing=(1,), has_below=True)
        )
        # A list that gets the focus has a current row by itself, which nobody has chosen: the
        # graphs went there and stood still.
        self.list.itemSelectionChanged.connect(self._chosen)
        self.lost = plain_label("", "muted", self, wraps=True)
        self.one = plain_label("", "muted", self, wraps=True)
        for label in (self.lost, self.one):
            label.hide()
        empty = self.tr("No stutter in the last {minutes} minutes.")
        self._empty = QLabel(empty.format(minutes=HORIZON_S // 60), self)
        self._empty.setProperty("role", "muted")
        self._empty.setWordWrap(True)
        layout = QVBoxLayout(self)
        margin = theme.sizes.px(14)
        layout.setContentsMargins(margin, 4, margin, margin)
        layout.addWidget(self.lost)
        layout.addWidget(self.one)
        layout.addWidget(self._empty)
        layout.addWidget(self.list, 1)
        self.list.setVisible(False)

    def show_lost(self, spikes: Sequence[Spike], lost: TimeLost) -> None:
        """Where the time of all of these went, and that of the chosen one."""
        self._lost_of = tuple(spikes), lost
        self._show_text(self.lost, told_as_lost(lost))
        self._show_one()

    def _show_one(self) -> None:
        chosen = self.list.selectedItems()
        at_ns = chosen[0].data(_SPIKE).monotonic_ns if chosen else None
        pairs = zip(self._lost_of[0], self._lost_of[1].of_each, strict=False)
        lost = next((each for spike, each in pairs if spike.monotonic_ns == at_ns), None)
        self._show_text(self.one, None if lost is None else told_as_lost_in_one(lost))

    def _show_text(self, label: QLabel, told: Statement | None) -> None:
        label.setText("" if told is None else self._words.text(told))
        label.setVisible(told is not None)

    def show_spikes(self, spikes: Sequence[Spike], *, is_game: bool = False) -> None:
        """Show these; the selection stays. ``is_game``: the verdict is that the game took the time
        itself, and "No cause found" beside that would contradict it.
        """
        if (tuple(spikes), is_game) == (self._spikes, self._is_game):
            return
        self._is_game = is_game
        chosen = self.list.selectedItems()
        kept = chosen[0].data(_SPIKE) if chosen else None
        self._spikes = tuple(spikes)
        self.list.blockSignals(True)  # noqa: FBT003  the binding takes no keyword
        self.list.clear()
        for spike in reversed(self._spikes):
            parts = self._parts(spike)
            item = QListWidgetItem((NBSP * 3).join(parts), self.list)
            item.setData(_SPIKE, spike)
            item.setData(PARTS, parts)
            item.setSizeHint(QSize(0, self._row_px))
            item.setToolTip(item.text())
            if kept is not None and kept.monotonic_ns == spike.monotonic_ns:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)  # noqa: FBT003
        self.list.setVisible(bool(spikes))
        self._empty.setVisible(not spikes)

    def mark(self, spike: Spike | None) -> None:
        """Show which stutter is chosen elsewhere; no signal."""
        self.list.blockSignals(True)  # noqa: FBT003
        for row in range(self.list.count()):
            item = self.list.item(row)
            if spike is not None and item.data(_SPIKE).monotonic_ns == spike.monotonic_ns:
                self.list.setCurrentItem(item)
        self.list.blockSignals(False)  # noqa: FBT003
        self._show_one()

    def _parts(self, spike: Spike) -> tuple[str, str, str]:
        cause = self.tr("No cause found")
        if self._is_game:
            cause = self.tr("Nothing outside the game found")
        if spike.cause is not None:
            cause = self._words.cause(spike.cause)
            cause = self.tr("Possibly: {cause}").format(cause=cause) if spike.is_guess else cause
        length = self._quantities.milliseconds(spike.duration_ms)
        time = self._clock.time(spike.monotonic_ns)
        return time, length, cause

    @Slot()
    def _chosen(self) -> None:
        self._show_one()
        for item in self.list.selectedItems():
            self.chosen.emit(item.data(_SPIKE))
