# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame times for commands: followed live, or a log beside a recording."""

import json
import os
from datetime import datetime

import pytest

from destutter.core.sample import Header
from destutter.core.statement import Statement
from destutter.session.recorder import Recorder
from tests.support.commands import run_real
from tests.support.flatpak_sandbox import sandbox_this_process
from tests.support.scripted_source import Script

LIVE = ("watch", "diagnose", "record --out {folder}/new.destutter")


@pytest.mark.parametrize("command", LIVE)
def test_sources_of_frames_are_passed_on(commands, tmp_path, command):
    """A log by its absolute path, X-Plane by its address."""
    log = tmp_path / "game.csv"
    log.write_text("")
    for option, value in (("--mangohud", log), ("--frames", log), ("--xplane", "127.0.0.1:4")):
        commands.source = Script().run(9).source()
        outcome = commands.run(*command.format(folder=tmp_path).split(), option, value)
        assert outcome.status == 0, outcome.errors
        given = commands.options.xplane if option == "--xplane" else commands.options.frames
        assert given == str(value)
        (tmp_path / "new.destutter").unlink(missing_ok=True)


@pytest.mark.parametrize("command", LIVE)
def test_a_log_that_is_not_there_is_said_before_measuring(commands, tmp_path, command):
    """A mistyped path is no hour without frames; where not even its folder is, nothing comes."""
    words = command.format(folder=tmp_path).split()
    outcome = commands.run(*words, "--mangohud", tmp_path / "absent" / "game.csv")
    assert outcome.status == 1
    assert "game.csv': there is no such log" in outcome.complaint
    commands.source = Script().run(9).source()
    outcome = commands.run(*words, "--mangohud", tmp_path / "game.csv")
    assert outcome.errors.startswith(
        f"destutter: {tmp_path}/game.csv: not there yet; it is waited"
    )


@pytest.mark.parametrize("command", LIVE)
def test_in_a_sandbox_no_log_is_waited_for(commands, tmp_path, monkeypatch, command):
    """What it hides never comes; how to open a folder to it is said instead."""
    sandbox_this_process(tmp_path, monkeypatch)
    words = command.format(folder=tmp_path).split()
    outcome = commands.run(*words, "--mangohud", tmp_path / "game.csv")
    assert outcome.status == 1
    assert "--filesystem=FOLDER:ro" in outcome.complaint


@pytest.mark.parametrize("command", LIVE)
def test_a_log_that_gave_no_frames_is_told_at_the_end(commands, tmp_path, command):
    """Who named a log learns why it did not count; one that began to work is no trouble."""
    log = tmp_path / "game.csv"
    log.write_text("")
    words = (*command.format(folder=tmp_path).split(), "--mangohud", log)
    named = Statement("core.file", {"path": str(log), "reason": "not a frame log"})
    for reason in ("not a frame log", named):
        commands.source = Script().trouble("frames", reason).run(9).source()
        outcome = commands.run(*words)
        assert (outcome.status, outcome.complaint) == (1, f"{log}: not a frame log")
        (tmp_path / "new.destutter").unlink(missing_ok=True)
    script = Script().trouble("frames", f"{log}: not there yet").run(9).trouble("frames", "")
    commands.source = script.source()
    assert commands.run(*words).status == 0


@pytest.mark.parametrize("command", LIVE)
def test_a_log_that_leaves_frames_out_is_told_at_the_end(commands, tmp_path, command):
    """What was measured counts, but it has few of the frames."""
    log = tmp_path / "game.csv"
    log.write_text("")
    script = Script()
    for _ in range(100):
        script.run(0.1).frames(16.7)
    commands.source = script.source()
    words = (*command.format(folder=tmp_path).split(), "--mangohud", log)
    outcome = commands.run(*words)
    assert outcome.status == 0
    assert "log_interval=0" in outcome.errors


def _log(path, start, lengths_ms):
    """A MangoHud log that began at a wall-clock time (seconds since 1970)."""
    elapsed, rows = 0.0, ["fps,frametime,elapsed"]
    for length in lengths_ms:
        elapsed += length
        rows.append(f"60,{length},{int(elapsed * 1e6)}")
    path.write_text("\n".join(rows) + "\n")
    os.utime(path, (start + elapsed / 1000, start + elapsed / 1000))
    return path


@pytest.fixture
def recording(tmp_path):
    """Thirty quiet seconds, and the wall clock of their start."""
    script = Script(has_probe=False).run(30)
    path = tmp_path / "a.destutter"
    header = script.messages[0]
    assert isinstance(header, Header)
    with Recorder(path, header) as recorder:
        for message in script.messages:
            recorder.accept_message(message)
    return path, header.wall_time


def test_a_log_beside_a_recording_counts(commands, tmp_path, recording):
    """Frames of the same time are laid over it; those of before and after are left out."""
    path, start = recording
    log = _log(tmp_path / "game.csv", start - 5, [16.6] * 900 + [200.0] + [16.6] * 3000)
    told = json.loads(commands.run("diagnose", path, "--json", "--frames", log).output)
    assert told["frames"]["source"] == "mangohud"
    assert told["frames"]["stutters"] == 1
    assert 1700 < told["frames"]["count"] < 1850


def test_the_name_of_a_copied_log_tells_its_time(commands, tmp_path, recording):
    """A copy has another time of writing; the name has the start."""
    path, start = recording
    stamp = datetime.fromtimestamp(start).strftime("%Y-%m-%d_%H-%M-%S")  # noqa: DTZ006  local
    log = _log(tmp_path / f"game_{stamp}.csv", start + 90_000, [16.6] * 1000)
    told = json.loads(commands.run("diagnose", path, "--json", "--frames", log).output)
    assert told["frames"]["count"] == pytest.approx(1000, abs=61)


def test_frames_of_another_day_are_refused(commands, tmp_path, recording):
    """Nothing of the log falls into the recording: that is said, not judged."""
    path, start = recording
    log = _log(tmp_path / "game.csv", start + 90_000, [16.6] * 1000)
    outcome = commands.run("diagnose", path, "--frames", log)
    assert outcome.status == 1
    assert "of another time" in outcome.complaint


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "no column"), (b"fps,frametime\n", "no frame in it"), (b"\xff\x00" * 500, "no column")],
)
def test_a_file_that_is_no_log_is_refused(commands, tmp_path, recording, content, words):
    """One line that names the file."""
    log = tmp_path / "game.csv"
    log.write_bytes(content)
    outcome = commands.run("diagnose", recording[0], "--frames", log)
    assert outcome.status == 1
    assert f"{log}: {words}" in outcome.complaint
    folder = commands.run("diagnose", recording[0], "--frames", tmp_path)
    assert "this is a folder" in folder.complaint


@pytest.mark.slow
def test_a_bad_log_costs_a_recording_only_its_frames(tmp_path):
    """The real sampler goes on; the reason is in what could not be measured."""
    log = tmp_path / "game.csv"
    log.write_text("nothing\n" * 100)
    out = tmp_path / "a.destutter"
    outcome = run_real("record", "--out", out, "--seconds", "1", "--mangohud", log)
    assert outcome.status == 1
    assert outcome.complaint.startswith(f"{log}: no column with frame times")
    told = json.loads(run_real("diagnose", out, "--json").output)
    reasons = {each["what"]: each["why"] for each in told["not_measured"]}
    assert "No column with frame times" in reasons["Frame times"]
