# SPDX-License-Identifier: GPL-3.0-or-later
"""A window on its page of causes, with a scripted stream and a scripted helper."""

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtWidgets import QApplication

from destutter.analysis.examining.pipeline import Snapshot
from destutter.bridge.helper_client import Availability
from destutter.bridge.kernel_trace import KernelTrace
from destutter.core.statement import Statement
from destutter.ui.look.theme import Theme
from destutter.ui.pages.page_sources import PageSources
from destutter.ui.shell.main_window import MainWindow
from tests.support.engine_scenes import EngineScene
from tests.support.known_snapshots import snapshots_of
from tests.support.live_scenes import Scene
from tests.support.tuning_scenes import ScriptedHelper, TuningScene
from tests.support.window_kit import SEEN, make_window

LATEST = 120
"""So many snapshots of a scene, half a minute, a window is given; what they tell is of all of it.
Graphs of two minutes would be a third of what opening a window takes."""


def open_causes(
    app: QApplication,
    theme: Theme,
    size: tuple[int, int],
    scene: Callable[[], Scene | EngineScene] | None,
    *,
    availability: Availability = Availability.READY,
    reason: Statement | None = None,
    watches_computer: bool = True,
    trace: KernelTrace | None = None,
    read_folders: Callable[[str], Sequence[str]] = lambda _drive: (),
    latest: int = LATEST,
) -> tuple[MainWindow, TuningScene]:
    """The window with the ``latest`` of a scene in it (0: all), and its settings; close both."""
    tuning = TuningScene(ScriptedHelper(availability, reason))
    tuning.settle()
    window = make_window(theme, watches_computer=watches_computer)
    window.offer_sources(PageSources(tuning.model, trace=trace, read_folders=read_folders))
    window.show_helper(tuning.model.status)
    window.resize(*size)
    given = () if scene is None else snapshots_of(scene)
    fill(window, tuning, given[-latest:-SEEN])
    window.show()
    settle(app)
    window.live.prepare_graphs()
    fill(window, tuning, given[-SEEN:])
    window.show_cause()
    settle(app)
    return window, tuning


def fill(window: MainWindow, tuning: TuningScene, given: Iterable[Snapshot]) -> None:
    """Show snapshots to the window and to its model of settings."""
    for snapshot in given:
        tuning.model.accept_metrics(snapshot.metrics)
        tuning.model.accept_findings(snapshot.assessment.findings)
        window.show_snapshot(snapshot)


def settle(app: QApplication) -> None:
    """Let queued paintings and layouts happen."""
    for _ in range(12):
        app.processEvents()
