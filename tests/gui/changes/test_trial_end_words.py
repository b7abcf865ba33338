# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window says at the end of a trial of which it did not decide itself."""

import pytest

from destutter.analysis.changes.tuning_state import Outcome, OutcomeKind
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
    outcome = Outcome(OutcomeKind.ENDED, "trial", name=names.ENDED_OWNER_GONE, results=results)
    told = outcome_text(outcome)
    assert told is not None
    assert told.headline.startswith(headline)
    assert ("old values" in told.headline) == bool(results and results[0].outcome == "restored")
