# SPDX-License-Identifier: GPL-3.0-or-later
"""Frame times beside the samples: a log that the game writes, or X-Plane's own interface."""

import errno
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from destutter.core.sample import PAUSED_FACT, Facts, Frames, Message, Trouble
from destutter.core.sandbox import Sandbox
from destutter.core.statement import Statement, Value
from destutter.core.system_error import system_reason
from destutter.sampling.frames.frame_log import FrameLogError
from destutter.sampling.frames.frame_tail import FrameTail, newest_log
from destutter.sampling.frames.xplane import DEFAULT_PORT, XPlaneError, XPlaneFrames
from destutter.sampling.frames.xplane_beacon import XPlaneByBeacon

FRAMES = "frames"
"""The name under which frame times have troubles, beside the names of sources."""

AUTO = "auto"
"""In place of an address: the X-Plane that is found by its beacon."""

_RETRY_NS = 1_000_000_000  # looking into a folder at every tick would cost more than reading a log
_SILENT_NS = 5_000_000_000  # a level that loads has no frames for a second or two: nothing to tell
_SLACK_NS = 20_000_000  # the time of a file's last write is that of the last timer tick
_MAX_PORT = 65535


class FrameSource(Protocol):
    """Delivers frames since the last call. Raises ``FrameLogError`` or ``XPlaneError``."""

    def read_new(self) -> Frames | None:
        """Frames since the last call, None without any."""
        ...

    @property
    def is_paused(self) -> bool:
        """Whether the game is paused by its own word, which a log never has."""
        ...

    def refresh(self) -> None:
        """Look whether it is still the right one; called once a second."""
        ...

    def why_silent(self, name: str | Statement) -> Statement:
        """Why no frame has come of it for seconds; ``name`` is what the source is called."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


class LogSource:
    """A MangoHud log, or in a folder the log that was written last.

    A log that is replaced or truncated is begun anew: the game was started again.
    """

    def __init__(self, place: Path) -> None:
        self._place = place
        self._tail = FrameTail(self._find(), skips_old=True)

    @property
    def path(self) -> Path:
        """The log itself."""
        return self._tail.path

    def read_new(self) -> Frames | None:
        """What was appended."""
        return self._tail.read_new()

    @property
    def is_paused(self) -> bool:
        return False

    def refresh(self) -> None:
        """Change to a newer log, if there is one."""
        path = self._find()
        if path != self._tail.path or self._tail.is_replaced():
            # Whatever stands in a log that has just been made is new.
            tail = FrameTail(path)
            self._tail.close()
            self._tail = tail

    def why_silent(self, name: str | Statement) -> Statement:
        return _no_frame_yet(name)

    def close(self) -> None:
        self._tail.close()

    def _find(self) -> Path:
        try:
            is_folder = stat.S_ISDIR(self._place.stat().st_mode)
        except (OSError, ValueError) as error:
            values: dict[str, Value] = {"path": str(self._place), "reason": _words(error)}
            raise FrameLogError(Statement("core.file", values)) from error
        if not is_folder:
            return self._place
        newest = newest_log(self._place)
        if newest is None:
            raise FrameLogError(Statement("sampling.no_log_yet", {"path": str(self._place)}))
        return newest


class XPlaneSource(XPlaneFrames):
    """X-Plane, with an address like ``192.0.2.7:49000``."""

    def refresh(self) -> None:
        """It subscribes again by itself."""

    def why_silent(self, name: str | Statement) -> Statement:
        """One that answers is paused, or loads; one that does not may never."""
        if self.has_answered:
            return _no_frame_yet(name)
        host, port = self.peer
        return Statement("sampling.xplane_silent", {"address": f"{host}:{port}"})


class FoundXPlane(XPlaneByBeacon):
    """X-Plane, wherever its beacon says that it is."""

    def why_silent(self, name: str | Statement) -> Statement:
        return _no_frame_yet(name)


class FrameFeed:
    """Follows one source of frame times and makes messages of it.

    ``clock`` gives nanoseconds of CLOCK_MONOTONIC. What cannot be read is a ``Trouble`` of
    ``frames``, told once, and tried again every second. Frames that ended before the feed began
    to follow belong to no sample and are left out. ``sandbox``: the one around this program.
    """

    def __init__(self, clock: Callable[[], int], sandbox: Sandbox | None = None) -> None:
        self._clock = clock
        self._sandbox = sandbox
        self._open: Callable[[], FrameSource] | None = None
        self._source: FrameSource | None = None
        self._name: str | Statement = ""
        self._told: Statement | None = None
        self._begun_ns = self._next_look_ns = 0
        self._has_frames = self._is_paused = False

    @property
    def is_following(self) -> bool:
        """Whether there is a source, be it silent or not there yet."""
        return self._open is not None

    @property
    def log(self) -> Path | None:
        """The log that is read; None without one."""
        source = self._source
        return source.path if isinstance(source, LogSource) else None

    @property
    def has_frames(self) -> bool:
        """Whether any frame came of the source that is followed."""
        return self._has_frames

    def follow(self, place: str) -> None:
        """Follow this log, or the newest one in this folder."""
        self._begin(place, lambda: LogSource(Path(place)))

    def listen(self, host: str, port: int) -> None:
        """Ask X-Plane at this address."""
        self._reach(
            Statement("sampling.xplane_at", {"address": f"{host}:{port}"}),
            lambda: XPlaneSource(host, port),
        )

    def listen_for_beacon(self) -> None:
        """Ask whichever X-Plane makes itself heard."""
        self._reach(Statement("sampling.xplane_by_beacon"), FoundXPlane)

    def _reach(self, name: Statement, opened: Callable[[], FrameSource]) -> None:
        """Begin with what is reached by the network, if there is one."""
        sandbox = self._sandbox

        def refused() -> FrameSource:
            raise XPlaneError(
                Statement(
                    "sampling.xplane_cut_off",
                    {"application": str(sandbox and sandbox.application)},
                )
            )

        is_cut_off = sandbox is not None and not sandbox.has_network
        self._begin(name, refused if is_cut_off else opened)

    def stop(self) -> None:
        self.close()
        self._open = None

    def take(self) -> list[Message]:
        """What arrived since the last call, and what became of the troubles and of a pause."""
        messages = self._take()
        is_paused = self._source is not None and self._source.is_paused
        if is_paused != self._is_paused:
            self._is_paused = is_paused
            messages.append(Facts(self._clock(), {PAUSED_FACT: "1" if is_paused else ""}))
        return messages

    def _take(self) -> list[Message]:
        if self._open is None and self._told is None:
            return []
        now_ns = self._clock()
        if self._open is None:
            return self._tell(now_ns, None)
        try:
            frames = self._read(now_ns, self._open)
        except (FrameLogError, XPlaneError) as error:
            self.close()
            return self._tell(now_ns, error.statement)
        if frames is not None:
            self._has_frames = True
            return [*self._tell(now_ns, None), frames]
        is_silent = not self._has_frames and now_ns - self._begun_ns > _SILENT_NS
        if is_silent and self._source is not None:
            return self._tell(now_ns, self._source.why_silent(self._name))
        return []

    def close(self) -> None:
        """Give everything back; what is followed is opened again by ``take``."""
        if self._source is not None:
            self._source.close()
            self._source = None

    def _begin(self, name: str | Statement, opened: Callable[[], FrameSource]) -> None:
        self.close()
        self._name, self._open = name, opened
        self._begun_ns, self._next_look_ns = self._clock(), 0
        self._has_frames = False

    def _read(self, now_ns: int, opened: Callable[[], FrameSource]) -> Frames | None:
        if now_ns >= self._next_look_ns:
            self._next_look_ns = now_ns + _RETRY_NS
            if self._source is None:
                self._source = opened()
            else:
                self._source.refresh()
        if self._source is None:
            return None
        frames = self._source.read_new()
        return None if frames is None else _since(frames, self._begun_ns - _SLACK_NS)

    def _tell(self, now_ns: int, reason: Statement | None) -> list[Message]:
        if reason == self._told:
            return []
        self._told = reason
        return [Trouble(now_ns, FRAMES, reason)]


def parse_address(text: str) -> tuple[str, int]:
    """Host and port of ``HOST:PORT``; without a port X-Plane's own. Raises ``ValueError``.

    ``AUTO`` stands for the X-Plane that is found by its beacon.
    """
    if text == AUTO:
        return AUTO, DEFAULT_PORT
    host, colon, port = text.rpartition(":")
    if not colon:
        host, port = text, str(DEFAULT_PORT)
    if not host or not (port.isascii() and port.isdecimal() and 0 < int(port) <= _MAX_PORT):
        raise ValueError(f"{text} is not an address like 127.0.0.1:{DEFAULT_PORT}")
    return host, int(port)


def _no_frame_yet(name: str | Statement) -> Statement:
    return Statement("sampling.no_frame_yet", {"name": name})


def _since(frames: Frames, begun_ns: int) -> Frames | None:
    """Those that ended at or after a moment."""
    if not frames.monotonic_ns or frames.monotonic_ns[0] >= begun_ns:
        return frames
    kept = [
        pair
        for pair in zip(frames.monotonic_ns, frames.frame_us, strict=True)
        if pair[0] >= begun_ns
    ]
    if not kept:
        return None
    times, lengths = zip(*kept, strict=True)
    return Frames(frames.origin, times, lengths)


def _words(error: OSError | ValueError) -> Statement:
    if isinstance(error, ValueError):
        return Statement("sampling.no_file_name")
    if error.errno == errno.ENOENT:
        return Statement("sampling.not_there_yet")
    return system_reason(error)
