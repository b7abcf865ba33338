# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter status`` and ``destutter capture``."""

import json
import shutil
import tarfile

import pytest

from destutter.commands import helper_state
from destutter.commands.helper_state import HelperAnswer
from destutter.core.sandbox import INFO
from destutter.core.statement import told
from destutter.resource_folder import resource_folder
from destutter_helper.api.payload import Change, GameSet, Result
from tests.support.fake_root import FakeRoot
from tests.support.flatpak_sandbox import flatpak_info
from tests.support.roots import ARCHIVES, name_of, unpacked

_READY = told("ready, version 1")


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
    table, _, rest = outcome.output.partition(
        "Advised for this computer (Any game); no game was measured"
    )
    lines = {line.split()[0]: line for line in table.splitlines() if line.strip()}
    assert lines["vm.swappiness"].split()[1:] == ["60", "kernel", "default"]
    assert "unknown" in lines["vm.watermark_scale_factor"]
    assert "advised: 0 (risk low)" in lines["vm.watermark_boost_factor"]
    assert "does not count now" in lines["vm.dirty_ratio"]
    assert "bfq" in lines["block.scheduler@sda"]
    assert "several gigabytes at once" in rest
    assert "Not when: The watermark_scale_factor is 50 or less." in rest
    assert "To try it: destutter apply vm.watermark_boost_factor=0\n" in rest
    assert "is not a whole number: vm.page-cluster" in rest
    assert "this kernel has no such setting: vm.min_free_kbytes," in rest
    assert rest.endswith("\nHelper: not asked: this is not the running computer\n")


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


@pytest.mark.parametrize(
    ("locale", "wanted"),
    [
        (
            "de_DE.UTF-8",
            (
                "Empfohlen für diesen Rechner (Irgendein Spiel)",
                "Nicht wenn: watermark_scale_factor",
                "Nicht hier:",
            ),
        ),
        ("zh_CN.UTF-8", ("任意游戏", "内核默认值", "这里没有")),
    ],
)
def test_it_is_told_in_the_language_and_programs_read_english(
    commands, root, monkeypatch, locale, wanted
):
    """Owners, advice and reasons."""
    english = commands.run("status", "--root", root.folder, "--json").output
    monkeypatch.setenv("LC_ALL", locale)
    output = commands.run("status", "--root", root.folder).output
    assert [words for words in wanted if words not in output] == []
    assert "several gigabytes" not in output
    assert commands.run("status", "--root", root.folder, "--json").output == english


def test_what_destutter_changed_is_shown_with_the_value_before(commands, root, monkeypatch):
    """The helper knows what it changed."""
    root.put("/proc/sys/vm/swappiness", "10\n")
    result = Result("vm.swappiness", "", "changed", "10", "60", "")
    answer = HelperAnswer(is_ready=True, detail=_READY, changed={("vm.swappiness", ""): result})
    monkeypatch.setattr(helper_state, "ask_helper", lambda _root: answer)
    told = json.loads(commands.run("status", "--root", root.folder, "--json").output)
    setting = next(each for each in told["settings"] if each["tunable"] == "vm.swappiness")
    assert setting["changed"] == {"origin": "60", "value": "10"}
    assert setting["set_by"] == "Destutter, was 60"


def test_what_is_kept_for_games_is_listed(commands, root, monkeypatch):
    """With the game that has it now."""
    changes = (Change("vm.swappiness", "10"), Change("block.scheduler", "bfq", "sda"))
    kept = GameSet("1" * 32, "sim", changes, runs=True, uid=1000)
    answer = HelperAnswer(is_ready=True, detail=_READY, for_games=(kept,))
    monkeypatch.setattr(helper_state, "ask_helper", lambda _root: answer)
    shown = commands.run("status", "--root", root.folder).output
    assert "  sim: vm.swappiness=10 block.scheduler@sda=bfq (now)\n" in shown
    told = json.loads(commands.run("status", "--root", root.folder, "--json").output)
    (one,) = told["kept_for_games"]
    assert (one["game"], one["is_on"], one["uid"]) == ("sim", True, 1000)
    assert one["changes"][1] == {"tunable": "block.scheduler", "device": "sda", "value": "bfq"}


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 65])
def test_a_name_that_no_game_can_have_is_refused_before_anybody_is_asked(commands, name):
    """In words, and with status 1."""
    outcome = commands.run("apply", "vm.swappiness=10", "--for-game", name)
    assert outcome.status == 1
    assert "game" in outcome.complaint


def test_in_a_flatpak_it_says_why_nobody_is_named(commands, root):
    """Who set a value stands in files that the sandbox hides."""
    root.put(INFO, flatpak_info())
    output = commands.run("status", "--root", root.folder).output
    assert "The Flatpak's sandbox hides the files and programs that set values." in output
    assert "no file sets it" not in output


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
    assert "not installed" in str(answer.detail)


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


def test_who_set_a_value_and_what_the_next_start_brings(commands, root):
    """A file with its line, and the value that will win over the present one."""
    root.put("/usr/lib/sysctl.d/70-cachyos-settings.conf", "# ours\nvm.swappiness = 60\n")
    root.put("/etc/sysctl.d/90-mine.conf", "vm.watermark_scale_factor = 125\n")
    output = commands.run("status", "--root", root.folder).output
    assert "/usr/lib/sysctl.d/70-cachyos-settings.conf:2 (CachyOS)" in output
    wins = "vm.watermark_scale_factor: 125 instead of 200, by /etc/sysctl.d/90-mine.conf:1"
    assert wins in output
    told = json.loads(commands.run("status", "--root", root.folder, "--json").output)
    settings = {each["tunable"]: each for each in told["settings"]}
    assert settings["vm.swappiness"]["is_chosen"] is True
    assert settings["vm.watermark_scale_factor"]["next_boot"] == "125"


def test_the_workload_is_one_of_the_presets(commands, root):
    """Its notes are told; an unknown one lists all."""
    output = commands.run("status", "--root", root.folder, "--workload", "kvm_guest").output
    assert "Time that the host takes" in output
    outcome = commands.run("status", "--root", root.folder, "--workload", "chess")
    assert (outcome.status, outcome.output) == (2, "")
    assert "general, competitive, desktop_background, flight_sim" in outcome.complaint


def test_a_broken_preset_costs_only_itself(commands, root, monkeypatch, tmp_path):
    """The others still advise, and it is named; asked for itself it is the error."""
    shutil.copytree(resource_folder() / "presets", tmp_path / "presets")
    (tmp_path / "presets" / "open_world.toml").write_text("id = ")
    monkeypatch.setattr("destutter.resource_folder.resource_folder", lambda: tmp_path)
    words = ("status", "--root", root.folder, "--workload")
    outcome = commands.run(*words, "kvm_guest")
    assert outcome.status == 0
    assert "Time that the host takes" in outcome.output
    assert outcome.complaint.startswith("open_world.toml: ")
    outcome = commands.run(*words, "open_world")
    assert (outcome.status, outcome.output) == (1, "")
    assert outcome.complaint.startswith("open_world.toml: ")


@pytest.mark.parametrize("archive", ARCHIVES, ids=name_of)
def test_status_of_every_known_computer(commands, archive):
    """A table that fits a screen or two, and the same settings as JSON."""
    files = unpacked(archive)
    outcome = commands.run("status", "--root", files.root)
    assert (outcome.status, outcome.errors) == (0, "")
    assert outcome.output.count("\n") < 90
    told = json.loads(commands.run("status", "--root", files.root, "--json").output)
    for setting in told["settings"]:
        assert (setting["value"] is None) == bool(setting["why"])
        advice = setting["recommendation"]
        assert advice is None or advice["recommended"] != setting["value"]
