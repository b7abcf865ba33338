# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings under which blocks are measured: the present ones, or others on trial."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication
from PySide6.QtDBus import QDBusConnection

from destutter.commands.helper_session import HelperSession
from destutter.commands.terminal import CommandError
from destutter.commands.text_agent import TextAgent
from destutter.core.statement import Statement
from destutter_helper.api.names import TRIAL_MAX_S, TRIAL_MIN_S
from destutter_helper.api.payload import ChangeSet

_SPARE_S = 60.0  # what a probe may take beyond the block (_PATIENCE_S of proving/probing.py)


class Trials:
    """Puts settings on trial for the time of one block. The helper asks for the password once,
    and takes them back by itself should this program die."""

    def __init__(self, session: HelperSession, block_s: float) -> None:
        self._session = session
        wanted = int(block_s + _SPARE_S)
        self._seconds = max(TRIAL_MIN_S, min(wanted, TRIAL_MAX_S))

    @contextmanager
    def under(self, changes: ChangeSet) -> Iterator[None]:
        """Inside, the settings hold; afterwards they are taken back. Raises ``CommandError``."""
        client = self._session.client
        self._session.ask(lambda: client.begin_trial(changes, self._seconds), "trial")
        try:
            yield
        finally:
            if client.trial is None:  # nothing would be asked, and no answer come
                raise CommandError(Statement("command.trial_over"))
            self._session.ask(client.revert, "Revert")


@contextmanager
def trials(block_s: float) -> Iterator[Trials]:
    """A conversation with the helper. Raises ``CommandError`` when it cannot be had."""
    application = QCoreApplication(sys.argv[:1])
    session = HelperSession(QDBusConnection.systemBus())
    try:
        with TextAgent():
            session.connect()
            yield Trials(session, block_s)
    finally:
        session.close()
        application.shutdown()
