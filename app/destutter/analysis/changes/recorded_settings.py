# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of the computer of a recording, and what would be advised for it. No Qt."""

from collections.abc import Mapping, Sequence
from typing import Any

from destutter.analysis.changes.tuning_state import JournalChange, RunningTrial
from destutter.analysis.examining.measured_demand import MeasuredDemand
from destutter.analysis.examining.pipeline import Snapshot
from destutter.core.sample import Header
from destutter.diagnosis.finding import Finding
from destutter.tuning.advice import recommend
from destutter.tuning.current import CurrentValue
from destutter.tuning.defaults import UNKNOWN
from destutter.tuning.ownership import Ownership
from destutter.tuning.presets import GENERAL, Preset
from destutter.tuning.recommendation import Recommendation, Situation, with_twins
from destutter.tuning.recorded_profile import recorded_choices, recorded_profile
from destutter_helper.api.tunables import BY_ID

_SAME = ("cpu_model", "cpus", "gpus", "virtual_machine")
_NEARLY_KIB = 256 * 1024  # another kernel keeps less for itself, and a module of memory is larger


class RecordedSettings:
    """Follows a recording that is played. It changes nothing: there is nothing to change."""

    def __init__(self) -> None:
        self._header: Header | None = None
        self._demand = MeasuredDemand()
        self._findings: frozenset[tuple[str, object]] = frozenset()
        self._preset: Preset = GENERAL
        self._values: dict[str, CurrentValue] = {}
        self._owners: dict[str, Ownership] = {}
        self._recommendations: dict[str, Recommendation] = {}

    @property
    def values(self) -> Mapping[str, CurrentValue]:
        """The values at the beginning of the recording."""
        return self._values

    @property
    def owners(self) -> Mapping[str, Ownership]:
        """Who had set them, as far as the values tell."""
        return self._owners

    @property
    def recommendations(self) -> Mapping[str, Recommendation]:
        """What would be advised."""
        return self._recommendations

    @property
    def journal_changes(self) -> tuple[JournalChange, ...]:
        """Nothing of it can be undone here."""
        return ()

    @property
    def trial(self) -> RunningTrial | None:
        """None runs in a recording."""
        return None

    def accept_snapshot(self, snapshot: Snapshot, preset: Preset = GENERAL) -> bool:
        """Take in a snapshot, and what is played; whether something is new."""
        is_other = snapshot.header is not None and snapshot.header != self._header
        if is_other and snapshot.header is not None:
            self._header = snapshot.header
            self._demand.page_bytes = snapshot.header.page_bytes
            self._read(with_twins(dict(snapshot.header.tunables)))
        self._demand.accept_metrics(snapshot.metrics)
        found = frozenset((one.cause, one.confidence) for one in snapshot.assessment.findings)
        is_new = is_other or found != self._findings or preset != self._preset
        if self._header is None or not is_new:
            return False
        self._findings, self._preset = found, preset
        self._advise(self._header, snapshot.facts, snapshot.assessment.findings)
        return True

    def _read(self, recorded: Mapping[str, str]) -> None:
        chosen = recorded_choices(recorded)
        self._values, self._owners = {}, {}
        for key, value in recorded.items():
            id_, _, device = key.partition("@")
            tunable = BY_ID.get(id_)
            if tunable is None:
                continue  # of a newer version of this program
            is_active = not (tunable.twin and value == "0")
            self._values[key] = CurrentValue(
                id_, device, tunable.label, tunable.unit, value, is_active=is_active
            )
            if key in chosen:
                self._owners[key] = Ownership(id_, device, UNKNOWN, is_chosen=True)

    def _advise(
        self, header: Header, facts: Mapping[str, str], findings: Sequence[Finding]
    ) -> None:
        values = {key: each.value for key, each in self._values.items() if each.value is not None}
        situation = Situation(
            recorded_profile(header.machine, facts, values),
            values,
            recorded_choices(values),
            self._demand.measured(findings),
            self._preset,
        )
        self._recommendations = {each.key: each for each in recommend(situation)}


def is_same_computer(recorded: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Whether two ``machine`` descriptions of a header are of one computer, as far as they tell.

    Memory may differ by what another kernel keeps for itself. False without a description.
    """
    sizes = recorded.get("memory_kib"), own.get("memory_kib")
    if type(sizes[0]) is not int or type(sizes[1]) is not int or not recorded.get("cpu_model"):
        return False
    is_as_large = abs(sizes[0] - sizes[1]) < _NEARLY_KIB
    return is_as_large and all(recorded.get(name) == own.get(name) for name in _SAME)
