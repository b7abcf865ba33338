# SPDX-License-Identifier: GPL-3.0-or-later
"""What a process of ours says at its end, and what the one that started it makes of that."""

import os
import pty

from hypothesis import given
from hypothesis import strategies as st

from destutter.core.last_words import complain, last_words
from destutter.core.statement import Statement, told


def test_what_is_said_arrives_as_data(capfd):
    """So that the process in front can say it in the user's language."""
    why = Statement("core.file", {"path": "/games/ö", "reason": Statement("system.erofs")})
    complain(told("a line before"))
    complain(why)
    said = capfd.readouterr().err
    assert said.isascii()
    assert last_words(said.encode()) == why


def test_people_at_a_terminal_read_english():
    """Whoever starts such a process by hand to see what is wrong."""
    ours, theirs = pty.openpty()
    before = os.dup(2)
    try:
        os.dup2(theirs, 2)
        complain(Statement("system.erofs"))
    finally:
        os.dup2(before, 2)
        for each in (before, theirs):
            os.close(each)
    assert os.read(ours, 200) == b"destutter: Read-only file system\r\n"
    os.close(ours)


def test_what_others_wrote_is_told_as_it_is():
    """An interpreter that could not start, a loader that misses a library."""
    assert last_words(b"one\nImportError: no module\n") == told("ImportError: no module")
    assert last_words(b"destutter: 7\n") == told("7")
    assert last_words(b' \n"x"\n') == told('"x"')


def test_who_said_nothing_has_no_last_words():
    """White space is nothing."""
    assert last_words(b"") is None
    assert last_words(b" \n\n") is None


@given(st.binary(max_size=200))
def test_any_bytes_are_words_or_nothing(errors):
    """A process may be killed in the middle of anything."""
    found = last_words(errors)
    assert (found is None) == (not errors.decode("utf-8", "replace").strip())
    assert found is None or str(found)
