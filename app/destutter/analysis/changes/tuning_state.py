# SPDX-License-Identifier: GPL-3.0-or-later
"""What pages show of settings and changes, as plain values. No Qt."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Self

from destutter.core.kernel_files import KernelFiles
from destutter.core.statement import Statement
from destutter.tuning.current import CurrentValue, read_current
from destutter.tuning.keys import key_of
from destutter.tuning.machine_profile import MachineProfile, read_profile
from destutter_helper.api.names import KEEP_ALWAYS, KEEP_RESTART
from destutter_helper.api.payload import Change, Result, State
from destutter_helper.api.tunables import BY_ID, is_accepted

if TYPE_CHECKING:
    from destutter.tuning.ownership import Ownership

_NS = 1_000_000_000

LASTS_TRIAL = "trial"
LASTS_RESTART = KEEP_RESTART
LASTS_ALWAYS = KEEP_ALWAYS


def boottime_ns() -> int:
    """The clock of the helper's deadlines, which goes on during sleep."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


@dataclass(frozen=True, slots=True)
class TuningReading:
    """Everything that was read without rights, at one moment. Mappings by "ID" or "ID@DEVICE".

    ``identities`` has the udev match by which the drive of a setting is recognised.
    """

    values: Mapping[str, CurrentValue] = field(default_factory=dict)
    owners: Mapping[str, Ownership] = field(default_factory=dict)
    profile: MachineProfile = field(default_factory=MachineProfile)
    identities: Mapping[str, str] = field(default_factory=dict)


def read_tuning(files: KernelFiles) -> TuningReading:
    """Values, who set them, and the computer. Takes some ten milliseconds: not for a window's
    own thread."""
    # Loaded in the thread that reads: the first picture of the window does not wait for it.
    from destutter.tuning.ownership import read_ownership

    values = read_current(files)
    owners = read_ownership(files, values)
    return TuningReading(
        {key_of(each.id, each.device): each for each in values},
        {owner.key: owner for owner in owners.values()},
        read_profile(files),
        _identities(files, values),
    )


def _identities(files: KernelFiles, values: Sequence[CurrentValue]) -> dict[str, str]:
    """What each drive says of itself is read once, not for each of its settings."""
    from destutter.tuning.exported import identity_of

    by_device: dict[tuple[str, str], str] = {}
    found = {}
    for each in values:
        device = (BY_ID[each.id].device_kind, each.device)
        if each.device and each.value is not None:
            if device not in by_device:
                by_device[device] = identity_of(files, each.id, each.device)
            found[key_of(each.id, each.device)] = by_device[device]
    return found


@dataclass(frozen=True, slots=True)
class JournalChange:
    """One setting that Destutter changed.

    ``origin`` is the value before Destutter and ``value`` the one that it set; ``lasts`` is
    "trial", "restart" or "always". ``now`` was read by this program: another value than ``value``
    means that somebody changed it since (``is_drifted``). ``is_left_alone``: an undo found that
    and waits for a decision. ``changed_at`` (seconds since 1970) and ``by_uid`` are None when the
    helper's history does not reach back so far, or is not to be told.
    """

    id: str
    device: str
    origin: str | None
    value: str | None
    lasts: str
    now: str | None = None
    is_drifted: bool = False
    is_left_alone: bool = False
    changed_at: float | None = None
    by_uid: int | None = None

    @property
    def key(self) -> str:
        """The setting as "ID" or "ID@DEVICE"."""
        return key_of(self.id, self.device)

    @property
    def change(self) -> Change | None:
        """What would set it again; None where no value of it is known."""
        if self.value is None or " " in self.value or "=" in self.value:
            return None
        return Change(self.id, self.value, self.device)


class GameProcess(NamedTuple):
    """The game that a trial may be tied to; ``start`` as field 22 of /proc/PID/stat has it."""

    pid: int
    start: str
    name: str

    @classmethod
    def from_facts(cls, facts: Mapping[str, str]) -> Self | None:
        """The game in the facts of a stream; None: no game is watched."""
        pid, start = facts.get("game.pid", ""), facts.get("game.start_ticks", "")
        is_known = pid.isdecimal() and start.isdecimal()
        return cls(int(pid), start, facts.get("game.name", "")) if is_known else None


@dataclass(frozen=True, slots=True)
class RunningTrial:
    """A trial by the helper's own clock. ``txid`` is empty for one of another program.

    ``game`` is the name of the game with which it ends; empty: it ends at its time. ``is_kept``:
    it is no trial to its user, but what was kept for that game.
    """

    txid: str
    changes: tuple[JournalChange, ...]
    ends_boottime_ns: int
    total_s: int
    is_ours: bool
    owner_uid: int = -1
    game: str = ""
    is_kept: bool = False

    @property
    def is_tried_in_game(self) -> bool:
        """Whether its user tries it for as long as a game runs. What is kept for a game is no
        trial to whoever plays: nothing to record and to compare.
        """
        return self.is_ours and bool(self.game) and not self.is_kept

    @property
    def seconds_left(self) -> int:
        """Whole seconds until the old values come back, never negative."""
        return max(-(-(self.ends_boottime_ns - boottime_ns()) // _NS), 0)


class Asked(StrEnum):
    """What is asked of the helper; as a report of an outcome names it."""

    TRY = "try"
    APPLY = "apply"  # kept at once
    KEEP = "keep"  # what is on trial
    EXTEND = "extend"
    REVERT = "revert"
    UNDO = "undo"
    REDO = "redo"
    KEEP_GAME = "keep-game"
    FORGET_GAME = "forget-game"
    TRIAL = "trial"  # nobody asked: a trial ended by itself


class Busy(StrEnum):
    """Whether a request is under way; only ``NO`` is false."""

    NO = ""
    ASKING = "asking"  # a password dialog may be open
    WORKING = "working"


class OutcomeKind(StrEnum):
    """How a request ended."""

    DONE = "done"
    PARTLY = "partly"  # some of it was left alone or failed; see the results
    ENDED = "ended"  # a trial ended by itself; ``name`` is the helper's reason
    DENIED = "denied"
    CANCELLED = "cancelled"
    REFUSED = "refused"  # the helper said no; nothing was changed
    ABSENT = "absent"  # nobody was there to ask
    LOST = "lost"  # the helper went away meanwhile; what it had begun is taken back


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of the last request.

    ``what`` was asked for, with these ``changes``; ``game`` is the name of the one that something
    is kept for, ``until`` is "restart" or "always" for what keeps. ``name`` is the helper's word
    for an error or for why a trial ended, ``message`` why it said no.
    """

    kind: OutcomeKind
    what: Asked
    name: str = ""
    message: Statement | None = None
    results: tuple[Result, ...] = ()
    changes: tuple[Change, ...] = ()
    until: str = ""
    game: str = ""


def without_clock(state: State) -> tuple[object, ...]:
    """What of a state is new only when something has happened."""
    return (state.state, state.owner_name, state.changed, state.conflicts, state.kept_always)


def changes_of(
    state: State, values: Mapping[str, CurrentValue], when: Mapping[str, tuple[float, int | None]]
) -> tuple[JournalChange, ...]:
    """What Destutter changed, from the helper's state and the values that were read.

    ``when`` has the time and the user of the newest change by key.
    """
    found = [_change(result, values, when) for result in state.changed]
    found += [_change(result, values, when, is_left_alone=True) for result in state.conflicts]
    return tuple(found)


def _change(
    result: Result,
    values: Mapping[str, CurrentValue],
    when: Mapping[str, tuple[float, int | None]],
    *,
    is_left_alone: bool = False,
) -> JournalChange:
    key = key_of(result.id, result.device)
    read = values.get(key)
    now = None if read is None else read.value
    changed_at, uid = when.get(key, (None, None))
    lasts = LASTS_RESTART if is_left_alone else result.until
    return JournalChange(
        result.id,
        result.device,
        result.origin,
        None if is_left_alone else result.value,
        lasts,
        now,
        is_left_alone or _is_drifted(result, now),
        is_left_alone,
        changed_at,
        uid,
    )


def _is_drifted(result: Result, now: str | None) -> bool:
    # The helper tells the passive member of a pair by the state of the pair: "ID=VALUE".
    if now is None or result.value is None or "=" in result.value:
        return False
    tunable = BY_ID.get(result.id)
    return tunable is not None and not is_accepted(tunable, result.value, now)
