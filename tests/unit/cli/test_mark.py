# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter mark`` where it cannot reach a window."""

from destutter import cli


def test_without_a_session_bus_it_says_what_to_do(monkeypatch, capsys):
    """A window may well be open and record: "no window is open" was said of one that did."""
    for name in ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    assert cli.main(["mark"]) == 1
    said = capsys.readouterr().err
    assert "no message bus" in said
    assert "F8" in said
    assert "no window" not in said
