# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter import`` and ``destutter export``."""

import json

import pytest

from tests.support.scripted_source import Script
from tests.support.sessions import record


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A home of our own; the folder of sessions in it."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "data/destutter/sessions"


def test_a_log_becomes_a_session(commands, data, tmp_path):
    """It is in the folder that the window shows, and can be diagnosed and compared."""
    log = tmp_path / "Flight.csv"
    rows = "".join(f"60,16.5,{16_500_000 * (n + 1)}\n" for n in range(600))
    log.write_text("fps,frametime,elapsed\n" + rows)
    told = json.loads(commands.run("import", log, "--json").output)
    assert told["file"] == str(data / "Flight.destutter")
    assert "Frames: 600 from MangoHud" in commands.run("diagnose", told["file"]).output
    assert "already" in commands.run("import", log).errors


def test_a_recording_becomes_a_table(commands, tmp_path):
    """A row per sample; only the metrics that were asked for."""
    path = record(tmp_path / "a.destutter", Script(has_probe=False).run(2))
    table = tmp_path / "a.csv"
    outcome = commands.run("export", path, "--out", table, "--metrics", "cpu.busy_pct")
    assert (outcome.status, outcome.output) == (0, f"20 rows are in {table}\n")
    assert table.read_text().splitlines()[0] == "time [s],date [UTC],cpu.busy_pct [%]"
    assert "exists already" in commands.run("export", path, "--out", table).complaint


def test_the_frames_of_a_recording_become_a_table(commands, data, tmp_path):
    """Each with its end and its length, so that anybody can count the long ones."""
    log = tmp_path / "Flight.csv"
    rows = "".join(f"60,{16.5 if n % 100 else 83.25},{16_500_000 * (n + 1)}\n" for n in range(600))
    log.write_text("fps,frametime,elapsed\n" + rows)
    path = json.loads(commands.run("import", log, "--json").output)["file"]
    table = tmp_path / "frames.csv"
    outcome = commands.run("export", path, "--out", table, "--frames")
    assert (outcome.status, outcome.output) == (0, f"600 rows are in {table}\n")
    title, *lines = table.read_text().splitlines()
    assert title == "time [s],date [UTC],frame [ms],origin"
    assert sum(line.split(",")[2:] == ["83.25", "mangohud"] for line in lines) == 6
    both = ("--frames", "--metrics", "cpu.busy_pct")
    assert commands.run("export", path, "--out", tmp_path / "b.csv", *both).status == 2


def test_a_torn_recording_is_exported_as_far_as_it_goes(commands, tmp_path):
    """And the tear is told."""
    path = record(tmp_path / "a.destutter", Script().run(5))
    path.write_bytes(path.read_bytes()[:-40])
    outcome = commands.run("export", path, "--out", tmp_path / "a.csv")
    assert outcome.status == 1
    assert "cut off" in outcome.complaint


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (["import"], 2, "required"),
        (["import", "gone.csv"], 1, "no such file"),
        (["import", "."], 1, "not a file"),
        (["import", "other.csv"], 1, "no column with frame times"),
        (["export", "other.csv"], 2, "required"),
        (["export", "other.csv", "--out", "new.csv"], 1, "not a Destutter recording"),
        (["export", "a", "--out", "new.csv", "--metrics", "x.y"], 2, "no metric"),
        (
            ["export", "a", "--out", "new.csv", "--metrics", "memory.avail_bytes"],
            2,
            "did you mean memory.available_bytes?",
        ),
        (["export", "gone", "--out", "new.csv"], 1, "no such file"),
    ],
)
def test_what_cannot_be_done(commands, data, tmp_path, monkeypatch, words, status, complaint):
    """One line each, and nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    outcome = commands.run(*words)
    assert (outcome.status, outcome.output) == (status, "")
    assert complaint in outcome.complaint
    assert not (tmp_path / "new.csv").exists()
    assert not list(data.glob("*")) if data.exists() else True


def test_a_tree_without_kernel_files_is_no_capture(commands, tmp_path):
    """An archive of nothing would help nobody: one line, and no file stays."""
    (tmp_path / "empty" / "proc").mkdir(parents=True)
    out = tmp_path / "a.tar.gz"
    outcome = commands.run("capture", "--root", tmp_path / "empty", "--out", out)
    assert (outcome.status, outcome.output) == (1, "")
    assert outcome.complaint == f"{tmp_path}/empty: there are no kernel files in it"
    assert not out.exists()
