# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests in this folder change real kernel settings: only as root, and only when asked to.

They run where a machine runs the tests (CI=true) and with KERNEL=1; elsewhere they are not
selected at all, so that nobody's computer is changed by looking at the tests.
"""

import os
from pathlib import Path

import pytest

from tests.guards import environment

HERE = Path(__file__).parent


def is_allowed() -> bool:
    """Whether this session may change the kernel's settings."""
    is_asked = environment.is_ci(os.environ) or os.environ.get("KERNEL") == "1"
    return is_asked and os.geteuid() == 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects, and does not skip, what must not run here."""
    if is_allowed():
        return
    left_out = [item for item in items if item.path.is_relative_to(HERE / "helper")]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
