# SPDX-License-Identifier: GPL-3.0-or-later
"""The real helper on a bus of its own, above a scratch tree."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import private_bus, scratch_tree


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The helper, installed below a temporary directory."""
    return private_bus.install_helper(tmp_path_factory.mktemp("installed"))


@pytest.fixture
def granted(program: Path, tmp_path: Path) -> Iterator[private_bus.PrivateBus]:
    """A bus without the helper; polkit grants everything."""
    tree = scratch_tree.build(tmp_path / "tree")
    with private_bus.PrivateBus(program, tmp_path, tree) as bus:
        for action in ("apply", "persist", "undo"):
            bus.allow(action)
        yield bus
