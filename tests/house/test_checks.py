# SPDX-License-Identifier: GPL-3.0-or-later
""".ci/check with stand-ins for its tools: what a desk runs, and what it leaves to a machine."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.guards import RED
from tests.house.source_tree import ROOT

TOOLS = ("ruff", "mypy", "lint-imports", "vulture", "coverage", "python")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with one test in each folder, whose tools only write down how they are called."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "check", tmp_path / ".ci")
    tools = tmp_path / ".venv" / "bin"
    tools.mkdir(parents=True)
    for name in TOOLS:
        tool = tools / name
        tool.write_text(
            f'#!/bin/sh\necho "{name} $* examples=$DESTUTTER_EXAMPLES" >> "{tmp_path}/calls"\n'
            f'case "$*" in *"$RED"*) exit ${{STATUS:-1}} ;; esac\n'
        )
        tool.chmod(0o755)
    for folder in ("unit", "house", "gui", "dbus", "kernel"):
        (tmp_path / "tests" / folder).mkdir(parents=True)
        (tmp_path / "tests" / folder / "test_x.py").touch()
    return tmp_path


def _check(
    checkout: Path, *names: str, **environ: str
) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    done = subprocess.run(
        [checkout / ".ci" / "check", *names],
        env={"PATH": "/usr/bin:/bin", "RED": "nothing is", **environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done, (checkout / "calls").read_text().splitlines()


def test_desk_leaves_the_long_tests_and_says_so(checkout):
    """`make test` at a desk takes fixed examples, leaves out long tests, and says so in a line."""
    done, calls = _check(checkout, "tests")
    assert done.returncode == 0, done.stderr
    (call,) = calls
    assert "-m not long and not alike tests/unit tests/house tests/gui tests/dbus" in call
    assert call.endswith("examples=few")
    assert len([line for line in done.stdout.splitlines() if line.startswith("Left to")]) == 1


@pytest.mark.parametrize("environ", [{"CI": "true"}, {"LONG": "1"}])
def test_machine_runs_all_of_them(checkout, environ):
    """A machine, and who asks for it, runs the long ones too, which have the cores to themselves;
    nothing is said to be left."""
    done, (short, long) = _check(checkout, "tests", **environ)
    workers = [int(re.findall(r"-n (\d+) ", call)[0]) for call in (short, long)]
    assert workers[0] == min(8, workers[1] + 1)
    assert [re.findall("-m (not long|long) ", call) for call in (short, long)] == [
        ["not long"],
        ["long"],
    ]
    folders = [re.findall(r"tests/\w+", call) for call in (short, long)]
    assert folders[0] == folders[1]
    assert "tests/unit" in folders[0]
    assert "Left to" not in done.stdout


@pytest.mark.parametrize("red", ["-m not long", "-m long"])
def test_either_half_of_a_machines_tests_can_fail(checkout, red):
    """And a guard's word in one of them has no second try, whatever the other says."""
    _failed(checkout, {"tests/unit/x.py": True})
    done, calls = _check(checkout, "tests", CI="true", RED=red)
    assert done.returncode == 0
    assert "PASSED ALONE" in done.stdout
    (checkout / "calls").unlink()
    done, calls = _check(checkout, "tests", CI="true", RED=red, STATUS=str(RED))
    assert done.returncode == 1
    assert len(calls) == 2


def test_machine_adds_fresh_examples_and_floors_of_coverage(checkout):
    """`all` at a desk has neither; with CI=true both are there."""
    _, desk = _check(checkout)
    assert not [call for call in desk if "examples=fresh" in call or "coverage" in call]
    assert any(call.startswith("vulture") for call in desk)
    (checkout / "calls").unlink()
    _, machine = _check(checkout, CI="true")
    assert [call for call in machine if "examples=fresh" in call]
    reports = [call for call in machine if call.startswith("coverage report")]
    for name in ("journal", "engine", "kernel_writer"):
        (report,) = [call for call in reports if f"helper/destutter_helper/{name}.py" in call]
        assert "--fail-under=9" in report
        assert (ROOT / "helper" / "destutter_helper" / f"{name}.py").exists()


@pytest.mark.parametrize(
    "red", ["examples and not kernel", "destutter_helper/journal.py", "-m coverage run"]
)
def test_what_a_machine_adds_can_fail(checkout, red):
    """A failure among fresh examples, a floor not reached, and a red test below it end in a 1."""
    done, _ = _check(checkout, CI="true", RED=red)
    assert done.returncode == 1
    assert "FAILED: " in done.stdout


def test_a_failed_test_is_tried_once_more_alone(checkout):
    """What passes then is told, and what fails again fails the run."""
    _failed(checkout, {"tests/dbus/test_x.py::test_a[b@c]@kernel": True, "tests/unit/x.py": True})
    done, calls = _check(checkout, "tests", RED="--dist loadgroup")
    assert done.returncode == 0, done.stderr
    assert "PASSED ALONE" in done.stdout
    (call,) = [call for call in calls if "-n 0" in call]
    assert "--exitfirst tests/dbus/test_x.py::test_a[b@c] tests/unit/x.py examples=few" in call
    done, _ = _check(checkout, "tests", RED="-m pytest")
    assert done.returncode == 1
    assert "PASSED ALONE" not in done.stdout


def test_a_failure_that_names_no_test_has_no_second_try(checkout):
    """There is nothing that could pass."""
    _failed(checkout, {})
    done, calls = _check(checkout, "tests", RED="--dist loadgroup")
    assert done.returncode == 1
    assert not [call for call in calls if "-n 0" in call]


def _failed(checkout: Path, tests: dict[str, bool]) -> None:
    """These failed, as pytest writes it down."""
    folder = checkout / ".cache" / "pytest" / "v" / "cache"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lastfailed").write_text(json.dumps(tests, indent=2))


def test_a_guard_has_no_second_try(checkout):
    """A session that is red for what it left behind is not run again."""
    done, calls = _check(checkout, "tests", RED="-m pytest", STATUS=str(RED))
    assert done.returncode == 1
    assert len(calls) == 1


def test_fresh_examples_can_be_had_again(checkout):
    """The seed of a run is told with the command that takes it, and that command takes it."""
    done, (call,) = _check(checkout, "fresh")
    (seed,) = [word for word in call.split() if word.startswith("--hypothesis-seed=")]
    number = seed.partition("=")[2]
    assert f"FRESH_SEED={number} .ci/check fresh" in done.stdout
    (checkout / "calls").unlink()
    _, (again,) = _check(checkout, "fresh", FRESH_SEED=number)
    assert again == call


def test_every_core_has_a_worker(checkout):
    """And at a desk one more, for tests that wait; at most eight, each of which takes 800 MB."""
    cores = int(subprocess.run(["nproc"], capture_output=True, text=True, check=True).stdout)
    _, (at_a_desk,) = _check(checkout, "tests")
    assert f"-n {min(cores + 1, 8)} --dist loadgroup" in at_a_desk
    _, (*_, call) = _check(checkout, "tests", LONG="1")
    assert f"-n {min(cores, 8)} --dist loadgroup" in call
