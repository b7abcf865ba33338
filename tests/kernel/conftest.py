# SPDX-License-Identifier: GPL-3.0-or-later
"""Tests in this folder change real kernel settings: only as root, and only when asked to.

They run where a machine runs the tests (CI=true) and with KERNEL=1; elsewhere they are not
selected at all, so that nobody's computer is changed by looking at the tests.
"""

import os
from pathlib import Path

import pytest

from destutter.sampling.gpu.gpu_nvidia import DRIVER_VERSION
from tests.guards import environment
from tests.truth.drives import READS

HERE = Path(__file__).parent


def is_allowed() -> bool:
    """Whether this session may change the kernel's settings."""
    is_asked = environment.is_ci(os.environ) or os.environ.get("KERNEL") == "1"
    return is_asked and os.geteuid() == 0


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects, and does not skip, what must not run here, or lacks its drive or card."""
    folders = [] if is_allowed() else [HERE / "helper"]
    if not is_allowed() or not READS.exists():
        folders.append(HERE / "truth")
    if not Path(DRIVER_VERSION).exists():
        folders.append(HERE / "sampling" / "test_nvidia_card.py")
    left_out = [each for each in items if any(map(each.path.is_relative_to, folders))]
    if left_out:
        items[:] = [item for item in items if item not in left_out]
        config.hook.pytest_deselected(items=left_out)
