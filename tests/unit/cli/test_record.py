# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter record``."""

import errno
import json
import os

import pytest

from destutter.core.sample import Header, Sample
from destutter.core.statement import told
from destutter.sampling.live import LiveSourceError
from destutter.session.replay import ReplaySource
from tests.support.commands import BreakingSource
from tests.support.scripted_source import Script


def _replayed(path):
    source = ReplaySource(path)
    messages = list(source.messages())
    source.close()
    return messages


def test_a_recording_holds_what_was_measured(commands, tmp_path):
    """All samples, and the settings of the computer in the header."""
    script = Script().run(5)
    commands.source = script.source()
    out = tmp_path / "a.destutter"
    outcome = commands.run("record", "--out", out)
    assert outcome.status == 0
    assert outcome.output.startswith(f"Recorded 5 s into {out} (")
    messages = _replayed(out)
    written = [message for message in script.messages if isinstance(message, Sample)]
    assert [message for message in messages if isinstance(message, Sample)] == written
    assert isinstance(messages[0], Header)
    assert "vm.swappiness" in messages[0].tunables


def test_json_tells_what_was_written(commands, tmp_path):
    """File, seconds, samples, bytes."""
    commands.source = Script(has_probe=False).run(3).source()
    out = tmp_path / "a.destutter"
    told = json.loads(commands.run("record", "--json", "--out", out).output)
    assert told == {
        "file": str(out),
        "duration_s": 2.9,
        "samples": 30,
        "size_bytes": out.stat().st_size,
    }


def test_ctrl_c_ends_a_recording_cleanly(commands, tmp_path):
    """What was measured until then is in the file; status 0."""
    commands.source = BreakingSource(Script().run(4).messages, KeyboardInterrupt())
    outcome = commands.run("record", "--out", tmp_path / "a.destutter")
    assert (outcome.status, outcome.errors) == (0, "")
    assert sum(isinstance(each, Sample) for each in _replayed(tmp_path / "a.destutter")) == 80


@pytest.mark.parametrize("count", [0, 1])
def test_an_interrupt_before_the_first_sample_leaves_no_file(commands, tmp_path, count):
    """With or without a header: nothing recorded is said so, and no empty file stays."""
    commands.source = BreakingSource(Script().messages[:count], KeyboardInterrupt())
    outcome = commands.run("record", "--out", tmp_path / "a.destutter")
    assert outcome.status == 1
    assert "nothing was recorded" in outcome.complaint
    assert list(tmp_path.iterdir()) == []


def test_what_was_recorded_before_an_error_is_kept(commands, tmp_path):
    """The sampler fails after four seconds: status 1, and the line says what is kept."""
    error = LiveSourceError(told("the sampler was killed"))
    commands.source = BreakingSource(Script().run(4).messages, error)
    out = tmp_path / "a.destutter"
    outcome = commands.run("record", "--out", out)
    assert outcome.status == 1
    assert outcome.complaint == f"the sampler was killed; 4 s are kept in {out}"
    assert len(_replayed(out)) > 80


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: path.mkdir(), "this is a folder"),
        (lambda path: path.write_text("mine"), "the file exists already"),
        (lambda path: path.symlink_to("/nowhere/at/all"), "the file exists already"),
    ],
)
def test_an_output_that_is_taken(commands, tmp_path, make, words):
    """A folder or a file of that name is left alone; nothing is measured."""
    out = tmp_path / "a.destutter"
    make(out)
    outcome = commands.run("record", "--out", out)
    assert outcome.status == 1
    assert words in outcome.complaint
    if out.is_file():
        assert out.read_text() == "mine"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("no/such/folder/a.destutter", "the folder does not exist"),
        ("", "needs a name"),
        ("x" * 300, "name is too long"),
    ],
)
def test_an_output_that_cannot_be(commands, tmp_path, monkeypatch, path, words):
    """No folder, no name, a name longer than a name may be."""
    monkeypatch.chdir(tmp_path)
    commands.source = Script().run(1).source()
    outcome = commands.run("record", "--out", path)
    assert outcome.status == 1
    assert words in outcome.complaint


def test_a_folder_that_may_not_be_written(commands, tmp_path, monkeypatch):
    """Told before the measurement, not after it."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    outcome = commands.run("record", "--out", tmp_path / "a.destutter")
    assert (outcome.status, outcome.complaint) == (
        1,
        f"{tmp_path}/a.destutter: this folder cannot be written to",
    )


def test_a_disk_that_becomes_full_ends_the_recording(commands, tmp_path, monkeypatch):
    """The line says that the disk is full and how much is kept, and that much can be read."""
    real_write, room = os.write, [16_000]

    def write(descriptor, data):
        if len(data) > room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        room[0] -= len(data)
        return real_write(descriptor, data)

    commands.source = Script().run(60, {"vmstat.pgfault": 12_345.0}).source()
    monkeypatch.setattr("destutter.session.recorder.os.write", write)
    outcome = commands.run("record", "--out", tmp_path / "a.destutter")
    assert outcome.status == 1
    assert "the disk is full" in outcome.complaint
    assert "are kept" in outcome.complaint
    assert commands.source.is_closed
    assert any(isinstance(each, Sample) for each in _replayed(tmp_path / "a.destutter"))
