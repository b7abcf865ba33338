# SPDX-License-Identifier: GPL-3.0-or-later
"""A trial as the kernel shows it, whatever the helper says."""

import pytest

from destutter.commands.terminal import UsageError
from destutter.commands.trial_watch import LOST, NO_HELPER, TrialWatch
from destutter.commands.undoing import check_names
from destutter_helper.api.payload import Change, ChangeSet, Result
from tests.support.fake_root import FakeRoot

AHEAD = "/sys/block/sda/queue/read_ahead_kb"
KEY = ("block.read_ahead_kb", "sda")


@pytest.fixture
def root(tmp_path):
    """One drive."""
    return FakeRoot(tmp_path / "root", {"/sys/block/sda/size": "8\n", AHEAD: "128\n"})


def _watch(root, value="512", made="512"):
    watch = TrialWatch(root.files, ChangeSet((Change(KEY[0], value, KEY[1]),)))
    root.put(AHEAD, f"{made}\n")
    watch.note_begin()
    return watch


def test_what_the_kernel_made_of_a_wish(root):
    """Less than a page of read-ahead is none at all."""
    watch = _watch(root, "3", made="0")
    assert watch.taken_otherwise == [(Change(KEY[0], "3", KEY[1]), "0")]
    assert _watch(root).taken_otherwise == []


@pytest.mark.parametrize(
    ("now", "outcome", "note"),
    [("128", "restored", ""), ("512", "failed", NO_HELPER), ("300", "foreign", "")],
)
def test_without_a_word_of_the_helper_the_kernel_decides(root, now, outcome, note):
    """Back, still there, or neither."""
    watch = _watch(root)
    root.put(AHEAD, f"{now}\n")
    (result,) = watch.results((), why_left=NO_HELPER)
    assert (result.outcome, result.value, result.origin) == (outcome, now, "128")
    assert result.note == str(note)
    assert watch.is_back == (now == "128")


@pytest.mark.parametrize("outcome", ["restored", "gone"])
def test_a_word_that_the_kernel_contradicts_does_not_count(root, outcome):
    """It is said to be back, or its drive to have left, and the value of the trial is there."""
    watch = _watch(root)
    told = Result(*KEY, outcome, "128", "128", "")
    (result,) = watch.results((told,), why_left=LOST)
    assert (result.outcome, result.value, result.note) == ("failed", "512", str(LOST))
    assert watch.commands_back((result,)) == [f"echo 128 | sudo tee {AHEAD}"]
    root.put(AHEAD, "128\n")
    assert watch.results((told,), why_left=LOST) == (told,)


@pytest.mark.parametrize(
    ("active", "passive", "before", "tried", "ways"),
    [
        ("dirty_ratio", "dirty_bytes", "20", "1048576", ["sudo sysctl -w vm.dirty_ratio=20"]),
        ("dirty_bytes", "dirty_ratio", "4096", "5", ["sudo sysctl -w vm.dirty_bytes=4096"]),
        ("dirty_ratio", "dirty_bytes", "0", "1048576", []),
    ],
)
def test_the_way_back_of_a_pair_is_the_member_that_counted(
    root, active, passive, before, tried, ways
):
    """The kernel takes no 0 for the other one: that command is an error, and nothing goes back."""
    root.put(f"/proc/sys/vm/{active}", f"{before}\n")
    root.put(f"/proc/sys/vm/{passive}", "0\n")
    watch = TrialWatch(root.files, ChangeSet((Change(f"vm.{passive}", tried),)))
    root.put(f"/proc/sys/vm/{active}", "0\n")
    root.put(f"/proc/sys/vm/{passive}", f"{tried}\n")
    watch.note_begin()
    results = watch.results((), why_left=NO_HELPER)
    assert [each.outcome for each in results] == ["failed"]
    assert watch.commands_back(results) == ways


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("vm.swapiness", "did you mean vm.swappiness?"),
        ("foo", "'destutter status' lists them"),
        ("vm.swappiness@sda", "belongs to no device"),
        ("block.read_ahead_kb@", "is not ID or ID@DEVICE"),
    ],
)
def test_a_name_of_nothing_is_told_with_the_nearest(name, told):
    """Before anybody is asked."""
    with pytest.raises(UsageError) as refused:
        check_names([name])
    assert told in str(refused.value)
