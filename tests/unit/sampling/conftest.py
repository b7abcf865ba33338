# SPDX-License-Identifier: GPL-3.0-or-later
"""The captured computers, unpacked once for all tests of the samplers."""

import pytest

from destutter.core.kernel_files import KernelFiles
from tests.support.roots import ARCHIVES, name_of, unpacked


@pytest.fixture(scope="session", params=ARCHIVES, ids=name_of)
def computer(request: pytest.FixtureRequest) -> KernelFiles:
    """Each captured or made-up computer in turn."""
    return unpacked(request.param)
