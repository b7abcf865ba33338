# SPDX-License-Identifier: GPL-3.0-or-later
"""Which finding a verdict of two minutes tells: the one that explains them."""

from tests.support.engine_scenes import SOURCES, WORKING, assessed, begin
from tests.unit.diagnosis.test_outsiders import NO_CORE
from tests.unit.diagnosis.test_traced import FRAMES, SHORT_OF_MEMORY


def _stutters(script, trouble, count):
    """So many, every six seconds."""
    for _ in range(count):
        script.run(5.6, WORKING).frames(*FRAMES * 336)
        script.run(0.4, trouble).frames(400.0)
    return script


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
