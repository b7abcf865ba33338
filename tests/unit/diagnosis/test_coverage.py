# SPDX-License-Identifier: GPL-3.0-or-later
"""Why something is not measured: missing here, nobody watched, or only not read in time."""

import pytest

from destutter.core.catalog import SOURCES
from destutter.core.sample import Facts, Header, Layout, Trouble
from destutter.core.statement import told
from destutter.core.traced import TraceLook, TraceLoss
from destutter.diagnosis.causes.coverage import Coverage
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.words.renderer import renderer

_LATE = "No reading of it came in the time that was measured."


def _layout(source, *instances):
    spec = SOURCES[source]
    return Layout(source, spec.fields, instances if spec.is_instanced else None)


def _why(coverage, source):
    return renderer().sentence(coverage.why_not(source))


@pytest.mark.parametrize("source", ["vmstat", "pressure", "disk", "swap", "cpuidle", "gpu", "cpu"])
def test_what_was_not_read_in_time_is_not_said_to_be_missing(source):
    """On a starved computer nothing came of it yet, not even word that it is missing."""
    assert _why(Coverage(), source) == _LATE


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("swap", "No swap is in use."),
        ("realtime", "No program runs under a real-time policy."),
        ("cpuidle", "This computer does not offer it."),
    ],
)
def test_what_was_looked_at_and_is_empty_is_missing(source, why):
    """Its sampler told that there is nothing of the kind."""
    coverage = Coverage()
    coverage.accept_layout(_layout(source))
    assert _why(coverage, source) == why


def test_what_was_read_once_gave_too_little():
    """A rate takes two readings; what is there is never said to be missing."""
    coverage = Coverage()
    coverage.accept_layout(_layout("cpuidle", "C1 1us"))
    assert _why(coverage, "cpuidle") == "It gave too few readings to tell."


def test_a_reason_of_the_sampler_comes_first():
    """It knows best."""
    coverage = Coverage()
    coverage.accept_trouble(Trouble(1, "pressure", told("this kernel has no PSI")))
    assert _why(coverage, "pressure") == "This kernel has no PSI."


def test_without_a_game_its_sources_say_that():
    """And with one that was not read yet they do not say that there is none."""
    coverage = Coverage()
    assert _why(coverage, "game") == "No game is being watched."
    coverage.accept_facts(Facts(1, {"game.pid": "42"}))
    assert _why(coverage, "game") == _LATE
    assert _why(coverage, "wakeup") == "The wake-up probe does not run."


def test_a_probe_that_was_started_is_not_said_to_be_off():
    """It takes a moment, on a starved computer seconds; once it failed, its own words hold."""
    coverage = Coverage()
    coverage.accept_facts(Facts(1, {"probe.wakeup": "started"}))
    assert _why(coverage, "wakeup") == "The probe was started and has not measured anything yet."
    assert _why(coverage, "write") == "The write probe only runs in experiments."
    coverage.accept_trouble(Trouble(2, "wakeup", told("the probe ended: no clock")))
    assert _why(coverage, "wakeup") == "The probe ended: no clock."


def test_a_cause_lacks_what_is_missing_before_what_gave_too_little():
    """Sleep states were read once; that no game is watched is why nothing can be found."""
    coverage = Coverage()
    coverage.accept_layout(_layout("cpuidle", "C1 1us"))
    assert coverage.lacking(CAUSE_BY_ID["deep_c_state"]) == "game"


def test_a_cause_lacks_nothing_that_delivers():
    """Whoever saw raw values of it knows more than what was derived until now."""
    coverage = Coverage()
    spec = CAUSE_BY_ID["deep_c_state"]
    assert coverage.lacking(spec, {"cpuidle", "wakeup"}) == "game"
    assert coverage.lacking(spec, {"cpuidle", "wakeup", "game"}) is None


def test_that_nobody_worked_is_measured():
    """On a computer at rest doctor said that nobody can see who keeps a core."""
    coverage = Coverage()
    spec = CAUSE_BY_ID["rt_runaway"]
    assert coverage.lacking(spec, {"kernel_thread"}) is not None
    coverage.accept_layout(Layout("process", ("interval_us",), ()))
    assert coverage.is_seen("process")
    assert coverage.lacking(spec, {"kernel_thread"}) is None


def test_in_a_flatpak_games_are_hidden_and_not_absent():
    """Whoever plays one would take "no game" for a mistake; one that was shown is a game again."""
    coverage = Coverage()
    coverage.accept_header(Header(1, 1.7e9, 100, {"sandbox": "flatpak"}))
    for source in ("game", "game_cgroup", "gpu_engine"):
        assert _why(coverage, source).startswith("The Flatpak's sandbox hides all other programs")
    coverage.accept_trouble(Trouble(1, "game", told("there is no process 42 (any more)")))
    assert _why(coverage, "game").startswith("The Flatpak's sandbox")
    coverage.accept_facts(Facts(1, {"game.pid": "42"}))
    assert _why(coverage, "game") == "There is no process 42 (any more)."


@pytest.mark.parametrize(("looks", "is_told"), [(2, False), (10, True)])
def test_a_trace_that_lost_events_says_for_how_long(looks, is_told):
    """While a drive was flooded half of each stutter was "unknown", and nothing said why."""
    coverage = Coverage()
    for begin_ns in range(0, looks * 250_000_000, 250_000_000):
        losses = tuple(
            TraceLoss(begin_ns + 50_000_000, begin_ns + 250_000_000, None, instance)
            for instance in ("drives", "waits")
        )
        coverage.accept_look(TraceLook(begin_ns, begin_ns + 250_000_000, 0, 0, losses=losses))
    said = [renderer().sentence(each.why) for each in coverage.not_measured(())]
    told = [each for each in said if "could take down" in each]
    assert bool(told) is is_told
    if is_told:
        assert told[0].startswith("For 2\u00a0seconds more happened")
