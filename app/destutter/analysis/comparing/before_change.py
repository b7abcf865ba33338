# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a game that went on from one recording to the next was like the second before it began.

A program of somebody else's ended in the middle of a recording; the trial that followed was told
to be "smoother", though the last minutes of the recording had been as smooth without any change.
"""

import numpy as np

from destutter.analysis.comparing.rows import RowSpec, measure
from destutter.analysis.examining.summary import SessionSummary
from destutter.diagnosis.runs.compared_minutes import LEAST_PHASE_MINUTES, Minutes

_LONGEST_GAP_S = 3600.0  # a choice: what was an hour ago says little of now
_NEAR = 0.25  # of the way between the means of both: two minutes never are alike
_SAME_PLAY = ("game.pid", "game.started")


def had_changed_before(row: RowSpec, a: SessionSummary, b: SessionSummary) -> bool:
    """Whether the last minutes of ``a`` were already like ``b``, of the same run of the game.

    Three at least, and every one of them on that side of all before: of eight minutes in random
    order the last three are that in one of 56 cases. A game that was started anew begins anew.
    """
    if not _goes_on(a, b):
        return False
    compared = measure(row, a, b, None)
    first = _rates(compared.a, compared.work_a)
    second = _rates(compared.b, compared.work_b)
    if not (first.size and second.size):
        return False
    mean_b = float(second.mean())
    distance = float(first.mean()) - mean_b
    sign = 1.0 if distance > 0 else -1.0
    return any(
        _is_apart(sign * first[:-count], sign * first[-count:])
        and sign * (float(first[-count:].mean()) - mean_b) <= _NEAR * abs(distance)
        for count in range(LEAST_PHASE_MINUTES, first.size // 2 + 1)
    )


def _is_apart(earlier: Minutes, last: Minutes) -> bool:
    return float(last.max()) < float(earlier.min())


def _goes_on(a: SessionSummary, b: SessionSummary) -> bool:
    """Whether it is one run of the game, recorded twice, the second soon behind the first."""
    if a.started_at is None or b.started_at is None:
        return False
    is_same = all(a.facts.get(each) and a.facts[each] == b.facts.get(each) for each in _SAME_PLAY)
    gap_s = b.started_at - (a.started_at + a.duration_s)
    return is_same and -1.0 <= gap_s <= _LONGEST_GAP_S


def _rates(values: Minutes, work: Minutes | None) -> Minutes:
    known = ~np.isnan(values)
    if work is None:
        return values[known]
    known &= work > 0
    return values[known] / work[known]
