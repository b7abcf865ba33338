# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial as the kernel shows it: before, while it runs, and after its end.

The helper may be killed, and its journal with it. What is in the kernel then is read, not inferred
from what the helper says or does not say.
"""

from collections.abc import Iterable

from destutter.core.kernel_files import KernelFiles
from destutter.tuning.current import read_current
from destutter.tuning.shell_text import command
from destutter_helper.api.payload import Change, ChangeSet, Result
from destutter_helper.api.statement import Said
from destutter_helper.api.tunables import BY_ID, HOLD

LOST = Said("helper.watch.record_lost")
NO_HELPER = Said("helper.watch.silent")
_SAYS_BACK = frozenset({"restored", "already"})

_Key = tuple[str, str]


class TrialWatch:
    """The settings of a change set, read here without rights. Made before the trial begins."""

    def __init__(self, files: KernelFiles, change_set: ChangeSet) -> None:
        self._files = files
        self._wishes = change_set.changes
        self._before = self._read()
        twins = [BY_ID[twin] for wish in self._wishes if (twin := BY_ID[wish.id].twin)]
        self._twins_before = {each.id: each.value for each in read_current(files, twins)}
        self._tried: dict[_Key, str | None] = {}

    def note_begin(self) -> None:
        """The trial runs: what the kernel has now is what was tried."""
        self._tried = self._read()

    @property
    def taken_otherwise(self) -> list[tuple[Change, str]]:
        """Wishes of which the kernel made another value, with that value."""
        return [
            (wish, value)
            for wish in self._wishes
            if (value := self._tried.get((wish.id, wish.device))) not in (None, wish.value)
        ]

    @property
    def is_back(self) -> bool:
        """Whether everything that can be read is as it was before the trial."""
        now = self._read()
        return all(now.get(key) == value for key, value in self._before.items())

    def results(self, told: Iterable[Result], *, why_left: Said) -> tuple[Result, ...]:
        """What became of each setting: the helper's word where the kernel agrees with it.

        Of what the helper does not mention only the kernel is heard; ``why_left`` is the reason
        told where a value of the trial is still there.
        """
        now = self._read()
        by_key = {(each.id, each.device): each for each in told}
        found = [
            self._seen(key, now.get(key), by_key.pop(key, None), why_left) for key in self._before
        ]
        return (*found, *by_key.values())

    def commands_back(self, results: Iterable[Result]) -> list[str]:
        """How an administrator writes back what is still there, without the helper."""
        left = [each for each in results if each.outcome == "failed"]
        ways = (self._way_back(each.id, each.device) for each in left)
        return [command(way) for way in ways if way is not None]

    def _way_back(self, id_: str, device: str) -> Change | None:
        """What sets it as it was; None where that is not known."""
        before = self._before.get((id_, device))
        if before == "0" and (twin := BY_ID[id_].twin):
            # The kernel takes no 0 for the passive member of a pair: the other one makes it that.
            id_, before = twin, self._twins_before.get(twin)
            if before == "0":
                return None
        return None if before is None else Change(id_, before, device)

    def _seen(self, key: _Key, now: str | None, told: Result | None, why_left: Said) -> Result:
        before = self._before[key]
        is_contradicted = (
            told is not None
            and now is not None
            and now == self._tried.get(key) != before
            and (told.outcome == "gone" or (told.outcome in _SAYS_BACK and told.value != now))
        )
        if told is not None and not is_contradicted:
            return told
        if now is None and BY_ID[key[0]].kind == HOLD:
            return _result(key, "restored", None, before, Said("helper.watch.let_go"))
        if now is None:
            return _result(key, "gone", None, before, Said("helper.watch.unreadable"))
        if now == before:
            return _result(key, "restored", now, before)
        if now != self._tried.get(key, now):
            return _result(key, "foreign", now, before)
        return _result(key, "failed", now, before, why_left)

    def _read(self) -> dict[_Key, str | None]:
        wanted = dict.fromkeys(wish.id for wish in self._wishes)
        devices = {(wish.id, wish.device) for wish in self._wishes}
        return {
            (each.id, each.device): each.value
            for each in read_current(self._files, [BY_ID[id_] for id_ in wanted])
            # A policy without a device is for all of them.
            if (each.id, each.device) in devices or (each.id, "") in devices
        }


def _result(key: _Key, outcome: str, now: str | None, before: str | None, *why: Said) -> Result:
    return Result(*key, outcome, now, before, notes=why)
