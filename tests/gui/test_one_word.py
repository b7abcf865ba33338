# SPDX-License-Identifier: GPL-3.0-or-later
"""One word, one count and one confidence for one thing, wherever a player or a program reads it.

One recording is played, opened, reported and told in the terminal. Where a page counts another
span of time, it says which.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from destutter.analysis.examining.summary import SessionSummary
from destutter.core.sample import Header, Message
from destutter.diagnosis.finding import Group
from destutter.resource_folder import resource_folder
from destutter.session.recorder import Recorder
from destutter.tuning.presets import GENERAL
from destutter.ui.guide.answer import Answer
from destutter.ui.guide.cause_view import CauseView
from destutter.ui.live.stutter_list import StutterList
from destutter.ui.sessions.session_rows import SessionRow
from destutter.ui.words.explanation_pages import ExplanationPages
from destutter.ui.words.quantities import Quantities
from destutter.ui.words.words import Words
from destutter.words.measures import NBSP
from tests.gui.sessions.page_kit import choose, known_file_types, make_page
from tests.support import live_scenes
from tests.support.causes_window import open_causes, settle
from tests.support.commands import Commands
from tests.support.engine_scenes import cores_and_one_drive
from tests.support.sessions import HERE
from tests.support.window_kit import make_theme

__all__ = ["known_file_types", "make_page"]

NAME = "Flight"
ENGLISH = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)


def recorded(folder: Path, messages: Sequence[Message]) -> Path:
    """Record a stream into this folder, as ``NAME``."""
    header = messages[0]
    assert isinstance(header, Header)
    with Recorder(folder / f"{NAME}.destutter", header) as recorder:
        for message in messages:
            recorder.accept_message(message)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one recording: two stutters from memory, and one of which nothing is known."""
    made = tmp_path_factory.mktemp("one")
    return recorded(made, live_scenes.stuttering().script.messages)


@pytest.fixture(scope="module")
def session(folder) -> SessionSummary:
    """The whole of it, as every page and command reads it."""
    return HERE.examine(folder / f"{NAME}.destutter", 0.0, lambda _share: None, GENERAL)


@pytest.fixture
def window(qapp) -> Iterator[object]:
    """The window while the same is measured."""
    made, tuning = open_causes(qapp, make_theme(qapp), (1440, 900), live_scenes.stuttering)
    yield made
    made.close()
    made.deleteLater()
    tuning.close()
    settle(qapp)


def _plain(*texts: str) -> str:
    return "\n".join(texts).replace(NBSP, " ").replace("(s)", "s")


def _live(window) -> str:
    live = window.live
    live.panels.show_stutters()
    lost = live.findChild(StutterList).lost.text()
    return _plain(live.banner.headline.full_text, live.banner.detail.full_text, lost)


def _causes(window) -> str:
    page = window.causes
    card = next(iter(page.list.cards.values()))
    texts = (card.title.full_text, card.share.full_text, card.sure.text())
    return _plain(page.subtitle.full_text, page.lost.full_text, *texts)


def _guide(qapp, session) -> str:
    quantities = Quantities(ENGLISH)
    explanations = ExplanationPages(resource_folder() / "explanations", ("en",))
    view = CauseView(make_theme(qapp), Words(quantities), explanations)
    view.show_answer(Answer(session.assessment))
    told = _plain(*(f"{row.title.text()}\n{row.detail.text()}" for row in view.rows[:1]))
    view.deleteLater()
    return told


def _sessions(page) -> dict[str, str]:
    """The row of the list, and what is shown of it with its table."""
    row = next(each for each in page.list.rows if isinstance(each, SessionRow))
    banner, table = page.details.banner, page.details.table
    cells = [f"{each.name}: {each.a}" for each in table.rows]
    shown = (banner.headline.full_text, banner.detail.full_text, *cells)
    return {"row": _plain(*row.whole), "detail": _plain(*shown)}


def test_one_recording_is_told_alike_everywhere(
    qapp, qtbot, window, session, folder, make_page, capsys, tmp_path
):
    """The number of stutters, what was lost, the cause, its share, and how sure it is."""
    commands, path = Commands(capsys), folder / f"{NAME}.destutter"
    told = json.loads(commands.run("diagnose", path, "--json").output)
    finding = told["findings"][0]
    lost = Words(Quantities(ENGLISH)).renderer.measures.milliseconds(told["time_lost"]["total_ms"])
    assert finding["cause"] == "direct_reclaim"
    expected = {
        "count": f"{told['frames']['stutters']} stutters",
        "lost": _plain(lost),
        "cause": "Waiting for free memory",
        "share": f"{finding['stutters_explained']} of {finding['stutters_total']}",
        "confidence": f"onfidence: {finding['confidence']}",
    }
    html = tmp_path / "report.html"
    terminal = commands.run("diagnose", path).output
    commands.run("diagnose", path, "--html", html)
    page = make_page(folder)
    choose(qtbot, page, NAME)
    qtbot.waitUntil(lambda: bool(page._library.sessions[0].outcome), timeout=60_000)
    places = {
        "live": _live(window),
        "causes": _causes(window),
        "guide": _guide(qapp, session),
        "terminal": _plain(terminal),
        "report": _plain(re.sub("<[^>]*>", "\n", html.read_text(encoding="utf-8"))),
        **_sessions(page),
    }
    left_out = {("live", "cause")}  # the headline has the group, one click before the cause
    left_out |= {("detail", "cause"), ("guide", "lost"), ("guide", "count")}
    wrong = [
        (place, what, wanted, text)
        for place, text in places.items()
        for what, wanted in expected.items()
        if (place, what) not in left_out and wanted not in text
    ]
    assert wrong == []
    assert "most likely cause: memory" in places["live"]
    assert "most likely cause: memory" in places["detail"]


def test_a_page_that_counts_another_span_says_which(window):
    """Live the last two minutes, the page of causes ten."""
    assert "3 stutters in the last 2 minutes" in _live(window)
    assert "2 of 3 stutters in the last 10 minutes" in _causes(window)


def test_one_stutter_has_one_cause_in_every_place(qapp):
    """Banner, list, what was lost, labels and the page of causes: "what held them up could not be
    seen", "Possibly: Slow drive" and "63.7 ms waiting for drives" were said of the same stutter.
    """
    window, tuning = open_causes(qapp, make_theme(qapp), (1440, 900), cores_and_one_drive)
    told = _live(window)
    assert "5 of 6 match" in told
    assert "1 other, as a guess: Slow drive." in told
    assert "waiting for a core" in told
    assert "waiting for drives" not in told
    view, card = window.live.findChild(StutterList), window.live.card
    assert view is not None
    assert card is not None
    rows = view.list
    causes = [rows.item(at).text().replace(NBSP, " ") for at in range(rows.count())]
    assert sum("Possibly: Slow drive" in text for text in causes) == 1
    assert sum("Waiting for a core" in text for text in causes) == 5
    assert "for 5 of 6 stutters" in _causes(window)
    groups = [each.group for each in card.choice.visible_spikes()]
    assert groups.count(Group.STORAGE) <= 1 < groups.count(Group.CPU)
    window.close()
    window.deleteLater()
    tuning.close()
    settle(qapp)
