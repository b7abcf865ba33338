# SPDX-License-Identifier: GPL-3.0-or-later
"""What a reader must know before it can understand a stream from its middle."""

from collections.abc import Sequence

from destutter.core.metrics import Deriver, MetricSpec
from destutter.core.sample import Facts, Header, Layout, Message, Trouble
from destutter.core.statement import Statement


class StreamState:
    """The layouts, facts and troubles that hold now. One object per stream."""

    def __init__(self) -> None:
        self.header: Header | None = None
        self.layouts: dict[str, Layout] = {}
        self.facts: dict[str, str] = {}
        self._facts_ns = 0
        self._troubles: dict[str, Trouble] = {}

    def accept_message(self, message: Message) -> None:
        """Take in one message; those without lasting effect are ignored."""
        match message:
            case Header():
                # The probes announce themselves too, in any order; only the sampler knows the
                # machine.
                if self.header is None or (message.machine and not self.header.machine):
                    self.header = message
            case Layout():
                self.layouts[message.source] = message
            case Facts():
                self._accept_facts(message)
            case Trouble():
                if message.reason is not None:
                    self._troubles[message.source] = message
                else:
                    self._troubles.pop(message.source, None)
            case _:
                pass

    def deriver(self, specs: Sequence[MetricSpec]) -> Deriver:
        """What derives these metrics from the samples that follow."""
        header = self.header
        deriver = (
            Deriver(specs)
            if header is None
            else Deriver(specs, header.interval_ms, header.page_bytes)
        )
        for layout in self.layouts.values():
            deriver.accept_layout(layout)
        return deriver

    @property
    def troubles(self) -> dict[str, Statement]:
        """The reason of every source that cannot deliver now."""
        return {
            source: trouble.reason
            for source, trouble in self._troubles.items()
            if trouble.reason is not None
        }

    def messages(self) -> list[Message]:
        """Messages that bring a new reader to this state."""
        described: list[Message] = list(self.layouts.values())
        if self.facts:
            described.append(Facts(self._facts_ns, dict(self.facts)))
        return [*described, *self._troubles.values()]

    def corrections_to(self, wanted: "StreamState") -> list[Message]:
        """Messages that lead from this state to another one, after a piece that was lost."""
        messages: list[Message] = [
            layout
            for source, layout in wanted.layouts.items()
            if self.layouts.get(source) != layout
        ]
        ended = {name: "" for name in self.facts if name not in wanted.facts}
        changed = {k: v for k, v in wanted.facts.items() if self.facts.get(k) != v}
        if ended or changed:
            messages.append(Facts(wanted._facts_ns, {**ended, **changed}))
        for source, trouble in self._troubles.items():
            if source not in wanted._troubles:
                messages.append(Trouble(trouble.monotonic_ns, source))
        return messages + [t for s, t in wanted._troubles.items() if self._troubles.get(s) != t]

    def _accept_facts(self, message: Facts) -> None:
        self._facts_ns = message.monotonic_ns
        for name, value in message.facts.items():
            if value:
                self.facts[name] = value
            else:
                self.facts.pop(name, None)
