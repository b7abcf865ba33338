# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a recording is, in the list: what of it counts, once somebody has read it."""

from dataclasses import replace
from pathlib import Path

import pytest

from destutter.analysis.examining.kept_beside import key_of
from destutter.analysis.examining.outcome import keep_outcome, known_outcome, outcomes_in
from destutter.core.statement import Statement
from destutter.session.store import StoredSession

_SAID = (Statement("session.outcome.stutters", {"count": 5, "lost_ms": 635.0}),)


def test_what_counts_is_kept_beside_the_outcome(tmp_path: Path) -> None:
    """It need not be read again to be listed."""
    keep_outcome(tmp_path, 1.7e9, 4711, _SAID, 117)
    kept = outcomes_in(tmp_path)[key_of(1.7e9)]
    assert known_outcome(kept, 4711) == (_SAID, 117.0)
    assert known_outcome(kept, 4712) == ((), None), "more was recorded since"


@pytest.mark.parametrize("played", [-1, 1e12, "117", None, True])
def test_a_damaged_length_counts_as_none(tmp_path: Path, played: object) -> None:
    """The file may hold anything."""
    keep_outcome(tmp_path, 1.7e9, 4711, _SAID, 117)
    kept = {**outcomes_in(tmp_path)[key_of(1.7e9)], "played_s": played}
    assert known_outcome(kept, 4711) == (_SAID, None)


def test_a_recording_that_slept_is_as_long_as_what_counts() -> None:
    """ "9 min" stood in the list beside 1:57 of play."""
    session = StoredSession(Path("a.destutter"), 4711, 1.7e9, 587.0, "X-Plane", None)
    assert session.length_s == 587.0
    assert replace(session, played_s=117.0).length_s == 117.0
