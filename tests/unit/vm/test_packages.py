# SPDX-License-Identifier: GPL-3.0-or-later
"""The newer packages of an upgrade: their program has its code elsewhere."""

from tests.vm.packages import COOKIE, COOKIE_BYTES, SHIFT_BYTES, shift_code


def test_the_archive_of_a_program_moves(tmp_path):
    """The archive keeps its content and what follows it, behind a gap."""
    archive = b"code" * 100
    length = (len(archive) + COOKIE_BYTES).to_bytes(4, "big")
    cookie = (COOKIE + length).ljust(COOKIE_BYTES, b"x")
    program = tmp_path / "program"
    program.write_bytes(b"loader" + archive + cookie + b"sections")
    shift_code(program)
    gap = bytes(SHIFT_BYTES)
    assert program.read_bytes() == b"loader" + gap + archive + cookie + b"sections"
