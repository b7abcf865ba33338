# SPDX-License-Identifier: GPL-3.0-or-later
"""The scripts beside the packages: they parse, can be started, and name their licence."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.house.source_tree import ROOT

LICENCE = "# SPDX-License-Identifier: GPL-3.0-or-later"
FOLDERS = (".ci", "packaging", "tests")
TARGETS = re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE)


def _scripts() -> list[Path]:
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "data" not in path.parts and "__pycache__" not in path.parts:
                with path.open("rb") as file:
                    if file.read(2) == b"#!":
                        found.append(path)
    return found


def test_scripts_can_be_started():
    """Every file with an interpreter line is executable."""
    wrong = [str(path) for path in _scripts() if not path.stat().st_mode & 0o111]
    assert not wrong, wrong


def test_scripts_name_their_licence():
    """Every script has the SPDX line below its interpreter."""
    wrong = [str(path) for path in _scripts() if path.read_text().splitlines()[1] != LICENCE]
    assert not wrong, wrong


def test_shell_scripts_parse():
    """Every shell script is understood by the shell that its first line names."""
    for path in _scripts():
        shell = "bash" if "bash" in path.read_text().splitlines()[0] else "sh"
        if "sh" in path.read_text().splitlines()[0]:
            done = subprocess.run([shell, "-n", path], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_names_what_exists(target):
    """Each target of the Makefile can be planned, and the scripts that it calls are there."""
    done = subprocess.run(
        ["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == 0, done.stderr
    for script in re.findall(r"(?:packaging|tests)/[\w/-]+(?:\.py)?|\.ci/\w+", done.stdout):
        if not script.startswith("packaging/setup"):
            assert (ROOT / script).exists(), script
    for module in re.findall(r"-m (tests\.\w+)", done.stdout):
        assert (ROOT / module.replace(".", "/") / "__main__.py").exists(), module


def test_both_commands_pass_arguments_on():
    """ARGS of `make run` reach the program, KERNEL=1 of `make test` the checks."""
    done = subprocess.run(
        ["make", "-n", "run", "ARGS=--root /tmp/tree"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    assert done.stdout.splitlines()[-1].endswith("-m destutter --root /tmp/tree")
    assert "export KERNEL" in (ROOT / "Makefile").read_text()


def test_some_tests_are_run_alone():
    """ARGS of `make test` are pytest's; without them every check runs."""
    plans = [
        subprocess.run(
            ["make", "-n", "test", *more],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=30,
        ).stdout.splitlines()[-1]
        for more in ([], ["ARGS=tests/unit/x.py"])
    ]
    assert plans[0] == ".ci/check all"
    assert plans[1].endswith("-m pytest -n 0 tests/unit/x.py")


def test_help_lists_every_target():
    """Each target that can be asked for is told with what it does."""
    done = subprocess.run(
        ["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True, timeout=30
    )
    listed = {line.split()[0] for line in done.stdout.splitlines() if len(line.split()) > 1}
    phony = re.search(r"^\.PHONY:((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert phony is not None
    assert listed == {*phony[1].replace("\\", "").split()}


def test_readme_shows_two_commands():
    """The commands in the README are `make run` and `make test`, and no other."""
    text = (ROOT / "README.md").read_text()
    assert re.findall(r"^    (make [\w-]+)", text, re.MULTILINE) == ["make run", "make test"]
