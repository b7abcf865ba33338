# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of each file in the folder of sessions, kept so that a long list opens at once.

The index is a cache: without it, or with a damaged one, the files themselves are read. No Qt.
"""

import json
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from destutter.analysis.examining.kept_beside import key_of
from destutter.analysis.examining.outcome import known_outcome, outcomes_in
from destutter.analysis.examining.own_comments import comments_in
from destutter.core.system_error import system_reason
from destutter.core.whole_file import write_whole_file
from destutter.session.format import SUFFIX, RecordingError, refused
from destutter.session.store import StoredSession, describe

INDEX_NAME = ".index.json"
VERSION = 3
"""1 had other beginnings and lengths of what was recorded in a window; 2 lacked the time of the
header."""

Progress = Callable[[int, int], None]
"""How many files have been looked at, and of how many."""


@dataclass(frozen=True, slots=True)
class _Known:
    """A file as it was when it was read, and what was found."""

    size_bytes: int
    mtime_ns: int
    session: StoredSession


def read_sessions(folder: Path, progress: Progress | None = None) -> tuple[StoredSession, ...]:
    """Every recording in the folder, the newest first; those without a date come last.

    Only files that are new or have changed since the last time are opened. Raises
    ``RecordingError`` when the folder itself cannot be read.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if _is_recording(name))
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise RecordingError(refused(str(folder), system_reason(error))) from None
    before = _load(folder)
    now: dict[str, _Known] = {}
    for count, name in enumerate(names):
        if progress is not None:
            progress(count, len(names))
        known = _look(folder / name, before.get(name))
        if known is not None:
            now[name] = known
    if now != before:
        _save(folder, now)
    found = _told_of(folder, [known.session for known in now.values()])
    return tuple(sorted(found, key=lambda each: -(each.start_wall_time or 0.0)))


def _told_of(folder: Path, sessions: list[StoredSession]) -> list[StoredSession]:
    """The same with what somebody wrote about them, and with what was found in them."""
    comments, outcomes = comments_in(folder), outcomes_in(folder)

    def told(session: StoredSession) -> StoredSession:
        if session.header_time is None:
            return session
        key = key_of(session.header_time)
        outcome, played_s = known_outcome(outcomes.get(key), session.size_bytes)
        comment = comments.get(key, "")
        return replace(session, comment=comment, outcome=outcome, played_s=played_s)

    return list(map(told, sessions))


def _is_recording(name: str) -> bool:
    return name.endswith(SUFFIX) and not name.startswith(".")


def _look(path: Path, before: _Known | None) -> _Known | None:
    """The file as it is now; None when it has gone meanwhile."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        why = system_reason(error)
        return _Known(0, 0, StoredSession(path, 0, None, None, "", why))
    if before is not None and (before.size_bytes, before.mtime_ns) == (
        status.st_size,
        status.st_mtime_ns,
    ):
        return before
    return _Known(status.st_size, status.st_mtime_ns, describe(path))


def _load(folder: Path) -> dict[str, _Known]:
    try:
        body = json.loads((folder / INDEX_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if not isinstance(body, dict) or body.get("version") != VERSION:
        return {}
    entries = body.get("files")
    if not isinstance(entries, dict):
        return {}
    found = {}
    for name, values in entries.items():
        known = _known(folder / name, values) if isinstance(values, Mapping) else None
        if known is not None and _is_recording(name) and "/" not in name:
            found[name] = known
    return found


def _known(path: Path, values: Mapping[str, Any]) -> _Known | None:
    size, mtime, game = values.get("size"), values.get("mtime_ns"), values.get("game")
    start, duration = values.get("start"), values.get("duration_s")
    header_time = values.get("header_time")
    if not (type(size) is int and type(mtime) is int and isinstance(game, str)):
        return None
    if not (type(start) is type(duration) is type(header_time) is float):
        return None
    session = StoredSession(path, size, start, duration, game, None, header_time)
    return _Known(size, mtime, session)


def _save(folder: Path, known: Mapping[str, _Known]) -> None:
    """Keep what was found. A folder that takes no file costs only time at the next start."""
    files = {
        name: {
            "size": each.size_bytes,
            "mtime_ns": each.mtime_ns,
            "game": each.session.game,
            "start": each.session.start_wall_time,
            "duration_s": each.session.duration_s,
            "header_time": each.session.header_time,
        }
        for name, each in known.items()
        # What cannot be read today may be readable by the next version, or after a repair.
        if each.session.problem is None
    }
    text = json.dumps({"version": VERSION, "files": files})
    with suppress(OSError):
        write_whole_file(folder / INDEX_NAME, text.encode())
