# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives that leave and come back as new kernel objects, on the simulated computer."""

import contextlib
import shutil
from pathlib import Path
from typing import Any

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.api.setting_files import UDEV_FILE
from destutter_helper.engine import Engine, open_engine
from destutter_helper.storage import Storage
from tests.support import helper_tree
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import begin, keep, outcomes

TOLERANCE = "nvme.latency_tolerance"
PATH = "/sys/class/nvme/nvme0/power/pm_qos_latency_tolerance_us"
KEPT = f"{TOLERANCE}@nvme0=0"


def replug(computer: Computer, value: str) -> None:
    """The drive leaves and comes back; ``value`` is what the kernel or our udev rule put there."""
    computer.kernel.unplug("nvme/nvme0")
    computer.kernel.plug("nvme/nvme0")
    computer.kernel.nvme["nvme0"] = value


def written(computer: Computer) -> list[str]:
    """What was written to the drive's tolerance since the last look."""
    found = [text.strip() for path, text in computer.kernel.writes if path == PATH]
    computer.kernel.writes.clear()
    return found


def test_f42_a_number_that_is_there_already_is_made_to_have_an_effect(
    engine: Engine, computer: Computer
) -> None:
    """udev wrote it before the controller was ready: an equal write would do nothing."""
    computer.kernel.nvme["nvme0"] = "0"
    begin(engine, KEPT)
    assert written(computer) == ["100000", "0"]


def test_f42_another_number_is_written_once(engine: Engine, computer: Computer) -> None:
    """No detour where the kernel sees a change anyway."""
    begin(engine, KEPT)
    assert written(computer) == ["0"]


def test_f42_udev_takes_the_detour_when_the_controller_is_ready(
    engine: Engine, computer: Computer
) -> None:
    """The event that comes with a live controller writes another number and then ours."""
    keep(engine, KEPT, until="always")
    *_comment, first, second = computer.udev.files[UDEV_FILE].decode().splitlines()
    attribute = "ATTR{power/pm_qos_latency_tolerance_us}"
    assert 'ENV{NVME_EVENT}=="connected"' in first
    assert first.endswith(f'{attribute}="100000"')
    assert second.endswith(f'{attribute}="0"')
    assert second.startswith('ACTION=="add|change"')


@pytest.mark.parametrize("steps", ["undo", "trial, undo", "trial, revert, undo"])
@pytest.mark.parametrize("until", ["restart", "always"])
def test_f43_after_a_replug_undo_goes_back_to_the_drives_own_value(
    engine: Engine, computer: Computer, until: str, steps: str
) -> None:
    """Our rule has put the kept value into the new object: it does not become the origin."""
    keep(engine, KEPT, until=until)
    replug(computer, "0")
    if steps != "undo":
        txid = begin(engine, f"{TOLERANCE}@nvme0=5000")
        if "revert" in steps:
            engine.revert(txid, "reverted")
            assert computer.kernel.nvme["nvme0"] == "0"
    assert outcomes(engine.undo(UndoRequest())) == {TOLERANCE: "restored"}
    assert computer.kernel.nvme["nvme0"] == "100000"
    assert engine.state().state == "idle"


def test_f43_undo_after_a_replug_tells_each_setting_once(
    engine: Engine, computer: Computer
) -> None:
    """What goes back is not also told as left there until a restart."""
    keep(engine, KEPT, until="always")
    replug(computer, "0")
    assert [one.outcome for one in engine.undo(UndoRequest())] == ["restored"]


def test_f43_a_trial_over_a_replug_goes_back(engine: Engine, computer: Computer) -> None:
    """A controller that kept our number over the replug is taken back as well."""
    txid = begin(engine, KEPT)
    replug(computer, "0")
    assert outcomes(engine.revert(txid, "reverted")) == {TOLERANCE: "restored"}
    assert computer.kernel.nvme["nvme0"] == "100000"


def test_f43_a_drive_that_is_away_at_the_end_of_a_trial_keeps_its_origin(
    engine: Engine, computer: Computer
) -> None:
    """Kept for every start, tried something else, pulled out, reverted, back with our value."""
    keep(engine, KEPT, until="always")
    txid = begin(engine, f"{TOLERANCE}@nvme0=5000")
    computer.kernel.unplug("nvme/nvme0")
    assert outcomes(engine.revert(txid, "reverted")) == {TOLERANCE: "gone"}
    computer.kernel.plug("nvme/nvme0")
    computer.kernel.nvme["nvme0"] = "0"
    engine.undo(UndoRequest())
    assert computer.kernel.nvme["nvme0"] == "100000"


def test_f43_a_drive_that_came_back_with_its_own_value_is_left_alone(
    engine: Engine, computer: Computer
) -> None:
    """Nothing of ours is in it: there is nothing to take back."""
    keep(engine, KEPT, until="restart")
    replug(computer, "100000")
    assert outcomes(engine.undo(UndoRequest())) == {TOLERANCE: "gone"}
    assert computer.kernel.nvme["nvme0"] == "100000"
    assert engine.state().state == "idle"


def rename(computer: Computer) -> None:
    """The kernel calls the drive nvme1 from now on: it found another one first."""
    kernel = computer.kernel
    kernel.unplug("nvme/nvme0")
    kernel.plug("nvme/nvme1")
    kernel.identities["nvme/nvme1"] = kernel.identities.pop("nvme/nvme0")
    kernel.nvme = {"nvme1": kernel.nvme["nvme0"]}


def test_f43_a_drive_of_another_name_is_undone_by_the_name_of_today(
    engine: Engine, computer: Computer
) -> None:
    """After a replug under another name the setting goes back, and is kept no longer."""
    keep(engine, KEPT, until="always")
    rename(computer)
    results = engine.undo(UndoRequest(ids=(f"{TOLERANCE}@nvme1",)))
    assert [(one.device, one.outcome) for one in results] == [("nvme1", "restored")]
    assert computer.kernel.nvme == {"nvme1": "100000"}
    assert not engine.document.profile


def test_f43_a_drive_that_has_another_name_since_the_start_is_kept_no_longer(
    engine: Engine, computer: Computer
) -> None:
    """What an undo took back by the name of today does not come back at the next start."""
    keep(engine, KEPT, until="always")
    computer.power_cut()
    rename(computer)
    restarted = computer.start()
    restarted.recover()
    restarted.boot()
    assert computer.kernel.nvme == {"nvme1": "0"}
    restarted.undo(UndoRequest(ids=(f"{TOLERANCE}@nvme1",)))
    assert computer.kernel.nvme == {"nvme1": "100000"}
    assert not restarted.document.profile


def test_f39_a_drive_that_is_swapped_while_the_disk_is_slow_gets_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pulled out during the flush, another one has its name: not one write reaches that one."""
    root = helper_tree.build(tmp_path)
    sda = root / "sys/devices/virtual/block/sda"
    other = root / "sys/devices/virtual/block/other"
    shutil.copytree(sda, other)
    (other / "wwid").write_text("naa.another")
    before = {path: path.read_text() for path in other.rglob("*") if path.is_file()}
    replace = Storage.replace

    def slow(storage: Storage, *names: Any, **options: Any) -> None:
        replace(storage, *names, **options)
        if other.exists():
            sda.rename(sda.with_name("pulled"))
            other.rename(sda)

    tree = helper_tree.ScratchTree(str(root))
    with contextlib.closing(open_engine(tree, log=lambda _text: None)) as engine:
        monkeypatch.setattr(Storage, "replace", slow)
        with pytest.raises(HelperError, match="another device has this name now"):
            begin(engine, "block.read_ahead_kb@sda=512", "block.nr_requests@sda=64")
        assert engine.state().state == "idle"
    assert {path: (sda / path.relative_to(other)).read_text() for path in before} == before


def test_f57_what_was_tried_on_a_drive_that_left_is_not_told_as_kept(
    engine: Engine, computer: Computer
) -> None:
    """Requests kept, a scheduler tried, the drive pulled out: only the requests are still ours."""
    keep(engine, "block.nr_requests@sda=24")
    txid = begin(engine, "block.scheduler@sda=bfq")
    computer.kernel.unplug("block/sda")
    engine.revert(txid, "reverted")
    assert [one.id for one in engine.state().changed] == ["block.nr_requests"]
    assert [one.id for one in computer.start().state().changed] == ["block.nr_requests"]
