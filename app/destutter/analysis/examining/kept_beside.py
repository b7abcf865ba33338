# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody said of recordings, in a file beside them, which stay as they were made. No Qt.

A recording is known by the moment at which it began, so that it stays known under another name.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

from destutter.core.system_error import system_reason
from destutter.core.whole_file import write_whole_file
from destutter.session.format import RecordingError

_VERSION = 1


def key_of(wall_time: float) -> str:
    """The name of a recording in such a file; ``wall_time`` is its header's."""
    return f"{wall_time:.3f}"


def read_kept(place: Path, subject: str) -> Mapping[str, object]:
    """What is kept there on a subject, by ``key_of``; nothing where that cannot be read."""
    try:
        return _load(place, subject) or {}
    except OSError:
        return {}


def keep(place: Path, subject: str, key: str, value: object) -> None:
    """Keep a value for a recording; None: forget what was kept. Raises ``RecordingError``."""
    try:
        known = dict(_understood(place, subject))
        known.pop(key, None)
        if value is not None:
            known[key] = value
        write_whole_file(place, json.dumps({"version": _VERSION, subject: known}).encode())
    except OSError as error:
        raise RecordingError(system_reason(error)) from None


def _understood(place: Path, subject: str) -> Mapping[str, object]:
    """What is kept. A file of a newer program, or a damaged one, is kept under another name: what
    was said of all other recordings is in it. Raises ``OSError``.
    """
    found = _load(place, subject)
    if found is None:
        os.replace(place, place.with_name(f"{place.name}.damaged"))
    return found or {}


def _load(place: Path, subject: str) -> Mapping[str, object] | None:
    """What is kept, by recording; None for a file that is not understood. Raises ``OSError``."""
    try:
        body = json.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError):
        return None
    is_known = isinstance(body, dict) and body.get("version") == _VERSION
    kept = body.get(subject) if is_known else None
    return kept if isinstance(kept, dict) else None
