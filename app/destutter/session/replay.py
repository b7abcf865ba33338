# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording as a source of messages, the same for the window, the command line and tests."""

import os
from collections.abc import Iterator
from dataclasses import replace

from destutter.core.catalog import PROBES
from destutter.core.metrics import DAMAGED, Gap
from destutter.core.sample import Header, Layout, Message, Sample
from destutter.core.statement import Statement
from destutter.session.block_index import measured_span_ns
from destutter.session.format import FORMAT_VERSION, Flag
from destutter.session.recording_file import RecordingFile
from destutter.session.stream_state import StreamState


class ReplaySource:
    """The messages of a recording, in the order in which they were recorded.

    A piece that is damaged is left out; ``gaps`` says where and ``problems`` says it to people.
    Raises ``RecordingError`` when the file cannot be opened or is not a readable recording.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.file = RecordingFile(path)
        self.header: Header = self.file.preamble.header

    def messages(self, since_ns: int | None = None) -> Iterator[Message]:
        """Every message from the beginning, or of the time since, and what held then.

        ``since_ns`` is on the recording's CLOCK_MONOTONIC; a reader begins some seconds before.
        """
        yield self.header
        state = StreamState()
        is_after_loss = False
        first = 0 if since_ns is None else self.file.key_before(since_ns)
        for block in self.file.decode(first):
            if block.state is not None:
                yield from state.corrections_to(block.state)
                state = block.state
                is_after_loss = True
            for message in block.messages():
                if not isinstance(message, Sample):
                    state.accept_message(message)
                elif is_after_loss:
                    # As if the stream began anew: counters have what was lost, too. Probes have
                    # samples of their own in between.
                    message = replace(message, is_after_loss=True)  # noqa: PLW2901
                    is_after_loss = all(each.source in PROBES for each in message.readings)
                yield message

    def close(self) -> None:
        """Give the file back. May be called twice."""
        self.file.close()

    @property
    def span_ns(self) -> tuple[int, int]:
        """The first and the last moment that was measured, on the recording's clock."""
        return measured_span_ns(self.file.index.blocks, self.header.monotonic_ns)

    def layouts(self) -> Iterator[Layout]:
        """Every layout of the recording in order, some more than once."""
        for message in self.file.events(Flag.LAYOUTS):
            if isinstance(message, Layout):
                yield message
        if self.gaps:
            # One that was lost to damage is repeated where a reader could begin anew.
            for step in self.file.walk():
                if step.state is not None:
                    yield from step.state.layouts.values()

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The spans whose samples are lost to damage, from the last time before to the next."""
        gaps: list[Gap] = []
        blocks = self.file.index.blocks
        start_ns = self.header.monotonic_ns
        is_open = False
        for position, entry in enumerate(blocks):
            is_lost = not self.file.is_whole[position]
            is_open = is_open or is_lost or position in self.file.after_damage
            if is_open and not is_lost:
                gaps.append(Gap(start_ns, entry.head.start_ns, DAMAGED))
                is_open = False
            if not is_lost:
                start_ns = entry.head.end_ns
        if is_open:
            gaps.append(Gap(start_ns, blocks[-1].head.end_ns, DAMAGED))
        return tuple(gaps)

    @property
    def problems(self) -> tuple[Statement, ...]:
        """What is wrong with the recording; empty when nothing."""
        lines = [
            Statement(
                "session.lost",
                {
                    # Pieces of another recording begin before the last one's end.
                    "lost": round(max(gap.end_ns - gap.start_ns, 0) / 1e9, 1),
                    "second": round((gap.start_ns - self.header.monotonic_ns) / 1e9, 1),
                },
            )
            for gap in self.gaps
        ]
        if (torn := self.file.index.torn_bytes) and self.file.index.is_another:
            lines.append(Statement("session.another", {"rest_bytes": torn}))
        elif torn:
            lines.append(Statement("session.torn", {"torn": torn}))
        if self.file.preamble.format_version > FORMAT_VERSION:
            lines.append(Statement("session.newer_left_out"))
        return tuple(lines)


class Since:
    """A recording, or its later part, as a source of its own; the recording stays open."""

    def __init__(self, source: ReplaySource, since_ns: int | None = None) -> None:
        self._source = source
        self._since_ns = since_ns

    @property
    def start_ns(self) -> int:
        """Where it begins: where a reader can, some seconds before what was asked for."""
        file, since_ns = self._source.file, self._since_ns
        if since_ns is None or not file.index.blocks:
            return self._source.span_ns[0]
        start_ns = file.index.blocks[file.key_before(since_ns)].head.start_ns
        return max(start_ns, self._source.span_ns[0])

    def messages(self) -> Iterator[Message]:
        """What held at the beginning, and every message from there."""
        return self._source.messages(self._since_ns)

    def close(self) -> None:
        """Nothing: whoever opened the recording closes it."""
