# SPDX-License-Identifier: GPL-3.0-or-later
"""Names that recordings have while nobody gave them one."""

from hypothesis import given
from hypothesis import strategies as st

from destutter.session.recording_name import free_path, is_automatic, recording_name


@given(st.text(max_size=200))
def test_any_name_of_a_game_gives_one_plain_file_name(game: str) -> None:
    """Slashes, dots and control characters never lead out of the folder."""
    name = recording_name(game)
    assert name.endswith(".destutter")
    assert "/" not in name
    assert "\0" not in name
    assert not name.startswith(".")
    assert len(name.encode()) <= 255
    assert is_automatic(name)


def test_a_name_that_somebody_gave_is_not_automatic() -> None:
    """Also one with a day in it."""
    assert not is_automatic("before 2026-01-03_20-15-00")
    assert not is_automatic("2026-01-03 second flight")


def test_two_recordings_of_one_second_have_two_files(tmp_path):
    """A trial for a game may begin, be stopped and be recorded again at once."""
    paths = []
    for _ in range(3):
        paths.append(free_path(tmp_path, "Flight"))
        paths[-1].touch()
    assert len(set(paths)) == 3
    assert all(is_automatic(path.name) and path.suffix == ".destutter" for path in paths)
