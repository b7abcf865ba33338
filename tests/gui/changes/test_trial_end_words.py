# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window says at the end of a trial of which it did not decide itself."""

import pytest

from destutter.analysis.changes.tuning_state import Asked, Outcome, OutcomeKind
from destutter.ui.causes.request_words import outcome_banner
from destutter.ui.changes.outcome_words import outcome_text
from destutter_helper.api import names
from destutter_helper.api.payload import Result

_ROW = ("vm.swappiness", "")


@pytest.mark.parametrize(
    ("results", "headline"),
    [
        ((Result(*_ROW, "restored", "60", "60", ""),), "The trial ended and the old values"),
        ((), "The trial ended"),
        ((Result(*_ROW, "foreign", "77", "60", ""),), "1 setting(s) left as found"),
    ],
)
def test_only_what_was_taken_back_is_told_as_that(
    qapp: object, results: tuple[Result, ...], headline: str
) -> None:
    """A helper that was killed with its journal has no result, and the values are still there."""
    outcome = Outcome(OutcomeKind.ENDED, Asked.TRIAL, name=names.ENDED_OWNER_GONE, results=results)
    told = outcome_text(outcome)
    assert told is not None
    assert told.headline.startswith(headline)
    assert ("old values" in told.headline) == bool(results and results[0].outcome == "restored")


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(
            OutcomeKind.PARTLY, Asked.APPLY, results=(Result(*_ROW, "failed", "60", "60", ""),)
        ),
        Outcome(
            OutcomeKind.PARTLY, Asked.UNDO, results=(Result(*_ROW, "foreign", "77", "60", ""),)
        ),
        Outcome(OutcomeKind.DENIED, Asked.APPLY),
        Outcome(OutcomeKind.LOST, Asked.APPLY),
    ],
    ids=lambda outcome: outcome.kind.value,
)
def test_a_request_ends_in_the_same_words_on_both_pages(qapp: object, outcome: Outcome) -> None:
    """That of causes asks for the same changes as that of changes."""
    assert outcome_banner(outcome) == outcome_text(outcome) is not None
