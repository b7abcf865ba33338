# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that a trial is tied to: the caller's, by its number and its start."""

import contextlib
import os
import subprocess
from pathlib import Path

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.game_process import open_process
from destutter_helper.kernel_tree import KernelTree

UID = 1000


@pytest.fixture
def game(tmp_path):
    """A process that runs, and the tree in which it is this user's."""
    with subprocess.Popen(["sleep", "600"]) as process:
        tree(tmp_path, process.pid, (UID, UID, UID))
        yield process
        process.kill()


def tree(root, pid, uids, name="game) 7 (x"):
    """What the kernel says of a process."""
    folder = root / f"proc/{pid}"
    folder.mkdir(parents=True, exist_ok=True)
    real, effective, saved = uids
    status = f"Name:\tgame\nTgid:\t{pid}\nUid:\t{real}\t{effective}\t{saved}\t{saved}\n"
    (folder / "status").write_text(status)
    fields = " ".join(str(number) for number in range(4, 22))
    (folder / "stat").write_text(f"{pid} ({name}) S {fields} 4711 5 6\n")


def opened(root, uid, pid, start="4711"):
    """The descriptor, or the name of the error."""
    with contextlib.closing(KernelTree(str(root))) as kernel:
        try:
            return open_process(kernel, uid, pid, start)
        except HelperError as error:
            return error.name


def test_the_descriptor_is_of_that_process(tmp_path, game):
    """It is told by the kernel's own word."""
    descriptor = opened(tmp_path, UID, game.pid)
    try:
        told = Path(f"/proc/self/fdinfo/{descriptor}").read_text()
        assert f"Pid:\t{game.pid}\n" in told
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("uid", "start", "answer"),
    [
        (UID + 1, "4711", "NotAuthorized"),
        (UID, "4712", "Refused"),
        (UID, "", "Refused"),
        (UID, "04711", "Refused"),
    ],
)
def test_of_nobody_else_and_no_other_with_its_number(tmp_path, game, uid, start, answer):
    """No descriptor stays open."""
    before = os.listdir("/proc/self/fd")
    assert opened(tmp_path, uid, game.pid, start) == answer
    assert len(os.listdir("/proc/self/fd")) == len(before)


@pytest.mark.parametrize("uids", [(UID, 0, 0), (0, UID, UID), (UID, UID, 0)])
def test_a_process_that_has_become_somebody_else_is_not_the_callers(tmp_path, game, uids):
    """Real, effective and saved; root may name anybody's."""
    tree(tmp_path, game.pid, uids)
    assert opened(tmp_path, UID, game.pid) == "NotAuthorized"
    os.close(opened(tmp_path, 0, game.pid))


@pytest.mark.parametrize("pid", [0, -1, 2**31 - 1, 2**31, -(2**31)])
def test_numbers_of_no_process_are_refused(tmp_path, pid):
    """In words, whatever the number."""
    assert opened(tmp_path, UID, pid) == "Refused"


def test_one_that_has_ended_is_refused(tmp_path, game):
    """Its number may be another's by the time of the look: the tree still shows it."""
    game.kill()
    game.wait()
    assert opened(tmp_path, UID, game.pid) == "Refused"


def test_a_line_that_is_cut_off_is_refused(tmp_path, game):
    """As of a process that ends in the middle of the look."""
    (tmp_path / f"proc/{game.pid}/stat").write_text("7 (x) S 1")
    assert opened(tmp_path, UID, game.pid) == "Refused"
