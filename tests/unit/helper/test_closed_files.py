# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the kernel that are closed to the helper, or have something mounted over them."""

import errno

import pytest

from destutter_helper.api.payload import UndoRequest
from destutter_helper.transaction import Engine
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import begin, outcomes

SDA = "/sys/block/sda/queue/"
NVME = "/sys/class/nvme/nvme0/"


@pytest.fixture
def computer() -> Computer:
    """A computer on which nothing was changed."""
    return Computer()


@pytest.fixture
def engine(computer: Computer) -> Engine:
    """A helper that has just started."""
    engine = computer.start()
    engine.recover()
    return engine


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
