# SPDX-License-Identifier: GPL-3.0-or-later
"""polkit's agent beside a command in a terminal; the agent is played by a script."""

import os
import pty
import signal
import sys

import pytest

from destutter.commands.text_agent import TextAgent

AGENT = """#!/bin/sh
grep SigIgn /proc/self/status > {told}
eval "exec $3>&-"
exec sleep 60
"""


@pytest.fixture
def told(tmp_path, monkeypatch):
    """Where the agent says which signals it ignores; standard input is a terminal."""
    program, told = tmp_path / "pkttyagent", tmp_path / "told"
    program.write_text(AGENT.format(told=told))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        yield told
    os.close(ours)


def test_ctrl_z_stops_neither_the_agent_nor_the_command(told):
    """After fg a shell would show what is typed, and the agent would not know."""
    before = signal.getsignal(signal.SIGTSTP)
    with TextAgent():
        ignored = int(told.read_text().split()[1], 16)
        assert ignored >> (signal.SIGTSTP - 1) & 1
        assert signal.getsignal(signal.SIGTSTP) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGTSTP) == before


def test_an_agent_that_cannot_be_started_leaves_nothing_behind(monkeypatch):
    """Its program is gone or is none: descriptors and Ctrl-Z are as before."""
    monkeypatch.setattr("shutil.which", lambda _name: "/dev/null")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    before = set(os.listdir("/proc/self/fd")), signal.getsignal(signal.SIGTSTP)
    with TextAgent():
        pass
    assert (set(os.listdir("/proc/self/fd")), signal.getsignal(signal.SIGTSTP)) == before
