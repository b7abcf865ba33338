# SPDX-License-Identifier: GPL-3.0-or-later
"""How a request to the helper ended: as a report for whoever is asked for help, and row by row."""

from destutter.analysis.changes.helper_statements import note_of
from destutter.analysis.changes.tuning_state import Outcome, OutcomeKind
from destutter.core.statement import Statement
from destutter.tuning.keys import key_of
from destutter.words.renderer import english
from destutter_helper.api.payload import Result

_OF_ENTRY = frozenset({"helper.entry", "helper.entry_on"})


def report_text(outcome: Outcome) -> str:
    """The outcome for a bug report: plain English, one fact a line."""
    lines = [f"destutter {outcome.what}: {outcome.kind.value}"]
    if outcome.name:
        lines.append(f"error: {outcome.name}")
    if outcome.message is not None:
        lines.append(f"reason: {english(outcome.message)}")
    lines += [f"wanted: {key_of(each.id, each.device)}={each.value}" for each in outcome.changes]
    lines += [_result_line(each) for each in outcome.results]
    return "\n".join(lines)


def failures(outcome: Outcome | None) -> dict[str, Statement]:
    """Why single settings were left alone, as the helper says, by "ID" or "ID@DEVICE"."""
    if outcome is None:
        return {}
    found = {
        key_of(each.id, each.device): note
        for each in outcome.results
        if each.outcome == "failed" and (note := note_of(each)) is not None
    }
    message = outcome.message
    if outcome.kind is OutcomeKind.REFUSED and message is not None and message.id in _OF_ENTRY:
        id_, device = message.values.get("name"), message.values.get("device", "")
        reason = message.values.get("reason")
        if isinstance(reason, Statement):
            found[key_of(str(id_), str(device))] = reason
    return found


def _result_line(result: Result) -> str:
    told = result.until or result.note
    note = f" ({told})" if told else ""
    return f"result: {key_of(result.id, result.device)} {result.outcome} {result.value}{note}"
