# SPDX-License-Identifier: GPL-3.0-or-later
"""The states of the pages of recordings and of the guide that have a picture."""

import functools
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from destutter.application.guide_wiring import GuideWiring
from destutter.application.sessions_wiring import SessionsWiring
from destutter.bridge.session_library import Attempt, LibraryFailure
from destutter.core.statement import Statement
from destutter.guide_progress import GuideProgress, GuideStep, GuideStore
from destutter.ui.guide.guide_page import GuidePage
from destutter.ui.look.theme import Theme
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.pages.pages import GUIDE, SESSIONS
from destutter.ui.sessions.sessions_page import SessionsPage
from destutter.ui.shell.main_window import MainWindow
from tests.support import tuning_scenes
from tests.support.known_snapshots import snapshots_of
from tests.support.live_scenes import stuttering
from tests.support.long_flights import TUNED, Flight, write_flight
from tests.support.tuning_scenes import TuningScene
from tests.support.window_kit import make_window

BEFORE, AFTER = "Before: stock settings", "After: larger reserve"
FULL_DISK = Statement(
    "session.ends_here",
    {
        "path": "/home/ada/.local/share/destutter/After.destutter",
        "reason": Statement("session.disk_full"),
        "kept": 41,
    },
)
_DAY_S = 86_400.0


@dataclass
class Scene:
    """A window with the pages over a folder of recordings."""

    window: MainWindow
    sessions: SessionsWiring
    guide: GuideWiring
    tuning: TuningScene
    config: Path

    @property
    def page(self) -> SessionsPage:
        """The page of recordings."""
        found = self.window.page_of(SESSIONS)
        assert isinstance(found, SessionsPage)
        return found

    @property
    def steps(self) -> GuidePage:
        """The guide."""
        found = self.window.page_of(GUIDE)
        assert isinstance(found, GuidePage)
        return found

    def wait(self) -> None:
        """Until everything has been read."""
        models = self.sessions.models
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and (
            models.library.is_reading
            or models.library.importing
            or models.examiner.is_running
            or models.guide_examiner.is_running
        ):
            QApplication.processEvents()
            time.sleep(0.005)
        for _ in range(12):
            QApplication.processEvents()

    def choose(self, *names: str) -> None:
        """Show one recording, or compare two."""
        self.page.show_sessions([self.sessions.folder / f"{name}.destutter" for name in names])
        self.wait()

    def close(self) -> None:
        """Let go of everything."""
        self.window.close()
        self.sessions.stop()
        self.tuning.close()
        self.window.deleteLater()
        shutil.rmtree(self.config, ignore_errors=True)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


Do = Callable[[Scene], None]


@dataclass(frozen=True)
class SessionState:
    """One picture: which page, how far the guide is, and what the user did."""

    name: str
    do: Do
    page: str = SESSIONS
    progress: GuideProgress = field(default_factory=GuideProgress)
    has_recordings: bool = True


@functools.cache
def _now() -> float:
    """Of the first picture: a minute that ends between two of them is no difference of theirs."""
    return time.clock_gettime(time.CLOCK_REALTIME)


def make_recordings(folder: Path) -> None:
    """Flights before and after a change, others, and a file that is none."""
    now = _now()
    write_flight(folder / f"{BEFORE}.destutter", Flight(24, 1.7, wall_time=now - 7_500))
    write_flight(
        folder / f"{AFTER}.destutter", Flight(22, 0.04, wall_time=now - 3_900, seed=5), TUNED
    )
    write_flight(
        folder / "2026-11-20_20-15-00 X-Plane 12.destutter",
        Flight(5, 1, wall_time=now - _DAY_S, seed=3),
    )
    write_flight(
        folder / "Convoy night run.destutter",
        Flight(12, 0.3, "Euro Truck Simulator 2", wall_time=now - 12 * _DAY_S, has_frames=False),
    )
    write_flight(
        folder / "After the update.destutter",
        Flight(9, 0.2, build="12.2.0", wall_time=now - 600, seed=6),
    )
    (folder / "from a friend.destutter").write_bytes(b"no recording")


def open_scene(
    app: QApplication,
    state: SessionState,
    theme: Theme,
    size: tuple[int, int],
    recordings: Path,
) -> Scene:
    """A window of this size in this state."""
    config = Path(tempfile.mkdtemp(prefix="destutter-pictures-"))
    folder = config / "sessions"
    if state.has_recordings:
        shutil.copytree(recordings, folder)
    file = config / "guide.json"
    GuideStore(file).keep(state.progress)
    tuning = TuningScene()
    window = make_window(theme, watches_computer=True, tuning=tuning.model)
    sessions = SessionsWiring(window, folder, window)
    guide = GuideWiring(window, file, sessions, tuning.model, window)
    window.show_helper(tuning.model.status)
    window.resize(*size)
    window.show()
    scene = Scene(window, sessions, guide, tuning, config)
    tuning.settle()
    for _ in range(12):
        app.processEvents()
    window.show_page(state.page)
    scene.wait()
    state.do(scene)
    scene.wait()
    return scene


class RecordedFlights:
    """The recordings of the pictures, made when the first picture needs them."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="destutter-flights-")
        self._is_made = False

    def close(self) -> None:
        """Take the folder away."""
        self._folder.cleanup()

    def open_sessions(
        self, app: QApplication, state: SessionState, theme: Theme, size: tuple[int, int]
    ) -> tuple[MainWindow, Scene]:
        """A window in this state, and what to close after it."""
        folder = Path(self._folder.name)
        if not self._is_made:
            self._is_made = True
            make_recordings(folder)
        scene = open_scene(app, state, theme, size, folder)
        return scene.window, scene


def _nothing(_scene: Scene) -> None:
    """As it comes."""


def _single(scene: Scene) -> None:
    scene.choose(BEFORE)


def _compare(scene: Scene) -> None:
    scene.choose(BEFORE, AFTER)


def _groups(scene: Scene) -> None:
    """Three before and three after, one of which was commented."""
    folder = scene.sessions.folder
    ago = _now() - 30_000
    for at in (1, 2):
        before = Flight(20, 1.5 + at / 9, wall_time=ago + 300 * at, seed=40 + at)
        write_flight(folder / f"Before, run {at + 1}.destutter", before)
        after = Flight(21, 0.05, wall_time=ago + 28_000 + 300 * at, seed=50 + at)
        write_flight(folder / f"After, run {at + 1}.destutter", after, TUNED)
    library = scene.sessions.models.library
    library.refresh()
    scene.wait()
    library.comment(folder / f"{BEFORE}.destutter", "Innsbruck, snow")
    scene.wait()
    scene.choose(BEFORE, "Before, run 2", "Before, run 3", AFTER, "After, run 2", "After, run 3")
    for path in scene.page.list.chosen_paths:
        if path.stem.startswith("Before"):
            scene.page.list.put(path, "A")


def _view(view: str) -> Do:
    def do(scene: Scene) -> None:
        _compare(scene)
        scene.page.details.panel.views.button(view).click()

    return do


def _zoomed(view: str) -> Do:
    """Half a minute around the longest frame, or the lengths around a tenth of a second."""

    def do(scene: Scene) -> None:
        _view(view)(scene)
        graph = scene.page.details.panel.graph
        longest = float(np.nanargmax(graph.curves[0].worst_ms))
        graph.read(2.0 if view == "distribution" else longest)
        for _ in range(2 if view == "distribution" else 10):
            graph.zoom(1 / 1.5)

    return do


def _other_version(scene: Scene) -> None:
    scene.choose(BEFORE, "After the update")


def _short(scene: Scene) -> None:
    scene.choose(BEFORE, "2026-11-20_20-15-00 X-Plane 12")


def _all_measures(scene: Scene) -> None:
    _compare(scene)
    scene.page.details.more.click()


def _broken(scene: Scene) -> None:
    scene.choose("from a friend")


def _reading(scene: Scene) -> None:
    scene.page.details.show_reading(0.42, "Reading…")


def _recording(scene: Scene) -> None:
    started_ns = time.monotonic_ns() - 402 * 10**9
    scene.window.show_recording(RecordingState(started_ns, "After the update.destutter"))


def _deleted(scene: Scene) -> None:
    _single(scene)
    scene.page.details.head.delete.click()


def _rename(scene: Scene) -> None:
    _single(scene)
    scene.page.details.head.rename.click()


def _failures(scene: Scene) -> None:
    library = scene.sessions.models.library
    reason = Statement("sampling.log_summary")
    library.failed.emit(LibraryFailure(Attempt.IMPORT, "notes.csv", reason))
    scene.window.show_recording(RecordingState(failure=FULL_DISK))


def _saved(scene: Scene) -> None:
    """A report was saved a moment ago."""
    _compare(scene)
    scene.page.reports.save("html", scene.config / "Before - After.html")


def _replayed(scene: Scene) -> None:
    scene.window.live.prepare_graphs()
    playback = scene.sessions.playback
    scene.sessions.open(scene.sessions.folder / f"{BEFORE}.destutter")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (playback.feed and playback.bar.seek.stutters):
        QApplication.processEvents()
        time.sleep(0.005)
    playback.seek(520.0)
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline:
        QApplication.processEvents()
        time.sleep(0.005)


def _checked(scene: Scene) -> None:
    for snapshot in snapshots_of(stuttering)[-4:]:
        scene.window.show_snapshot(snapshot)


def _guide_recording(scene: Scene) -> None:
    panel = scene.steps.record.panel
    started_ns = time.monotonic_ns() - 402 * 10**9
    scene.window.show_recording(RecordingState(started_ns, f"{BEFORE}.destutter"))
    counts = panel.counts
    assert counts is not None
    counts.since_ns = 0
    for snapshot in snapshots_of(stuttering):
        counts.accept_snapshot(snapshot)
    first = min(counts.worst_by_second)
    counts.worst_by_second = {
        3 * (second - first): value for second, value in counts.worst_by_second.items()
    }
    counts.worst_at_s = 291.0
    panel.show_now()


def _why(scene: Scene) -> None:
    from destutter.ui.guide.choose_step import ChooseStep

    step = scene.steps.steps[GuideStep.CHOOSE]
    assert isinstance(step, ChooseStep)
    step.rows[0].why.click()


def _on_trial(scene: Scene) -> None:
    scene.tuning.give(*tuning_scenes.four_changes(), is_ours=True)


_BASELINE = f"{BEFORE}.destutter"
SESSION_STATES = (
    SessionState("sessions", _compare),
    SessionState("sessions-list", _nothing),
    SessionState("sessions-one", _single),
    SessionState("sessions-side", _view("side")),
    SessionState("sessions-distribution", _view("distribution")),
    SessionState("sessions-zoomed", _zoomed("overlay")),
    SessionState("sessions-side-zoomed", _zoomed("side")),
    SessionState("sessions-distribution-zoomed", _zoomed("distribution")),
    SessionState("sessions-other-version", _other_version),
    SessionState("sessions-short", _short),
    SessionState("sessions-all-measures", _all_measures),
    SessionState("sessions-groups", _groups),
    SessionState("sessions-broken", _broken),
    SessionState("sessions-reading", _reading),
    SessionState("sessions-recording", _recording),
    SessionState("sessions-deleted", _deleted),
    SessionState("sessions-rename", _rename),
    SessionState("sessions-failures", _failures),
    SessionState("sessions-saved", _saved),
    SessionState("sessions-replay", _replayed),
    SessionState("empty-sessions", _nothing, has_recordings=False),
    SessionState("sessions-trial", _on_trial),
    SessionState("empty-sessions-trial", _on_trial, has_recordings=False),
    SessionState("guide-trial", _on_trial, GUIDE, GuideProgress(GuideStep.CHOOSE, _BASELINE)),
    SessionState("guide-1-welcome", _nothing, GUIDE),
    SessionState("guide-2-check", _checked, GUIDE, GuideProgress(GuideStep.CHECK)),
    SessionState("guide-3-record", _checked, GUIDE, GuideProgress(GuideStep.RECORD)),
    SessionState("guide-3-recording", _guide_recording, GUIDE, GuideProgress(GuideStep.RECORD)),
    SessionState("guide-4-choose", _nothing, GUIDE, GuideProgress(GuideStep.CHOOSE, _BASELINE)),
    SessionState("guide-4-why", _why, GUIDE, GuideProgress(GuideStep.CHOOSE, _BASELINE)),
    SessionState(
        "guide-5-compare",
        _nothing,
        GUIDE,
        GuideProgress(GuideStep.COMPARE, _BASELINE, f"{AFTER}.destutter"),
    ),
)
