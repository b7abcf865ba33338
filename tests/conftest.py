# SPDX-License-Identifier: GPL-3.0-or-later
"""Settings of every test session: environment, guards, hypothesis profiles, markers by folder."""

import gc
import os
import re
import signal
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import hypothesis
import pytest
from hypothesis import is_hypothesis_test
from hypothesis.database import DirectoryBasedExampleDatabase

from tests.guards import (
    environment,
    leftovers,
    logs,
    machine,
    own_group,
    same_examples,
    skips,
    time_box,
)
from tests.support.sampled import mark_alike

IS_CI = environment.is_ci(os.environ)
# A worker of pytest-xdist has the environment below from the process that started it.
IS_WORKER = "PYTEST_XDIST_WORKER" in os.environ
MARKED_FOLDERS = ("gui", "dbus", "kernel")

# Before any Qt, bus or XDG lookup: nothing may touch the screen, the desktop's bus or the files
# of the person who runs the tests. Each worker has a home of its own.
USER_CACHE = Path(
    os.environ.setdefault("DESTUTTER_TEST_CACHE", str(environment.user_cache(os.environ)))
)
SCRATCH_HOME = tempfile.TemporaryDirectory(prefix="destutter-tests-")
os.environ.update(environment.for_tests(Path(SCRATCH_HOME.name)))
for _name in environment.FOREIGN:
    os.environ.pop(_name, None)

# Deadlines measure the machine, not the code. `make test` must find the same examples every time,
# on every computer ("fixed"; a desk takes the first of them, "few"); new ones have a run of their
# own ("fresh"), which says how to have them again. Who calls pytest at the desk gets new ones, and
# those that failed are remembered outside the repository.
hypothesis.settings.register_profile("fixed", deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile(
    "few", hypothesis.settings.get_profile("fixed"), max_examples=25
)
hypothesis.settings.register_profile("fresh", deadline=None, database=None, print_blob=True)
hypothesis.settings.register_profile(
    "dev",
    deadline=None,
    database=DirectoryBasedExampleDatabase(USER_CACHE / "destutter-tests" / "hypothesis"),
)
EXAMPLES = os.environ.get("DESTUTTER_EXAMPLES") or ("fixed" if IS_CI else "dev")
hypothesis.settings.load_profile(EXAMPLES)
if EXAMPLES in ("fixed", "few"):
    same_examples.take_no_constants()


def pytest_configure(config: pytest.Config) -> None:
    """Register the guards; a skipped test is a failure where a machine runs the tests."""
    # A job in the background of a script ignores Ctrl-C, and so would every program that the
    # tests start from there and interrupt.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    own_group.install()
    config.pluginmanager.register(logs, "destutter-logs")
    config.pluginmanager.register(leftovers, "destutter-leftovers")
    if not IS_WORKER:  # one look at the computer, before and after all workers
        config.pluginmanager.register(machine.MachineGuard(is_ci=IS_CI), "destutter-machine")
    if seconds := os.environ.get("DESTUTTER_TIME_BOX_S"):
        config.pluginmanager.register(time_box.TimeBox(float(seconds)), "destutter-time-box")
    if IS_CI:
        config.pluginmanager.register(skips.SkipGuard(), "destutter-skips")


def pytest_unconfigure() -> None:
    """Take the scratch home away."""
    SCRATCH_HOME.cleanup()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare the garbage collector what stays until the end: the modules and all collected tests.

    It would walk a million objects while they are made and after each hundred thousand that tests
    make, and five times at the end: a second each.
    """
    gc.disable()
    result = yield
    gc.freeze()
    gc.enable()
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folder and by what they are, so that nobody has to remember it.

    What uses the real kernel or a real bus runs in one worker: it would wait for itself. So do the
    windows of one file, which share scenes and recordings that take longer than they do.
    """
    root = Path(__file__).parent
    mark_alike(items)
    for item in items:
        if not item.path.is_relative_to(root):
            continue
        folder = item.path.relative_to(root).parts[0]
        if folder in MARKED_FOLDERS:
            item.add_marker(folder)
        uses_kit = folder == "dbus" and "world" in getattr(item, "fixturenames", ())
        if folder == "kernel" or uses_kit:
            item.add_marker("kernel")
            item.add_marker(pytest.mark.xdist_group(machine.GROUP))
        elif folder == "gui" and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(re.sub("[^a-z]", "", item.path.stem)))
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("examples")


def pytest_report_header() -> list[str]:
    """Say what decides over the outcome besides the code."""
    profile = hypothesis.settings.get_current_profile_name()
    return [f"destutter: python {sys.version.split()[0]}, uid {os.getuid()}, hypothesis {profile}"]
