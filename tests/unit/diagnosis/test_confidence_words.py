# SPDX-License-Identifier: GPL-3.0-or-later
"""What the help says of confidence is the rule by which it is decided."""

from pathlib import Path

import pytest

from destutter.diagnosis.causes.cause import Signal
from destutter.diagnosis.causes.detector import Moment
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import Confidence, Spike
from destutter.diagnosis.findings.correlator import Match, how_sure

HELP = Path(__file__).resolve().parents[3] / "resources" / "explanations" / "en"
SPEC = CAUSE_BY_ID["direct_reclaim"]
TOTAL = 8
SAID = (
    "High confidence: much of it was there, and the game itself was measured to wait for it in "
    "at least half of the stutters, or it met them far too often for chance, or the game was seen "
    "waiting for it in most of them while the cause itself was measured, or the system itself "
    "told the waits in nearly all of them. Medium: part of that is missing, for instance where "
    "the game was only seen waiting and nothing measured for how long. Low: it happened at the "
    "same time, which may be chance."
)


def _found(direct: int, *, is_chance: bool) -> Match:
    spikes = tuple(Spike(at, 100.0, "frames") for at in range(4))
    return Match(spikes, (), len(spikes), direct, 0.1, 0.4 if is_chance else 1e-6)


@pytest.mark.parametrize(
    ("is_much", "direct", "is_chance", "expected"),
    [
        (True, TOTAL // 2, True, Confidence.HIGH),
        (True, 0, False, Confidence.HIGH),
        (True, TOTAL // 2 - 1, True, Confidence.MEDIUM),
        (False, TOTAL // 2, True, Confidence.MEDIUM),
        (False, 0, False, Confidence.MEDIUM),
        (True, 0, True, Confidence.LOW),
        (False, 0, True, Confidence.LOW),
    ],
)
def test_the_help_tells_the_rule(is_much, direct, is_chance, expected):
    """Much of it, and a measured wait in half of the stutters or no chance; part of that; none."""
    strength = SPEC.alarm if is_much else SPEC.alarm / 2
    worst = Moment(0, 1, Signal(strength, ()))
    assert how_sure(SPEC, _found(direct, is_chance=is_chance), worst, TOTAL) is expected
    assert SAID in (HELP / "page.causes.md").read_text(encoding="utf-8")
