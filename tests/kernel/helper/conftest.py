# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever a test does to the kernel's settings, they are put back, and the test must have."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.kernel_lock import alone_with_the_kernel
from tests.support.real_kernel import LoopDevice, RealKernel


@pytest.fixture
def loop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoopDevice]:
    """A loop device of this test's own."""
    device = LoopDevice(tmp_path_factory.mktemp("medium") / "medium")
    try:
        yield device
    finally:
        device.remove()


@pytest.fixture
def alone() -> Iterator[None]:
    """No other test run changes kernel settings meanwhile."""
    with alone_with_the_kernel():
        yield


@pytest.fixture
def kernel(alone: None, loop: LoopDevice) -> Iterator[RealKernel]:
    """The running kernel: the same before and after, put back in any case."""
    kernel = RealKernel((loop.name,))
    before = kernel.dump()
    try:
        yield kernel
        assert kernel.dump() == before
    finally:
        with contextlib.closing(kernel):
            kernel.put_back(before)


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """Where the helper of this test keeps its files."""
    return tmp_path / "state"
