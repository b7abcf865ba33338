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
