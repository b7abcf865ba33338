# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter status`` and ``destutter capture``."""

import json
import tarfile

import pytest

from destutter.commands import helper_state
from destutter.commands.helper_state import HelperAnswer
from destutter_helper.api.payload import Result
from tests.support.fake_root import FakeRoot


@pytest.fixture
def root(tmp_path):
    """A captured computer with a few settings, one of them broken."""
    return FakeRoot(
        tmp_path / "root",
        {
            "/proc/sys/vm/swappiness": "60\n",
            "/proc/sys/vm/watermark_scale_factor": "200\n",
            "/proc/sys/vm/watermark_boost_factor": "15000\n",
            "/proc/sys/vm/dirty_ratio": "0\n",
            "/proc/sys/vm/dirty_bytes": "268435456\n",
            "/proc/sys/vm/page-cluster": "three\n",
            "/sys/block/sda/size": "8\n",
            "/sys/block/sda/queue/read_ahead_kb": "128\n",
            "/sys/block/sda/queue/scheduler": "none [bfq]\n",
        },
    )


def test_every_setting_with_value_owner_and_advice(commands, root):
    """A table of what is there, then what is not and why, then the helper."""
    outcome = commands.run("status", "--root", root.folder)
    assert (outcome.status, outcome.errors) == (0, "")
    lines = {line.split()[0]: line for line in outcome.output.splitlines() if line.strip()}
    assert lines["vm.swappiness"].split()[1:] == ["60", "kernel", "default"]
    assert "unknown" in lines["vm.watermark_scale_factor"]
    assert "advised: 0 (risk low)" in lines["vm.watermark_boost_factor"]
    assert "does not count now" in lines["vm.dirty_ratio"]
    assert "bfq" in lines["block.scheduler@sda"]
    assert "is not a whole number" in lines["vm.page-cluster:"]
    assert "this kernel has no such setting" in lines["thp.enabled:"]
    assert lines["Helper:"] == "Helper: not asked: this is not the running computer"


def test_json_has_every_setting(commands, root):
    """Absent values are null with a reason, advice is null without one."""
    told = json.loads(commands.run("status", "--root", root.folder, "--json").output)
    settings = {(each["tunable"], each["device"]): each for each in told["settings"]}
    assert settings["vm.swappiness", None]["value"] == "60"
    assert settings["vm.swappiness", None]["recommendation"] is None
    assert settings["vm.swappiness", None]["changed"] is None
    assert settings["vm.zone_reclaim_mode", None]["value"] is None
    assert settings["vm.zone_reclaim_mode", None]["why"]
    boost = settings["vm.watermark_boost_factor", None]["recommendation"]
    assert (boost["recommended"], boost["risk"]) == ("0", "low")
    assert settings["block.scheduler", "sda"]["value"] == "bfq"
    assert told["helper"]["is_ready"] is False


def test_what_destutter_changed_is_shown_with_the_value_before(commands, root, monkeypatch):
    """The helper knows what it changed."""
    result = Result("vm.swappiness", "", "changed", "10", "60", "")
    answer = HelperAnswer(
        is_ready=True, detail="ready, version 1", changed={("vm.swappiness", ""): result}
    )
    monkeypatch.setattr(helper_state, "ask_helper", lambda _root: answer)
    told = json.loads(commands.run("status", "--root", root.folder, "--json").output)
    setting = next(each for each in told["settings"] if each["tunable"] == "vm.swappiness")
    assert setting["changed"] == {"origin": "60", "value": "10"}
    assert setting["set_by"] == "Destutter, was 60"


def test_a_tree_without_settings_is_an_error(commands, tmp_path):
    """Not a table of nothing."""
    root = FakeRoot(tmp_path)
    outcome = commands.run("status", "--root", root.folder)
    assert (outcome.status, outcome.output) == (1, "")
    assert outcome.complaint == f"none of the settings can be read below {tmp_path}"


def test_without_the_helper_nothing_is_asked(monkeypatch):
    """Where it is not installed, no bus is touched and Qt stays away."""
    monkeypatch.setattr(helper_state, "find_activation", lambda: None)
    answer = helper_state.ask_helper("/")
    assert not answer.is_ready
    assert "not installed" in answer.detail


def test_a_capture_is_an_archive_of_kernel_files(commands, root, tmp_path):
    """The files of the tree, and one line that says how many."""
    out = tmp_path / "c.tar.gz"
    outcome = commands.run("capture", "--root", root.folder, "--out", out)
    assert outcome.status == 0
    assert outcome.output.startswith("Captured ")
    with tarfile.open(out) as archive:
        assert "proc/sys/vm/swappiness" in archive.getnames()


def test_capture_tells_programs_what_it_holds(commands, root, tmp_path):
    """File, number, size, absent and denied paths."""
    out = tmp_path / "c.tar.gz"
    words = ("capture", "--root", root.folder, "--out", out, "--json")
    told = json.loads(commands.run(*words).output)
    assert told["file"] == str(out)
    assert told["files"] >= 9
    assert told["denied"] == []


def test_a_capture_never_replaces_a_file(commands, root, tmp_path):
    """An existing file, a folder and a missing folder are refused with one line."""
    (tmp_path / "c.tar.gz").write_text("mine")
    for name in ("c.tar.gz", ".", "no/folder/c.tar.gz"):
        outcome = commands.run("capture", "--root", root.folder, "--out", tmp_path / name)
        assert (outcome.status, outcome.output) == (1, "")
        assert outcome.complaint
    assert (tmp_path / "c.tar.gz").read_text() == "mine"
