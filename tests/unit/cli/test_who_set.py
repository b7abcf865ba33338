# SPDX-License-Identifier: GPL-3.0-or-later
"""Who set a value, where the helper's word, the kernel and the files do not agree."""

import json
import time
from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from destutter.analysis.changes.helper_statements import statement_of
from destutter.analysis.changes.history import HistoryEntry
from destutter.commands import helper_state
from destutter.commands.helper_state import HelperAnswer
from destutter.commands.who_set import BY_DESTUTTER, set_by
from destutter.core.statement import Statement
from destutter.tuning.current import CurrentValue
from destutter_helper.api.payload import Result
from destutter_helper.api.statement import told
from destutter_helper.change_set import reason_to_wait
from destutter_helper.journal import Document
from destutter_helper.kernel_writer import KernelWriter
from tests.support.fake_root import FakeRoot

AHEAD = ("block.read_ahead_kb", "sda")
SPLIT = ("kernel.split_lock_mitigate", "")
OURS = Result(*AHEAD, "changed", "512", "128", "restart")


@pytest.fixture
def root(tmp_path):
    """A drive and one setting of the kernel, as they are at a start."""
    return FakeRoot(
        tmp_path / "root",
        {
            "/proc/sys/kernel/split_lock_mitigate": "1\n",
            "/sys/block/sda/size": "8\n",
            "/sys/block/sda/queue/read_ahead_kb": "128\n",
        },
    )


@pytest.fixture
def status(commands, root, monkeypatch):
    """Runs the command with this value of the drive and this word of the helper."""

    def run(value, **answer):
        root.put("/sys/block/sda/queue/read_ahead_kb", f"{value}\n")
        given = replace(
            HelperAnswer(is_ready=True, detail=Statement("doctor.not_asked")), **answer
        )
        monkeypatch.setattr(helper_state, "ask_helper", lambda _root: given)
        told = json.loads(commands.run("status", "--root", root.folder, "--json").output)
        told["by"] = {(each["tunable"], each["device"] or ""): each for each in told["settings"]}
        return told, commands.run("status", "--root", root.folder).output

    return run


@pytest.mark.parametrize(
    ("value", "gone", "told"),
    [
        ("512", False, "Destutter, was 128"),
        ("300", False, "something else since (Destutter had set 512, before that 128)"),
        ("128", False, "something else put it back (Destutter had set 512)"),
        ("512", True, "no file sets it (Destutter had set 512 on another drive of this name)"),
    ],
)
def test_ours_is_only_what_is_there(status, value, gone, told):
    """Somebody else's value, the one from before, and another drive of the name are not ours."""
    seen, output = status(value, changed={AHEAD: OURS}, gone=frozenset({AHEAD} if gone else ()))
    assert seen["by"][AHEAD]["set_by"] == told
    assert told in output
    is_lost = value != "512" or gone
    assert ("Kept, but not in force now:" in output) == is_lost
    assert bool(seen["not_in_force"]) == is_lost


def test_a_conflict_is_shown_with_both_ways_out(status):
    """What an undo left alone waits for a decision; what could not be written is still ours."""
    left = Result(*AHEAD, "foreign", None, "128", notes=(told("x=300"),))
    seen, output = status("300", conflicts={AHEAD: left})
    assert seen["by"][AHEAD]["set_by"] == "something else; an undo left it (before Destutter 128)"
    assert "  block.read_ahead_kb@sda: 300, before Destutter 128\n" in output
    assert "--accept" in output
    assert [each["tunable"] for each in seen["conflicts"]] == [AHEAD[0]]
    failed = Result(*AHEAD, "failed", None, "128", notes=(told("no room"),))
    seen, _output = status("512", conflicts={AHEAD: failed})
    assert seen["by"][AHEAD]["set_by"] == "Destutter; taking it back to 128 failed"


def test_what_is_kept_for_every_start_decides_the_next_one(status):
    """Whatever files say, and also when something else has replaced it now."""
    seen, output = status("128", kept_always={SPLIT: "0"})
    split = seen["by"][SPLIT]
    assert (split["next_boot"], split["kept_always"]) == ("0", "0")
    assert "kernel.split_lock_mitigate: 0 instead of 1, by Destutter" in output
    assert "  kernel.split_lock_mitigate: 0 at every start, but now 1\n" in output


def test_starts_that_failed_leave_it_out(status):
    """The helper's own notice is understood: then the files decide."""

    kernel = SimpleNamespace(command_line=list)
    said = reason_to_wait(cast(KernelWriter, kernel), Document("a-boot", starts=2))
    assert said is not None
    notice = statement_of(said)
    seen, output = status("128", kept_always={SPLIT: "0"}, notices=(notice,), leaves_out_kept=True)
    assert seen["by"][SPLIT]["next_boot"] == "1"
    assert seen["helper"]["notices"] == [str(said)]
    assert f"  {notice}\n" in output


def test_what_is_kept_until_the_restart_is_not_told_of_the_next_start(status, root):
    """The helper's file for this start is gone then."""
    root.put("/run/sysctl.d/99-zz-destutter.conf", "kernel.split_lock_mitigate = 1\n")
    root.put("/etc/sysctl.d/90-mine.conf", "kernel.split_lock_mitigate = 0\n")
    seen, _output = status("128")
    assert seen["by"][SPLIT]["next_boot"] == "0"
    seen, _output = status("128", is_ready=False, is_silent=True)
    assert seen["by"][SPLIT]["next_boot"] is None


def test_a_value_whose_record_is_lost_is_known_from_the_history(status):
    """A helper that was killed: its log still says who set the value that is there."""
    entry = HistoryEntry("trial", *AHEAD, "changed", "512", "128", time.time(), None)
    seen, _output = status("512", history={AHEAD: entry})
    assert seen["by"][AHEAD]["set_by"] == "left by Destutter, which has no record of it (was 128)"
    seen, _output = status("300", history={AHEAD: entry})
    assert seen["by"][AHEAD]["set_by"] == "no file sets it"


def test_a_helper_that_does_not_answer_leaves_it_open(status):
    """What nobody else has set may be Destutter's; a default of the kernel is none of ours."""
    seen, _output = status("512", is_ready=False, is_silent=True)
    assert seen["by"][AHEAD]["set_by"] == "not known: the helper does not answer"
    assert seen["by"][SPLIT]["set_by"] == "kernel default"


def test_what_is_not_here_was_set_by_nobody():
    """A scheduler's own setting where another one is active, and nothing is kept at all."""
    absent = CurrentValue("block.iosched.low_latency", "sda", "bfq low latency", "", None, None)
    answer = HelperAnswer(is_ready=False, detail=Statement("doctor.not_installed"))
    assert set_by(absent, None, answer) != BY_DESTUTTER
