# SPDX-License-Identifier: GPL-3.0-or-later
"""The guards of tests/guards catch what they are there for: shown on tests that misbehave."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.guards import machine
from tests.house.source_tree import ROOT

BAD_TESTS = """
import logging, os, subprocess, sys, threading, time, warnings
import pytest

KEPT = []

def test_quiet():
    pass

def test_announced_warning(caplog):
    with caplog.at_level(logging.WARNING):
        logging.getLogger("x").warning("expected")

def test_unannounced_warning():
    logging.getLogger("x").warning("surprise")

def test_process():
    KEPT.append(subprocess.Popen(["sleep", "60"]))

def test_grandchild():
    subprocess.run(["sh", "-c", "sleep 61 & exit 0"], check=True)

def test_thread():
    threading.Thread(target=lambda: time.sleep(2), name="stray", daemon=True).start()

def test_descriptor():
    KEPT.append(os.open("/proc/self/stat", os.O_RDONLY))

def test_python_warning():
    warnings.warn("old", DeprecationWarning)
"""

BAD_QT_TESTS = """
import pytest
from PySide6.QtCore import QThread, QTimer, qWarning
from tests.gui.conftest import no_qt_activity_left

KEPT = []

def test_quiet(qtbot):
    timer = QTimer()
    timer.start(10)
    timer.stop()
    QTimer.singleShot(0, lambda: None)

def test_timer(qtbot):
    timer = QTimer()
    timer.start(1000)
    KEPT.append(timer)

def test_single_shot(qtbot):
    QTimer.singleShot(60000, lambda: None)

def test_qthread(qtbot):
    thread = QThread()
    thread.start()
    KEPT.append(thread)

def test_qt_message(qtbot):
    qWarning("surprise")
"""

SKIPPED_TEST = """
import pytest

@pytest.mark.{mark}
def test_left_out():
    pass
""".format(mark="skip")

Outcomes = dict[str, set[str]]


def _run(folder: Path, text: str, **environ: str) -> subprocess.CompletedProcess[str]:
    file = folder / "test_bad.py"
    file.write_text(text)
    options = ("-p", "tests.conftest", "--randomly-dont-reorganize", "-rA")
    cache = ("-o", f"cache_dir={folder}/cache")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", *options, *cache, file],
        cwd=ROOT,
        env={**os.environ, "CI": "", "DESTUTTER_TEST_GRACE_S": "0.5", **environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )


def _outcomes(output: str) -> Outcomes:
    found: Outcomes = {}
    for outcome, name in re.findall(r"^(PASSED|FAILED|ERROR) \S*::test_(\w+)", output, re.M):
        found.setdefault(name, set()).add(outcome)
    return found


@pytest.mark.slow
def test_leftovers_and_warnings_are_caught(tmp_path):
    """A stray thread, process, grandchild, descriptor, log record and warning each turn it red."""
    done = _run(tmp_path, BAD_TESTS)
    outcomes = _outcomes(done.stdout)
    assert outcomes == {
        "quiet": {"PASSED"},
        "announced_warning": {"PASSED"},
        "unannounced_warning": {"PASSED", "ERROR"},
        "process": {"PASSED", "ERROR"},
        "grandchild": {"PASSED", "ERROR"},
        "thread": {"PASSED", "ERROR"},
        "descriptor": {"PASSED", "ERROR"},
        "python_warning": {"FAILED"},
    }, done.stdout


@pytest.mark.slow
def test_qt_leftovers_are_caught(tmp_path):
    """An active timer, a pending single shot, a running QThread and a Qt message are caught."""
    done = _run(tmp_path, BAD_QT_TESTS)
    outcomes = _outcomes(done.stdout)
    assert outcomes == {
        "quiet": {"PASSED"},
        "timer": {"PASSED", "ERROR"},
        "single_shot": {"PASSED", "ERROR"},
        "qthread": {"PASSED", "ERROR"},
        "qt_message": {"FAILED"},
    }, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("ci", "exit_code"), [("true", 1), ("", 0)])
def test_skipping_is_red_where_a_machine_runs_the_tests(tmp_path, ci, exit_code):
    """With CI=true a skipped test fails the session, at the desk it does not."""
    done = _run(tmp_path, SKIPPED_TEST, CI=ci)
    assert done.returncode == exit_code, done.stdout


def test_machine_guard_sees_changes_of_every_kind():
    """A changed, a new and a vanished entry each give a line; equal snapshots give none."""
    before = {"same": "1", "changed": "60", "gone": "x"}
    now = {"same": "1", "changed": "10", "new": "y"}
    assert machine.differences(before, now) == [
        "changed: was 60, is 10",
        "gone: was x, is absent",
        "new: was absent, is y",
    ]
    assert machine.differences(before, dict(before)) == []


def test_machine_guard_reads_the_settings_that_we_change():
    """The snapshot holds sysctl settings, transparent huge pages and mounts of this computer."""
    taken = machine.snapshot()
    assert "/proc/sys/vm/swappiness" in taken
    assert any(key.startswith("mount /") for key in taken)


def test_only_one_session_changes_the_computer():
    """A second session waits, says so once, and goes on when the first one is done."""
    name = f"\0destutter test of the claim {os.getpid()}"
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(machine, "LOCK", name)
        first = machine.claim_computer(said.append)
        assert said == []
        second = machine.claim_computer(said.append, sleep=lambda _: first.close())
        second.close()
    assert len(said) == 1
