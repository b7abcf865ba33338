# SPDX-License-Identifier: GPL-3.0-or-later
"""What needs knowledge of the system stands on a card of Causes behind one click."""

import re
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QLabel

from destutter.diagnosis.cause_ids import RUN_QUEUE_DELAY
from destutter.diagnosis.finding import Group
from tests.house.test_players_words import NAMES, WORDS
from tests.support import live_scenes
from tests.support.causes_window import fill, open_causes, settle
from tests.support.known_snapshots import snapshots_of
from tests.support.window_kit import make_theme


@pytest.fixture
def detail(qapp):
    """The card of a wait for a core, for which experts have options."""
    window, tuning = open_causes(qapp, make_theme(qapp), (1280, 800), live_scenes.stuttering)
    newest = snapshots_of(live_scenes.stuttering)[-1]
    given = newest.assessment
    found = replace(given.findings[0], cause=RUN_QUEUE_DELAY, group=Group.CPU)
    told = replace(given, findings=(found,), monotonic_ns=given.monotonic_ns + 2_000_000_000)
    window.begin_anew()
    fill(window, tuning, [replace(newest, assessment=told)])
    window.show_cause()
    settle(qapp)
    yield window.causes.detail
    window.close()
    window.deleteLater()
    tuning.close()
    settle(qapp)


def _seen(detail) -> str:
    labels = (detail.help, detail.experts_help, detail.no_rows, detail.remedy, detail.source)
    shown = [each for label in labels for each in (label, *label.findChildren(QLabel))]
    return "\n".join(
        each.text() for each in shown if isinstance(each, QLabel) and each.isVisibleTo(detail)
    )


def test_options_of_the_system_are_behind_the_fold(detail):
    """ "CPUWeight=", "chrt" and "run_delay" stood in the open beside "close what runs"."""
    assert "Close or pause what runs beside the game" in _seen(detail)
    unknown = re.compile(f"{NAMES}|{WORDS['en']}|CPUWeight|chrt")
    assert unknown.search(_seen(detail)) is None
    assert detail.experts.isVisibleTo(detail)
    detail.experts.click()
    for word in ("CPUWeight", "chrt", "schedstat"):
        assert word in _seen(detail)


def test_where_no_setting_helps_it_is_said_without_the_kernel(detail):
    """ "No setting of the kernel helps against this." """
    assert detail.no_rows.text() == "No setting helps against this."
