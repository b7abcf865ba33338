# SPDX-License-Identifier: GPL-3.0-or-later
"""Where messages come from: the live sampler, a recording, or a script in a test."""

from collections.abc import Iterator
from typing import Protocol

from destutter.core.sample import Message

BATCH_MS = 250
"""So often what was measured is handed on and painted. A page with five graphs took 3.4 % of a
core at four pictures a second and 9 % at ten; a reader that wakes less often costs less."""


class SampleSource(Protocol):
    """A stream of messages; the first is a ``Header``, and a ``Layout`` precedes its readings."""

    def messages(self) -> Iterator[Message]:
        """Every message in order, blocking until the next is there; ends with the stream."""
        ...

    def close(self) -> None:
        """Stop the stream and give back what it holds. May be called twice."""
        ...
