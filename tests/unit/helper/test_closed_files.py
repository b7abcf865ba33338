# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the kernel that are closed to the helper, or have something mounted over them."""

import errno

import pytest

from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import UndoRequest
from destutter_helper.engine import Engine
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import begin, keep, outcomes

SDA = "/sys/block/sda/queue/"
NVME = "/sys/class/nvme/nvme0/"


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ("block.read_ahead_kb@sda=512", SDA + "read_ahead_kb"),
        ("block.nr_requests@sda=24", SDA + "nr_requests"),
        ("block.wbt_lat_usec@sda=0", SDA + "wbt_lat_usec"),
        ("nvme.latency_tolerance@nvme0=0", NVME + "power/pm_qos_latency_tolerance_us"),
        ("nvme.latency_tolerance@nvme0=0", NVME + "serial"),
        ("block.read_ahead_kb@sda=512", "/sys/block/sda/device/serial"),
        (
            "sata.link_power@host0=max_performance",
            "/sys/class/scsi_host/host0/link_power_management_policy",
        ),
    ],
)
@pytest.mark.parametrize("error", [errno.EACCES, errno.EXDEV], ids=["closed", "mounted over"])
def test_f49_a_file_that_cannot_be_read_is_no_device_that_left(
    engine: Engine, computer: Computer, change: str, path: str, error: int
) -> None:
    """The value is remembered, and goes back when the file is open again."""
    stock = computer.kernel.dump()
    id_ = change.partition("@")[0]
    txid = begin(engine, change)
    computer.kernel.unreadable = {path: error}
    results = engine.revert(txid, "reverted")
    if path.endswith("serial"):  # not what the value is in
        assert outcomes(results) == {id_: "restored"}
    else:
        assert outcomes(results) == {id_: "failed"}
        assert "cannot be read" in results[0].note
        assert engine.state().state == "conflict"
        restarted = computer.start()
        restarted.recover()
        assert outcomes(restarted.undo(UndoRequest())) == {id_: "failed"}
        computer.kernel.unreadable = {}
        assert outcomes(restarted.undo(UndoRequest())) == {id_: "restored"}
    assert computer.kernel.dump() == stock


CLOSED_LATER = SDA + "read_ahead_kb"


@pytest.mark.parametrize("until", ["restart", "always"])
def test_f55_an_unreadable_file_of_a_drive_that_came_back_stops_no_undo(
    engine: Engine, computer: Computer, until: str
) -> None:
    """Unplugged, back and not readable: whatever else there is goes back, and nothing is lost."""
    keep(engine, "vm.swappiness=10", "block.read_ahead_kb@sda=512", until=until)
    computer.kernel.unplug("block/sda")
    computer.kernel.plug("block/sda")
    computer.kernel.unreadable = {CLOSED_LATER: errno.EIO}
    engine = computer.start()
    engine.recover()
    assert outcomes(engine.verify())["vm.swappiness"] == "ok"
    results = engine.undo(UndoRequest(("vm.swappiness",)))
    assert outcomes(results) == {"vm.swappiness": "restored"}
    assert computer.kernel.vm["swappiness"] == 60


def test_f55_an_unreadable_file_hides_no_end_of_a_trial(
    engine: Engine, computer: Computer
) -> None:
    """What is kept for a drive cannot be read: trials of something else end as they should."""
    keep(engine, "block.read_ahead_kb@sda=512", until="always")
    computer.kernel.unplug("block/sda")
    computer.kernel.plug("block/sda")
    engine = computer.start()
    engine.recover()
    computer.kernel.unreadable = {CLOSED_LATER: errno.EIO}
    assert outcomes(engine.keep(begin(engine, "vm.swappiness=10"), "restart")) == {
        "vm.swappiness": "changed"
    }
    assert outcomes(engine.revert(begin(engine, "vm.page-cluster=0"), "reverted")) == {
        "vm.page-cluster": "restored"
    }
    engine.undo(UndoRequest())
    assert computer.kernel.vm["swappiness"] == 60


@pytest.mark.parametrize("change", ["block.read_ahead_kb@sda=512", "softirq.policy@cpu0=fifo:5"])
def test_f56_a_device_is_not_gone_because_memory_is_full(
    engine: Engine, computer: Computer, change: str
) -> None:
    """The kernel cannot open a file for want of memory or descriptors: that is tried again."""
    stock = computer.kernel.dump()
    id_ = change.partition("@")[0]
    txid = begin(engine, change)
    files = {SDA + name: errno.ENOMEM for name in ("read_ahead_kb", "scheduler")}
    computer.kernel.unreadable = files | {"/proc/14/stat": errno.ENOMEM}
    results = outcomes(engine.revert(txid, "reverted"))
    computer.kernel.unreadable = {}
    assert results in ({id_: "failed"}, {id_: "restored"})
    engine.undo(UndoRequest())
    assert computer.kernel.dump() == stock


@pytest.mark.parametrize("error", [errno.ENOMEM, errno.EMFILE, errno.ENFILE])
def test_f65_a_start_without_memory_forgets_nothing(
    engine: Engine, computer: Computer, error: int
) -> None:
    """A boot whose name could not be read is not another one: the next start is right again."""
    stock = computer.kernel.dump()
    keep(engine, "vm.swappiness=10")
    computer.kernel.unreadable = {"/proc/sys/kernel/random/boot_id": error}
    with pytest.raises(HelperError):
        computer.start()
    computer.kernel.unreadable = {}
    assert outcomes(computer.start().undo(UndoRequest())) == {"vm.swappiness": "restored"}
    assert computer.kernel.dump() == stock
