# SPDX-License-Identifier: GPL-3.0-or-later
"""The window opens: its frame first, then what fills it; and what happens when nothing can."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from destutter.application import opening as module
from destutter.application.opened_window import OpenedWindow
from destutter.application.opening import Opening
from destutter.application.window_options import WindowOptions
from destutter.bridge.kept_settings import KeptSettings
from destutter.core.statement import Statement
from destutter.settings import Places, Settings
from destutter.ui.pages.pages import GUIDE, LIVE
from destutter.ui.shell.sidebar import NavButton

_LATE = (
    "numpy",
    "pyqtgraph",
    "destutter.application.running_window",
    "destutter.analysis",
    "destutter.bridge.tuning_model",
    "destutter.core.sample",
    "destutter.diagnosis",
    "destutter.sampling.own_cost",
    "destutter.sampling.sampler",
    "destutter.ui.live.live_page",
)
"""What the first picture does not wait for."""


class _Filling:
    """Stands for what fills the window: notes that it was begun and ended."""

    made: list["_Filling"]

    def __init__(self, opened: OpenedWindow, *_rest: object) -> None:
        self.opened = opened
        self.is_painted = opened.window.is_drawn
        self.was = "made"
        self.made.append(self)

    def start(self) -> None:
        self.was = "started"

    def close(self) -> None:
        self.was = "closed"


@pytest.fixture
def filling(monkeypatch) -> type[_Filling]:
    """In place of the measuring window, which other tests start."""
    from destutter.application import running_window

    _Filling.made = []
    monkeypatch.setattr(running_window, "RunningWindow", _Filling)
    return _Filling


@pytest.fixture
def keeping(tmp_path: Path) -> KeptSettings:
    """Settings that are kept nowhere else."""
    return KeptSettings(Places(tmp_path / "config", tmp_path / "data"), Settings())


@pytest.fixture
def begun(qapp: QApplication, keeping: KeptSettings) -> Iterator[list[Opening]]:
    """The openings of a test, closed at its end."""
    openings: list[Opening] = []
    yield openings
    for each in openings:
        each.close()
        each._opened.window.close()
        each._opened.window.deleteLater()
        each.deleteLater()
    qapp.processEvents()


def test_frame_loads_nothing_that_it_does_not_show() -> None:
    """A frame that waits for numpy and for every rule opens five times as late."""
    told = subprocess.run(
        [sys.executable, "-c", "import sys, destutter.application.opening; print(*sys.modules)"],
        env=os.environ,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert [name for name in _LATE if name in told] == []


def test_window_loads_nothing_of_what_other_processes_do() -> None:
    """The sampler is a process of its own, and only a comparison needs random numbers."""
    program = "import sys, destutter.application.running_window; print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", program], env=os.environ, capture_output=True, text=True, check=True
    ).stdout.split()
    assert [name for name in ("destutter.sampling.sampler", "numpy.random") if name in told] == []


def test_list_of_sessions_loads_no_graph() -> None:
    """Nor does the live page: pyqtgraph, which takes 30 MB, is for the graph of a session."""
    pages = "destutter.ui.live.live_page, destutter.ui.sessions.sessions_page"
    program = f"import sys, destutter.application.running_window, {pages}; print(*sys.modules)"
    told = subprocess.run(
        [sys.executable, "-c", program], env=os.environ, capture_output=True, text=True, check=True
    ).stdout.split()
    assert [name for name in ("pyqtgraph", "destutter.ui.sessions.graph") if name in told] == []


def test_window_is_filled_after_its_first_picture(qtbot, qapp, filling, keeping, begun) -> None:
    """All entries are there from the first picture on, and one that is clicked early waits."""
    opening = Opening(qapp, WindowOptions(), keeping)
    begun.append(opening)
    window = opening._opened.window
    assert window.sidebar.pages == ("live", "causes", "changes", "sessions", "guide", "system")
    window.sidebar.button("system").click()
    assert (window.page, filling.made) == ("system", [])
    opening.start()
    qtbot.waitUntil(lambda: bool(filling.made))
    (filled,) = filling.made
    assert (filled.is_painted, filled.was) == (True, "started")
    opening.close()
    assert filled.was == "closed"


def test_keyboard_goes_through_the_pages_as_one_reads(qapp, keeping, begun) -> None:
    """Whatever was added first: from the first page to the last, then the settings."""
    opening = Opening(qapp, WindowOptions(), keeping)
    begun.append(opening)
    sidebar = opening._opened.window.sidebar
    pages, widget = ["live"], sidebar.button("live").nextInFocusChain()
    while widget is not None and widget is not sidebar.button("live"):
        if isinstance(widget, NavButton):
            pages.append(widget.page)
        widget = widget.nextInFocusChain()
    help_ = ""  # which is no page
    assert pages == [*sidebar.pages, "settings", help_]


def test_early_click_shows_the_page_when_it_is_offered(qtbot, qapp, keeping, begun) -> None:
    """Nobody has to click twice because the program was not ready."""
    from destutter.ui.pages.page import Page

    opening = Opening(qapp, WindowOptions(action="none"), keeping)
    begun.append(opening)
    window = opening._opened.window
    window.painted.connect(lambda: window.offer("system", lambda *_: Page()))
    window.show_page("system")
    with qtbot.waitSignal(window.drawn):
        window.show()
    assert window.page == "system"
    assert window.page_of("system").isVisible()


@pytest.mark.parametrize(
    ("options", "left", "page"),
    [
        (WindowOptions(), "", GUIDE),
        (WindowOptions(), "settings.json", LIVE),
        (WindowOptions(), "guide.json", LIVE),
        (WindowOptions(replay=Path("flight.destutter")), "", LIVE),
        (WindowOptions(pid=1), "", LIVE),
        (WindowOptions(action="record"), "", LIVE),
    ],
)
def test_the_very_first_start_opens_the_guide(
    qapp, keeping, begun, options: WindowOptions, left: str, page: str
) -> None:
    """Nobody has to find it; whoever has been here, or asked for something, is not led there."""
    if left:
        keeping.places.config.mkdir()
        (keeping.places.config / left).write_text("{}")
    begun.append(Opening(qapp, options, keeping))
    window = begun[0]._opened.window
    assert (window.page, window.sidebar.button(page).isChecked()) == (page, True)


def test_damaged_settings_are_no_first_start(qapp, keeping, begun) -> None:
    """They were put aside, and are those of somebody who has been here."""
    keeping.problem = Statement("settings.put_aside", {"path": "settings.json.damaged"})
    begun.append(Opening(qapp, WindowOptions(), keeping))
    assert begun[0]._opened.window.page == LIVE


def test_window_that_nobody_sees_is_filled_all_the_same(
    qtbot, qapp, filling, keeping, begun, monkeypatch
) -> None:
    """Minimised or on another workspace, it measures."""
    monkeypatch.setattr(module, "_UNSEEN_MS", 1)
    opening = Opening(qapp, WindowOptions(), keeping)
    begun.append(opening)
    monkeypatch.setattr(opening._opened.window, "show", lambda: None)
    opening.start()
    qtbot.waitUntil(lambda: bool(filling.made))
    assert not filling.made[0].is_painted


def test_strip_needs_no_frame(qtbot, qapp, filling, keeping, begun) -> None:
    """The strip comes at once; the window stays hidden."""
    opening = Opening(qapp, WindowOptions(action="strip"), keeping)
    begun.append(opening)
    opening.start()
    qtbot.waitUntil(lambda: bool(filling.made))
    assert filling.made[0].was == "started"
    assert not opening._opened.window.isVisible()


@pytest.mark.parametrize("arguments", [[], ["--strip"]])
def test_damaged_installation_is_told_in_one_line(tmp_path: Path, arguments: list[str]) -> None:
    """A part that cannot be loaded ends the program with a reason, with a frame or without."""
    program = (
        "import sys; sys.modules['destutter.application.running_window'] = None\n"
        "from destutter.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    places = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        env=os.environ | places,
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("destutter: the window cannot open: ")
    assert done.stderr.count("\n") == 1
