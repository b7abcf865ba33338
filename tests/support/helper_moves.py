# SPDX-License-Identifier: GPL-3.0-or-later
"""Short ways to drive the helper's engine in tests."""

from collections.abc import Iterable

from destutter_helper.api.payload import Change, ChangeSet, Result
from destutter_helper.engine import Engine


def change_set(*changes: str) -> ChangeSet:
    """A change set from texts such as ``block.scheduler@sda=bfq``."""
    made = []
    for change in changes:
        name, _, value = change.partition("=")
        id_, _, device = name.partition("@")
        made.append(Change(id_, value, device))
    return ChangeSet(tuple(made))


def begin(engine: Engine, *changes: str, seconds: int = 30) -> str:
    """Begins a trial and returns its name."""
    return engine.begin_trial(
        change_set(*changes), owner_uid=1000, owner_name=":1.7", seconds=seconds
    ).txid


def keep(engine: Engine, *changes: str, until: str = "restart") -> None:
    """Tries and keeps."""
    engine.keep(begin(engine, *changes), until)


def outcomes(results: Iterable[Result]) -> dict[str, str]:
    """What became of each id."""
    return {one.id: one.outcome for one in results}
