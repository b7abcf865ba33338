# SPDX-License-Identifier: GPL-3.0-or-later
"""What somebody wrote about a recording: the weather, the airport, what was changed. No Qt."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from destutter.analysis.examining.kept_beside import keep, key_of, read_kept
from destutter.analysis.examining.summary import SessionSummary

FILE_NAME = ".comments.json"
MOST_LETTERS = 500
_SUBJECT = "comments"


def comments_in(folder: Path) -> Mapping[str, str]:
    """The comments on the recordings of a folder, by ``kept_beside.key_of``."""
    kept = read_kept(folder / FILE_NAME, _SUBJECT)
    return {key: _one_line(text) for key, text in kept.items() if isinstance(text, str)}


def keep_comment(folder: Path, wall_time: float, text: str) -> None:
    """Keep it for the recording whose header has this time; an empty one is forgotten.

    Raises ``RecordingError`` in words.
    """
    keep(folder / FILE_NAME, _SUBJECT, key_of(wall_time), _one_line(text) or None)


def with_own_comment(session: SessionSummary) -> SessionSummary:
    """The session with what somebody wrote about it."""
    known = comments_in(Path(session.path).parent)
    return replace(session, comment=known.get(key_of(session.header.wall_time), ""))


def _one_line(text: str) -> str:
    return " ".join(text.split())[:MOST_LETTERS]
