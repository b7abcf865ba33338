# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's countdown, followed here: asked again every few seconds and at its end."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer

from destutter.analysis.changes.tuning_state import (
    LASTS_TRIAL,
    JournalChange,
    RunningTrial,
    boottime_ns,
)
from destutter.bridge.helper_client import HelperClient
from destutter_helper.api.names import STATE_TRIAL, TRIAL_MAX_S
from destutter_helper.api.payload import State

_ASK_MS = 5_000  # so long a trial that was extended or ended elsewhere may show a wrong time
_ASK_AT_END_MS = 1_000  # the end is shown when it comes
# Of the two minutes that a trial for a game has: a window that hangs misses many of these looks
# before it goes back.
_RENEW_BELOW_S = 90
_NS = 1_000_000_000


class TrialClock(QObject):
    """Turns the helper's whole seconds into a moment that does not jump."""

    def __init__(self, client: HelperClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._trial: RunningTrial | None = None
        self._followed: State | None = None
        self._ask = QTimer(self)
        self._ask.timeout.connect(client.ask_state)

    def follow(self, state: State, changes: Sequence[JournalChange]) -> RunningTrial | None:
        """Keep asking while this state tells of a trial, which is returned; None without one.

        Told again, for something else is new, a state says nothing more of the time: its seconds
        were left when it came.
        """
        if state.state != STATE_TRIAL:
            self.stop()
            return None
        ours = self._client.trial
        txid = "" if ours is None else ours.txid
        before = self._trial if self._trial is not None and self._trial.txid == txid else None
        is_told_again, self._followed = state is self._followed, state
        ends_ns = _end(before, state.seconds_left)
        if is_told_again and before is not None:
            ends_ns = before.ends_boottime_ns
        is_moved = before is None or ends_ns > before.ends_boottime_ns + _NS
        total_s = state.seconds_left if before is None or is_moved else before.total_s
        on_trial = tuple(each for each in changes if each.lasts == LASTS_TRIAL)
        game = None if ours is None else ours.game
        if game is not None and not is_told_again and state.seconds_left < _RENEW_BELOW_S:
            self._client.extend(TRIAL_MAX_S)
        self._trial = RunningTrial(
            txid,
            on_trial,
            ends_ns,
            max(total_s, 1),
            ours is not None,
            state.owner_uid,
            "" if game is None else game.name,
            is_kept=ours is not None and bool(ours.set_id),
        )
        self._ask.start(_ASK_MS if state.seconds_left > _ASK_MS // 1000 else _ASK_AT_END_MS)
        return self._trial

    def stop(self) -> None:
        """There is no trial."""
        self._trial = None
        self._ask.stop()


def _end(before: RunningTrial | None, seconds_left: int) -> int:
    """When a trial ends; the helper rounds up, so the moment known before stays if it fits."""
    latest_ns = boottime_ns() + seconds_left * _NS
    if before is not None and latest_ns - _NS <= before.ends_boottime_ns <= latest_ns:
        return before.ends_boottime_ns
    return latest_ns
