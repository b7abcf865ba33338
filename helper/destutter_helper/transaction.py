# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine: change sets on trial, kept, taken back. It knows no D-Bus, no caller, no polkit.

For the layer above (service, --boot, --recover, --undo-all)::

    engine = open_engine("/", log=print)    # takes the lock; HelperError Busy when it is taken
    engine.recover()                        # always first; results, and maybe a re-armed trial
    trial = engine.begin_trial(change_set, owner_uid=1000, owner_name=":1.42", seconds=30)
    engine.expire()                         # call from a timer; reverts what is overdue
    engine.revert(trial.txid, ENDED_HOLD_CLOSED)
    engine.keep(trial.txid, KEEP_RESTART)
    engine.undo(None)
    engine.close()                          # gives up holds and the lock, changes nothing else

Who may call what is the business of the layer above: the engine compares no uids. Every method
either does its work or raises ``HelperError``; when it raises, nothing is changed (what a failed
set had already written is back), with the exceptions that the error's text names. No method
blocks on anything but the state directory's fsync and the kernel's own files.
"""

from dataclasses import dataclass

from destutter_helper.api.payload import (
    ChangeSet,
    Plan,
    Result,
    State,
    TunableState,
    UndoRequest,
)


@dataclass(frozen=True, slots=True)
class Trial:
    """A running trial. ``deadline_boottime_ns`` is on CLOCK_BOOTTIME, which counts sleep."""

    txid: str
    owner_uid: int
    owner_name: str
    deadline_boottime_ns: int
    results: tuple[Result, ...]


class Engine:
    """One per process and computer; single-threaded. Made by ``open_engine``."""

    def list_tunables(self) -> tuple[TunableState, ...]:
        """Every setting on every device with its value of now, or why there is none."""
        raise NotImplementedError

    def preview(self, change_set: ChangeSet) -> Plan:
        """What ``begin_trial`` would write, in order; raises what it would raise before writing.

        Errors: InvalidArgument, UnknownKey, OutOfRange, DeviceGone, Unsupported, each naming the
        entry. Busy, Refused and JournalUnavailable show only when writing.
        """
        raise NotImplementedError

    def begin_trial(
        self, change_set: ChangeSet, *, owner_uid: int, owner_name: str, seconds: int
    ) -> Trial:
        """Writes the whole set or nothing; the previous values are durable before the first write.

        Errors as ``preview``, and Busy (a trial runs: says whose and how long), Refused (the
        kernel did not take a value; everything is back), JournalUnavailable, OutOfRange for
        ``seconds`` outside 5 to 120.
        """
        raise NotImplementedError

    def extend(self, txid: str, seconds: int) -> Trial:
        """Puts the deadline ``seconds`` from now, at most ten minutes after the beginning.

        Errors: NoSuchTransaction, OutOfRange.
        """
        raise NotImplementedError

    def keep(self, txid: str, until: str) -> tuple[Result, ...]:
        """Ends the trial; its values stay until "restart" or are set at "always" every start.

        Errors: NoSuchTransaction, InvalidArgument, JournalUnavailable; Unsupported for "always"
        when a value cannot be kept so (a hold, a drive without serial number, /var not writable).
        The trial goes on when it raises.
        """
        raise NotImplementedError

    def revert(self, txid: str, reason: str) -> tuple[Result, ...]:
        """Takes the trial back to what was before it. Error: NoSuchTransaction.

        ``reason`` is one of the ENDED_ names. Never refused for any other cause: what cannot be
        restored is in the results (foreign, gone, failed).
        """
        raise NotImplementedError

    def expire(self) -> tuple[Result, ...] | None:
        """Reverts the trial when its deadline has passed; None when there was nothing to do."""
        raise NotImplementedError

    def undo(self, request: UndoRequest) -> tuple[Result, ...]:
        """Restores the values from before Destutter, also those kept for every start.

        A running trial is reverted first. Values that somebody else changed are left alone,
        reported as foreign and remembered until they are named in ``force`` or ``accept``.
        Error: UnknownKey for a name that is not in the registry.
        """
        raise NotImplementedError

    def verify(self, *, reapply: bool = False) -> tuple[Result, ...]:
        """Compares the kernel with the journal.

        With ``reapply`` (after resume from sleep) kept values that the kernel set back to what
        was before them are written again; anything else is only reported.
        """
        raise NotImplementedError

    def recover(self) -> tuple[Result, ...]:
        """Finishes what a killed process left; idempotent; never raises for a damaged journal.

        A trial within its deadline goes on (``trial`` is set: the layer above checks whether its
        owner is still there, and reverts if not).
        """
        raise NotImplementedError

    def boot(self) -> tuple[Result, ...]:
        """Sets what is kept for every start; to be called once, by the boot unit.

        Skips it, and says so in ``state().notices``, after two starts that nobody confirmed.
        """
        raise NotImplementedError

    def confirm_boot(self) -> None:
        """This start went well: call when a user's session talks to us, or 3 minutes after boot."""
        raise NotImplementedError

    @property
    def trial(self) -> Trial | None:
        """The running trial, if any."""
        raise NotImplementedError

    @property
    def is_idle(self) -> bool:
        """Whether the process may exit without losing anything: no trial, nothing held."""
        raise NotImplementedError

    def state(self) -> State:
        """The answer to GetState."""
        raise NotImplementedError

    def history(self) -> str:
        """The log of changes, one JSON object per line, at most 64 KiB, oldest first."""
        raise NotImplementedError

    def close(self) -> None:
        """Releases holds (their effect ends) and the lock. Values in the kernel stay."""
        raise NotImplementedError
