# SPDX-License-Identifier: GPL-3.0-or-later
"""Which trials are played, with which game, and when again."""

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.truth import __main__ as bench
from tests.truth.machine import Stage
from tests.truth.makes import MAKE_BY_NAME, MAKES, names_of, options_of, seed_of, slow_thread
from tests.truth.outcome import Outcome
from tests.truth.scenario import Play, Scenario
from tests.truth.scenarios import SCENARIOS
from tests.truth.trial import pauses_of

WORKERS, MAIN = MAKE_BY_NAME["workers-bare"], MAKE_BY_NAME["main-group"]
PLACE = Stage(Path(), Path(), Path())
SCENARIO = Scenario("made", lambda _place: nullcontext(Play()), frozenset({"slow_device"}))


def test_makes_differ_in_who_waits_and_in_the_group():
    """All four of them."""
    assert len({(make.has_workers, make.has_group) for make in MAKES}) == len(MAKES) == 4


def test_a_seed_is_a_game_and_another_seed_another():
    """The same words give the same options; seeds differ in rate, names and structure."""
    assert seed_of(1, "quiet", 2) == seed_of(1, "quiet", 2) != seed_of(1, "quiet", 3)
    games = [options_of(WORKERS, {}, seed) for seed in range(40)]
    assert games[7] == options_of(WORKERS, {}, 7)
    for name in ("hz", "names", "helpers", "need-every", "ahead", "presenter", "heavy-streamer"):
        assert len({game[name] for game in games}) > 1, name
    assert all(5 <= int(game["helpers"]) <= 200 for game in games)


def test_what_a_scenario_tells_is_not_left_to_chance():
    """Its work of a frame is tuned to the usual rate."""
    told = {"work-ms": 2, "alloc-kib": 20_480}
    for seed in range(20):
        options = options_of(MAIN, told, seed)
        assert options.items() >= told.items()
        assert "hz" not in options
        assert "helpers" not in options


def test_the_thread_that_is_slow_by_itself_is_known():
    """In one make the main thread, in the other one of two workers."""
    heavy = {"heavy-every": 2}
    options = options_of(MAIN, heavy, 3)
    assert slow_thread(MAIN, options) == names_of(3)[0]
    assert slow_thread(MAIN, options_of(MAIN, {}, 3)) == ""
    for is_streamer in (0, 1):
        options = options_of(WORKERS, {**heavy, "heavy-streamer": is_streamer}, 3)
        assert slow_thread(WORKERS, options) == names_of(3)[1 if is_streamer else 2]


def test_pieces_differ_in_size():
    """Twice at most: a scenario's drive is as slow as it is."""
    sizes = {options_of(MAIN, {"read-kib": 64}, seed)["read-kib"] for seed in range(20)}
    assert sizes == {64, 128}


def test_bursts_have_no_beat():
    """And yet a trial is as long as its scenario says."""
    pauses = pauses_of(SCENARIO, 3)
    assert len(pauses) == SCENARIO.bursts
    assert sum(pauses) == pytest.approx(SCENARIO.bursts * SCENARIO.pause_s)
    assert max(pauses) > 1.2 * min(pauses)


def test_names_fit_into_the_kernel_s():
    """15 characters (TASK_COMM_LEN), and no comma, which parts them."""
    names = {name for seed in range(60) for name in names_of(seed)}
    assert all(len(name) <= 15 and "," not in name for name in names)
    assert all(len(each) <= 15 for scenario in SCENARIOS for each in scenario.culprits)


def _options(*words):
    return bench._parser().parse_args(words)


def test_everything_is_played_in_all_of_its_makes():
    """Unless a scenario has some makes only, or somebody wants some only."""
    parts = bench._parts(_options())
    assert len(parts) == sum(len(scenario.makes) for scenario in SCENARIOS) > 3 * len(SCENARIOS)
    few = bench._parts(
        _options("--make", "workers-bare", "--only", "quiet", "low_priority_worker")
    )
    assert [(each.name, make.name) for each, make in few] == [
        ("quiet", "workers-bare"),
        ("low_priority_worker", "workers-bare"),
    ]
    assert not bench._parts(_options("--make", "main-bare", "--only", "low_priority_worker"))


@pytest.fixture
def played(monkeypatch):
    """Trials with the numbers given, and what was played."""
    told: list[dict[str, Any]] = []
    trials = []

    def run(scenario, make, seed, _place, _kept):
        trials.append((scenario, make, seed))
        numbers = told.pop(0)
        return Outcome(scenario.name, ["slow_device"], [], make=make.name, needed=5, **numbers)

    monkeypatch.setattr(bench, "run_trial", run)
    return told, trials


def _tries(most_again=2):
    return bench._tries(SCENARIO, WORKERS, (1, "made"), PLACE, None, most_again)


def test_a_trial_with_too_few_stutters_is_played_again_stronger(played):
    """With more and longer bursts, and as another game."""
    told, trials = played
    told += [{"felt": 2}, {"felt": 4}, {"felt": 9}]
    assert [each.felt for each in _tries()] == [2, 4, 9]
    first, second, third = (scenario for scenario, _make, _seed in trials)
    assert first.bursts < second.bursts < third.bursts
    assert first.burst_s < second.burst_s < third.burst_s
    assert len({seed for _scenario, _make, seed in trials}) == 3


def test_a_disturbed_trial_is_played_again_as_it_was(played):
    """Its scenario was not to blame."""
    told, trials = played
    told += [{"felt": 9, "foreign_share": 0.5}, {"felt": 9}]
    assert len(_tries()) == 2
    assert trials[0][0] == trials[1][0] == SCENARIO


def test_trials_in_vain_come_to_an_end(played):
    """And all of them are told."""
    told, _trials = played
    told += [{"felt": 0}] * 9
    outcomes = _tries(most_again=1)
    assert [each.is_too_few for each in outcomes] == [True, True]


def test_what_cannot_be_made_is_not_tried_again(played):
    """Nothing changes by that."""
    told, _trials = played
    told += [{"cannot": "no such drive"}] * 2
    assert len(_tries()) == 1
