# SPDX-License-Identifier: GPL-3.0-or-later
"""The windows that bench_gui measures: the live page, five bare plots, and ten minutes at once."""

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.metrics import Metrics
from destutter.core.sample import Frames
from destutter.core.statement import Statement
from destutter.diagnosis.finding import Assessment, Verdict, VerdictKind
from destutter.ui.strip.strip import Strip
from destutter.ui.words.quantities import Quantities
from tests.support import live_scenes
from tests.support.window_kit import make_theme, make_window

Curves = list[list[tuple[np.ndarray, np.ndarray]]]

TICK_NS = 250_000_000
_SMOOTH = Statement("verdict.smooth", {"span_s": 60})
_APPS: list[QApplication] = []


def application() -> QApplication:
    """The one application object of this process."""
    if not _APPS:
        _APPS.append(QApplication([]))
    return _APPS[0]


class Live:
    """The main window with two minutes of measurements, more of them to come, and the strip."""

    def __init__(self, app: QApplication) -> None:
        scene = live_scenes.stuttering()
        scene.run(80.0)
        snapshots = list(live_scenes.snapshots(scene.script.messages))
        first = len(snapshots) - 410
        self._coming = iter(snapshots[first:])
        self._app = app
        self.window = make_window(make_theme(app), watches_computer=True)
        self.window.resize(1440, 900)
        self.window.show()
        app.processEvents()
        self.window.live.prepare_graphs()
        for snapshot in snapshots[:first]:
            self.window.show_snapshot(snapshot)
        for _ in range(20):
            app.processEvents()
        self._strip = Strip(make_theme(app), Quantities(QLocale()))

    def curves(self) -> Curves:
        """The points of every curve that is drawn now, lane by lane."""
        card = self.window.live.card
        assert card is not None
        return [row.lane.points() for row in card.rows]

    def show(self) -> None:
        """Become visible."""
        self.window.show()
        self._app.processEvents()

    def hide(self) -> None:
        """Become invisible; measurements go on arriving."""
        self.window.hide()
        self._app.processEvents()

    def show_strip(self) -> None:
        """Be only the compact strip: the window becomes, or stays, invisible."""
        self.window.hide()
        self._strip.show()
        self._app.processEvents()

    def hide_strip(self) -> None:
        """Take the compact strip away."""
        self._strip.hide()

    def tick(self) -> None:
        """Four of these are a second."""
        snapshot = next(self._coming)
        self.window.show_snapshot(snapshot)
        if self._strip.isVisible():
            self._strip.show_snapshot(snapshot)

    def close(self) -> None:
        """Take the windows away."""
        for window in (self.window, self._strip):
            window.close()
            window.deleteLater()


class BarePlots:
    """Five plots as pyqtgraph makes them, with the same points, which only move."""

    def __init__(self, curves: Curves) -> None:
        self._window = QWidget()
        self._window.resize(1000, 600)
        layout = QVBoxLayout(self._window)
        layout.setSpacing(0)
        self._curves = []
        for lane in curves:
            plot = pg.PlotWidget()
            plot.setXRange(50, 990, padding=0)
            plot.setYRange(0, 130, padding=0)
            for x, y in lane:
                curve = pg.PlotCurveItem(pen=pg.mkPen("w", width=1))
                plot.addItem(curve)
                self._curves.append((curve, np.array(x), np.nan_to_num(np.array(y))))
            layout.addWidget(plot)
        self._step = 0

    def show(self) -> None:
        """Become visible."""
        self._window.show()

    def hide(self) -> None:
        """Become invisible."""
        self._window.hide()

    def tick(self) -> None:
        """Draw every curve anew, two columns further."""
        self._step += 2
        for curve, x, y in self._curves:
            curve.setData(x, np.roll(y, -self._step))


class Span:
    """The live page with so many seconds in view, for a game with 60 frames a second."""

    def __init__(self, app: QApplication, seconds: float) -> None:
        self._app = app
        self.window = make_window(make_theme(app), watches_computer=True)
        self.window.resize(1440, 900)
        self.window.show()
        app.processEvents()
        self.window.live.prepare_graphs()
        self._now_ns = 0
        for _ in range(4 * 600):
            self._now_ns += TICK_NS
            self.window.live.show_snapshot(self._snapshot())
        card = self.window.live.card
        assert card is not None
        card.set_span(seconds)
        self.hide()

    def _snapshot(self) -> Snapshot:
        times = tuple(self._now_ns - number * TICK_NS // 15 for number in range(14, -1, -1))
        lengths = tuple(16_000 + 37 * (time // 1000) % 900 for time in times)
        metrics = (Metrics(self._now_ns, 0.25),)
        verdict = Verdict(VerdictKind.SMOOTH, _SMOOTH, Statement("verdict.smooth.frames.detail"))
        assessment = Assessment(self._now_ns, verdict, (), (), (), ())
        return Snapshot(assessment, metrics, (Frames("test", times, lengths),))

    def show(self) -> None:
        """Become visible."""
        self.window.show()
        self._app.processEvents()

    def hide(self) -> None:
        """Become invisible."""
        self.window.hide()

    def tick(self) -> None:
        """A quarter of a second passes."""
        self._now_ns += TICK_NS
        self.window.live.show_snapshot(self._snapshot())

    def close(self) -> None:
        """Take the window away."""
        self.window.close()
        self.window.deleteLater()
