# SPDX-License-Identifier: GPL-3.0-or-later
"""install-helper: what is said when the rights of root are not given."""

import pytest

from destutter.commands import helper_setup
from destutter.helper_setup import HelperSetup


@pytest.mark.parametrize(
    ("status", "is_said"),
    [(0, False), (1, False), (126, True), (127, True)],
)
def test_rights_that_are_not_given_are_told_in_words(
    commands, tmp_path, monkeypatch, status, is_said
):
    """Else pkexec has the last word: "This incident has been reported"."""
    asks = tmp_path / "pkexec"
    asks.write_text(f"#!/bin/sh\nexit {status}\n")
    asks.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    monkeypatch.setattr(helper_setup, "bundled_helper", lambda _folder: HelperSetup(b"", "true"))
    outcome = commands.run("install-helper")
    assert outcome.status == min(status, 1)
    assert ("nothing has been changed" in outcome.output) is is_said
    assert "--show prints all of it" in outcome.output
