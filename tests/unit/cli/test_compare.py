# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter compare``, and reports of it and of ``diagnose``."""

import functools
import json
import os
import socket
from pathlib import Path

import numpy as np
import pytest

from destutter.analysis.examining import examination
from destutter.commands.comparison_lines import _columns
from destutter.words.columns import columns
from tests.support.scripted_source import Script
from tests.support.sessions import frames_of, record


def _log(path, lengths_ms):
    ends = np.cumsum(lengths_ms) * 1e6
    rows = [f"60,{ms:.3f},{int(end)}" for ms, end in zip(lengths_ms, ends, strict=True)]
    path.write_text("fps,frametime,elapsed\n" + "\n".join(rows) + "\n")
    return path


_examine_log = examination.examine_log


@functools.cache
def _examined(path, _changed_ns):
    return _examine_log(path)


@pytest.fixture(autouse=True)
def logs_are_read_once(monkeypatch):
    """The commands are tested here, again and again on the same logs, and not their reader."""

    def examine(path):
        file = Path(path)
        return _examined(path, file.stat().st_mtime_ns) if file.is_file() else _examine_log(path)

    monkeypatch.setattr(examination, "examine_log", examine)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Two logs of nine minutes: many long frames, and few."""
    folder = tmp_path_factory.mktemp("logs")
    return (
        _log(folder / "Flight_2026-01-02_20-15-00.csv", frames_of(9, 4, 1)),
        _log(folder / "Flight_2026-01-03_20-15-00.csv", frames_of(9, 0.2, 2)),
    )


def test_two_logs_are_compared_in_words(commands, logs):
    """Verdict, what it rests on, the table, and what to keep in mind."""
    outcome = commands.run("compare", *logs)
    assert (outcome.status, outcome.errors) == (0, "")
    text = outcome.output.replace("\N{NO-BREAK SPACE}", " ")
    assert text.startswith("Smoother: stutters fell from")
    for words in (
        "Stutters counted: 35 in 9 min 6 s (A), 1 in 9 min 1 s (B).",
        "Longest frame",
        "1 % low (mean)",
        "(better)",
        "all whole minutes of both are compared",
        "One run of each suggests",
    ):
        assert words in text


@pytest.fixture(scope="module")
def many_logs(tmp_path_factory):
    """Three logs of nine minutes with many long frames, and three with few."""
    folder = tmp_path_factory.mktemp("many")
    names = ((day, f"Flight_2026-01-{day:02}_20-15-00.csv") for day in range(1, 7))
    paths = [_log(folder / name, frames_of(9, 4 if day < 4 else 0.4, day)) for day, name in names]
    return paths[:3], paths[3:]


def test_three_runs_of_each_confirm(commands, many_logs):
    """What one run of each suggests, two more of each confirm: in words, as JSON, in a report."""
    (a, *more_a), (b, *more_b) = many_logs
    words = ("compare", a, b, "--more-a", *more_a, "--more-b", *more_b)
    outcome = commands.run(*words)
    assert (outcome.status, outcome.errors) == (0, "")
    text = outcome.output.replace("\N{NO-BREAK SPACE}", " ")
    assert text.startswith("Confirmed smoother: stutters fell from 38 to 3.3 in 10 minutes, ")
    assert "over 3 runs with A's settings and 3 with B's" in text
    assert "less than 0.1 % of such comparisons; 3 measures were tested" in text
    assert "The first run of each by itself:" in text
    assert "of each would confirm" not in text
    told = json.loads(commands.run(*words, "--json").output)["confirmation"]
    assert (told["verdict"], told["runs_a"], told["runs_b"]) == ("better", 3, 3)
    assert {row["id"] for row in told["rows"]} == {"stutters", "long_frames", "frames_over_50ms"}
    assert "| All runs | A | B | By chance |" in commands.run(*words, "--markdown").output


def test_two_runs_of_each_are_too_few(commands, many_logs):
    """They are told as not confirmed, and how many it takes."""
    (a, other_a, _), (b, other_b, _) = many_logs
    outcome = commands.run("compare", a, b, "--more-a", other_a, "--more-b", other_b)
    assert outcome.output.startswith(
        "Not confirmed by 2 runs of 8 minutes and more with A's settings and 2 with B's"
    )
    assert "takes 3 runs of each" in outcome.output


def test_runs_of_one_kind_confirm_nothing(commands, many_logs):
    """The same three on both sides."""
    (a, *more), _ = many_logs
    outcome = commands.run("compare", a, a, "--more-a", *more, "--more-b", *more)
    assert outcome.output.startswith("Not confirmed: stutters went from 38 to 38")


def test_the_same_log_twice_differs_in_nothing(commands, logs):
    """No difference, whatever the chance of the bootstrap."""
    told = json.loads(commands.run("compare", logs[0], logs[0], "--json").output)
    assert told["verdict"] in ("no real difference", "too close to call")
    assert told["differences"] == []
    assert {row["change"] for row in told["rows"]} <= {
        "no real difference",
        "too close to call",
        "context",
    }


def test_json_has_the_promised_shape(commands, logs):
    """Verdict with its reason, both sides, rows with intervals, phases, differences."""
    told = json.loads(commands.run("compare", *logs, "--json").output)
    assert list(told) == [
        "verdict",
        "reason",
        "headline",
        "detail",
        "primary",
        "warnings",
        "a",
        "b",
        "phases_compared",
        "rows",
        "phases",
        "differences",
    ]
    assert (told["verdict"], told["reason"], told["primary"]) == ("better", None, "hitch_s")
    row = told["rows"][0]
    assert row["id"] == "hitch_s"
    assert row["interval"][1] < 1
    assert told["a"]["game"] == "Flight"
    assert told["a"]["frame_statistics"]["frames"] == 9 * 3600
    assert set(told["a"]["score"]) == {"points", "word", "trust", "parts", "has_frames"}


def test_short_recordings_are_too_close_to_call_and_say_why(commands, tmp_path):
    """Ten seconds of each: figures, no verdict, settings that differ."""
    a = record(tmp_path / "a.destutter", Script().run(10), {"vm.swappiness": "60"})
    b = record(tmp_path / "b.destutter", Script().run(10), {"vm.swappiness": "10"}, kernel="6.9")
    outcome = commands.run("compare", a, b)
    assert outcome.status == 0
    assert "a fair comparison needs 8 minutes of both" in outcome.output
    assert "vm.swappiness: 60 / 10" in outcome.output
    assert "The kernel is different." in outcome.output


def test_a_report_is_one_file_without_names(commands, logs, tmp_path, monkeypatch):
    """The page says neither who nor where, unless asked to."""
    monkeypatch.setenv("USER", "flight")
    page, open_page = tmp_path / "report.html", tmp_path / "open.html"
    outcome = commands.run("compare", *logs, "--html", page)
    assert (outcome.status, outcome.output) == (0, f"The report is in {page}\n")
    text = page.read_text()
    assert text.startswith("<!DOCTYPE html>")
    assert "(user)" in text
    assert str(tmp_path) not in text
    assert commands.run("compare", *logs, "--html", open_page, "--no-redact").status == 0
    assert "Flight" in open_page.read_text()
    assert {each.name for each in tmp_path.iterdir()} == {"report.html", "open.html"}


def test_a_report_never_replaces_a_file(commands, logs, tmp_path):
    """Told before anything is read."""
    page = tmp_path / "report.html"
    page.write_text("mine")
    outcome = commands.run("compare", *logs, "--html", page)
    assert (outcome.status, outcome.output) == (1, "")
    assert "exists already" in outcome.complaint
    assert page.read_text() == "mine"


def test_markdown_for_a_forum(commands, logs):
    """Tables that a forum shows."""
    text = commands.run("compare", *logs, "--markdown").output
    assert text.startswith("# Destutter: before and after, Flight\n")
    assert "\n| Measure | A | B | Change |\n| --- | ---: | ---: | ---: |\n" in text


def test_reports_of_one_session(commands, logs, tmp_path):
    """diagnose writes the same kinds, of recordings and of logs."""
    path = record(tmp_path / "a.destutter", Script().run(20).hiccup(120).run(20))
    page = tmp_path / "a.html"
    assert commands.run("diagnose", path, "--html", page, "--json").output.startswith("{")
    assert "<h2>The computer</h2>" in page.read_text()
    assert commands.run("diagnose", path, "--markdown").output.startswith("# Destutter: ")
    assert "| Frames | 32,400 |" in commands.run("diagnose", logs[0], "--markdown").output


def test_a_log_alone_is_told_without_causes(commands, logs):
    """Frames and score; that nothing else is known is said."""
    outcome = commands.run("diagnose", logs[0])
    assert outcome.status == 0
    assert outcome.output.startswith("Frames: 32,400 from MangoHud")
    assert "Causes are not looked for" in outcome.output
    told = json.loads(commands.run("diagnose", logs[0], "--json").output)
    assert (told["verdict"], told["findings"]) == ("not_measured", [])


def test_the_content_tells_a_log_not_its_name(commands, logs, tmp_path):
    """A log without a known ending, and a recording that somebody renamed."""
    log = tmp_path / "frames"
    log.write_bytes(logs[0].read_bytes())
    assert commands.run("diagnose", log).output.startswith("Frames: 32,400")
    path = record(tmp_path / "a.destutter", Script().run(20))
    renamed = path.rename(tmp_path / "a.csv")
    assert "From 400 samples" in commands.run("diagnose", renamed).output


def test_what_is_no_file_is_one_line(commands, logs, tmp_path):
    """A pipe that nobody writes to, a folder, nothing at all, a name that cannot be."""
    os.mkfifo(tmp_path / "pipe.csv")
    for path in (tmp_path / "pipe.csv", tmp_path, tmp_path / "gone.csv", "\0"):
        outcome = commands.run("compare", logs[0], path)
        assert (outcome.status, outcome.output) == (1, "")
        assert outcome.complaint


def test_what_is_no_plain_file_is_refused_at_once(commands, logs, tmp_path):
    """A pipe, a device, a socket, and what the kernel tells as a file: its log waits for ever for
    whoever may read it."""
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        for path in (tmp_path / "pipe", tmp_path / "socket", "/dev/zero", "/proc/kmsg"):
            for words in (
                ("compare", logs[0], path),
                ("diagnose", path),
                ("import", path),
                ("export", path, "--out", tmp_path / "out.csv"),
                ("--replay", path),
            ):
                outcome = commands.run(*words)
                assert (outcome.status, outcome.output) == (1, ""), words
                assert "not a file" in outcome.complaint, words


def test_damage_is_told_and_the_rest_compared(commands, logs, tmp_path):
    """A torn recording and rows that are none: one line each, status 1, and a table."""
    whole = record(tmp_path / "a.destutter", Script().run(20))
    torn = tmp_path / "torn.destutter"
    torn.write_bytes(whole.read_bytes()[:-50])
    bad = tmp_path / "bad.csv"
    bad.write_text(logs[0].read_text() + "x,nan,-1\n")
    for other, words in ((torn, "cut off"), (bad, "One row has no usable frame time")):
        outcome = commands.run("compare", logs[0], other)
        assert outcome.status == 1
        assert "Longest frame" in outcome.output
        assert words in outcome.complaint


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no column with frame times"),
        (b"a,b\n1,2\n", "no column with frame times"),
        (b"fps,frametime,elapsed\n", "no frame in it"),
        (b"fps,frametime,elapsed\n60,nan,1\n", "no frame in it"),
        (b"{", "not readable as JSON"),
        (b'{"Runs":[]}', "no frame in it"),
    ],
)
def test_files_that_are_no_log_are_one_line(commands, logs, tmp_path, content, words):
    """Whichever side they are on."""
    path = tmp_path / "other.csv"
    path.write_bytes(content)
    for order in ((path, logs[0]), (logs[0], path)):
        outcome = commands.run("compare", *order)
        assert (outcome.status, outcome.output) == (1, "")
        assert words in outcome.complaint
        assert "other.csv" in outcome.complaint


@pytest.mark.parametrize(
    "words",
    [
        ["compare"],
        ["compare", "a"],
        ["compare", "a", "b", "c"],
        ["compare", "a", "b", "--pid", "1"],
        ["compare", "a", "b", "--html"],
        ["compare", "a", "b", "--json", "--markdown"],
        ["compare", "a", "b", "--no-redact"],
        ["diagnose", "log.csv", "--seconds", "5"],
    ],
)
def test_wrong_usage(commands, tmp_path, monkeypatch, words):
    """A missing or superfluous word, an option of another command."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text("fps,frametime\n60,16\n")
    outcome = commands.run(*words)
    assert (outcome.status, outcome.output) == (2, "")
    assert outcome.complaint


@pytest.mark.parametrize(
    ("locale", "told"),
    [
        (
            "de_DE.UTF-8",
            (
                "Flüssiger: ",
                "\nA: ",
                "Punkte ",
                "\nMessgröße ",
                " Änderung\n",
                "(besser)",
                "\nZu bedenken:\n",
            ),
        ),
        ("zh_CN.UTF-8", ("更流畅", "\nA：", "评分 ", "\n指标 ", " 变化\n", "\n请注意：\n")),
    ],
)
def test_a_comparison_is_told_in_the_language(commands, logs, monkeypatch, locale, told):
    """Verdict, sides, table and warnings: no line is the English one."""
    english = commands.run("compare", *logs).output
    monkeypatch.setenv("LC_ALL", locale)
    text = commands.run("compare", *logs).output
    assert [words for words in told if words not in text] == []
    same = set(filter(None, text.splitlines())) & set(english.splitlines())
    assert same == set()


def test_columns_stand_below_each_other_in_chinese():
    """Names to the left, figures to the right, by what the signs take in a terminal."""
    cells = [
        ("指标", "A|", "B|", "变化"),
        ("Longest frame", "1 ms|", "一字节|", "变差"),
        ("帧", "|", "|", ""),
    ]
    lines = _columns(cells)
    ends = [[columns(line[:at]) for at, sign in enumerate(line) if sign == "|"] for line in lines]
    assert ends == [[19, 28]] * 3
