# SPDX-License-Identifier: GPL-3.0-or-later
"""How a request to the helper ended: as a report for whoever is asked for help, and row by row."""

from destutter.analysis.changes.tuning_state import Outcome, OutcomeKind
from destutter.tuning.keys import key_of
from destutter_helper.api.payload import Result


def report_text(outcome: Outcome) -> str:
    """The outcome for a bug report: plain English, one fact a line."""
    lines = [f"destutter {outcome.what}: {outcome.kind.value}"]
    if outcome.name:
        lines.append(f"error: {outcome.name}")
    if outcome.message:
        lines.append(f"reason: {outcome.message}")
    lines += [f"wanted: {key_of(each.id, each.device)}={each.value}" for each in outcome.changes]
    lines += [_result_line(each) for each in outcome.results]
    return "\n".join(lines)


def failures(outcome: Outcome | None) -> dict[str, str]:
    """Why single settings were left alone, in the helper's words, by "ID" or "ID@DEVICE"."""
    if outcome is None:
        return {}
    found = {
        key_of(each.id, each.device): each.note
        for each in outcome.results
        if each.outcome == "failed"
    }
    if outcome.kind is OutcomeKind.REFUSED:
        # Over the bus an error has one sentence, which begins with the entry that failed.
        for each in outcome.changes:
            where = f"{each.id} on {each.device}: " if each.device else f"{each.id}: "
            if outcome.message.startswith(where):
                found[key_of(each.id, each.device)] = outcome.message.removeprefix(where)
    return found


def _result_line(result: Result) -> str:
    note = f" ({result.note})" if result.note else ""
    return f"result: {key_of(result.id, result.device)} {result.outcome} {result.value}{note}"
