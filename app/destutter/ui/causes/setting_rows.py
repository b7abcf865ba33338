# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be changed against a cause, one row per setting, each in its state. No Qt."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from destutter.analysis.changes.tuning_state import LASTS_TRIAL, JournalChange, RunningTrial
from destutter.core.statement import Statement
from destutter.diagnosis.causes.registry import CAUSE_BY_ID
from destutter.diagnosis.finding import Confidence, Finding
from destutter.tuning.current import CurrentValue
from destutter.tuning.ownership import Ownership
from destutter.tuning.recommendation import HIGH, LOW, Recommendation, against
from destutter_helper.api.payload import Change
from destutter_helper.api.tunables import BY_ID, is_accepted


class RowState(StrEnum):
    """What a row offers."""

    OFFERED = "offered"
    ON_TRIAL = "on_trial"
    APPLIED = "applied"
    DRIFTED = "drifted"
    IN_FORCE = "in_force"
    FITS = "fits"
    IMPOSSIBLE = "impossible"


class TuningFacts(Protocol):
    """What rows are made of: this computer's settings, or those of a recording."""

    @property
    def values(self) -> Mapping[str, CurrentValue]:
        """Present values by "ID" or "ID@DEVICE"."""
        ...

    @property
    def owners(self) -> Mapping[str, Ownership]:
        """Who set them."""
        ...

    @property
    def recommendations(self) -> Mapping[str, Recommendation]:
        """What is advised."""
        ...

    @property
    def journal_changes(self) -> tuple[JournalChange, ...]:
        """What Destutter changed."""
        ...

    @property
    def trial(self) -> RunningTrial | None:
        """The trial that runs."""
        ...


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One setting. ``now`` None: there is none to read, and ``why`` says why.

    ``advice`` is None where nothing is advised. ``lasts`` and ``changed_at`` (seconds since 1970)
    belong to what Destutter changed. ``failure`` is why it was left alone just now.
    """

    key: str
    tunable: str
    device: str
    state: RowState
    now: str | None
    advice: Recommendation | None = None
    why: Statement | None = None
    set_by: Statement | None = None
    is_chosen: bool = False
    original: str | None = None
    lasts: str = ""
    changed_at: float | None = None
    failure: Statement | None = None

    @property
    def change(self) -> Change | None:
        """What applying the row asks for; None where it offers nothing."""
        if self.state is not RowState.OFFERED or self.advice is None:
            return None
        return Change(self.tunable, self.advice.recommended, self.device)

    @property
    def is_suggested(self) -> bool:
        """Whether it is chosen beforehand: no risk to speak of, and nobody's own choice."""
        return self.change is not None and self.risk == LOW and not self.is_chosen

    @property
    def risk(self) -> str:
        """ "low", "medium" or "high"; empty without advice."""
        return "" if self.advice is None else self.advice.risk

    @property
    def is_dangerous(self) -> bool:
        """Whether what can go wrong has to be read first."""
        return self.risk == HIGH


Remembered = Mapping[str, Recommendation]


def rows_for(
    facts: TuningFacts, finding: Finding, remembered: Remembered
) -> tuple[SettingRow, ...]:
    """The rows of a finding in the order in which settings are written.

    ``remembered`` is what was advised against the cause before, by key: what has been applied is
    advised no more, and keeps its words.
    """
    advised = {
        each.key: each for each in against(tuple(facts.recommendations.values()), finding.cause)
    }
    changed = {each.key: each for each in facts.journal_changes}
    keys = dict.fromkeys((*advised, *remembered, *_bearing(facts, finding, changed)))
    rows = [
        row
        for key in keys
        if (
            row := _row(
                facts, key, advised.get(key), remembered.get(key), changed.get(key), finding
            )
        )
    ]
    return tuple(sorted(rows, key=_order))


def _order(row: SettingRow) -> tuple[bool, int, str]:
    tunable = BY_ID.get(row.tunable)
    is_idle = row.state in (RowState.FITS, RowState.IMPOSSIBLE)
    return is_idle, 0 if tunable is None else tunable.rank, row.key


def _bearing(
    facts: TuningFacts, finding: Finding, changed: Mapping[str, JournalChange]
) -> Iterator[str]:
    """Settings that bear on the cause, on the drives that the finding is about."""
    spec = CAUSE_BY_ID.get(finding.cause)
    wanted = frozenset(() if spec is None else spec.tunables)
    about = {each.instance for each in finding.evidence if each.metric.startswith("disk.")}
    for key, value in facts.values.items():
        if value.id not in wanted or not value.is_active:
            continue
        if key in changed or not value.device or not about or value.device in about:
            yield key
    yield from (key for key, each in changed.items() if each.id in wanted)


def _row(
    facts: TuningFacts,
    key: str,
    advised: Recommendation | None,
    before: Recommendation | None,
    changed: JournalChange | None,
    finding: Finding,
) -> SettingRow | None:
    tunable, _, device = key.partition("@")
    value, owner = facts.values.get(key), facts.owners.get(key)
    now = None if value is None else value.value
    state = _state(facts, key, advised, before, changed, now)
    # What was advised a minute ago and is no more is no "recommended" beside "no better value".
    advice = advised or (None if state is RowState.FITS else before)
    if state is RowState.FITS and finding.confidence is Confidence.LOW:
        return None  # nothing was looked for on evidence this weak
    if state in (RowState.ON_TRIAL, RowState.APPLIED):
        owner = None  # Destutter, as its state says: "set by unknown" stood beside it
    return SettingRow(
        key,
        tunable,
        device,
        state,
        now,
        advice,
        None if value is None else value.why,
        None if owner is None else owner.set_by,
        is_chosen=owner is not None and owner.is_chosen,
        original=None if changed is None else changed.origin,
        lasts="" if changed is None else changed.lasts,
        changed_at=None if changed is None else changed.changed_at,
    )


def _state(
    facts: TuningFacts,
    key: str,
    advised: Recommendation | None,
    before: Recommendation | None,
    changed: JournalChange | None,
    now: str | None,
) -> RowState:
    on_trial = {each.key for each in (facts.trial.changes if facts.trial is not None else ())}
    if key in on_trial or (changed is not None and changed.lasts == LASTS_TRIAL):
        return RowState.ON_TRIAL
    if changed is not None:
        return RowState.DRIFTED if changed.is_drifted else RowState.APPLIED
    if now is None:
        return RowState.IMPOSSIBLE
    if advised is not None:
        return RowState.OFFERED
    if before is not None and _has(before, now):
        return RowState.IN_FORCE
    return RowState.FITS


def _has(advice: Recommendation, now: str) -> bool:
    tunable = BY_ID.get(advice.tunable)
    return tunable is not None and is_accepted(tunable, advice.recommended, now)


def partners(row: SettingRow, rows: Sequence[SettingRow]) -> tuple[str, ...]:
    """Keys of the rows that have to be chosen together with this one."""
    if row.advice is None:
        return ()
    names = set(row.advice.with_others)
    return tuple(each.key for each in rows if each.key in names or each.tunable in names)
