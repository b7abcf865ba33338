# SPDX-License-Identifier: GPL-3.0-or-later
"""Wrong usage is one clear line and status 2; help and start are light."""

import io
import json
import os
import subprocess
import sys

import pytest

from destutter import cli
from destutter.commands.helper_chain import FROM_OUTSIDE
from destutter.commands.terminal import Terminal
from tests.support.fake_root import FakeRoot
from tests.support.flatpak_sandbox import sandbox_this_process


@pytest.fixture
def root(tmp_path):
    """A captured computer with one setting."""
    return FakeRoot(tmp_path / "root", {"/proc/sys/vm/swappiness": "60\n"})


TIMED = ("watch", "record --out x.destutter", "diagnose")


@pytest.mark.parametrize("command", TIMED)
@pytest.mark.parametrize("text", ["0", "-1", "-0.5", "soon", "", "nan", "inf", "1e300", "0x10"])
def test_seconds_must_be_a_time(commands, command, text):
    """Zero, negative, endless or no number at all: which option, and what was wrong with it."""
    outcome = commands.run(*command.split(), "--seconds", text)
    assert outcome.status == 2
    assert outcome.output == ""
    assert "--seconds" in outcome.complaint
    assert f"'{text}'" in outcome.complaint


@pytest.mark.parametrize("text", ["0", "-5", "1.5", "game", "", "99999999", "٣"])
def test_pid_must_be_the_number_of_a_process(commands, text):
    """What cannot be a process is wrong usage."""
    outcome = commands.run("watch", "--pid", text)
    assert outcome.status == 2
    assert "--pid" in outcome.complaint


@pytest.mark.parametrize(
    "words",
    [
        ["wathc"],
        ["watch", "--sekonds", "3"],
        ["watch", "more"],
        ["record"],
        ["diagnose", "a", "b"],
        ["diagnose", "a.destutter", "--pid", "1"],
        ["diagnose", "a.destutter", "--xplane", "127.0.0.1:49000"],
        ["watch", "--xplane", "127.0.0.1:0"],
        ["record", "--out", "b.destutter", "--xplane", "a", "--mangohud", "b.csv"],
        ["apply"],
        ["apply", "vm.swappiness=10", "--keep", "always", "--for-game", "sim"],
        ["undo", "vm.swappiness", "--for-game", "sim"],
        ["undo", "--all", "--for-game", "sim"],
        ["apply", "vm.swappiness=10", "--trial", "4"],
        ["apply", "vm.swappiness=10", "--trial", "soon"],
        ["apply", "vm.swappiness=10", "--keep", "forever"],
        ["apply", "vm.nothing=1"],
        ["undo", "vm.nothing"],
        ["--bogus"],
    ],
)
def test_wrong_words_are_wrong_usage(commands, words):
    """An unknown command or option, a missing or a superfluous word."""
    outcome = commands.run(*words)
    assert outcome.status == 2
    assert outcome.output == ""
    assert outcome.complaint


def test_help_names_every_command(commands):
    """One line for each command, on standard output."""
    outcome = commands.run("--help")
    assert outcome.status == 0
    for command in cli.COMMANDS:
        assert f"\n    {command} " in outcome.output


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_has_help(commands, command):
    """Each command explains its own options."""
    outcome = commands.run(command, "--help")
    assert outcome.status == 0
    assert f"destutter {command}" in outcome.output


def test_version(commands):
    """The name and the version."""
    outcome = commands.run("--version")
    assert outcome.status == 0
    assert outcome.output.startswith("destutter 0.")


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["watch"], "watch"),
        (["--root", "status", "watch"], "watch"),
        (["--pid", "3", "record", "--out", "watch"], "record"),
        (["--replay", "diagnose"], None),
        (["--root"], None),
        ([], None),
    ],
)
def test_the_command_is_found_behind_options(words, command):
    """A value of an option is not taken for a command, even when it is called like one."""
    assert cli.chosen_command(words) == command


def test_options_may_stand_before_the_command(commands, tmp_path):
    """--root before or after the command means the same."""
    before = commands.run("--root", tmp_path, "status")
    after = commands.run("status", "--root", tmp_path)
    assert before == after
    assert before.complaint == f"{tmp_path} holds no captured computer: it has no folder proc"


def test_a_root_that_is_not_there(commands, tmp_path):
    """A missing folder, and a file in its place."""
    (tmp_path / "file").write_text("")
    missing = commands.run("status", "--root", tmp_path / "nothing")
    assert (missing.status, missing.complaint) == (
        1,
        f"--root {tmp_path}/nothing does not exist",
    )
    assert "is not a folder" in commands.run("status", "--root", tmp_path / "file").complaint
    (tmp_path / "captured.tar.gz").write_text("")
    archive = commands.run("status", "--root", tmp_path / "captured.tar.gz").complaint
    assert "unpack it with 'tar -xzf'" in archive


def test_a_window_without_its_recording(commands, tmp_path):
    """--replay of nothing is told before Qt is loaded."""
    outcome = commands.run("--replay", tmp_path / "gone.destutter")
    assert outcome.status == 1
    assert outcome.complaint == f"{tmp_path}/gone.destutter does not exist"


def test_the_command_line_starts_without_the_heavy_parts():
    """Help needs neither Qt nor numpy, nor the engine."""
    code = (
        "import sys, json; from destutter.cli import build_parser; build_parser('watch');"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    loaded = json.loads(done.stdout)
    heavy = (
        "PySide6",
        "numpy",
        "destutter.analysis",
        "destutter.bridge",
        "destutter.diagnosis",
        "destutter.sampling",
    )
    assert [name for name in loaded if name.startswith(heavy)] == []


def test_measuring_loads_no_qt_and_no_numpy():
    """watch and diagnose work on a machine without either."""
    code = (
        "import sys, json; import destutter.commands.checkup, destutter.commands.recording,"
        " destutter.commands.diagnosis; print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert [name for name in json.loads(done.stdout) if name.startswith("PySide6")] == []


class _Stream(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self):
        """Somebody watches."""
        return True

    @property
    def text(self):
        """What was written."""
        return self.getvalue()


def test_the_status_line_is_replaced_and_taken_away():
    """A shorter status covers the longer one before it; output begins on a clean line."""
    output, errors = _Stream(), _Stream()
    terminal = Terminal(output, errors)
    terminal.status("measuring, 10 s left")
    terminal.status("done")
    terminal.line("result")
    assert errors.text.endswith("\r    \r")
    assert "done                " in errors.text
    assert output.text == "result\n"


def test_a_status_line_of_wide_signs_is_one_line(monkeypatch):
    """It is cut and taken away by columns, of which each has two."""
    monkeypatch.setenv("COLUMNS", "40")
    errors = _Stream()
    terminal = Terminal(_Stream(), errors)
    terminal.status("测量" * 20)
    terminal.end_status()
    assert errors.text == f"\r{'测量' * 9}测\r{' ' * 38}\r"


def test_a_complaint_is_one_line():
    """Whatever an error says, it becomes one line; what belongs below it has lines of its own."""
    errors = _Stream()
    terminal = Terminal(_Stream(), errors)
    terminal.complain("first\nsecond", "  this\n", "  that")
    assert errors.text == "destutter: first second\n  this\n  that\n"


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("status", "--json")])
def test_output_that_cannot_be_written_is_one_line(words, root):
    """A full disk behind standard output: one line and 1, no traceback, also not at the end."""
    place = ("--root", root.files.root) if words[0] == "status" else ()
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "destutter", *words, *map(str, place)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr == "destutter: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize(
    ("closed", "status", "told"),
    [
        (">&-", 1, "destutter: the output cannot be written: it is closed\n"),
        ("2>&-", 0, ""),
        ("<&- >&- 2>&-", 1, ""),
    ],
)
@pytest.mark.parametrize("words", ["status", "--help", "--version"])
def test_an_output_that_is_closed_cannot_be_written(words, closed, status, told, root):
    """A script that goes on would take nothing for the answer; complaints may have no place."""
    place = f'--root "$1" {closed}' if words == "status" else closed
    command = ["sh", "-c", f'"$0" -m destutter {words} {place}', sys.executable]
    done = subprocess.run(
        [*command, str(root.files.root)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (status, told)


def test_a_reader_that_has_seen_enough_is_no_error(root):
    """As of "destutter status | head -1"."""
    line = '"$0" -m destutter status --root "$1" | head -1'
    command = ["bash", "-c", f"set -o pipefail; {line}", sys.executable, str(root.files.root)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 1


def test_names_that_no_disk_takes_are_refused(commands, root):
    """Too long a name is told before anything is measured or read."""
    for words in (("capture",), ("record", "--seconds", "1")):
        outcome = commands.run(*words, "--root", root.files.root, "--out", "x" * 300)
        assert outcome.status == 1
        assert outcome.complaint.endswith("xxx: the name is too long")


@pytest.mark.parametrize("evil", ["\x1b[2J", "\x9b31m", "\u202e", "\x07", "\r"])
def test_names_of_others_cannot_steer_the_terminal(evil):
    """Programs, games and files choose their names, and may put control signs into them."""
    output, errors = io.StringIO(), io.StringIO()
    terminal = Terminal(output, errors)
    terminal.line(f"by process 7 {evil}x")
    terminal.complain(f"{evil}y.csv: no frame in it")
    assert evil not in output.getvalue() + errors.getvalue()
    assert output.getvalue().endswith("x\n")
    terminal.json({"comm": evil})
    assert json.loads(output.getvalue().splitlines()[-1]) == {"comm": evil}


def test_a_line_keeps_its_breaks_and_its_spaces_that_do_not_break():
    """Reports are several lines, and quantities keep their units."""
    output = io.StringIO()
    Terminal(output, io.StringIO()).line("a\tb\n20\u00a0ms – 中文")
    assert output.getvalue() == "a\tb\n20\u00a0ms – 中文\n"


def test_numbers_do_not_start_a_thread_for_each_core():
    """On a computer of many cores numpy would; nothing here needs more than one."""
    code = (
        "import os; from destutter.__main__ import main; main(['--version']); import numpy;"
        " print(len(os.listdir('/proc/self/task')))"
    )
    environment = {name: value for name, value in os.environ.items() if "THREADS" not in name}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert done.stdout.splitlines()[-1] == "1"


@pytest.mark.parametrize("command", ["install-helper", "update-helper", "uninstall-helper"])
def test_only_the_appimage_brings_a_helper(commands, command):
    """A checkout and a package have another way, which is named."""
    outcome = commands.run(command)
    assert (outcome.status, outcome.output) == (1, "")
    assert "comes with a package" in outcome.complaint


@pytest.mark.parametrize("action", ["add", "remove"])
def test_only_the_appimage_puts_itself_into_the_menu(commands, action):
    """A package has its entry anyway."""
    outcome = commands.run("menu", action)
    assert (outcome.status, outcome.output) == (1, "")
    assert "not the AppImage" in outcome.complaint


@pytest.mark.parametrize("command", ["install-helper", "update-helper", "uninstall-helper"])
def test_a_flatpak_sends_people_outside_for_the_helper(commands, command, tmp_path, monkeypatch):
    """Nothing leads out of the sandbox; the words are to be copied."""
    sandbox_this_process(tmp_path, monkeypatch)
    outcome = commands.run(command)
    assert (outcome.status, outcome.output) == (1, "")
    assert outcome.complaint == str(FROM_OUTSIDE)


@pytest.mark.parametrize("command", ["import", "--replay"])
def test_a_name_that_no_file_system_takes_is_not_there(commands, command):
    """Three hundred letters: told as any other file that is missing."""
    outcome = commands.run(command, "x" * 300 + ".destutter")
    assert outcome.status == 1
    assert "Traceback" not in outcome.complaint
    assert "there is no such file" in outcome.complaint or "does not exist" in outcome.complaint


def test_a_captured_computer_has_no_trace(commands, tmp_path):
    """It is the running one that the kernel tells of."""
    (tmp_path / "proc").mkdir()
    outcome = commands.run("--root", tmp_path, "watch", "--trace")
    assert outcome.status == 2
    assert "--trace is for the running computer, not for a captured one" in outcome.errors


def test_a_recording_gets_no_trace_afterwards(commands):
    """It has one or it has none."""
    outcome = commands.run("diagnose", "--trace", "a.destutter")
    assert outcome.status == 2
    assert "--trace is for measuring now" in outcome.errors
