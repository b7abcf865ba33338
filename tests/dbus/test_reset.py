# SPDX-License-Identifier: GPL-3.0-or-later
"""The kit's reset, after which a test must not meet what the one before it had started."""

from tests.support import bus_kit


def test_reset_ends_a_helper_that_the_bus_is_still_starting(kit: bus_kit.BusKit) -> None:
    """Its caller is dead and it has no name yet; left alone it meets the next test's folders."""
    kit.client("alice").begin("GetStatus")
    bus_kit.eventually(lambda: _processes(kit))
    kit.reset()
    assert _processes(kit) == ""


def _processes(kit: bus_kit.BusKit) -> str:
    return str(kit.ask("shell", command="pgrep -fa '[d]estutter-helper'")["out"])
