# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's own log of changes, read leniently: it may be of an older or a newer helper."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from destutter.tuning.keys import key_of

_TIME = "%Y-%m-%dT%H:%M:%SZ"
_SET = frozenset({"trial", "game", "keep", "boot"})
_MOST_ENTRIES = 2000  # the log has 64 KiB; that of another version may have any length


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One value at one event. ``at`` is in seconds since 1970, None when it makes no sense;
    ``uid`` is None when it is not known or not to be told; ``set_id`` is the number of what is
    kept for a game, empty for everything else."""

    event: str
    id: str
    device: str
    outcome: str
    value: str | None
    origin: str | None
    at: float | None
    uid: int | None
    set_id: str = ""

    @property
    def key(self) -> str:
        """The setting as "ID" or "ID@DEVICE"."""
        return key_of(self.id, self.device)

    @property
    def is_setting(self) -> bool:
        """Whether Destutter set the value then; the other events take one back or look at it."""
        return self.event in _SET


def read_history(text: str) -> tuple[HistoryEntry, ...]:
    """The entries of a log with one JSON object a line, oldest first.

    A line that is no such object is passed over: the log is a help for people, and its oldest
    line may be cut.
    """
    found = []
    for line in text.splitlines()[-_MOST_ENTRIES:]:
        try:
            values = json.loads(line)
        except ValueError:
            continue
        if isinstance(values, dict) and isinstance(values.get("id"), str):
            found.append(_entry(values))
    return tuple(found)


def last_changes(entries: Iterable[HistoryEntry]) -> dict[str, tuple[float, int | None]]:
    """When each setting was last set by Destutter, and by which user, by key."""
    found: dict[str, tuple[float, int | None]] = {}
    for entry in entries:
        if entry.is_setting and entry.at is not None:
            found[entry.key] = (entry.at, entry.uid)
    return found


def last_kept(entries: Sequence[HistoryEntry]) -> tuple[str, ...]:
    """The keys of what was kept together last: what "undo the last change" means."""
    kept = [entry for entry in entries if entry.event == "keep"]
    return tuple(entry.key for entry in kept if entry.at == kept[-1].at)


def _entry(values: dict[str, Any]) -> HistoryEntry:
    uid = values.get("uid")
    return HistoryEntry(
        _text(values, "event") or "",
        values["id"],
        _text(values, "device") or "",
        _text(values, "outcome") or "",
        _text(values, "value"),
        _text(values, "origin"),
        _seconds(values.get("time")),
        uid if isinstance(uid, int) else None,
        _text(values, "set") or "",
    )


def _text(values: dict[str, Any], name: str) -> str | None:
    value = values.get(name)
    return value if isinstance(value, str) else None


def _seconds(text: object) -> float | None:
    try:
        return datetime.strptime(str(text), _TIME).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
