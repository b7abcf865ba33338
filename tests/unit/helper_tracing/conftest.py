# SPDX-License-Identifier: GPL-3.0-or-later
"""A scratch tree with a tracefs of plain files, and the helper's instances and grants on it."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from destutter_helper.log import Log
from destutter_helper.trace_grants import Grants
from tests.support import fake_tracefs, helper_tree
from tests.support.fake_tracefs import FaultyTree


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The directory of the scratch tree."""
    root = helper_tree.build(tmp_path / "tree")
    fake_tracefs.build(root)
    return root


@pytest.fixture
def tree(root: Path) -> Iterator[FaultyTree]:
    """The tree, which notes what is written and refuses what a test says."""
    with contextlib.closing(FaultyTree(str(root))) as tree:
        yield tree


@pytest.fixture
def grants(tree: FaultyTree) -> Iterator[Grants]:
    """A helper's grants, none yet."""
    with contextlib.closing(Grants(tree, Log())) as grants:
        yield grants
