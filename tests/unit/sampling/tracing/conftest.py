# SPDX-License-Identifier: GPL-3.0-or-later
"""A reader of two processors' rings, and a computer with some threads and a drive."""

import pytest

from tests.support.built_pages import TraceStage

THREADS = {4711: ("RenderThread", 4700), 4700: ("game", 4700), 99: ("kcompactd0", 99)}


@pytest.fixture
def computer(tmp_path):
    """A tree with threads of a game and a drive 259:0."""
    for tid, (name, pid) in THREADS.items():
        folder = tmp_path / "proc" / str(tid)
        folder.mkdir(parents=True)
        (folder / "status").write_text(f"Name:\t{name}\nState:\tS\nTgid:\t{pid}\nPid:\t{tid}\n")
    drives = tmp_path / "sys/dev/block"
    drives.mkdir(parents=True)
    (drives / "259:0").symlink_to("../../devices/pci0000:00/nvme/nvme0/nvme0n1")
    return tmp_path


@pytest.fixture
def stage(computer):
    """The rings of a 6.18 kernel with two processors, of both instances."""
    made = TraceStage(computer)
    yield made
    made.close()
