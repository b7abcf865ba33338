# SPDX-License-Identifier: GPL-3.0-or-later
"""Files from elsewhere become recordings in the folder of sessions. No Qt.

A frame-time log of MangoHud or CapFrameX becomes a recording that holds frame times and nothing
else; every other source says so. A recording is copied as it is.
"""

import contextlib
import filecmp
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from destutter.analysis.examining.frame_import import REJECTED_ROWS
from destutter.core.catalog import SOURCES
from destutter.core.sample import Facts, Frames, Header, Message, Sample, Trouble
from destutter.core.statement import Statement
from destutter.core.system_error import system_reason
from destutter.sampling.frames.frame_log import FrameLog, FrameLogError, read_frame_log
from destutter.session.format import SUFFIX, RecordingError, without_path
from destutter.session.new_file import move_without_replacing
from destutter.session.recorder import Recorder
from destutter.session.recording_file import RecordingFile
from destutter.session.store import checked_name

_SECOND_NS = 1_000_000_000
_OTHER_NAMES = 100  # so many copies of one name are a mistake, and each try asks the file system
_STAMP = re.compile(r"[_-]\d{4}-?\d{2}-?\d{2}[T_-]?[\d-]*$")
_ONLY_FRAMES = Statement("session.only_frames")

Check = Callable[[], None]
"""Called now and then; raises when nobody wants the file any more."""


def import_file(source: Path, folder: Path, check: Check) -> Path:
    """Take a file into the folder and return where it is now. Never replaces another.

    Raises ``RecordingError`` in words.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if source.suffix == SUFFIX:
            return _copied(source, folder, check)
        return _converted(source, folder, check)
    except FrameLogError as error:
        raise RecordingError(without_path(error.statement, source)) from None
    except OSError as error:
        why = system_reason(error)
        if error.filename not in (None, source, os.fspath(source)):
            why = Statement("core.file", {"path": str(error.filename), "reason": why})
        raise RecordingError(why) from None


def game_of_log(path: Path) -> str:
    """The game's name in the name of a log: "Game_2026-01-31_20-15-00.csv" is of "Game"."""
    name = path.stem
    for prefix in ("CapFrameX-", "CapFrameX_"):
        name = name.removeprefix(prefix)
    return _STAMP.sub("", name).removesuffix(".exe").strip().strip("_-").strip()


def _copied(source: Path, folder: Path, check: Check) -> Path:
    RecordingFile(source).close()  # raises for what is no recording of ours
    if source.parent == folder:
        raise RecordingError(Statement("session.already_there"))
    partial = _partial(source.stem, folder)
    try:
        check()
        _copy(source, partial)
        check()
        return _named(partial, source.stem, folder)
    finally:
        _remove(partial)


def _copy(source: Path, target: Path) -> None:
    """What others may not read of a recording (a trace names programs of all users) stays so."""
    target.touch(mode=0o600)
    shutil.copyfile(source, target)
    if source.stat().st_mode & 0o044:
        target.chmod(0o644)


def _converted(source: Path, folder: Path, check: Check) -> Path:
    log = read_frame_log(source)
    check()
    started_at = log.started_at
    if started_at is None:
        started_at = source.stat().st_mtime
    partial = _partial(source.stem, folder)
    try:
        # A log that does not name its game has the name of its file for one.
        game = game_of_log(source) if log.game in source.stem else log.game
        _write(partial, Header(0, started_at, 1000, log.machine), log, game, check)
        return _named(partial, source.stem, folder)
    finally:
        _remove(partial)


def _write(path: Path, header: Header, log: FrameLog, game: str, check: Check) -> None:
    try:
        with Recorder(path, header) as recorder:
            for message in messages_of(log, game):
                recorder.accept_message(message)
                if isinstance(message, Sample):
                    check()
    except RecordingError as error:
        raise RecordingError(without_path(error.statement, path)) from None


def messages_of(log: FrameLog, game: str) -> Iterator[Message]:
    """The log as a stream that begins at 0: a second of frames, then a sample without readings."""
    facts = {"game.name": game, "frames.source": log.tool}
    if log.rejected:
        facts[REJECTED_ROWS] = str(log.rejected)
    yield Facts(0, facts)
    for source in SOURCES:
        yield Trouble(0, source, _ONLY_FRAMES)
    yield Sample(0, 0, 0, 0, ())
    first = 0
    second = _SECOND_NS
    for at, elapsed_ns in enumerate(log.elapsed_ns):
        if elapsed_ns >= second:
            yield from _second(log, first, at, second)
            first, second = at, (elapsed_ns // _SECOND_NS + 1) * _SECOND_NS
    yield from _second(log, first, len(log.elapsed_ns), second)


def _second(log: FrameLog, first: int, end: int, second_ns: int) -> Iterator[Message]:
    if end > first:
        times, lengths = tuple(log.elapsed_ns[first:end]), tuple(log.frame_us[first:end])
        yield Frames(log.tool, times, lengths)
        yield Sample(min(second_ns, times[-1]), 0, 0, 0, ())


def _partial(name: str, folder: Path) -> Path:
    return folder / f".{checked_name(name.lstrip('.') or 'recording')}.{os.getpid()}.part"


def _named(partial: Path, name: str, folder: Path) -> Path:
    """Give the finished file its name, or that with a number where another one has it."""
    name = checked_name(name.lstrip(".") or "recording")
    for count in range(1, _OTHER_NAMES):
        number = "" if count == 1 else f" {count}"
        target = folder / f"{name}{number}{SUFFIX}"
        with contextlib.suppress(FileExistsError):
            move_without_replacing(os.fspath(partial), os.fspath(target))
            return target
        if filecmp.cmp(partial, target, shallow=False):
            raise RecordingError(Statement("session.already_there"))
    raise RecordingError(Statement("session.too_many"))


def _remove(partial: Path) -> None:
    with contextlib.suppress(OSError):
        partial.unlink(missing_ok=True)
