# SPDX-License-Identifier: GPL-3.0-or-later
"""The trace beside a live stream: asked of the helper, and told whose waits are wanted."""

import os
from collections.abc import Iterator
from time import monotonic_ns
from typing import TYPE_CHECKING

from destutter.analysis.changes.trace_grant import TraceGrant, TraceGrantError, trace_caller
from destutter.commands.helper_chain import FROM_OUTSIDE
from destutter.commands.text_agent import TextAgent
from destutter.core.bus_caller import SYSTEM_BUS
from destutter.core.sample import Facts, Header, Message, Trouble
from destutter.core.sandbox import is_sandboxed
from destutter.core.statement import Statement
from destutter.core.traced import MISSING, SOURCE, lead_in
from destutter.sampling.trace_source import LentTrace

if TYPE_CHECKING:
    from destutter.sampling.live import LiveSource


UNFOLLOWED = "tracing.unfollowed"
"""There is a trace, but for the game's waits for a core."""


class LiveTrace:
    """Asks for a trace, which may open a password dialog; ``why_not`` says why there is none."""

    def __init__(self) -> None:
        self.why_not: Statement | None = None
        self._grant: TraceGrant | None = None
        self._game = ""
        self._lead = ""
        self._pid: int | None = None
        self._unfollowed: Statement | None = None
        try:
            self._grant = ask_for_trace(game=True)
        except TraceGrantError as error:
            self.why_not = with_advice(error)

    @property
    def lent(self) -> LentTrace | None:
        """What there is to read; None without a trace."""
        if self._grant is None:
            return None
        return LentTrace(self._grant.formats_text, self._grant.descriptors)

    def follow(self, message: Message, source: "LiveSource") -> Iterator[Message]:
        """Name the threads of a game that was found; what the stream is to say of it, and behind
        its header that there is no trace.
        """
        if self._grant is not None and self._grant.is_over:
            # Its rings are empty from now on, which is not the same as that nothing happens.
            source.end_trace()
            self.why_not = Statement("tracing.over")
            self.close()
            self._grant = None
            yield Trouble(monotonic_ns(), SOURCE, self.why_not)
        if isinstance(message, Header) and self.why_not is not None:
            yield Trouble(message.monotonic_ns, SOURCE, self.why_not)
        elif isinstance(message, Header) and self._grant is not None:
            missing = self._grant.formats.missing
            if missing:
                yield Facts(message.monotonic_ns, {MISSING: ",".join(missing)})
        if isinstance(message, Trouble) and message.source == SOURCE:
            self.why_not = message.reason
        if self._grant is not None and isinstance(message, Facts):
            yield from self._follow(message, source)

    def _follow(self, message: Facts, source: "LiveSource") -> Iterator[Message]:
        """Name the game that these facts tell of, and which thread of it shows its frames."""
        game = message.facts.get("game.pid", self._game)
        before, self._lead = self._lead, message.facts.get("game.lead", self._lead)
        if game != self._game:
            self._game = game
            self._pid, why = self._named(game)
            yield source.follow(self._pid, lead_in(self._lead))
            if why != self._unfollowed:
                self._unfollowed = why
                yield Trouble(message.monotonic_ns, SOURCE, why)
        elif self._lead != before and self._pid is not None:
            yield source.follow(self._pid, lead_in(self._lead))

    def _named(self, game: str) -> tuple[int | None, Statement | None]:
        """The number of a game whose threads the helper took, or None and why it took none."""
        if self._grant is None or not game.isdecimal():
            return None, None
        try:
            self._grant.watch(int(game))
        except TraceGrantError as error:
            # What is of the whole computer is recorded all the same, and the game's requests.
            self.why_not = Statement(UNFOLLOWED, {"why": error.statement})
            return None, self.why_not
        return int(game), None

    def close(self) -> None:
        """Give it back. May be called twice."""
        if self._grant is not None:
            self._grant.close()


def ask_for_trace(*, game: bool, expert: bool = False) -> TraceGrant:
    """A grant; polkit's question is asked in the terminal. Raises ``TraceGrantError``."""
    address = os.environ.get("DBUS_SYSTEM_BUS_ADDRESS") or SYSTEM_BUS
    with TextAgent():
        return TraceGrant(trace_caller(address), game=game, expert=expert)


def with_advice(error: TraceGrantError) -> Statement:
    """Why there is none, and what helps where the helper is not there."""
    is_callable = error.statement.id != "bridge.helper.no_bus"
    if not (error.is_absent and is_callable):
        return error.statement
    advice = FROM_OUTSIDE if is_sandboxed() else Statement("change.helper.install")
    return Statement("change.helper", {"why_sentences": (error.statement, advice)})
