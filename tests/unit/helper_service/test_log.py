# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of the log cannot be forged by what is written into them."""

import os
import re

from hypothesis import example, given
from hypothesis import strategies as st

from destutter_helper.log import Log


def written(text):
    reader, writer = os.pipe()
    try:
        Log(writer)(text)
        return os.read(reader, 65536)
    finally:
        os.close(reader)
        os.close(writer)


@given(st.text(max_size=3000))
@example("a\n<0>destutter-helper: forged")
@example("\x1b[2J\u202e\u2028")
def test_a18_one_call_is_one_printable_line(text):
    """Whatever the text, there is one line of printable ASCII, of bounded length."""
    line = written(text)
    assert re.fullmatch(rb"<6>destutter-helper: [ -~]{0,1000}\n", line)


def test_levels_are_those_of_syslog():
    """Ordinary lines are 6 (info), alerts 4 (warning), for the journal to colour."""
    reader, writer = os.pipe()
    try:
        Log(writer).alert("x")
        assert os.read(reader, 100) == b"<4>destutter-helper: x\n"
    finally:
        os.close(reader)
        os.close(writer)


def test_f37_what_nobody_reads_is_counted_and_not_waited_for():
    """A full pipe takes no line; as soon as there is room, the number of missing ones is said."""
    reader, writer = os.pipe()
    try:
        log = Log(writer)
        for _ in range(5000):
            log("x" * 500)
        assert b"missing" not in os.read(reader, 1 << 20)
        log("after")
        told, after = os.read(reader, 65536).splitlines()
        assert re.fullmatch(rb"<4>destutter-helper: \d{4} lines before are missing", told)
        assert after == b"<6>destutter-helper: after"
    finally:
        os.close(reader)
        os.close(writer)


def test_f37_one_user_fills_no_log():
    """Refusals of one user are logged a few times a minute, those of another all the same."""
    reader, writer = os.pipe()
    try:
        log = Log(writer)
        for _ in range(1000):
            log.refusal(1000, "refused uid=1000")
        log.refusal(1001, "refused uid=1001")
        lines = os.read(reader, 1 << 16).splitlines()
        assert len(lines) <= 64  # a minute may end meanwhile
        assert lines[-1].endswith(b"refused uid=1001")
    finally:
        os.close(reader)
        os.close(writer)
