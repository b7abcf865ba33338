# SPDX-License-Identifier: GPL-3.0-or-later
"""Which value a setting should have on this computer, why, and what it costs.

Rules propose (``advice_memory``, ``advice_storage``, ``advice_power``); this module decides what
is said. A proposal is dropped when the setting is not there, when it has that value already,
when the value would leave the safe range of the registry, when it needs a measured cause that was
not found, and when somebody chose the present value and no measured cause speaks against it.
"""

from destutter.tuning.advice_memory import MEMORY_RULES
from destutter.tuning.advice_power import POWER_RULES
from destutter.tuning.advice_storage import STORAGE_RULES
from destutter.tuning.recommendation import Recommendation, Rule, Situation
from destutter_helper.api.safe_values import safe_range
from destutter_helper.api.tunables import BY_ID, CHOICE, HOLD, INT

RULES: tuple[Rule, ...] = (*MEMORY_RULES, *STORAGE_RULES, *POWER_RULES)


def recommend(situation: Situation) -> tuple[Recommendation, ...]:
    """All recommendations, in the order in which settings are written."""
    proposals = [proposal for rule in RULES for proposal in rule(situation)]
    kept = [each for each in proposals if _is_worth_saying(each, situation)]
    told = {each.key for each in kept}
    # What only makes sense together is said together.
    kept = [each for each in kept if told.issuperset(each.with_others)]
    return tuple(sorted(kept, key=lambda each: (BY_ID[each.tunable].rank, each.key)))


def _is_worth_saying(proposal: Recommendation, situation: Situation) -> bool:
    present = situation.values.get(proposal.key)
    if present is None or present == proposal.recommended:
        return False
    has_evidence = situation.found(*proposal.causes)
    if not (has_evidence or proposal.stands_alone):
        return False
    if proposal.key in situation.chosen and not (has_evidence or proposal.overrules):
        return False
    return is_safe(proposal.tunable, proposal.recommended, situation.profile.memory_kib)


def is_safe(tunable_id: str, value: str, memory_kib: int | None) -> bool:
    """Whether a value is one that the registry lets a user ask for."""
    tunable = BY_ID[tunable_id]
    if tunable.kind == CHOICE:
        return value in tunable.offered
    if tunable.kind == HOLD and tunable.choices:
        return value in tunable.offered
    if not (value.isascii() and value.isdecimal()):
        return False
    limits = tunable.safe if memory_kib is None else safe_range(tunable, memory_kib)
    if limits is None:
        return tunable.kind != INT
    return limits[0] <= int(value) <= limits[1]
