# SPDX-License-Identifier: GPL-3.0-or-later
"""Of what the desktop notifies somebody who does not look at the window, and in which words."""

from collections.abc import Set as AbstractSet

from PySide6.QtCore import QCoreApplication

from destutter.analysis.changes.helper_results import is_partial
from destutter.analysis.changes.tuning_state import Outcome, OutcomeKind
from destutter.bridge.notifications import Note, Occasion
from destutter.ui.pages.feed_state import RecordingState
from destutter.ui.words.words import spoken

translate = QCoreApplication.translate


def drift_note(before: AbstractSet[str] | None, now: AbstractSet[str]) -> Note | None:
    """Settings (keys) that something else has changed since; of those that were found at the
    first look (``before`` None) the page Changes tells.
    """
    if before is None or not now - before:
        return None
    summary = translate("Notification", "A setting was changed by something else")
    return Note(Occasion.DRIFT_FOUND, summary, spoken().listed(sorted(now - before)))


def trial_note(outcome: Outcome | None) -> Note | None:
    """A trial that has ended by itself."""
    if outcome is None or outcome.kind is not OutcomeKind.ENDED:
        return None
    is_back = outcome.results and not is_partial(outcome.results)
    back = translate("Notification", "The old values are back.") if is_back else ""
    return Note(Occasion.TRIAL_REVERTED, translate("Notification", "The trial has ended"), back)


def recording_note(state: RecordingState) -> Note | None:
    """A recording that has ended, if it is one that has."""
    if state.is_recording:
        return None
    summary = translate("Notification", "Recording finished")
    return Note(Occasion.RECORDING_FINISHED, summary, state.file_name)
