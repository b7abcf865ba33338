# SPDX-License-Identifier: GPL-3.0-or-later
"""What users keep for their games: sets of values, each authorised once, for one user.

In the kernel a set is a trial that is tied to a process of that user, begun without a password. So
what needs none is exactly what was authorised for this user, for as long as a process of this user
lives; which process that is changes nothing, and the name of the game is the user's own note.

A set begins as a whole or not at all: that is what somebody tried and was asked about. What is
kept for every start is otherwise, for nobody is there to hear of it.
"""

import contextlib
import re
import secrets
from dataclasses import dataclass, replace

from destutter_helper import journal
from destutter_helper.api import names, payload
from destutter_helper.api.devices import name_of
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, ChangeSet, GameSet
from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import BY_ID, POLICY
from destutter_helper.change_set import by_todays_names, present
from destutter_helper.engine import Engine
from destutter_helper.journal import NewerFormat, Setting, Trial
from destutter_helper.storage import Storage
from destutter_helper.stores import check_recognisable

FILE = "games.json"
FILE_MAX_BYTES = 512 * 1024  # read anew for each question: a tenth of a second
SETS_MAX, SETS_OF_USER_MAX = 256, 32
SUMMARY_START = "for one game, then without a password: "

_ID = re.compile(r"[0-9a-f]{32}")
_NONE = Said("helper.game.none")
_DAMAGED = Said("helper.game.damaged")


@dataclass(frozen=True, slots=True)
class KeptSet:
    """What a user keeps for a game. A policy without a device is for all of them."""

    id: str
    uid: int
    game: str
    settings: tuple[Setting, ...]


@dataclass(frozen=True, slots=True)
class KeptSets:
    """The content of the file."""

    sets: tuple[KeptSet, ...] = ()
    version: int = journal.VERSION
    min_reader: int = 1


class KeptForGames:
    """The sets of all users. HelperError, with nothing changed, from every method."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def listed(self, uid: int) -> payload.GameSets:
        """Those of a user; root's are all."""
        try:
            found = self._read()
        except HelperError as error:
            return payload.GameSets((), error.whole)
        kernel, trial = self._engine.kernel, self._engine.trial
        running = "" if trial is None else trial.set_id
        return payload.GameSets(
            tuple(
                GameSet(one.id, one.game, changes, running == one.id, one.uid)
                for one in found
                if uid in {0, one.uid}
                for changes in [_changes(by_todays_names(kernel, one.settings))]
            )
        )

    def check(self, uid: int, game: str, change_set: ChangeSet) -> payload.Plan:
        """What a user is to authorise; raises what ``keep`` would, but for a full disk."""
        payload.check_game(game)
        plan = self._engine.preview(change_set)
        self._with(self._read_or_begin_anew(), uid, game, change_set)
        summary = f"{SUMMARY_START}{plan.summary}"
        return replace(plan, summary=summary[: payload.SUMMARY_MAX])

    def keep(self, uid: int, game: str, change_set: ChangeSet) -> str:
        """Store it, durable on return, instead of what this user kept for this game; its number.

        What was damaged is put aside: a password was typed for the new beginning.
        """
        self.check(uid, game, change_set)  # once more: a dialog may have been open for minutes
        known = self._read_or_begin_anew(puts_aside=True)
        sets = self._with(known, uid, game, change_set)
        self._write(sets)
        return sets[-1].id

    def changes_of(self, id_: str, uid: int) -> ChangeSet:
        """What a set is on the devices of today. DeviceGone when one of them is not here."""
        kernel = self._engine.kernel
        changes: list[Change] = []
        for one in self._find(id_, uid).settings:
            there = present(kernel, one)
            if not there:
                where = {"id": one.id, "device": name_of(one.device)}
                raise HelperError("DeviceGone", Said("helper.absent.device"), **where)
            changes += _changes(there)
        return ChangeSet(tuple(changes))

    def begin(
        self, id_: str, change_set: ChangeSet, owner: tuple[int, str], process: int, hold: int
    ) -> Trial:
        """A trial of all of it, tied to the process from its beginning; see ``Engine``."""
        uid, name = owner
        trial = self._engine.begin_trial(
            change_set,
            owner_uid=uid,
            owner_name=name,
            seconds=names.TRIAL_MAX_S,
            hold=hold,
            set_id=id_,
        )
        return self._engine.bind(trial.txid, process)

    def forget(self, id_: str, uid: int) -> None:
        """Remove a set of this user; root removes anybody's."""
        found = self._find(id_, uid)
        self._write(tuple(one for one in self._read() if one != found))

    def forget_all(self) -> None:
        """Remove what all users keep, as far as the disk lets it: the program goes."""
        with contextlib.suppress(OSError):
            self._disk.remove(FILE)
            self._disk.remove(FILE + journal.QUARANTINE)

    # -- the file ---------------------------------------------------------------------------

    @property
    def _disk(self) -> Storage:
        """What outlives a restart, also where it can only be read."""
        return self._engine.stores.disk or self._engine.stores.state

    def _find(self, id_: str, uid: int) -> KeptSet:
        """Of another user it is not even told that it is there."""
        for one in self._read():
            if one.id == id_ and uid in {0, one.uid}:
                return one
        raise HelperError("UnknownKey", _NONE)

    def _read(self) -> tuple[KeptSet, ...]:
        """All or nothing: of a file that is damaged nothing is believed."""
        try:
            data = self._disk.read(FILE)
            return () if data is None else _unseal(data).sets
        except NewerFormat:
            raise HelperError("Unsupported", Said("helper.game.newer")) from None
        except ValueError:
            raise HelperError("JournalUnavailable", _DAMAGED) from None
        except OSError as error:
            said = Said("helper.game.unreadable", {"error": str(error.strerror)})
            raise HelperError("JournalUnavailable", said) from error

    def _read_or_begin_anew(self, *, puts_aside: bool = False) -> tuple[KeptSet, ...]:
        try:
            return self._read()
        except HelperError as error:
            if error.said != _DAMAGED:
                raise
        with contextlib.suppress(OSError):
            if puts_aside:
                self._disk.link(FILE, FILE + journal.QUARANTINE)
        return ()

    def _with(
        self, known: tuple[KeptSet, ...], uid: int, game: str, change_set: ChangeSet
    ) -> tuple[KeptSet, ...]:
        """The sets with a new one as the last."""
        left = tuple(one for one in known if (one.uid, one.game) != (uid, game))
        if len(left) >= SETS_MAX or sum(one.uid == uid for one in left) >= SETS_OF_USER_MAX:
            most = {"most": SETS_OF_USER_MAX, "most_in_all": SETS_MAX}
            raise HelperError("TooLarge", Said("helper.game.too_many", most))
        settings = tuple(self._setting(change) for change in change_set.changes)
        sets = (*left, KeptSet(secrets.token_hex(16), uid, game, settings))
        if len(journal.seal(KeptSets(sets))) > FILE_MAX_BYTES:
            raise HelperError("TooLarge", Said("helper.game.too_large"))
        return sets

    def _setting(self, change: Change) -> Setting:
        """What a checked change is, on a device that can be told from others later."""
        tunable, device = BY_ID[change.id], None
        if change.device:
            device = self._engine.kernel.devices(tunable.device_kind, change.device)[0]
            check_recognisable(tunable, device)
        return Setting(change.id, change.value, device)

    def _write(self, sets: tuple[KeptSet, ...]) -> None:
        self._engine.find_room()
        stores = self._engine.stores
        if not stores.is_persistent:
            raise HelperError("Unsupported", Said("helper.keep.no_directory"))
        try:
            if sets:
                stores.state.replace(FILE, journal.seal(KeptSets(sets)))
            else:
                stores.state.remove(FILE)
        except OSError as error:
            said = Said("helper.game.not_written", {"error": str(error.strerror)})
            raise HelperError("JournalUnavailable", said) from error


def _changes(settings: tuple[Setting, ...] | list[Setting]) -> tuple[Change, ...]:
    return tuple(Change(one.id, one.value, name_of(one.device)) for one in settings)


def _unseal(data: bytes) -> KeptSets:
    """The content; errors as ``journal.read``, also for what could never have been kept."""
    content = journal.unseal(data, KeptSets)
    try:
        for one in content.sets:
            _check(one)
    except HelperError as error:
        raise ValueError(str(error)) from None
    if len({one.id for one in content.sets}) != len(content.sets) or len(content.sets) > SETS_MAX:
        raise ValueError("the sets are too many, or two are one")
    return content


def _check(kept: KeptSet) -> None:
    payload.check_game(kept.game)
    payload.check_form(ChangeSet(_changes(kept.settings)))
    if not _ID.fullmatch(kept.id) or kept.uid < 0:
        raise ValueError("a set of nobody's")
    for one in kept.settings:
        tunable = BY_ID.get(one.id)
        if tunable is None:
            raise NewerFormat("a setting that only a newer helper knows")
        kind = one.device.kind if one.device else ""
        if kind != tunable.device_kind and (kind or tunable.kind != POLICY):
            raise ValueError("a setting on a device that has none such")
