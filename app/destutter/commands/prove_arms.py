# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings under which blocks are measured: the present ones, or others on trial."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication
from PySide6.QtDBus import QDBusConnection

from destutter.analysis.changes.helper_statements import statement_of
from destutter.commands.helper_session import HelperSession, TextAgent, parse_changes
from destutter.commands.terminal import CommandError, UsageError
from destutter.core.statement import Statement
from destutter_helper.api.names import TRIAL_MAX_S, TRIAL_MIN_S, HelperError
from destutter_helper.api.payload import ChangeSet

_SPARE_S = 60.0


def change_set(words: Sequence[str]) -> ChangeSet:
    """What ``--against`` names. Raises ``UsageError`` for a word that is no change."""
    try:
        return ChangeSet(parse_changes(words))
    except ValueError as error:
        raise UsageError(str(error)) from None


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
        self._ask(lambda: client.begin_trial(changes, self._seconds), "trial")
        try:
            yield
        finally:
            if client.trial is None:  # nothing would be asked, and no answer come
                raise CommandError(Statement("command.trial_over"))
            self._ask(client.revert, "Revert")

    def _ask(self, request: Callable[[], None], answer: str) -> None:
        try:
            self._session.ask(request, answer)
        except HelperError as error:
            raise CommandError(statement_of(error.whole)) from None


@contextmanager
def trials(block_s: float) -> Iterator[Trials]:
    """A conversation with the helper. Raises ``CommandError`` when it cannot be had."""
    application = QCoreApplication(sys.argv[:1])
    session = HelperSession(QDBusConnection.systemBus())
    try:
        with TextAgent():
            try:
                session.connect()
            except HelperError as error:
                raise CommandError(statement_of(error.whole)) from None
            yield Trials(session, block_s)
    finally:
        session.close()
        application.shutdown()
