# SPDX-License-Identifier: GPL-3.0-or-later
"""The simulated computer and the helper on it, for every test of this folder."""

import pytest

from destutter_helper.engine import Engine
from tests.support.faulty_kernel import Computer


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
