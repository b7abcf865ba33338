# SPDX-License-Identifier: GPL-3.0-or-later
"""Two worlds for the tests of this folder.

`private_bus`: a bus of our own, a scripted polkit and a scratch tree; runs everywhere. `kit`: a
system bus, polkitd and the helper as they are installed, as root, on this computer's kernel; its
tests are deselected unless somebody (KERNEL=1) or a machine (CI=true) asks for them as root.
"""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.guards import environment
from tests.support import bus_kit, kernel_dump, kernel_lock, private_bus, scratch_tree
from tests.support.living import living
from tests.truth.machine import WRITE_LIMIT

IS_WANTED = os.environ.get("KERNEL") == "1" or environment.is_ci(os.environ)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what changes this computer, unless it was asked for, and what it cannot have."""
    real = [item for item in items if "world" in getattr(item, "fixturenames", ())]
    left_out = real
    if os.geteuid() == 0 and IS_WANTED:
        slow = [item for item in real if "slow_drive" in getattr(item, "fixturenames", ())]
        left_out = [] if WRITE_LIMIT.exists() else slow
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the helper below a temporary directory; its program."""
    return private_bus.install_helper(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Build a scratch tree with ordinary values."""
    return scratch_tree.build(tmp_path / "tree")


@pytest.fixture
def quiet_bus(program: Path, tmp_path: Path, tree: Path) -> Iterator[private_bus.PrivateBus]:
    """Start a private bus, without the helper yet."""
    with private_bus.PrivateBus(program, tmp_path, tree) as bus:
        yield bus
    print(bus.log()[-6000:])  # shown for a failure only


@pytest.fixture
def bus(quiet_bus: private_bus.PrivateBus) -> private_bus.PrivateBus:
    """Start a private bus with the helper on it; polkit allows nothing yet."""
    quiet_bus.start_helper()
    return quiet_bus


@pytest.fixture
def game(bus: private_bus.PrivateBus) -> Iterator["subprocess.Popen[bytes]"]:
    """A process that runs until the test ends it, shown in the helper's tree."""
    with living() as process:
        bus.show(process.pid)
        yield process


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[bus_kit.BusKit]:
    """Start the kit once for all tests."""
    with bus_kit.BusKit(tmp_path_factory.mktemp("kit")) as started:
        yield started


@pytest.fixture
def kit(world: bus_kit.BusKit) -> Iterator[bus_kit.BusKit]:
    """Lend the kit to one test: nobody on the bus before, every setting back afterwards."""
    with kernel_lock.alone_with_the_kernel():
        before = kernel_dump.kernel_dump()
        try:
            kernel_dump.set_stock_values()
            stock = kernel_dump.kernel_dump()
            yield world
            world.reset()
            changed = kernel_dump.differing(stock)
        finally:
            world.reset()
            kernel_dump.restore(before)
            print(world.log("bus")[-6000:])
    assert changed == [], "the helper left these settings changed"
