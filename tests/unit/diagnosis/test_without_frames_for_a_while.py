# SPDX-License-Identifier: GPL-3.0-or-later
"""A game whose frames stop for a while: what happens meanwhile is no stutter of it."""

import pytest

from destutter.diagnosis.finding import Assessment, VerdictKind
from destutter.words.renderer import english
from tests.support.engine_scenes import NAMES, SOURCES, WORKING, assessed, see
from tests.support.scripted_source import Script
from tests.unit.diagnosis.test_traced import FRAMES

WAYS = pytest.mark.parametrize(
    "way", [{}, {"is_whole": True}, {"is_played": True}], ids=["live", "whole", "played"]
)


def _play(script: Script, seconds: int) -> None:
    for _ in range(seconds):
        script.run(1, WORKING).frames(*FRAMES * 60)


def _flight() -> Script:
    """Ten seconds of play with one stutter."""
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Alpenglow")
    _play(script, 5)
    script.run(0.3, WORKING).frames(300.0)
    _play(script, 5)
    return script


def _rest(script: Script) -> None:
    """Nothing is drawn for a minute, and the computer is busy with others."""
    for late_ms in (24.0, 90.0, 400.0, 31.0):
        script.run(12, WORKING).hiccup(late_ms).run(3, WORKING)


def _count(assessment: Assessment) -> set[object]:
    found: set[object] = {each.stutters_total for each in assessment.findings}
    return found | {len(assessment.spikes), len(assessment.lost.of_each)}


@WAYS
def test_a_paused_game_has_no_stutters(way: dict[str, bool]) -> None:
    """36 were told of a minute whose longest frame took 67 ms, and the verdict rested on them."""
    script = _flight()
    _rest(script)
    in_pause = assessed(script, **way)
    assert _count(in_pause) == {1}
    assert not in_pause.uncounted
    _play(script, 20)
    after = assessed(script, **way)
    assert _count(after) == {1}
    assert after.verdict.told_by is None
    assert after.lost.total_ms == pytest.approx(300.0 - FRAMES[0])


@WAYS
def test_a_game_that_is_paused_for_good_is_not_told_smooth_nor_stuttering(
    way: dict[str, bool],
) -> None:
    """Live there is no frame to tell of; of a whole recording what was played is told."""
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Alpenglow")
    _play(script, 20)
    _rest(script)
    verdict = assessed(script, **way).verdict
    if way.get("is_whole"):
        assert verdict.kind is VerdictKind.SMOOTH
    else:
        assert english(verdict.headline).startswith("No frame for ")


def test_a_crash_and_another_start_are_no_stutters_of_a_recording() -> None:
    """38 were told of two minutes of which the game ran a quarter, and its longest took 69 ms."""
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Alpenglow")
    _play(script, 10)
    script.fact(game__pid="", game__name="")
    _rest(script)
    script.fact(game__pid="9", game__name="Alpenglow")
    _rest(script)
    _play(script, 5)
    whole = assessed(script, is_whole=True)
    assert _count(whole) <= {0}
    assert whole.verdict.kind is VerdictKind.SMOOTH
    assert not whole.verdict.is_of_computer


def test_the_next_start_of_a_game_that_tells_its_frames_has_none_before_them() -> None:
    """Live; 38 were told of a crash and 14 s of loading."""
    script = _flight().fact(game__pid="", game__name="")
    _rest(script)
    script.fact(game__pid="9", game__name="Alpenglow")
    _rest(script)
    told = assessed(script)
    assert (told.spikes, told.verdict.kind) == ((), VerdictKind.NOT_MEASURED)
    assert english(told.verdict.headline).startswith("No frame for ")


def test_a_recording_that_ends_with_a_crash_is_of_the_game() -> None:
    """Not of a computer on which nobody played."""
    script = _flight().fact(game__pid="", game__name="")
    _rest(script)
    whole = assessed(script, is_whole=True)
    assert _count(whole) == {1}
    assert not whole.verdict.is_of_computer


def test_another_game_without_frames_is_told_by_the_probe() -> None:
    """What the one before had says nothing of it, live."""
    script = _flight().fact(game__pid="9", game__name="Nightfall")
    script.run(20, WORKING).hiccup(60.0).run(3, WORKING)
    told = assessed(script)
    assert _count(told) == {1}
    assert [each.origin for each in told.spikes] == ["wakeup"]
    assert told.unplayed == ()
    assert told.verdict.unplayed is None


_READS_ITSELF = {
    **WORKING,
    "pressure:io.some_us": 9e5,
    "disk:sda.reads": 2000,
    "disk:sda.read_ms": 3000,
    "disk:sda.io_ms": 980,
    "disk:sda.sectors_read": 1.4e6,
    "game_status.read_bytes": 7.1e8,
}
_SLOW_FOR_OTHERS = {
    **WORKING,
    "pressure:io.some_us": 9e5,
    "disk:sda.reads": 20,
    "disk:sda.read_ms": 5000,
    "disk:sda.io_ms": 990,
    "disk:sda.sectors_read": 800,
}


def _reads(script: Script, times: int) -> None:
    for _ in range(times):
        _play(script, 5)
        see(script, ("io", "main_futex"))
        script.run(0.4, _READS_ITSELF).frames(400.0)
        see(script, ())


@WAYS
def test_what_the_game_reads_stays_its_own_after_a_pause(way: dict[str, bool]) -> None:
    """A drive that was slow for others in the pause made it "Slow drive, high" for good."""
    script = Script(SOURCES, NAMES).fact(game__pid="7", game__name="Alpenglow")
    _reads(script, 5)
    for _ in range(12):
        script.run(0.3, _SLOW_FOR_OTHERS).hiccup(60.0).run(2, WORKING)
    _reads(script, 4)
    told = assessed(script, **way)
    assert _count(told) == {9}
    assert [each.told_as for each in told.findings if each.explains] == ["slow_device.reading"]
    assert "its own reading" in english(told.verdict.detail)
