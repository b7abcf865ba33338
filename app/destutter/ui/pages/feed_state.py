# SPDX-License-Identifier: GPL-3.0-or-later
"""What the window is told about where its measurements come from and whether they are recorded."""

from dataclasses import dataclass
from enum import Enum

from destutter.core.statement import Statement


class FeedKind(Enum):
    """Where snapshots come from."""

    STARTING = "starting"
    LIVE = "live"
    REPLAY = "replay"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class FeedState:
    """``name`` of the recording that is played back; ``why`` nothing is measured any more, or that
    plays no further; ``read_share`` of the way to where it shall be shown is read, from 0 to 1:
    None when all of it is. What is found of a part is told by no page."""

    kind: FeedKind
    name: str = ""
    why: Statement | None = None
    read_share: float | None = None

    @property
    def can_be_recorded(self) -> bool:
        """Whether something is measured, or will be in a moment."""
        return self.kind in (FeedKind.STARTING, FeedKind.LIVE)


@dataclass(frozen=True, slots=True)
class RecordingState:
    """Whether a recording runs.

    ``started_ns`` is on CLOCK_MONOTONIC, None while none runs; ``file_name`` is shown as it is;
    ``failure`` says why the last recording ended by itself.
    """

    started_ns: int | None = None
    file_name: str = ""
    failure: Statement | None = None

    @property
    def is_recording(self) -> bool:
        return self.started_ns is not None
