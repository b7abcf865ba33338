# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands with a scripted measurement."""

import pytest

from tests.support.commands import Commands


@pytest.fixture
def commands(capsys, monkeypatch):
    """Runs commands; nothing is really measured."""
    runner = Commands(capsys)
    monkeypatch.setattr("destutter.commands.live.LiveSource", runner.open)
    return runner
