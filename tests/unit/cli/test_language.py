# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line in the language of the one who reads it."""

import json

import pytest

from destutter.session.recorder import Recorder
from tests.support.long_flights import Flight, write_flight
from tests.support.scripted_source import Script

RECLAIM = {
    "vmstat.allocstall_normal": 200.0,
    "vmstat.pgsteal_direct": 40_000.0,
    "pressure:memory.some_us": 300_000.0,
}


@pytest.fixture
def recording(tmp_path):
    """Three stutters from direct reclaim."""
    script = Script().run(20)
    for _ in range(3):
        script.run(1, RECLAIM).hiccup(180.0).run(1, RECLAIM).run(15)
        script.look({"interval_us": 5_000_000, "cpu_us": 4_000_000}, names=("42 hog",)).run(1)
    return _record(script, tmp_path / "a.destutter")


def _record(script, path):
    with Recorder(path, script.messages[0]) as recorder:
        for message in script.messages:
            recorder.accept_message(message)
    return path


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        (
            "de_DE.UTF-8",
            (
                "3 Aussetzer",
                "Warten auf freien Speicher (direct_reclaim)",
                "Erklärt 3 von 3 Rucklern. Sicherheit: hoch.",
                "40.000 Seiten/s, zählt ab 500 Seiten/s",
                "  hog (42), ",
                "Nicht gemessen: ",
            ),
        ),
        (
            "zh_CN.UTF-8",
            ("3 次", "40,000 页/s", "  hog (42)\uff0c", "未测量"),
        ),
        ("C", ("Explains 3 of 3 stutters. Confidence: high.", "Not measured: ")),
    ],
)
def test_diagnosis_is_told_in_the_language(commands, recording, monkeypatch, locale, told):
    """What was found, with the numbers of the language; LANG=C stays English."""
    monkeypatch.setenv("LC_ALL", locale)
    text = commands.run("diagnose", recording).output.replace("\N{NO-BREAK SPACE}", " ")
    assert [words for words in told if words not in text] == []


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("de_DE.UTF-8", ("## Was der Rechner tat", "Erklärt 3 von 3 Rucklern.", "hog (42), ")),
        pytest.param(
            "zh_CN.UTF-8",
            ("## 电脑的表现", "可解释 3 次卡顿中的 3 次。", "hog (42)\uff0c"),
            marks=pytest.mark.long,
        ),
        pytest.param(
            "C",
            ("## What the computer did", "Explains 3 of 3 stutters.", "hog (42), "),
            marks=pytest.mark.long,
        ),
    ],
)
def test_a_report_is_in_the_language(commands, recording, monkeypatch, tmp_path, locale, told):
    """As Markdown and as a page; "C" is English."""
    monkeypatch.setenv("LC_ALL", locale)
    page = tmp_path / "page.html"
    commands.run("diagnose", "--html", page, recording)
    text = commands.run("diagnose", "--markdown", recording).output
    for words in told:
        assert words.removeprefix("## ") in page.read_text(encoding="utf-8")
        assert words in text


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        ("de_DE.UTF-8", ("Punkte: ", " von 100, ", "Phasen: Aufwärmen 0:00 bis ")),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in (
                ("zh_CN.UTF-8", ("评分\uff1a", "/100\uff0c", "阶段\uff1a预热 0:00 至 ")),
                ("C", ("Score: ", " of 100, ", "Phases: warm-up 0:00 to ")),
            )
        ),
    ],
)
def test_a_log_is_told_in_the_language(commands, monkeypatch, tmp_path, locale, told):
    """Its score, and what its clock cannot show; a long recording has phases, too."""
    monkeypatch.setenv("LC_ALL", locale)
    write_flight(tmp_path / "a.destutter", Flight(12, 4.0))
    text = commands.run("diagnose", tmp_path / "a.destutter").output
    assert [words for words in told if words not in text] == []


def test_json_stays_english(commands, recording, monkeypatch):
    """Programs that read it see the same on every computer."""
    before = json.loads(commands.run("diagnose", "--json", recording).output)
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert json.loads(commands.run("diagnose", "--json", recording).output) == before


def test_watching_is_told_in_the_language(commands, monkeypatch):
    """The line of each second has the verdict and the groups."""
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    commands.source = Script().run(12).source()
    text = commands.run("watch").output
    assert "Speicher: unauffällig" in text
    assert "Messung läuft…" in text


@pytest.mark.parametrize(
    ("locale", "words", "damage"),
    [
        ("de_DE.UTF-8", "Diese Datei gibt es nicht", "Die Aufnahme wurde abgeschnitten"),
        ("C", "there is no such file", "The recording was cut off"),
    ],
)
def test_what_did_not_work_is_told_in_the_language(
    commands, recording, monkeypatch, locale, words, damage
):
    """A file that is not there, and the end of one that was cut off."""
    monkeypatch.setenv("LC_ALL", locale)
    missing = commands.run("diagnose", recording.with_name("none.destutter"))
    assert (missing.status, missing.output) == (1, "")
    assert words.lower() in missing.complaint.lower()
    recording.write_bytes(recording.read_bytes()[:-20])
    assert damage in commands.run("diagnose", recording).complaint
