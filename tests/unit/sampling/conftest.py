# SPDX-License-Identifier: GPL-3.0-or-later
"""The captured computers, unpacked once for all tests of the samplers."""

from collections.abc import Iterator

import pytest

from destutter.core.kernel_files import KernelFiles
from tests.support.roots import ARCHIVES, name_of, unpacked


@pytest.fixture(scope="session", params=ARCHIVES, ids=name_of)
def computer(request: pytest.FixtureRequest) -> Iterator[KernelFiles]:
    """Each captured or made-up computer in turn."""
    with unpacked(request.param) as files:
        yield files
