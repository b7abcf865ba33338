# SPDX-License-Identifier: GPL-3.0-or-later
"""One recording with a pause and a loading screen: everybody tells the same number of stutters.

89, 53, 50 and 46 were told of one of eight minutes, 70 and 31 while it was made.
"""

import json
import re
from pathlib import Path

import pytest

from destutter.ui.guide.record_counts import RecordCounts
from destutter.ui.plots.lane_data import LaneData
from destutter.ui.plots.lane_models import FrameLane
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words
from tests.gui.sessions.page_kit import choose, known_file_types, make_page
from tests.gui.test_one_word import ENGLISH, NAME, _causes, _live, _plain, _sessions, recorded
from tests.support.causes_window import open_causes, settle
from tests.support.commands import Commands
from tests.support.engine_scenes import NAMES, SOURCES, WORKING, EngineScene, see
from tests.support.known_snapshots import snapshots_of
from tests.support.scripted_source import START_NS, Script
from tests.support.window_kit import make_theme
from tests.unit.diagnosis.test_traced import FRAMES, SHORT_OF_MEMORY
from tests.unit.diagnosis.test_unplayed import LOADING

__all__ = ["known_file_types", "make_page"]


def _play(script: Script, seconds: int) -> None:
    for _ in range(seconds):
        script.run(1, WORKING).frames(*FRAMES * 60)


def paused() -> EngineScene:
    """Four stutters from memory, of two long frames the last, and half a minute of a pause."""
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Alpenglow")
    see(script, ())
    _play(script, 10)
    for lengths_ms in ((400.0,), (400.0,), (400.0,), (300.0, 100.0)):
        script.run(0.4, SHORT_OF_MEMORY).frames(*lengths_ms)
        _play(script, 5)
    script.fact(frames__paused="1")
    for late_ms in (30.0, 90.0, 400.0):
        script.run(8, WORKING).hiccup(late_ms).run(2, {})
    _play(script.fact(frames__paused=""), 3)
    script.run(12, LOADING).frames(12_000.0)
    _play(script, 5)
    return EngineScene(script)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with that recording."""
    made = tmp_path_factory.mktemp("count")
    return recorded(made, paused().script.messages)


def test_one_recording_has_one_count(qapp, qtbot, folder, make_page, capsys, tmp_path):
    """Guide, Live, Causes, Sessions, terminal, report and JSON; and what is not counted."""
    commands, path, html = Commands(capsys), folder / f"{NAME}.destutter", tmp_path / "a.html"
    told = json.loads(commands.run("diagnose", path, "--json").output)
    commands.run("diagnose", path, "--html", html)
    counts = RecordCounts(START_NS)
    for snapshot in snapshots_of(paused):
        counts.accept_snapshot(snapshot)
    window, tuning = open_causes(qapp, make_theme(qapp), (1440, 900), paused)
    page = make_page(folder)
    choose(qtbot, page, NAME)
    qtbot.waitUntil(lambda: bool(page._library.sessions[0].outcome), timeout=60_000)
    places = {
        "live": _live(window),
        "causes": _causes(window),
        "terminal": _plain(commands.run("diagnose", path).output),
        "report": _plain(re.sub("<[^>]*>", "\n", html.read_text(encoding="utf-8"))),
        **_sessions(page),
    }
    window.close()
    window.deleteLater()
    tuning.close()
    settle(qapp)
    assert len(counts.stutters) == 4
    assert counts.worst_ms == 400.0
    assert told["frames"]["stutters"] == len(told["time_lost"]["stutters"]) == 4
    assert {each["stutters_total"] for each in told["findings"]} == {4}
    assert [each["why"] for each in told["session"]["unplayed"]] == ["paused", "loading"]
    measures = Words(Quantities(ENGLISH)).renderer.measures
    lost = _plain(measures.milliseconds(1600.0 - 5 * FRAMES[0]))
    assert [place for place, text in places.items() if "4 stutters" not in text] == []
    assert [place for place, text in places.items() if lost not in text] == []
    assert re.search(r"Stutters\s+4\s", places["report"])
    silent = {place for place, text in places.items() if "Not counted: 3" not in text}
    assert silent == {"causes", "row"}
    lanes = LaneData()
    for snapshot in snapshots_of(paused):
        lanes.accept_snapshot(snapshot)
    lane = FrameLane(Quantities(ENGLISH), 60.0)
    lane.key(lanes, 4)
    figures = lane.show(lanes, 4).figures
    assert figures is not None
    assert figures(lanes.now_s - 5.5, lanes.now_s)[0] == "60 / 60"
    assert "Told by the pace" not in "".join(places.values())
