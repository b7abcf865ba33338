# SPDX-License-Identifier: GPL-3.0-or-later
"""What a script is called, by the line that started it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.sampling.files.process_files import parse_process_stat
from destutter.sampling.processes.titles import Titles, script_in
from tests.support.fake_root import FakeRoot, process_stat


@pytest.mark.parametrize(
    ("line", "script"),
    [
        (b"/bin/bash\0/home/ann/backup.sh\0--all\0", "backup.sh"),
        (b"bash\0-x\0dds.sh\0", "dds.sh"),
        (b"python3\0-m\0http.server\0", "http.server"),
        (b"python3\0-c\0print(1)\0", ""),
        (b"java\0-jar\0server.jar\0", ""),
        (b"python3\0-m\0", ""),
        (b"-bash\0", ""),
        (b"sh\0-s\0geheim\0", ""),
        (b"perl\0-E\0say 1\0", ""),
        (b"node\0--token\0geheim\0app.js\0", ""),
        (b"java\0-Xmx2G\0-cp\0/home/ann/a.jar\0Main\0", ""),
        (b"python3\0-u\0-B\0/opt/sync.py\0", "sync.py"),
        (b"", ""),
        (b"sh\0/tmp/two words\0", "two_words"),
    ],
)
def test_the_script_is_the_first_word_that_is_no_option(line, script):
    """Without its folder, which may have a name of the user's, and without what it is told."""
    assert script_in(line) == script


@given(st.binary(max_size=200))
def test_whatever_the_line_holds_the_name_is_one_short_word(line):
    """A program may write anything there."""
    name = script_in(line)
    assert len(name) <= 32
    assert len(name.split()) <= 1


def test_a_script_is_asked_for_once_and_others_never(tmp_path):
    """Its line does not change while it runs; a number that is used again is another program's."""
    root = FakeRoot(
        tmp_path, {"/proc/7/cmdline": b"bash\0a.sh\0", "/proc/8/cmdline": b"game\0x\0"}
    )
    titles = Titles(root.files)

    def told(pid, name, start):
        return titles.of(
            pid, parse_process_stat("", process_stat(pid, name, starttime=start).encode())
        )

    assert (told(7, "bash", 1), told(8, "game", 1)) == ("bash a.sh", "game")
    root.put("/proc/7/cmdline", b"bash\0b.sh\0")
    assert (told(7, "bash", 1), told(7, "bash", 2)) == ("bash a.sh", "bash b.sh")
    assert told(9, "python3.11", 1) == "python3.11"
