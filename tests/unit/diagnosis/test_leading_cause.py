# SPDX-License-Identifier: GPL-3.0-or-later
"""Which finding a verdict of two minutes tells: the one that explains them."""

import pytest

from destutter.diagnosis.findings.order import BEAT
from tests.support.engine_scenes import SOURCES, WORKING, assessed, begin
from tests.unit.diagnosis.test_outsiders import NO_CORE
from tests.unit.diagnosis.test_traced import FRAMES, SHORT_OF_MEMORY


def _stutters(script, trouble, count):
    """So many, every six seconds."""
    for _ in range(count):
        script.run(5.6, WORKING).frames(*FRAMES * 336)
        script.run(0.4, trouble).frames(400.0)
    return script


@pytest.mark.long
def test_a_trouble_that_has_passed_is_not_the_answer_for_the_last_minutes():
    """Sixty stutters waited for memory; of the last nineteen one did, eighteen for a core."""
    script = _stutters(begin(SOURCES), SHORT_OF_MEMORY, 60)
    script = _stutters(script, NO_CORE, 9)
    script = _stutters(script, SHORT_OF_MEMORY, 1)
    told = assessed(_stutters(script, NO_CORE, 9)).verdict
    assert told.finding is not None
    assert told.finding.group.value == "cpu"
    assert told.detail.values["explained"] >= 17


def test_the_first_of_two_that_explain_about_as_many_is_told():
    """As ever."""
    script = _stutters(begin(SOURCES), SHORT_OF_MEMORY, 12)
    told = assessed(_stutters(script, NO_CORE, 8)).verdict
    assert told.finding is not None
    assert told.finding.group.value == "memory"


def test_what_explains_nothing_of_the_last_minutes_is_of_earlier():
    """Behind what does, though it explains more, and says how long ago it was."""
    script = _stutters(begin(SOURCES), SHORT_OF_MEMORY, 40)
    told = assessed(_stutters(script, NO_CORE, 32))
    found = told.findings
    over = [each for each in found if each.is_over]
    assert told.causes_of_now == sum(each.explains for each in found) - len(over)
    first, *others = (each for each in found if each.explains and each.cause != BEAT)
    assert (first.group.value, first.is_over) == ("cpu", False)
    memory = next(each for each in others if each.group.value == "memory")
    assert memory.is_over
    assert memory.stutters_explained > first.stutters_explained
    assert memory.reasons[0].id == "reason.over"
    assert memory.reasons[0].values == {"span_s": 180}


@pytest.mark.parametrize("how", ["is_whole", "is_played"])
def test_a_recording_has_no_earlier(how):
    """Judged once, or played to its end: there the cause of 20 of 33 stood behind one of 4."""
    script = _stutters(begin(SOURCES), SHORT_OF_MEMORY, 10)
    script.run(180.0, WORKING).frames(*FRAMES * 10_800)
    found = assessed(script, **{how: True}).findings
    assert found
    assert not any(each.is_over for each in found)
