# SPDX-License-Identifier: GPL-3.0-or-later
"""A game at work for each test that wants one."""

import pytest

from tests.unit.sampling.game.game_kernel import GameKernel


@pytest.fixture
def kernel(tmp_path):
    """A game at work."""
    made = GameKernel(tmp_path)
    made.settle()
    yield made
    made.sampler.close()
