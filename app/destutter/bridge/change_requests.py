# SPDX-License-Identifier: GPL-3.0-or-later
"""Requests to the helper, one at a time: what is asked, whether it is under way, how it ended."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal, Slot

from destutter.analysis.changes.helper_results import is_partial
from destutter.analysis.changes.helper_statements import statement_of
from destutter.analysis.changes.tuning_state import (
    LASTS_ALWAYS,
    LASTS_RESTART,
    Asked,
    Busy,
    GameProcess,
    JournalChange,
    Outcome,
    OutcomeKind,
)
from destutter.bridge.helper_client import Availability, HelperClient
from destutter.bridge.owned_trial import AbsentHelperError, LostHelperError, OwnedTrial
from destutter.core.statement import Statement
from destutter_helper.api import names
from destutter_helper.api.names import TRIAL_USUAL_S, HelperError
from destutter_helper.api.payload import Change, ChangeSet, Result, Results, UndoRequest

_REQUESTS = frozenset(
    {
        *("BeginTrial", "Bind", "Extend", "Keep", "Revert", "Undo"),
        *("KeepForGame", "ForgetForGame"),
    }
)
_QUIET_ENDS = frozenset({names.ENDED_GAME, names.ENDED_REVERTED})  # of what is kept for a game
_WITH_TRIAL = frozenset({Asked.TRY, Asked.APPLY, Asked.REDO})

Step = tuple[tuple[Change, ...], str]


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """What is asked for: ``changes`` that last ``until`` then, or as long as the process
    ``lasts_with``, or that are kept for games of the name ``game``.
    """

    what: Asked
    changes: tuple[Change, ...] = ()
    until: str = ""
    game: str = ""
    lasts_with: GameProcess | None = None

    def became(
        self,
        kind: OutcomeKind,
        name: str = "",
        message: Statement | None = None,
        results: tuple[Result, ...] = (),
    ) -> Outcome:
        wished = self.changes, self.until, self.game
        return Outcome(kind, self.what, name, message, results, *wished)


class ChangeRequests(QObject):
    """``moved()`` when ``busy`` or ``outcome`` is new.

    A request while another one is under way is passed over: pages show ``busy`` and offer none.
    """

    moved = Signal()

    def __init__(self, client: HelperClient, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._client = client
        self._wish: ChangeRequest | None = None
        self._busy = Busy.NO
        self._outcome: Outcome | None = None
        self._is_given_up = False
        self._done: tuple[OutcomeKind, tuple[Result, ...]] | None = None
        self._accept_next: UndoRequest | None = None
        self._not_tied: HelperError | None = None
        self._steps: deque[Step] = deque()
        self._is_kept_running = False
        self._undone: tuple[Step, ...] = ()
        self._redo: tuple[Step, ...] = ()
        client.trial_begun.connect(self._trial_begun)
        client.trial_ended.connect(self._trial_ended)
        client.answered.connect(self._answered)
        client.failed.connect(self._failed)

    @property
    def busy(self) -> Busy:
        return self._busy

    @property
    def outcome(self) -> Outcome | None:
        """How the last request ended; None while one runs and before the first."""
        return self._outcome

    @property
    def can_redo(self) -> bool:
        """Whether the last undo can be taken back."""
        return bool(self._redo) and not self._busy

    def forget_outcome(self) -> None:
        """The user has read it."""
        if self._outcome is not None:
            self._outcome = None
            self.moved.emit()

    # --- requests ----------------------------------------------------------------------------

    def begin(
        self,
        changes: Sequence[Change],
        seconds: int,
        until: str = "",
        game: GameProcess | None = None,
    ) -> None:
        """Put changes on trial; ``until`` keeps them at once, ``game`` lets them last as long."""
        what = Asked.APPLY if until else Asked.TRY
        self._begin(ChangeRequest(what, tuple(changes), until, lasts_with=game), seconds)

    def _begin(self, wish: ChangeRequest, seconds: int) -> None:
        change_set = ChangeSet(wish.changes)
        self._start(wish, Busy.ASKING, partial(self._client.begin_trial, change_set, seconds))

    def keep(self, until: str, changes: Sequence[Change]) -> None:
        if self._client.trial is not None:
            wish = ChangeRequest(Asked.KEEP, tuple(changes), until)
            self._start(wish, Busy.ASKING, partial(self._client.keep, until))

    def keep_for_game(self, game: str, changes: Sequence[Change]) -> None:
        """Keep them for a game of this name, instead of what was kept for it."""
        wish = ChangeRequest(Asked.KEEP_GAME, tuple(changes), game=game)
        change_set = ChangeSet(wish.changes)
        self._start(wish, Busy.ASKING, partial(self._client.keep_for_game, game, change_set))

    def forget_for_game(self, set_id: str, game: str) -> None:
        """Keep nothing for it any more; what of that is set now goes back."""
        wish = ChangeRequest(Asked.FORGET_GAME, game=game)
        self._start(wish, Busy.WORKING, partial(self._client.forget_for_game, set_id))

    def revert(self) -> None:
        """Take the running trial back; that of another program by an undo of nothing else."""
        wish = ChangeRequest(Asked.REVERT)
        if self._client.trial is not None:
            self._start(wish, Busy.WORKING, self._client.revert)
        else:
            self._start(wish, Busy.ASKING, partial(self._client.undo, UndoRequest(())))

    def extend(self, seconds: int) -> None:
        """Move the own trial's end to so many seconds from now."""
        if self._client.trial is not None:
            self._start(
                ChangeRequest(Asked.EXTEND), Busy.WORKING, partial(self._client.extend, seconds)
            )

    def undo(
        self, request: UndoRequest, taken_back: Sequence[JournalChange], known: frozenset[str]
    ) -> None:
        """Take back; ``taken_back`` is what a redo would set again.

        ``known`` names what an undo has already left alone: only that can be accepted, so for
        anything else the helper is asked twice.
        """
        wish = ChangeRequest(Asked.UNDO)
        if not self._may_start(wish):
            return
        first = tuple(key for key in request.accept if key not in known)
        if first and request.ids is not None:
            request = replace(request, ids=(*request.ids, *first))
        self._accept_next = UndoRequest((), (), first) if first else None
        self._undone = _steps(taken_back)
        self._redo = ()
        self._start(wish, Busy.ASKING, partial(self._client.undo, request))

    def redo(self) -> None:
        """Set again what the last undo took back, each for as long as before."""
        if self._redo and self._may_start(ChangeRequest(Asked.REDO)):
            self._steps, self._redo = deque(self._redo), ()
            changes, until = self._steps.popleft()
            self._begin(ChangeRequest(Asked.REDO, changes, until), TRIAL_USUAL_S)

    def cancel(self) -> None:
        """Wait no longer for a password; if it is typed yet, the trial goes back at once.

        One that has begun goes back now: what is asked for then is the right to keep it.
        """
        if self._busy is Busy.ASKING and self._wish is not None and self._wish.what in _WITH_TRIAL:
            self._is_given_up = True
            self._end(self._wish.became(OutcomeKind.CANCELLED))
            if self._client.trial is not None:
                self._client.revert()

    # --- answers -----------------------------------------------------------------------------

    @Slot(object)
    def _trial_begun(self, _trial: OwnedTrial) -> None:
        if self._is_given_up:
            self._client.revert()
        elif self._wish is not None and self._wish.until:
            self._client.keep(self._wish.until)
        elif self._wish is not None and self._wish.lasts_with is not None:
            self._client.bind(self._wish.lasts_with)
        else:
            self._done = (OutcomeKind.DONE, ())

    def settle(self) -> bool:
        """The helper's state after the answer is known: only now the request is over.

        Whether one was, which ``moved`` has told then.
        """
        if self._done is None or self._wish is None:
            return False
        kind, results = self._done
        self._end(self._wish.became(kind, results=results))
        return True

    @Slot(str, object)
    def _trial_ended(self, reason: str, results: Results) -> None:
        is_asked_for = reason in (names.ENDED_KEPT, names.ENDED_REVERTED) and (
            bool(self._busy) or self._is_given_up
        )
        self._is_given_up = False
        is_usual = reason in _QUIET_ENDS and not is_partial(results.results)
        if self._is_kept_running and is_usual:  # as it does each time that somebody plays
            is_asked_for = True
        self._is_kept_running = False
        if not is_asked_for and self._wish is None:
            ended = ChangeRequest(Asked.TRIAL)
            self._outcome = ended.became(OutcomeKind.ENDED, reason, results=results.results)
            self.moved.emit()

    @Slot(str, object)
    def _answered(self, method: str, value: object) -> None:
        if method == "BeginForGame":
            self._is_kept_running = True
        if method not in _REQUESTS or self._wish is None:
            return
        if method == "Extend" and self._wish.what is not Asked.EXTEND:
            return  # of the clock, which renews what lasts as long as a game
        results = value.results if isinstance(value, Results) else ()
        if method == "Revert" and self._not_tied is not None:
            self._end_untied()
        elif method == "Keep" and self._steps:
            changes, until = self._steps.popleft()
            self._wish = replace(self._wish, changes=changes, until=until)
            self._client.begin_trial(ChangeSet(changes), TRIAL_USUAL_S)
        elif method == "Undo" and self._accept_next is not None:
            request, self._accept_next = self._accept_next, None
            self._client.undo(request)
        else:
            kind = OutcomeKind.PARTLY if is_partial(results) else OutcomeKind.DONE
            if method == "Undo":
                self._redo, self._undone = self._undone, ()
            self._done = (kind, results)
            if method in {"Bind", "Extend", "KeepForGame", "ForgetForGame"}:
                self._client.ask_state()

    @Slot(str, object)
    def _failed(self, method: str, error: HelperError) -> None:
        if method == "GetState":
            self.settle()
        if method not in _REQUESTS:
            return
        if method == "Extend" and self._wish is not None and self._wish.what is not Asked.EXTEND:
            return
        if method == "Bind" and self._wish is not None:
            # Shorter than was asked for is not what was asked for.
            self._not_tied = error
            self._client.revert()
        elif method == "Revert" and self._not_tied is not None:
            self._end_untied()
        elif self._is_given_up and method in {"BeginTrial", "Revert"}:
            self._is_given_up = False
        elif self._wish is not None:
            self._end(self._wish.became(_kind_of(error), error.name, _said_by(error)))

    # --- inside ------------------------------------------------------------------------------

    def _end_untied(self) -> None:
        error, self._not_tied = self._not_tied, None
        if error is not None and self._wish is not None:
            is_older = error.name == "Unsupported"
            said = Statement("bridge.helper.older") if is_older else _said_by(error)
            self._end(self._wish.became(_kind_of(error), error.name, said))

    def _may_start(self, wish: ChangeRequest) -> bool:
        if self._busy:
            return False
        if self._client.status.availability is not Availability.READY:
            reason = self._client.status.reason
            self._outcome = wish.became(OutcomeKind.ABSENT, message=reason)
            self.moved.emit()
            return False
        return True

    def _start(self, wish: ChangeRequest, busy: Busy, request: Callable[[], None]) -> None:
        # The way back is never barred by something else that is under way.
        if (
            wish.what is Asked.REVERT
            and self._busy is Busy.ASKING
            and self._client.trial is not None
        ):
            self._busy = Busy.NO
        if self._may_start(wish):
            self._wish, self._busy, self._outcome = wish, busy, None
            self.moved.emit()
            request()

    def _end(self, outcome: Outcome) -> None:
        self._outcome = outcome
        self._wish, self._busy, self._accept_next, self._done = None, Busy.NO, None, None
        self._steps.clear()
        self.moved.emit()


def _steps(changes: Sequence[JournalChange]) -> tuple[Step, ...]:
    """What a redo sets: first what is kept for every start, then what lasts until the restart."""
    found = []
    for until in (LASTS_ALWAYS, LASTS_RESTART):
        group = tuple(each.change for each in changes if each.lasts == until and each.change)
        if group:
            found.append((group, until))
    return tuple(found)


def _said_by(error: HelperError) -> Statement:
    if isinstance(error, AbsentHelperError | LostHelperError):
        return error.statement
    return statement_of(error.whole)


def _kind_of(error: HelperError) -> OutcomeKind:
    if isinstance(error, AbsentHelperError):
        return OutcomeKind.ABSENT
    if isinstance(error, LostHelperError):
        return OutcomeKind.LOST
    kinds = {"Dismissed": OutcomeKind.CANCELLED, "NotAuthorized": OutcomeKind.DENIED}
    return kinds.get(error.name, OutcomeKind.REFUSED)
