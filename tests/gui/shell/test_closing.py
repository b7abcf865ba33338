# SPDX-License-Identifier: GPL-3.0-or-later
"""What closing the window comes to."""

import pytest

from destutter.ui.shell.closing import ASK, BACKGROUND, QUIT, answer_to_closing, closing_question


@pytest.mark.parametrize(
    ("choice", "is_asked", "must_end", "answer"),
    [
        ("ask", False, False, ASK),
        ("ask", True, False, QUIT),
        ("ask", False, True, QUIT),
        (BACKGROUND, False, False, BACKGROUND),
        (BACKGROUND, True, False, BACKGROUND),
        (BACKGROUND, False, True, QUIT),
        (QUIT, False, False, QUIT),
    ],
)
def test_closing(choice: str, is_asked: bool, must_end: bool, answer: str) -> None:
    """The choice holds, but for a second try where it is still asked, and for the end of all."""
    assert answer_to_closing(choice, is_asked=is_asked, must_end=must_end) == answer


@pytest.mark.parametrize(
    ("choice", "is_asked", "answer"),
    [(QUIT, False, ASK), (QUIT, True, QUIT), (BACKGROUND, False, BACKGROUND), ("ask", False, ASK)],
)
def test_closing_while_a_recording_runs(choice: str, is_asked: bool, answer: str) -> None:
    """No choice of another day ends it; who closes again means it."""
    told = answer_to_closing(choice, is_asked=is_asked, must_end=False, is_recording=True)
    assert told == answer


@pytest.mark.parametrize("is_recording", [False, True])
def test_what_ends_with_the_program_is_told(is_recording: bool) -> None:
    """Whoever quits while a change holds for a game reads that it goes back, and only then."""
    text = closing_question(is_recording=is_recording, changed_for="skyhopper").detail
    assert text.startswith("What is changed for skyhopper goes back when Destutter quits.")
    assert "goes back" not in closing_question(is_recording=is_recording).detail


def test_what_is_kept_for_games_needs_the_program() -> None:
    """A stranger quit, and his game froze again although the cure was "kept"."""
    text = closing_question(is_recording=False, keeps_for_games=True).detail
    assert text.startswith("What is kept for games is set only while Destutter runs; Settings ")
    starts = closing_question(
        is_recording=False, keeps_for_games=True, starts_with_desktop=True
    ).detail
    assert starts.startswith("What is kept for games is set only while Destutter runs. ")
    now = closing_question(is_recording=False, changed_for="sky", keeps_for_games=True).detail
    assert now.startswith("What is changed for sky goes back")
