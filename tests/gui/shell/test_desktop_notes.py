# SPDX-License-Identifier: GPL-3.0-or-later
"""Of what the desktop notifies, and of what it does not."""

import pytest

from destutter.analysis.changes.tuning_state import Asked, Outcome, OutcomeKind
from destutter.bridge.notifications import Occasion
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.shell.desktop_notes import drift_note, recording_note, trial_note


@pytest.mark.parametrize(
    ("before", "now", "body"),
    [
        (None, {"a"}, None),
        ({"a"}, {"a"}, None),
        ({"a"}, set(), None),
        ({"a"}, {"a", "c", "b"}, "b and c"),
    ],
)
def test_only_what_drifts_anew_is_told(qapp, before, now, body):
    """Not what was found at the first look, nor what was told already, nor what is right again."""
    note = drift_note(before, now)
    assert (None if note is None else note.body) == body
    assert note is None or note.occasion is Occasion.DRIFT_FOUND


@pytest.mark.parametrize("kind", OutcomeKind)
def test_only_a_trial_that_ended_by_itself_is_told(qapp, kind):
    """What somebody asked for is answered where they asked."""
    note = trial_note(Outcome(kind, Asked.TRIAL))
    assert (note is not None) == (kind is OutcomeKind.ENDED)
    assert note is None or (note.occasion, note.body) == (Occasion.TRIAL_REVERTED, "")
    assert trial_note(None) is None


def test_the_end_of_a_recording_is_told_with_its_name(qapp):
    """Its begin is not."""
    assert recording_note(RecordingState(5, "flight")) is None
    note = recording_note(RecordingState(file_name="flight"))
    assert note is not None
    assert (note.occasion, note.body) == (Occasion.RECORDING_FINISHED, "flight")
