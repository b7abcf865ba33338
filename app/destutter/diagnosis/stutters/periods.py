# SPDX-License-Identifier: GPL-3.0-or-later
"""Stutters that come in a beat: the period, and who is known for it."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from destutter.diagnosis.chance import binomial_tail
from destutter.diagnosis.finding import Spike
from destutter.diagnosis.stutters.spikes import WAKEUP_ORIGIN

KNOWN_S = (0.5, 1.0, 2.0, 3.0, 5.0, 9.0, 10.0, 15.0, 20.0, 30.0, 60.0)
"""Periods of overlays (0.5), plugins and sensors (1 to 3), writing back (5, 15, 30), pollers."""

_WRITEBACK_S = (5.0, 15.0, 30.0)
_SENSORS_UP_TO_S = 3.0  # sensors are asked every 1 to 3 s, other pollers from 5 on (KNOWN_S)
_SHORTEST_OF_PROBE_S = 3.0  # its stutters are one a second at most: a busy time has that beat
_MOST_MISSED = 4  # beats in a row; with more, nearly any pause is a multiple of a short period
_ENOUGH = 6  # pauses that fit; a few regular ones happen by chance among many
# A beat that was picked after the fact has as many rivals as there are pauses.
_BY_CHANCE = 1e-4
_SOUGHT_BY_CHANCE = 1e-7
_PLAIN_SHARE = 4  # one in so many: as many as by chance are single beats among one to four
_SLACK_S = 0.06  # a choice: more than half a tick, by which late wake-ups are told
_DRIFT = 0.02  # a choice: who rests for a second comes late by its own work, here up to 20 ms
_MOST_SPIKES = 600
_BURST_S = 120.0
_SCENERY_S = (600.0, 900.0)
# Of the pauses of a random (Poisson) process that are longer than 120 s, at any rate at most so
# many are this long: the highest value of exp(-480 rate) - exp(-780 rate) is 0.177.
_SCENERY_BY_CHANCE = 0.18


@dataclass(frozen=True, slots=True)
class Period:
    """A beat: ``spikes`` keep it, ``met`` of ``of`` pauses fit, ``expected`` would by chance.

    ``plain`` of the former are as long as the beat, the others are whole multiples.
    """

    period_s: float
    spikes: tuple[Spike, ...]
    met: int
    of: int
    expected: float
    chance: float
    plain: int = 0

    @property
    def is_plain(self) -> bool:
        """Whether it is seen itself: pauses of 1.5 s fit a beat of half a second as well."""
        return _PLAIN_SHARE * self.plain >= self.met


def find_period(spikes: Sequence[Spike]) -> Period | None:
    """The beat that chance explains least; None when chance will do.

    A pause fits when it is one to four times the period within the slack. The shorter the period
    the more pauses fit by chance, so that of 5 s and 1 s the former is found when both fit. A
    beat that nobody is known for has to be surer, for it was picked after the fact.
    """
    return _find_beat(list(spikes)[-_MOST_SPIKES:]) or _find_scenery(list(spikes))


def _find_beat(recent: list[Spike]) -> Period | None:
    shortest_s = _SHORTEST_OF_PROBE_S if _is_by_probe(recent) else KNOWN_S[0]
    pauses = [
        (after.start_ns - before.start_ns) / 1e9 for before, after in itertools.pairwise(recent)
    ]
    if len(pauses) < _ENOUGH:
        return None
    middle = sorted(pauses)[len(pauses) // 2]
    found = [_try(recent, pauses, period) for period in KNOWN_S if period >= shortest_s]
    good = [each for each in found if each.chance < _BY_CHANCE and each.is_plain]
    if not good and middle >= shortest_s:
        free = _try(recent, pauses, middle)
        good = [free] if free.chance < _SOUGHT_BY_CHANCE else []
    return min(good, key=lambda each: each.chance, default=None)


def _find_scenery(spikes: list[Spike]) -> Period | None:
    """Bursts of stutters every 10 to 15 minutes: the next tile of scenery is loaded.

    How long that takes depends on the speed of the flight, so it is no exact beat; but pauses of
    chance, whatever their rate, are seldom all of that length.
    """
    bursts: list[list[Spike]] = []
    for spike in spikes:
        if bursts and (spike.start_ns - bursts[-1][-1].monotonic_ns) / 1e9 < _BURST_S:
            bursts[-1].append(spike)
        else:
            bursts.append([spike])
    starts = [burst[0].start_ns / 1e9 for burst in bursts]
    pauses = [after - before for before, after in itertools.pairwise(starts)]
    least_s, most_s = _SCENERY_S
    fitting = [index for index, pause in enumerate(pauses) if least_s <= pause <= most_s]
    chance = binomial_tail(len(fitting), len(pauses), _SCENERY_BY_CHANCE)
    if not fitting or chance >= _BY_CHANCE:
        return None
    kept = sorted({index + step for index in fitting for step in (0, 1)})
    return Period(
        sorted(pauses[index] for index in fitting)[len(fitting) // 2],
        tuple(spike for index in kept for spike in bursts[index]),
        len(fitting),
        len(pauses),
        _SCENERY_BY_CHANCE * len(pauses),
        chance,
    )


def _is_by_probe(spikes: Sequence[Spike]) -> bool:
    """The probe tells ten times a second, and a crowded second is one spike: a beat in itself."""
    return any(spike.origin == WAKEUP_ORIGIN for spike in spikes)


def period_kind(period_s: float) -> str:
    """Who has a period: "overlay", "sensor", "writeback", "poller", "scenery" or "other"."""
    if _SCENERY_S[0] <= period_s <= _SCENERY_S[1]:
        return "scenery"
    if period_s not in KNOWN_S:
        return "other"
    if period_s == KNOWN_S[0]:
        return "overlay"
    if period_s in _WRITEBACK_S:
        return "writeback"
    return "sensor" if period_s <= _SENSORS_UP_TO_S else "poller"


def _try(spikes: list[Spike], pauses: list[float], period_s: float) -> Period:
    slack_s = min(_SLACK_S + _DRIFT * period_s, period_s / 4)
    share = min(2.0 * slack_s / period_s, 1.0)
    fitting = [index for index, pause in enumerate(pauses) if _fits(pause, period_s, slack_s)]
    kept = sorted({index + step for index in fitting for step in (0, 1)})
    return Period(
        period_s,
        tuple(spikes[index] for index in kept),
        len(fitting),
        len(pauses),
        share * len(pauses),
        binomial_tail(len(fitting), len(pauses), share) if len(fitting) >= _ENOUGH else 1.0,
        sum(pauses[index] < 1.5 * period_s for index in fitting),
    )


def _fits(pause_s: float, period_s: float, slack_s: float) -> bool:
    count = round(pause_s / period_s)
    return 1 <= count <= _MOST_MISSED and abs(pause_s - count * period_s) <= slack_s
