# SPDX-License-Identifier: GPL-3.0-or-later
"""The rule of stutters and of lost time, as the help states it, counted once more by hand."""

import random
from pathlib import Path

import pytest

from destutter.core.sample import Frames
from destutter.diagnosis.findings.time_lost import TimeLostTally
from destutter.diagnosis.stutters.spikes import SpikeDetector
from destutter.resource_folder import resource_folder

_USUAL_OF, _FIRST = 255, 30


def _log(seed: int, usual_ms: float) -> tuple[list[int], list[int]]:
    """Ends (ns) and lengths (us) of frames, with bursts of long ones as a slow drive makes them:
    alone, several in a row, some with short ones between, for seconds on end, and freezes."""
    chance = random.Random(seed)  # noqa: S311  the same each time
    lengths: list[int] = []
    while len(lengths) < 6_000:
        lengths += [round(1e3 * chance.gauss(usual_ms, 0.6)) for _ in range(chance.randint(1, 90))]
        for _ in range(chance.choice((1, 1, 2, 5, 30))):
            long_ms = chance.choice((usual_ms * 2.4, 49.0, 55.0, 130.0, 600.0, 13_500.0))
            lengths.append(round(1e3 * long_ms * chance.uniform(0.9, 1.3)))
            lengths += [round(1e3 * usual_ms)] * chance.choice((0, 0, 3, 14, 16))
    ends, now_us = [], 5_000_000
    for length in lengths:
        now_us += length
        ends.append(1000 * now_us)
    return ends, lengths


def _by_hand(ends: list[int], lengths: list[int]) -> tuple[int, float]:
    """How many stutters, and how many ms were lost in them."""
    stutters, lost_us = 0, 0
    begun_ns = last_ns = -(10**12)
    for at, (end_ns, length) in enumerate(zip(ends, lengths, strict=True)):
        before = sorted(lengths[:_FIRST] if at < _FIRST else lengths[max(0, at - _USUAL_OF) : at])
        usual = before[len(before) // 2]
        if length <= 50_000 or length <= 2.5 * usual:
            continue
        lost_us += length - usual
        start_ns = end_ns - 1000 * length
        is_one = start_ns - last_ns < 250_000_000 and start_ns - begun_ns < 1_000_000_000
        if not is_one:
            stutters, begun_ns = stutters + 1, start_ns
        last_ns = end_ns
    return stutters, lost_us / 1e3


@pytest.mark.parametrize(("seed", "usual_ms"), [(1, 16.6), (2, 8.3), (3, 33.0)])
def test_stutters_and_lost_time_are_those_of_the_stated_rule(seed: int, usual_ms: float) -> None:
    """618 long frames were 312 stutters by a rule that no page told, and lost 104 s of 117."""
    ends, lengths = _log(seed, usual_ms)
    detector = SpikeDetector(None)
    detector.accept_frames(Frames("mangohud", tuple(ends), tuple(lengths)))
    lost = TimeLostTally().of(detector.spikes, ())
    stutters, lost_ms = _by_hand(ends, lengths)
    assert len(detector.spikes) == stutters
    assert lost.total_ms == pytest.approx(lost_ms, abs=0.01)
    assert sum(len(each.others) for each in detector.spikes) > 50
    assert sum(each.total_ms for each in lost.of_each) == pytest.approx(lost_ms, abs=0.01)


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", ("50 ms", "two and a half", "255 frames", "quarter of a second", "after a second")),
        ("de", ("50 ms", "zweieinhalb", "255 Bilder", "Viertelsekunde", "nach einer Sekunde")),
        ("zh_CN", ("50 ms", "两倍半", "255 帧", "四分之一秒", "一秒后")),
    ],
)
def test_the_page_states_that_rule(language: str, told: tuple[str, ...]) -> None:
    """Several in a row as one: nobody could count that."""
    page = Path(resource_folder()) / "explanations" / language / "page.live.md"
    text = page.read_text(encoding="utf-8")
    assert [each for each in told if each not in text] == []
