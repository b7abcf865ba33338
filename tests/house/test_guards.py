# SPDX-License-Identifier: GPL-3.0-or-later
"""The guards of tests/guards catch what they are there for: shown on tests that misbehave."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.guards import RED, machine, time_box
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

CHANGING_TEST = """
from tests.guards import machine, time_box

machine.SETTINGS = ({setting!r},)

def test_changes_a_setting():
    with open({setting!r}, "w") as file:
        file.write("10")
"""

FAILING_PROPERTY = """
from hypothesis import given, strategies as st

@given(st.integers(1000, 10**9))
def test_fails(number):
    assert number < 2000
"""

Outcomes = dict[str, set[str]]


ONE_PROCESS = ()
TWO_WORKERS = ("-n", "2", "--dist", "loadgroup")


def _run(
    folder: Path, text: str, more: Sequence[str] = ONE_PROCESS, **environ: str
) -> subprocess.CompletedProcess[str]:
    file = folder / "test_bad.py"
    file.write_text(text)
    options = ("-p", "tests.conftest", "--randomly-dont-reorganize", "-rA", *more)
    cache = ("-o", f"cache_dir={folder}/cache")
    # A worker of its own session, also where a worker runs this test.
    own = {name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")}
    own = {**own, "CI": "", "DESTUTTER_EXAMPLES": "", "DESTUTTER_TIME_BOX_S": ""}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", *options, *cache, file],
        cwd=ROOT,
        env={**own, "DESTUTTER_TEST_GRACE_S": "0.5", **environ},
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
@pytest.mark.parametrize(
    "workers",
    [ONE_PROCESS, pytest.param(TWO_WORKERS, marks=pytest.mark.long)],
    ids=["one process", "workers"],
)
def test_leftovers_and_warnings_are_caught(tmp_path, workers):
    """A stray thread, process, grandchild, descriptor, log record and warning each turn it red."""
    done = _run(tmp_path, BAD_TESTS, workers)
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
@pytest.mark.parametrize(
    ("ci", "workers", "exit_code"),
    [pytest.param("true", TWO_WORKERS, RED, marks=pytest.mark.long), ("", ONE_PROCESS, 0)],
)
def test_skipping_is_red_where_a_machine_runs_the_tests(tmp_path, ci, workers, exit_code):
    """With CI=true a skipped test fails the session, at the desk it does not."""
    done = _run(tmp_path, SKIPPED_TEST, workers, CI=ci)
    assert done.returncode == exit_code, done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ci", "workers", "exit_code"),
    [pytest.param("true", TWO_WORKERS, RED, marks=pytest.mark.long), ("", ONE_PROCESS, 0)],
)
def test_changed_computer_is_told_once(tmp_path, ci, workers, exit_code):
    """A setting that a test changed is named once; where a machine runs the tests it is red."""
    setting = tmp_path / "setting"
    setting.write_text("60")
    text = CHANGING_TEST.format(setting=str(setting))
    done = _run(tmp_path, text, (*workers, "-p", "test_bad"), CI=ci, PYTHONPATH=str(tmp_path))
    assert done.returncode == exit_code, done.stdout
    word = "FAILED" if ci else "note"
    line = f"{word}: this computer is not as it was: {setting}: was 60, is 10"
    assert done.stdout.count(line) == 1, done.stdout


@pytest.mark.slow
def test_fresh_examples_say_how_to_have_them_again(tmp_path):
    """A failure of a fresh example prints the line that reproduces it."""
    done = _run(tmp_path, FAILING_PROPERTY, DESTUTTER_EXAMPLES="fresh", CI="true")
    assert re.search(r"@reproduce_failure\('[\d.]+', b'", done.stdout), done.stdout
    assert "hypothesis fresh" in done.stdout


DRAWING_PROPERTY = """
from hypothesis import given, strategies as st

{imported}

@given(st.text() | st.integers())
def test_draws(drawn):
    print("drawn", ascii(drawn))
"""


@pytest.mark.long
@pytest.mark.parametrize("examples", ["fixed", "few"])
def test_the_same_examples_are_taken_beside_other_modules(tmp_path, examples):
    """hypothesis would also take constants of what is imported by then."""
    drawn = []
    for imported in ("", "import destutter.core.catalog, destutter_helper.api.tunables"):
        text = DRAWING_PROPERTY.format(imported=imported)
        done = _run(tmp_path, text, ("-s",), DESTUTTER_EXAMPLES=examples)
        drawn.append(re.findall("^.*drawn (.*)", done.stdout, re.M))
    assert drawn[0]
    assert drawn[0] == drawn[1]


MANY_CASES = """
import pytest
from tests.support.sampled import sampled

@pytest.mark.parametrize("case", range(9))
def test_alike(case):
    pass

@pytest.mark.parametrize("case", sampled(range(9), [1, 2, 5, 7]))
def test_chosen(case):
    pass

@pytest.mark.parametrize("case", range(3))
def test_few(case):
    pass
"""


def test_a_desk_plays_some_of_many_cases(tmp_path):
    """Three of each test, or those that were chosen; by hand all."""
    some = _run(tmp_path, MANY_CASES, ("-m", "not long and not alike"))
    assert sorted(re.findall(r"^PASSED \S*::test_(\S+)", some.stdout, re.M)) == [
        *("alike[0]", "alike[4]", "alike[8]"),
        *("chosen[1]", "chosen[2]", "chosen[5]", "chosen[7]"),
        *("few[0]", "few[1]", "few[2]"),
    ]
    assert "21 passed" in _run(tmp_path, MANY_CASES).stdout


def test_time_box_leaves_out_what_begins_too_late():
    """From the first test on, however late that is, tests run as ever; afterwards none begins."""
    now = [0.0]
    box = time_box.TimeBox(60.0, lambda: now[0])
    for now[0] in (100.0, 160.0):
        assert box.pytest_runtest_protocol() is None
    now[0] = 160.1
    assert box.pytest_runtest_protocol() is True


OURS = Path("/tmp/pytest-of-me/pytest-3")
OUR_FILE = f"{OURS}/popen-gw1/test_x0/medium"
OUR_MOUNT = f"mount {OURS}/test_y0/disk #9"
OUR_LOOP = "/sys/block/loop40/loop/backing_file"
THEIR_LOOP = "/sys/block/loop3/loop/backing_file"


def test_machine_guard_sees_changes_of_every_kind():
    """A changed setting, a mount and a loop device of a test each give a line; equal ones none."""
    before = {"same": "1", "changed": "60", OUR_MOUNT: "mounted"}
    now = {"same": "1", "changed": "10", OUR_LOOP: OUR_FILE}
    assert machine.differences(before, now, OURS) == [
        f"{OUR_LOOP}: was absent, is {OUR_FILE}",
        "changed: was 60, is 10",
        f"{OUR_MOUNT}: was mounted, is absent",
    ]
    assert machine.differences(before, dict(before), OURS) == []


@pytest.mark.parametrize(
    "entries",
    [
        {THEIR_LOOP: "/home/me/image.iso", "/sys/block/loop3/queue/scheduler": "[none]"},
        {"mount /media/me/STICK #77": "mounted", "/sys/block/sdb/queue/scheduler": "[bfq]"},
        {"mount /run/user/1000/doc #78": "mounted"},
        {"scheduling of ksoftirqd/3": "0:0"},
        {"mount /tmp/pytest-of-me/pytest-33/test_y0/disk #9": "mounted"},
    ],
    ids=["loop device", "stick", "desktop", "processor", "another session"],
)
def test_what_a_stranger_attaches_is_not_a_tests(entries):
    """Whoever mounts a stick, attaches a loop device or takes one away meanwhile harms no run."""
    assert machine.differences({}, entries, OURS) == []
    assert machine.differences(entries, {}, OURS) == []


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


@pytest.mark.slow
def test_only_what_uses_the_real_computer_waits_for_it():
    """A window on a private bus is no test of the kernel, whatever its fixtures are called."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "--collect-only",
            "-q",
            "-m",
            "kernel",
            "tests/gui/bridge",
        ],
        cwd=ROOT,
        env={name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stdout


@pytest.mark.parametrize(
    "send",
    [
        lambda: os.kill(0, signal.SIGKILL),
        lambda: os.kill(-1, signal.SIGKILL),
        lambda: os.killpg(0, signal.SIGKILL),
        lambda: os.killpg(os.getpgrp(), signal.SIGKILL),
    ],
)
def test_a_signal_that_would_end_the_tests_is_a_failure(send):
    """What one test meant for nobody has ended a whole run."""
    with pytest.raises(AssertionError, match="would hit the tests themselves"):
        send()
