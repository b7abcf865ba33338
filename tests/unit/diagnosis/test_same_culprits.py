# SPDX-License-Identifier: GPL-3.0-or-later
"""The same stutters name the same programs, judged while the game runs or at the end."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from destutter.analysis.examining.pipeline import Pipeline
from destutter.diagnosis.assessor import Assessor
from destutter.diagnosis.finding import Confidence, Culprit, Finding, Group
from tests.support.engine_scenes import SOURCES, WORKING, assessed, begin
from tests.support.scripted_source import Script
from tests.unit.diagnosis.test_outsiders import NO_CORE
from tests.unit.diagnosis.test_traced import FRAMES

_PROGRAMS = ("30 export", "40 index", "50 backup")
_BRIEFLY = {**NO_CORE, "game.run_delay_ns": 9e7, "busy_thread:7 main.run_delay_ns": 9e8}
"""A wait that is too short for the rule, and known from the stutter alone."""


def _busy(script: Script, program: int, share: float) -> None:
    """The look that ends now: this program used so much of a core, the others nothing."""
    used = [round(share * 3_000_000) if each == program else 0 for each in range(len(_PROGRAMS))]
    known = {"interval_us": 3_000_000, "shares_cores": 1}
    script.look(*({**known, "cpu_us": each} for each in used), names=_PROGRAMS)


def _stutter(script: Script, program: int, share: float, *, is_long: bool = True) -> None:
    script.run(5.0, WORKING).frames(*FRAMES * 300)
    length_s = 0.4 if is_long else 0.1
    script.run(length_s, NO_CORE if is_long else _BRIEFLY).frames(1000 * length_s)
    _busy(script, program, share)
    script.run(0.6, WORKING).frames(*FRAMES * 36)


def _named(script: Script, *, is_whole: bool) -> dict[str, list[str]]:
    found = assessed(script, is_whole=is_whole).findings
    return {each.cause: [one.comm for one in each.culprits] for each in found if each.explains}


@pytest.mark.parametrize("is_whole", [False, True])
def test_who_was_busy_at_most_stutters_is_named_whichever_way_they_are_explained(is_whole):
    """Two programs of one weight, and one of them alone at the two that no rule explains."""
    script = begin(SOURCES)
    for number in range(16):
        _stutter(script, number % 2, 1.3 if number % 2 else 1.0)
    for _ in range(2):
        _stutter(script, 0, 0.8, is_long=False)
    named = _named(script.run(3, WORKING).frames(*FRAMES * 180), is_whole=is_whole)
    assert named["run_queue_delay"] == ["index", "export"]


def test_who_did_most_over_all_stutters_is_named_first():
    """And not who was worst at two of them; who was there at one is a bystander."""
    script = begin(SOURCES)
    for _ in range(12):
        _stutter(script, 1, 1.0)
    for _ in range(2):
        _stutter(script, 0, 1.9)
    _stutter(script, 2, 1.9)
    named = _named(script.run(3, WORKING).frames(*FRAMES * 180), is_whole=True)
    assert named["run_queue_delay"] == ["index", "export"]


_ONE = st.tuples(st.integers(0, 2), st.floats(0.5, 1.9), st.booleans())


@pytest.mark.long
@settings(max_examples=8, deadline=None)
@given(st.lists(_ONE, min_size=3, max_size=20))
def test_live_and_at_the_end_the_same_programs_are_named(stutters):
    """Of a stream of less than ten minutes, in the same order, assessed each second or once."""
    script = begin(SOURCES)
    for program, share, is_long in stutters:
        _stutter(script, program, share, is_long=is_long)
    script.run(3, WORKING).frames(*FRAMES * 180)
    pipeline = Pipeline(assessor := Assessor())
    for number, message in enumerate(script.messages):
        pipeline.accept_message(message)
        if number % 50 == 0:
            assessor.assess()
    live = {
        each.cause: [one.comm for one in each.culprits]
        for each in assessor.assess().findings
        if each.explains
    }
    assert live == _named(script, is_whole=True)


def test_a_drive_did_it_only_where_nobody_else_was_found():
    """ "Who did it: device vda" stood before the backup that wrote to it."""
    drive, backup = Culprit("device", "vda"), Culprit("process", "deltabackup", 7)
    finding = Finding("io_unfairness", Group.STORAGE, Confidence.HIGH, 1, 1, 0, 1, ())
    assert replace(finding, culprits=(drive, backup)).named == (backup,)
    assert replace(finding, culprits=(drive,)).named == (drive,)
