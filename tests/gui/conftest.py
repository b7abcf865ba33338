# SPDX-License-Identifier: GPL-3.0-or-later
"""Guards of the tests with a window: no running QThread, no active QTimer is left behind."""

from collections.abc import Iterator

import pytest

from tests.guards.qt import StartedObjects
from tests.support.x_server import x_server


@pytest.fixture(autouse=True)
def no_qt_activity_left(qapp, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fail when a test leaves a QThread running or a QTimer active."""
    started = StartedObjects()
    started.watch(monkeypatch)
    yield
    complaints = started.still_active()
    started.stop_all()
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


@pytest.fixture(scope="session")
def x_display() -> Iterator[str]:
    """The display of an X server that has no screen."""
    with x_server() as display:
        yield display
