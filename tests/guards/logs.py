# SPDX-License-Identifier: GPL-3.0-or-later
"""A warning in the log that no test announced is a failure."""

import logging
from collections.abc import Iterator

import pytest


class _Unannounced(logging.Handler):
    """Collects records from WARNING upwards, except those that the test listens for."""

    def __init__(self, announced: logging.Handler) -> None:
        super().__init__(logging.WARNING)
        self._announced = announced
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        listens_from = self._announced.level
        if logging.WARNING <= listens_from <= record.levelno:
            return
        self.lines.append(f"{record.levelname} {record.name}: {record.getMessage()}")


@pytest.fixture(autouse=True)
def no_unannounced_warning(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail on a log record >= WARNING, unless inside `caplog.at_level(logging.WARNING)`."""
    handler = _Unannounced(caplog.handler)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
    if handler.lines:
        pytest.fail(
            "logged, but not announced with caplog.at_level(logging.WARNING) or higher:\n"
            + "\n".join(handler.lines),
            pytrace=False,
        )
