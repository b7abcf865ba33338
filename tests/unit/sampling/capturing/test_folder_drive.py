# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders and the drives below them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.capturing import folder_drive
from destutter.sampling.capturing.folder_drive import (
    drive_of_folder,
    folders_on_drive,
    parse_mounts,
)
from tests.support.fake_root import FakeRoot

MOUNTS = r"""22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme9n1p2 rw
30 22 0:25 / /proc rw - proc proc rw
41 22 8:17 / /games rw - ext4 /dev/sdz rw
42 22 8:33 / /my\040games rw master:3 - btrfs /dev/nvme9n1p3 rw,subvol=/x
"""


@pytest.fixture
def root(tmp_path):
    """Two drives: one with partitions, one without."""
    tree = FakeRoot(tmp_path, {"/proc/self/mountinfo": MOUNTS})
    block = tmp_path / "sys/class/block"
    block.mkdir(parents=True)
    for drive, parts in (("nvme9n1", ("nvme9n1p2", "nvme9n1p3")), ("sdz", ())):
        tree.put(f"/sys/devices/{drive}/queue/scheduler", "[none] bfq\n")
        (block / drive).symlink_to(f"../../devices/{drive}")
        for part in parts:
            (tmp_path / f"sys/devices/{drive}/{part}").mkdir()
            (block / part).symlink_to(f"../../devices/{drive}/{part}")
    return tree


def test_partition_belongs_to_its_drive(root):
    """The deepest mount decides, and a partition has the queue of its drive."""
    assert drive_of_folder(root.files, "/etc") == "nvme9n1"
    assert drive_of_folder(root.files, "/games/steam") == "sdz"
    assert drive_of_folder(root.files, "/gamesomething") == "nvme9n1"
    assert drive_of_folder(root.files, "/my games") == "nvme9n1"


def test_file_system_without_a_drive(root):
    """/proc lies on none."""
    assert drive_of_folder(root.files, "/proc/1") is None


def test_folders_of_a_drive(root):
    """All mounts of its partitions, the deepest first."""
    assert folders_on_drive(root.files, "nvme9n1") == ["/my games", "/"]
    assert folders_on_drive(root.files, "sdz") == ["/games"]
    assert folders_on_drive(root.files, "nothing") == []


WORDS = st.lists(st.from_regex(r"[a-z0-9:/=]{1,6}", fullmatch=True), max_size=8)


@given(st.lists(st.tuples(WORDS, WORDS), max_size=6))
def test_lines_of_another_shape_are_left_out(rows):
    """mountinfo(5): five words at least, " - ", the type of the file system and its source."""
    text = "\n".join(f"{' '.join(left)} - {' '.join(right)}" for left, right in rows)
    whole = [(left[4], right[1]) for left, right in rows if len(left) >= 5 and len(right) >= 2]
    assert [(each.folder, each.device) for each in parse_mounts(text)] == whole


@given(st.text(max_size=300))
def test_any_text_is_parsed_without_an_error(text):
    """What is found stands in it."""
    assert all(each.kind in text for each in parse_mounts(text))


def test_a_single_file_that_is_mounted_names_no_drive(monkeypatch):
    """Of this computer: in a container a drive was called after /run/host/os-release."""
    monkeypatch.setattr(folder_drive, "_mounts", lambda _files: parse_mounts(MOUNTS))
    monkeypatch.setattr(folder_drive, "_whole_drive", lambda _files, device: device[5:12])
    monkeypatch.setattr("os.path.isfile", lambda path: path == "/my games")
    assert folders_on_drive(KernelFiles(), "nvme9n1") == ["/"]
