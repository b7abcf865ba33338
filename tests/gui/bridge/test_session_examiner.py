# SPDX-License-Identifier: GPL-3.0-or-later
"""Recordings are examined for what is played."""

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from destutter.analysis.reading.session_reader import SessionReading
from destutter.bridge.session_services import SessionServices
from destutter.tuning.presets import GENERAL, load_presets
from tests.support.sessions import HERE, summary

PRESETS = Path(__file__).resolve().parents[3] / "resources" / "presets"
FLIGHT_SIM = load_presets(PRESETS)["flight_sim"]


class _Reader:
    """Reads nothing and notes for which game it was asked to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_broken = False

    def examine(self, path, _length_s, _tell, preset):
        if self.is_broken:
            raise ZeroDivisionError
        self.asked.append(preset.id)
        return summary(np.full(600, 16.7), str(path))


@pytest.fixture
def reader() -> _Reader:
    """Stands in for the process that reads."""
    return _Reader()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A recording that nobody opens."""
    made = tmp_path / "a.destutter"
    made.write_bytes(b"")
    return made


@pytest.fixture
def models(qtbot: QtBot, tmp_path: Path, reader: _Reader) -> Iterator[SessionServices]:
    """The models of its folder."""
    reading = SessionReading(reader.examine, HERE.examine_plainly, HERE.take_in)
    made = SessionServices(tmp_path, {}, reading)
    yield made
    made.stop()


@pytest.mark.parametrize("name", ["examiner", "guide_examiner"])
def test_what_is_shown_is_examined_once_more_for_another_game(models, reader, path, name, qtbot):
    """Its advice is of the game before. What was read for a game is not read for it again."""
    examiner = getattr(models, name)
    with qtbot.waitSignal(examiner.examined, timeout=10_000):
        examiner.examine([path], [10.0])
    for preset in (FLIGHT_SIM, GENERAL):
        with qtbot.waitSignal(examiner.examined, timeout=10_000):
            models.set_preset(preset)
    assert reader.asked == [GENERAL.id, FLIGHT_SIM.id]


def test_what_one_has_read_no_other_reads_again(models, reader, path, qtbot):
    """The guide, the verdict of a trial and the page of sessions look at the same files."""
    for examiner in (models.examiner, models.guide_examiner, models.trial_examiner):
        with qtbot.waitSignal(examiner.examined, timeout=10_000):
            examiner.examine([path], [10.0])
    assert reader.asked == [GENERAL.id]


def test_nothing_is_examined_that_nobody_looks_at(models, path):
    """Another game alone asks for nothing, nor does one after the page was left."""
    models.set_preset(FLIGHT_SIM)
    assert not models.examiner.is_running
    models.examiner.examine([path], [10.0])
    models.examiner.cancel()
    models.set_preset(GENERAL)
    assert not models.examiner.is_running


def test_a_file_that_nobody_expected_ends_in_words(models, reader, path, qtbot, caplog):
    """Whatever goes wrong while it is read: the page must not say "reading" for ever."""
    reader.is_broken = True
    with (
        caplog.at_level(logging.ERROR),
        qtbot.waitSignal(models.examiner.failed, timeout=10_000) as told,
    ):
        models.examiner.examine([path], [10.0])
        qtbot.waitUntil(lambda: "ZeroDivisionError" in caplog.text, timeout=10_000)
    assert told.args[0] == path
    assert not models.examiner.is_running
