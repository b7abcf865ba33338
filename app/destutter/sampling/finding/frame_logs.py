# SPDX-License-Identifier: GPL-3.0-or-later
"""Finding the log into which MangoHud writes the frames of the game, without being told of it.

MangoHud names the folder of its logs ``output_folder``: in the environment variable
MANGOHUD_CONFIG, else in the file of MANGOHUD_CONFIGFILE, else in those in its own folder of
settings, and without one it is the game's home. The environment is the game's own, so that a
game of another launcher with other settings is found, too. Beside them stands the folder that
this program tells users to name.
"""

import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.finding.open_logs import is_of_another
from destutter.sampling.frames.frame_rows import HEADER_LINES, FrameLogError, RowReader

_FRESH_S = 10.0
"""A log that was written to since is being written: MangoHud writes each frame at once, and a
level that loads has none for some seconds."""

_LIST_AGAIN_S = 10.0  # a folder's own time tells of new files, not of one that goes on
_ASK_AGAIN_S = 10.0  # who writes a log that is another program's: it takes a look at all programs
_HEAD_BYTES = 1 << 14
_MOST_CONFIG_BYTES = 1 << 18
_MOST_FILES = 5_000  # in one folder; a home has a few dozen
_ENDING, _SUMMARY = ".csv", "_summary.csv"
_VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))", re.ASCII)


class FrameLogFinder:
    """``look`` may wait for a disk, and belongs into a thread of its own; ``found`` does not.

    ``own_folder`` is looked into for every game. ``clock`` gives seconds since 1970.
    """

    def __init__(
        self,
        files: KernelFiles,
        own_folder: Path | None,
        clock: Callable[[], float] = time.time,  # noqa: TID251  files have no other clock
    ) -> None:
        self._files = files
        self._own_folder = own_folder
        self._clock = clock
        self._pid: int | None = None
        self._folders: tuple[LogFolder, ...] = ()
        self._others: dict[Path, float] = {}
        self.found: tuple[int, Path] | None = None
        """The game's number and the log that is being written for it."""

    def look(self, pid: int | None) -> None:
        """Look once for the newest log of this game; None: there is no game."""
        if pid != self._pid:
            self._pid, self.found = pid, None
            self._others.clear()
            places = [] if pid is None else self._places(pid)
            self._folders = tuple(map(LogFolder, places))
        now_s = self._clock()
        logs = [log for folder in self._folders for log in folder.fresh(now_s)]
        if pid is None:
            return
        for _, log in sorted(logs, reverse=True):
            if not self._is_of_another(pid, log, now_s):
                self.found = pid, log
                return

    def _is_of_another(self, pid: int, log: Path, now_s: float) -> bool:
        """Asked once where it is the game's, and now and then where it is not: who writes it may
        have begun as somebody else."""
        asked_s = self._others.get(log)
        if asked_s is not None and 0 <= now_s - asked_s < _ASK_AGAIN_S:
            return True
        if self.found == (pid, log):
            return False
        is_other = is_of_another(self._files, pid, log)
        if is_other:
            self._others[log] = now_s
        return is_other

    def _places(self, pid: int) -> list[Path]:
        own = [] if self._own_folder is None else [self._own_folder]
        try:
            environ = _read_environ(self._files.read_bytes(f"/proc/{pid}/environ"))
        except KernelFileError:  # of another user, or hidden by a sandbox
            return own
        return [*own, *log_folders(environ, _program(self._files, pid), _root_of(pid))]


class LogFolder:
    """The logs of a folder that are being written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._listed_s = 0.0
        self._changed_ns = -1
        self._names: tuple[str, ...] = ()
        self._is_log: dict[str, bool] = {}

    def fresh(self, now_s: float) -> Iterator[tuple[float, Path]]:
        """When each was last written to, and its path."""
        try:
            changed_ns = self._path.stat().st_mtime_ns
        except (OSError, ValueError):
            return
        if changed_ns != self._changed_ns or not 0 <= now_s - self._listed_s < _LIST_AGAIN_S:
            self._changed_ns, self._listed_s = changed_ns, now_s
            self._names = tuple(_recent(self._path, now_s))
        for name in self._names:
            path = self._path / name
            written_s = _written_s(path)
            if written_s is not None and written_s > now_s - _FRESH_S and self._is_frame_log(name):
                yield written_s, path

    def _is_frame_log(self, name: str) -> bool:
        """Whether its header is a frame log's; asked again while it has none yet."""
        if not self._is_log.get(name, False):
            self._is_log[name] = is_frame_log(self._path / name)
        return self._is_log[name]


def log_folders(environ: Mapping[str, str], program: str, root: str = "") -> list[Path]:
    """Where MangoHud may put the logs of a program with this environment, the likeliest first.

    ``root`` is what the program has for "/", where that is not the usual one: paths are its own.
    """
    given = _output_folder(environ.get("MANGOHUD_CONFIG", "").split(","))
    files = [Path(root + path) for path in _config_files(environ, program)]
    texts = [given, *map(_output_folder, map(_lines, files)), environ.get("HOME", "")]
    found = [_expanded(text, environ) for text in texts if text]
    return [Path(root + text) for text in dict.fromkeys(found) if text.startswith("/")]


def is_frame_log(path: Path) -> bool:
    """Whether a file begins as a frame log does; False for one that has no header yet."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except (OSError, ValueError):
        return False
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return False
        head = os.read(descriptor, _HEAD_BYTES)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    reader = RowReader()
    try:
        for line in head.split(b"\n")[: HEADER_LINES + 1]:
            reader.read(line.decode("utf-8", "replace"))
    except FrameLogError:
        return False
    return reader.has_header


def _recent(folder: Path, now_s: float) -> Iterator[str]:
    """Names of tables that were written to a moment ago: a folder may hold those of years."""
    try:
        with os.scandir(folder) as entries:
            for _, entry in zip(range(_MOST_FILES), entries, strict=False):
                if entry.name.endswith(_ENDING) and not entry.name.endswith(_SUMMARY):
                    written_s = _written_s(Path(entry.path))
                    if written_s is not None and written_s > now_s - _FRESH_S:
                        yield entry.name
    except OSError:
        return


def _written_s(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except (OSError, ValueError):
        return None


def _config_files(environ: Mapping[str, str], program: str) -> list[str]:
    """MangoHud's own order: a file that is named, one of the program, the usual one."""
    named = environ.get("MANGOHUD_CONFIGFILE", "")
    base = environ.get("XDG_CONFIG_HOME") or f"{environ.get('HOME', '')}/.config"
    names = [f"{program}.conf", f"wine-{program.removesuffix('.exe')}.conf", "MangoHud.conf"]
    usual = [f"{base}/MangoHud/{name}" for name in names if "/" not in name]
    return [text for text in (named, *usual) if text.startswith("/")]


def _lines(path: Path) -> list[str]:
    try:
        if not path.is_file():
            return []
        with path.open("rb") as file:
            return file.read(_MOST_CONFIG_BYTES).decode("utf-8", "replace").splitlines()
    except (OSError, ValueError):
        return []


def _output_folder(settings: list[str]) -> str:
    """The last value of the setting; empty without one."""
    found = ""
    for setting in settings:
        name, equals, value = setting.partition("=")
        if equals and name.strip() == "output_folder":
            found = value.strip()
    return found


def _expanded(text: str, environ: Mapping[str, str]) -> str:
    """As MangoHud does it where the path begins with ``~``; a launcher may have had a shell."""
    if text == "~" or text.startswith("~/"):
        text = environ.get("HOME", "") + text[1:]
    return _VARIABLE.sub(lambda match: environ.get(match[1] or match[2], ""), text)


def _read_environ(data: bytes | None) -> dict[str, str]:
    """See proc_pid_environ(5)."""
    pairs = (entry.partition(b"=") for entry in (data or b"").split(b"\0"))
    return {os.fsdecode(name): os.fsdecode(value) for name, equals, value in pairs if equals}


def _root_of(pid: int) -> str:
    """What a program in a container sees as "/", as a path of ours; empty for the usual one."""
    root = f"/proc/{pid}/root"
    try:
        return "" if os.path.samefile(root, "/") else root
    except OSError:
        return ""


def _program(files: KernelFiles, pid: int) -> str:
    """The name of the program, which for Windows' programs ends in .exe; empty if hidden."""
    try:
        data = files.read_bytes(f"/proc/{pid}/cmdline") or b""
    except KernelFileError:
        return ""
    first = os.fsdecode(data.split(b"\0")[0])
    return re.split(r"[/\\]", first)[-1]
