# SPDX-License-Identifier: GPL-3.0-or-later
"""How dangerous it is to have a value at every start of the computer."""

from destutter.tuning.recommendation import HIGH, LOW, Recommendation, usual_risk
from destutter_helper.api.payload import Change
from destutter_helper.api.tunables import BY_ID, POLICY

_LARGE_RESERVE = 0.02  # of memory: twice the most that is advised (advice_memory.py)
_LARGE_SCALE = 300  # 3 %, the most that is advised below 64 GB (advice_memory.py)


def risk_of(
    change: Change, memory_kib: int | None, recommendation: Recommendation | None = None
) -> str:
    """``LOW``, ``MEDIUM`` or ``HIGH``; a recommendation of the same value knows it best.

    High is what can leave a computer without memory or without processor time while it starts:
    a reserve above 2 % of memory, marks wider than 3 % of each zone, a real-time ksoftirqd.
    """
    if recommendation is not None and recommendation.recommended == change.value:
        return recommendation.risk
    number = int(change.value) if change.value.isdecimal() else 0
    if BY_ID[change.id].kind == POLICY and change.value == "other":
        return LOW
    is_high = (change.id == "vm.watermark_scale_factor" and number > _LARGE_SCALE) or (
        change.id == "vm.min_free_kbytes"
        and memory_kib is not None
        and number > memory_kib * _LARGE_RESERVE
    )
    if is_high:
        return HIGH
    return usual_risk(change.id)
