# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens one window, says how long that took and how much memory it needs, and ends.

`python -m tests.bench.gui_child WHAT BEGUN FILE`: WHAT is "empty", "plots" or "by_hand" for the
references, "painted" or "drawn" for the program itself until its first picture or its graphs,
"live" for the page full of data, "running" for the program while it measures this computer. BEGUN
is the monotonic clock in seconds at the moment the process was started, FILE a stream of messages.
Prints milliseconds and MiB resident; for "running" the share of a core in percent with the window
visible, hidden, and as strip.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from destutter.analysis.examining.pipeline import Snapshot


BEGINNING_MS, SETTLING_MS, RUNNING_MS = 15_000, 2_000, 20_000


class Empty(QWidget):
    """Nothing but a window."""

    painted_s = 0.0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Note the time of the first picture."""
        super().paintEvent(event)
        self.painted_s = self.painted_s or time.monotonic()


def rss_mb() -> float:
    """Memory of this process that is in RAM now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


def wait_for_picture(app: QApplication, window: Empty) -> None:
    """Return when the window has been painted."""
    give_up = time.monotonic() + 20
    while time.monotonic() < give_up:
        app.processEvents()
        if window.painted_s:
            return


def empty(app: QApplication, begun_s: float, stream_file: str) -> None:
    """An empty window."""
    del stream_file
    window = Empty()
    window.resize(1440, 900)
    window.show()
    wait_for_picture(app, window)
    print(f"{1e3 * (window.painted_s - begun_s):.1f} {rss_mb():.1f}")


def stream(path: str) -> Iterator[Snapshot]:
    """A stream of messages, one a line, through the pipeline: as from the sampler's pipe."""
    from destutter.analysis.examining.pipeline import Pipeline
    from destutter.core.sample import Sample, decode
    from destutter.diagnosis.assessor import Assessor

    pipeline = Pipeline(Assessor())
    with Path(path).open(encoding="ascii") as lines:
        for number, line in enumerate(lines):
            message = decode(line)
            pipeline.accept_message(message)
            if number % 7 == 0 and isinstance(message, Sample):
                snapshot = pipeline.take_snapshot()
                if snapshot is not None:
                    yield snapshot


def plots(app: QApplication, begun_s: float, stream_file: str) -> None:
    """A window with five bare plots."""
    del stream_file
    import pyqtgraph

    window = Empty()
    window.resize(1440, 900)
    box = QVBoxLayout(window)
    for _ in range(5):
        box.addWidget(pyqtgraph.PlotWidget(window))
    window.show()
    wait_for_picture(app, window)
    print(f"{1e3 * (window.painted_s - begun_s):.1f} {rss_mb():.1f}")


def by_hand(app: QApplication, begun_s: float, stream_file: str) -> None:
    """The same without pyqtgraph."""
    del stream_file
    import numpy as np

    from tests.bench.painted_lanes import PaintedLanes

    window = Empty()
    window.resize(1440, 900)
    line = np.arange(50.0, 990.0), np.zeros(940)
    QVBoxLayout(window).addWidget(PaintedLanes([[line]] * 5))
    window.show()
    wait_for_picture(app, window)
    print(f"{1e3 * (window.painted_s - begun_s):.1f} {rss_mb():.1f}")


def live(app: QApplication, _begun_s: float, stream_file: str) -> None:
    """The main window with its graphs and two minutes of scripted data: what memory that needs."""
    from tests.support.window_kit import make_theme, make_window

    window = make_window(make_theme(app), watches_computer=True)
    window.show()
    window.live.prepare_graphs()
    for snapshot in stream(stream_file):
        window.show_snapshot(snapshot)
        app.processEvents()
    print(f"nan {rss_mb():.1f}")


def program(begun_s: float, until: str) -> None:
    """The program as somebody starts it, until its window has been ``painted`` or ``drawn``."""
    from destutter.__main__ import main
    from destutter.application import opening

    def end(self: opening.Opening) -> None:
        print(f"{1e3 * (time.monotonic() - begun_s):.1f} {rss_mb():.1f}", flush=True)
        self._opened.qt.exit(0)

    start = opening.Opening.start

    def start_and_watch(self: opening.Opening) -> None:
        getattr(self._opened.window, until).connect(lambda: end(self))
        start(self)

    opening.Opening.start = start_and_watch  # type: ignore[method-assign]
    main([])


def running() -> None:
    """The program as somebody starts it: its window, then nothing to see, then only the strip."""
    from PySide6.QtCore import QTimer

    from destutter.__main__ import main
    from destutter.application import opening

    shares: list[str] = []

    def measure(self: opening.Opening, then: Callable[[], object]) -> None:
        begun_s, cpu_s = time.monotonic(), time.process_time()

        def done() -> None:
            share = (time.process_time() - cpu_s) / (time.monotonic() - begun_s)
            shares.append(f"{100 * share:.3f}")
            then()

        QTimer.singleShot(RUNNING_MS, self, done)

    def measure_all(self: opening.Opening) -> None:
        window, running = self._opened.window, self._running
        assert running is not None

        def later(then: Callable[[], object]) -> None:
            QTimer.singleShot(SETTLING_MS, self, lambda: measure(self, then))

        def hide() -> None:
            self._opened.qt.setQuitOnLastWindowClosed(False)
            window.hide()
            later(show_strip)

        def show_strip() -> None:
            running._around.presence.show_strip()
            later(end)

        def end() -> None:
            print(*shares, flush=True)
            self._opened.qt.exit(0)

        measure(self, hide)

    start = opening.Opening.start

    def start_and_measure(self: opening.Opening) -> None:
        # Not before the page has a verdict, and what is loaded late is loaded.
        QTimer.singleShot(BEGINNING_MS, self, lambda: measure_all(self))
        start(self)

    opening.Opening.start = start_and_measure  # type: ignore[method-assign]
    main([])


def run(what: str, begun_s: float, stream_file: str) -> None:
    """Do one of them."""
    if what == "running":
        running()
        return
    if what in {"painted", "drawn"}:
        program(begun_s, what)
        return
    application = QApplication(sys.argv[:1])
    {"empty": empty, "by_hand": by_hand, "plots": plots, "live": live}[what](
        application, begun_s, stream_file
    )


if __name__ == "__main__":
    run(sys.argv[1], float(sys.argv[2]), sys.argv[3])
