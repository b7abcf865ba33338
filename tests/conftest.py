# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of every test session: environment, guards, hypothesis profiles, markers by folder."""

import os
import signal
import sys
import tempfile
from pathlib import Path

import hypothesis
import pytest
from hypothesis.database import DirectoryBasedExampleDatabase

from tests.guards import environment, leftovers, logs, machine, skips

IS_CI = environment.is_ci(os.environ)
MARKED_FOLDERS = ("gui", "dbus", "kernel")

# Before any Qt, bus or XDG lookup: nothing may touch the screen, the desktop's bus or the files
# of the person who runs the tests.
USER_CACHE = environment.user_cache(os.environ)
SCRATCH_HOME = tempfile.TemporaryDirectory(prefix="destutter-tests-")
os.environ.update(environment.for_tests(Path(SCRATCH_HOME.name)))
for _name in environment.FOREIGN:
    os.environ.pop(_name, None)

# Deadlines measure the machine, not the code. CI must find the same examples every time; at the
# desk new ones are welcome, and those that failed are remembered outside the repository.
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile(
    "dev",
    deadline=None,
    database=DirectoryBasedExampleDatabase(USER_CACHE / "destutter-tests" / "hypothesis"),
)
hypothesis.settings.load_profile("ci" if IS_CI else "dev")


def pytest_configure(config: pytest.Config) -> None:
    """Register the guards; a skipped test is a failure where a machine runs the tests."""
    # A job in the background of a script ignores Ctrl-C, and so would every program that the
    # tests start from there and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    config.pluginmanager.register(logs, "destutter-logs")
    config.pluginmanager.register(leftovers, "destutter-leftovers")
    config.pluginmanager.register(machine.MachineGuard(is_ci=IS_CI), "destutter-machine")
    if IS_CI:
        config.pluginmanager.register(skips.SkipGuard(), "destutter-skips")


def pytest_unconfigure() -> None:
    """Take the scratch home away."""
    SCRATCH_HOME.cleanup()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folder, so that nobody has to remember it."""
    root = Path(__file__).parent
    for item in items:
        if not item.path.is_relative_to(root):
            continue
        folder = item.path.relative_to(root).parts[0]
        if folder in MARKED_FOLDERS:
            item.add_marker(folder)


def pytest_report_header() -> list[str]:
    """Say what decides over the outcome besides the code."""
    profile = hypothesis.settings.get_current_profile_name()
    return [f"destutter: python {sys.version.split()[0]}, uid {os.getuid()}, hypothesis {profile}"]
