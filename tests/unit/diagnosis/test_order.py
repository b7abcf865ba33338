# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of several causes is told first, and which are symptoms of another."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from destutter.core.statement import Statement
from destutter.diagnosis.causes.cause import Signal
from destutter.diagnosis.causes.detector import CauseDetector, Moment
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import OWN_LIMIT, Confidence, Culprit, Finding, Group, Spike
from destutter.diagnosis.findings.correlator import Known, Match, find
from destutter.diagnosis.findings.order import as_symptoms, ranked, with_few, with_over
from destutter.words.renderer import english
from tests.truth.judge import judgement_of

SESSIONS = Path(__file__).parents[2] / "data/sessions"
CONTENDED = sorted(SESSIONS.glob("contended_*.destutter"))
SLOW = sorted(
    path
    for path in SESSIONS.glob("*.destutter")
    if json.loads(path.with_suffix(".json").read_text())["causes"] == ["slow_device"]
)
SECOND_NS = 1_000_000_000


def _outcome(cause, explained, confidence=Confidence.MEDIUM, direct=0):
    finding = Finding(
        cause, Group.MEMORY, confidence, explained, 10, 0, 1, (), weight=explained / 10
    )
    return finding, Match((), (), explained, direct=direct, share=0.1, chance=0.1)


def _told(*outcomes):
    return [finding.cause for finding, _ in ranked(outcomes, CAUSE_BY_ID)]


def test_a_consequence_is_told_after_its_cause():
    """Although it explains more, and only where the cause explains at least half as many."""
    consequence = _outcome("kswapd_overwhelmed", 8, Confidence.HIGH)
    assert _told(consequence, _outcome("direct_reclaim", 5))[0] == "direct_reclaim"
    assert _told(consequence, _outcome("direct_reclaim", 3))[0] == "kswapd_overwhelmed"


@pytest.mark.parametrize(
    ("more", "fewer"),
    [
        (("irq_storm", 10, Confidence.MEDIUM), ("slow_device", 8, Confidence.HIGH)),
        (("irq_storm", 10, Confidence.HIGH), ("slow_device", 8, Confidence.MEDIUM, 8)),
    ],
    ids=["surer", "measured in the game"],
)
def test_of_causes_that_explain_about_as_many_the_better_known_is_told_first(more, fewer):
    """A stutter more or less that met both says less than how each of them is known."""
    assert _told(_outcome(*more), _outcome(*fewer))[0] == "slow_device"
    few = (fewer[0], 6, *fewer[2:3], *(6 for _ in fewer[3:]))
    assert _told(_outcome(*more), _outcome(*few))[0] == "irq_storm"


def test_a_guess_is_not_told_before_what_is_known_however_it_was_measured():
    """A drive whose queue somebody else fills is measured all the same."""
    guess = _outcome("slow_device", 10, Confidence.LOW, direct=10)
    assert _told(guess, _outcome("irq_storm", 8))[0] == "irq_storm"


def test_swap_because_of_the_game_s_own_memory_limit_is_told_under_the_limit():
    """No setting of swap makes the group larger; where few met the limit swap comes first."""
    swap = _outcome("swap_thrash", 10, Confidence.HIGH, direct=10)
    assert _told(swap, _outcome("memcg_reclaim", 7, Confidence.HIGH))[0] == "memcg_reclaim"
    assert _told(swap, _outcome("memcg_reclaim", 3, Confidence.HIGH))[0] == "swap_thrash"


def test_a_game_s_crowd_of_shader_compilers_is_not_told_as_a_crowded_processor():
    """They wait for each other, and nothing else has to be closed or moved."""
    crowd = _outcome("run_queue_delay", 10, Confidence.HIGH, direct=10)
    assert _told(crowd, _outcome("shader_compilation", 6, Confidence.HIGH))[0] == (
        "shader_compilation"
    )


def test_a_finding_without_stutters_holds_nothing_back():
    """What explains nothing is no better answer."""
    assert len(_told(_outcome("kswapd_overwhelmed", 0), _outcome("direct_reclaim", 0))) == 2


@pytest.mark.parametrize("cause", ["memcg_reclaim", "direct_reclaim", "dirty_throttling"])
def test_what_the_game_itself_waited_for_is_nearer_than_time_the_host_took(cause):
    """Both meet the stutters; only one of them was measured in the game."""
    steal = _outcome("cpu_steal", 10, Confidence.HIGH)
    waited = _outcome(cause, 6, Confidence.HIGH, direct=6)
    late = _outcome("run_queue_delay", 10, Confidence.HIGH, direct=9)
    assert _told(steal, waited)[0] == cause
    assert _told(late, steal, waited)[0] == cause


@pytest.mark.parametrize(
    ("explained", "direct", "confidence"),
    [(4, 4, Confidence.HIGH), (10, 2, Confidence.HIGH), (10, 10, Confidence.LOW)],
    ids=["few stutters", "few measured waits", "a guess"],
)
def test_real_steal_is_told_first_where_the_game_s_own_waits_do_not_explain(
    explained, direct, confidence
):
    """The host took the time at all ten, and the game was measured to wait at few of them."""
    steal = _outcome("cpu_steal", 10, Confidence.HIGH)
    waited = _outcome("memcg_reclaim", explained, confidence, direct)
    assert _told(waited, steal)[0] == "cpu_steal"


def test_a_slow_drive_or_a_late_thread_does_not_come_before_steal():
    """A host that is busy with others answers late for its drives too."""
    steal = _outcome("cpu_steal", 10, Confidence.HIGH)
    late = _outcome("run_queue_delay", 10, Confidence.HIGH, direct=10)
    assert _told(late, steal)[0] == "cpu_steal"
    slow = _outcome("slow_device", 9, Confidence.HIGH, direct=9)
    assert _told(slow, steal)[0] == "cpu_steal"


def _detector(cause, device, *seconds, stall_ms=None):
    detector = CauseDetector(CAUSE_BY_ID[cause], None)
    detector._moments.extend(
        Moment(
            at * SECOND_NS,
            (at + 1) * SECOND_NS,
            Signal(9.0, (), device, stall_ms=stall_ms),
            is_entered=True,
        )
        for at in seconds
    )
    return detector


def _of_both(slow, unfair, *ends_s):
    spikes = [Spike(int(end * SECOND_NS), 100.0, "mangohud") for end in ends_s]
    detectors = [slow, unfair]
    found = [each for detector in detectors if (each := find(detector, spikes, Known(300.0)))]
    told = as_symptoms(found, detectors, spikes, lambda _spec: Known(300.0))
    return {finding.cause: finding for finding, _ in told}


@pytest.mark.parametrize("device", ["vda", None])
def test_a_drive_whose_queue_somebody_else_fills_is_not_slow_by_itself(device):
    """All of its stutters are explained by the competitor; that is said, and they stay counted."""
    there = (10, 40, 70, 100)
    told = _of_both(
        _detector("slow_device", device, *there),
        _detector("io_unfairness", "vda", *there),
        *(at + 0.5 for at in there),
    )
    slow = told["slow_device"]
    assert slow.confidence is Confidence.LOW
    assert slow.stutters_explained == 4
    assert english(slow.reasons[-1]).startswith("On the same drive 4 of them")
    assert told["io_unfairness"].confidence is Confidence.HIGH


def test_a_drive_that_is_slow_without_the_competitor_too_stays_suspicious():
    """Four stutters are left over, and they alone say as much."""
    there = (10, 40, 70, 100, 130, 160)
    told = _of_both(
        _detector("slow_device", "vda", *there),
        _detector("io_unfairness", "vda", *there[:2]),
        *(at + 0.5 for at in there),
    )
    assert told["slow_device"].confidence is Confidence.HIGH
    assert told["slow_device"].stutters_explained == 6


def test_a_competitor_on_another_drive_explains_nothing():
    """What somebody does to one drive does not make another slow."""
    there = (10, 40, 70, 100)
    told = _of_both(
        _detector("slow_device", "sdb", *there),
        _detector("io_unfairness", "vda", *there),
        *(at + 0.5 for at in there),
    )
    assert told["slow_device"].confidence is Confidence.HIGH
    assert [reason.id for reason in told["slow_device"].reasons] == ["reason.timing"]


@pytest.mark.parametrize("recording", CONTENDED, ids=lambda path: path.stem)
def test_recorded_competition_does_not_make_the_drive_a_suspect(recording):
    """Under every scheduler: the competitor is named with confidence, its symptom is not."""
    found = {each.cause: each for each in judgement_of(recording).assessment.findings}
    assert found["io_unfairness"].confidence is Confidence.HIGH
    assert found["slow_device"].confidence is Confidence.LOW


@pytest.mark.parametrize("recording", SLOW, ids=lambda path: path.stem)
def test_recorded_slow_drives_stay_suspects(recording):
    """Nobody else used them."""
    found = {each.cause: each for each in judgement_of(recording).assessment.findings}
    assert found["slow_device"].confidence is Confidence.HIGH


def _explaining(cause, ends, confidence):
    finding = Finding(cause, Group.STORAGE, confidence, len(ends), 20, 0, 1, ())
    spikes = tuple(Spike(end, 100.0, "mangohud", end - 1) for end in ends)
    return finding, Match(spikes, (), len(ends), direct=0, share=0.1, chance=0.1)


@pytest.mark.parametrize(
    ("few", "sure", "is_guess"),
    [
        ([3], Confidence.MEDIUM, True),
        ([30], Confidence.MEDIUM, False),
        ([1, 2, 3, 4, 5, 6], Confidence.MEDIUM, False),
        ([3], Confidence.LOW, False),
    ],
    ids=["one of eighteen", "one that it does not explain", "a good part", "of a guess"],
)
def test_a_second_reason_for_a_few_of_many_stutters_is_a_guess(few, sure, is_guess):
    """One of eighteen met a copy, of which the page cache explains all."""
    found = [
        _explaining("dropped_caches", range(1, 19), sure),
        _explaining("io_unfairness", few, Confidence.HIGH),
    ]
    (_, (doubted, _)) = with_few(found)
    assert (doubted.confidence is Confidence.LOW) is is_guess
    assert ("reason.few" in {reason.id for reason in doubted.reasons}) is is_guess


def test_who_was_seen_in_several_moments_is_told_at_the_worst():
    """The look of the strongest moment may cover seconds in which the burst filled little."""
    detector = _detector("irq_storm", None, 10, 20, 30)
    for index, (moment, used) in enumerate(
        zip(detector.moments, (14.0, 184.0, 60.0), strict=True)
    ):
        why = Statement("culprit.cpu", {"cpu_pct": used})
        detector._moments[index] = replace(moment, culprits=(Culprit("process", "farm", 7, why),))
    spikes = [Spike(int(end * SECOND_NS), 100.0, "mangohud") for end in (10.5, 20.5, 30.5)]
    found = find(detector, spikes, Known(300.0))
    assert found is not None
    (culprit,) = found[0].culprits
    assert culprit.why == Statement("culprit.cpu", {"cpu_pct": 184.0})


def test_a_limit_of_the_games_own_is_told_before_a_neighbour_that_explains_fewer():
    """A slow drive may be a consequence of who fills it; a limit is nobody's doing."""
    finding, how = _outcome("slow_device", 6)
    neighbour = _outcome("io_unfairness", 4)
    assert _told((finding, how), neighbour)[0] == "io_unfairness"
    assert _told((replace(finding, kind=OWN_LIMIT), how), neighbour)[0] == "slow_device"


def test_hitches_keep_no_cause_of_stutters_that_are_over():
    """Frames 9 ms late that met it as well kept it "Causing stutter" in six smooth minutes."""
    stutters = _explaining("run_queue_delay", (100 * SECOND_NS, 110 * SECOND_NS), Confidence.HIGH)
    hitches = _explaining("run_queue_delay", (100 * SECOND_NS, 500 * SECOND_NS), Confidence.HIGH)
    told = replace(stutters[0], hitches_explained=2, hitches_total=2)
    since_ns, now_ns = 400 * SECOND_NS, 520 * SECOND_NS
    (over,) = with_over([told], ([stutters], [hitches]), since_ns, now_ns)
    assert over.is_over
    assert over.reasons[0].values == {"span_s": 360}
    felt = replace(told, stutters_explained=0)
    nothing = (stutters[0], replace(stutters[1], explained=()))
    (now,) = with_over([felt], ([nothing], [hitches]), since_ns, now_ns)
    assert not now.is_over
