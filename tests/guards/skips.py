# SPDX-License-Identifier: GPL-3.0-or-later
"""A skipped test looks green and proves nothing: where a machine runs the tests, it is red."""

import pytest

from tests.guards import RED


class SkipGuard:
    """Turns the session red when any test, or any whole file, was skipped."""

    def __init__(self) -> None:
        self._skipped: list[str] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a skipped or expected-to-fail test."""
        if report.skipped:
            self._skipped.append(report.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that skipped itself while it was collected."""
        if report.skipped:
            self._skipped.append(report.nodeid)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the session."""
        if self._skipped:
            session.exitstatus = RED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name them."""
        for nodeid in self._skipped:
            terminalreporter.write_line(f"FAILED: skipped where nothing may be: {nodeid}")
