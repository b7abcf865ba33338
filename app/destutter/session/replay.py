# SPDX-License-Identifier: GPL-3.0-or-later
"""A recording as a source of messages, the same for the window, the command line and tests."""

import os
from collections.abc import Iterable, Iterator
from functools import cached_property

from destutter.core.metrics import Gap
from destutter.core.sample import Frames, Header, Layout, Marker, Message, Sample
from destutter.session.block_writer import time_of
from destutter.session.format import FORMAT_VERSION, Flag
from destutter.session.lines import known_messages
from destutter.session.recording_file import RecordingFile
from destutter.session.stream_state import StreamState


class ReplaySource:
    """The messages of a recording, in the order in which they were recorded.

    A piece that is damaged is left out; ``gaps`` says where and ``problems`` says it in words.
    Raises ``RecordingError`` when the file cannot be opened or is not a readable recording.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.file = RecordingFile(path)
        self.header: Header = self.file.preamble.header
        self._start_ns: int | None = None

    def messages(self) -> Iterator[Message]:
        """Every message from the beginning, or from where ``seek`` said.

        From the middle of a recording the header comes first and then the layouts, facts and
        troubles that hold there.
        """
        return self._play(self._start_ns, None)

    def whole(self) -> Iterator[Message]:
        """Every message from the beginning, whatever ``seek`` said."""
        return self._play(None, None)

    def seek(self, monotonic_ns: int | None) -> None:
        """Let the next ``messages`` begin at this time; None: at the beginning."""
        self._start_ns = monotonic_ns

    def read_range(self, start_ns: int, end_ns: int) -> Iterator[Message]:
        """The header, what holds at the start, and the messages of the span, both ends included.

        Samples, frames and markers are chosen by their time; what describes the stream comes as
        it was recorded in between.
        """
        return self._play(start_ns, end_ns)

    def close(self) -> None:
        """Give the file back. May be called twice."""
        self.file.close()

    @cached_property
    def span(self) -> tuple[int, int] | None:
        """Times of the first and the last sample; None when there is none."""
        blocks = self.file.index.blocks
        holding = [i for i, entry in enumerate(blocks) if entry.head.flags & Flag.SAMPLES]
        first = self._sample_times(holding)
        last = self._sample_times(reversed(holding))
        return (min(first), max(last)) if first and last else None

    @cached_property
    def markers(self) -> tuple[Marker, ...]:
        """Every marker of the recording."""
        return tuple(m for m in self.file.events(Flag.MARKERS) if isinstance(m, Marker))

    def layouts(self) -> Iterator[Layout]:
        """Every layout of the recording in order, some more than once."""
        for message in self.file.events(Flag.LAYOUTS):
            if isinstance(message, Layout):
                yield message
        if self.gaps:
            # One that was lost to damage is repeated where a reader could begin anew.
            yield from self.state_at(self.header.monotonic_ns).layouts.values()
            for gap in self.gaps:
                yield from self.state_at(gap.end_ns).layouts.values()

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """The spans whose samples are lost to damage, from the last time before to the next."""
        gaps: list[Gap] = []
        blocks = self.file.index.blocks
        damaged_before = {piece.blocks_before for piece in self.file.index.damaged}
        start_ns = self.header.monotonic_ns
        is_open = False
        for position, entry in enumerate(blocks):
            is_lost = not self.file.is_whole[position]
            is_open = is_open or is_lost or position in damaged_before
            if is_open and not is_lost:
                gaps.append(Gap(start_ns, entry.head.start_ns, "damaged"))
                is_open = False
            if not is_lost:
                start_ns = entry.head.end_ns
        if is_open:
            gaps.append(Gap(start_ns, blocks[-1].head.end_ns, "damaged"))
        return tuple(gaps)

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the recording, one line each in plain words; empty when nothing."""
        lines = [
            f"The recording is damaged: {(gap.end_ns - gap.start_ns) / 1e9:.1f} s are missing "
            f"from second {(gap.start_ns - self.header.monotonic_ns) / 1e9:.1f} on."
            for gap in self.gaps
        ]
        if torn := self.file.index.torn_bytes:
            lines.append(
                f"The recording was cut off: its last {torn} bytes are incomplete and left out."
            )
        if self.file.preamble.format_version > FORMAT_VERSION:
            lines.append("The recording was made by a newer Destutter; some of it is left out.")
        return tuple(lines)

    def state_at(self, monotonic_ns: int) -> StreamState:
        """The layouts, facts and troubles that hold at this time."""
        state = StreamState()
        first = self.file.key_before(self._first_block(monotonic_ns))
        for step in self.file.walk(first, self._end_block(monotonic_ns)):
            state = step.state or state
            for message in known_messages(step.parts.events):
                time_ns = time_of(message)
                if time_ns is None or time_ns <= monotonic_ns:
                    state.accept(message)
        return state

    def blocks_of(self, start_ns: int, end_ns: int, lead_in: int = 0) -> tuple[int, int]:
        """The first block to decode for a span, a key block, and the one after its last.

        ``lead_in`` blocks more are taken before the span.
        """
        first = max(0, self._first_block(start_ns) - lead_in)
        return self.file.key_before(first), self._end_block(end_ns)

    def _play(self, start_ns: int | None, end_ns: int | None) -> Iterator[Message]:
        yield self.header
        state = StreamState()
        has_begun = start_ns is None
        first = 0 if start_ns is None else self.file.key_before(self._first_block(start_ns))
        for block in self.file.decode(first, self._end_block(end_ns)):
            if block.state is not None:
                if has_begun:
                    yield from state.corrections_to(block.state)
                state = block.state
            for message in block.messages():
                if not isinstance(message, Sample | Frames | Marker):
                    state.accept(message)
                elif not _is_inside(message, start_ns, end_ns):
                    continue
                elif not has_begun:
                    has_begun = True
                    yield from state.messages()
                if has_begun:
                    yield message

    def _sample_times(self, positions: Iterable[int]) -> list[int]:
        """Sample times of the first of these blocks that has any."""
        for position in positions:
            times: list[int] = []
            for block in self.file.decode(self.file.key_before(position), position + 1, ()):
                times = block.sample_times()
            if times:
                return times
        return []

    def _first_block(self, start_ns: int) -> int:
        blocks = self.file.index.blocks
        later = (i for i, entry in enumerate(blocks) if entry.head.end_ns >= start_ns)
        return next(later, max(0, len(blocks) - 1))

    def _end_block(self, end_ns: int | None) -> int:
        blocks = self.file.index.blocks
        if end_ns is None:
            return len(blocks)
        earlier = (i for i in range(len(blocks), 0, -1) if blocks[i - 1].head.start_ns <= end_ns)
        return next(earlier, 0)


def _is_inside(message: Message, start_ns: int | None, end_ns: int | None) -> bool:
    time_ns = time_of(message)
    if time_ns is None:  # frames of which there are none
        return start_ns is None and end_ns is None
    return (start_ns is None or start_ns <= time_ns) and (end_ns is None or time_ns <= end_ns)
