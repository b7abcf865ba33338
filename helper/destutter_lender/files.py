# SPDX-License-Identifier: GPL-3.0-or-later
"""Which files are told, and that they are of the user's own processes.

A process is opened as a folder once and looked at through that: a process id that is used again
meanwhile leads nowhere. Nothing is opened with a wait: whoever has a lease on a file of the user's
would keep all callers.
"""

import contextlib
import errno
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from destutter_helper.api import lending
from destutter_lender.kept import TOLD_MAX, KeptOpen, read_text
from destutter_lender.ownership import OwnProcesses
from destutter_lender.stat_line import without_addresses

_PF_KTHREAD = 0x00200000  # include/linux/sched.h; among the flags, field 9 of /proc/PID/stat
_FLAGS, _ARG_START = 9 - 3, 48 - 3  # of what stands behind the name
_GROUPS = "/sys/fs/cgroup"
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
_MOST_TASKS = 8192  # 64 KiB of an answer
_MOST_DESCRIPTORS = 1024  # each link is read while nobody else is answered
_WORD_MAX = 96
_STEAM_ID = re.compile(lending.STEAM_ID + "[0-9]{1,20}")
_CUT = re.compile(r"[^\S ]|[\x00-\x1f\x7f-\x9f]")  # behind a line's end is no name: an argument
_SPACED_NAME = re.compile(
    # A whole path, as Wine and Proton write it, and no command line of another program.
    r"(?:[a-z]:[\\/](?:(?! -| /| \\| [a-z]:|\.(?:bat|cmd|com) )[^=])*?"
    r"|\.{0,2}/(?:(?! -| /|\.(?:bat|cmd|com|py|sh) )[^=\\])*?)"
    r"\.exe(?= |$)",
    re.IGNORECASE,
)
"""A name of Windows with blanks in it. "umu-run --password=SECRET game.exe" is none, and neither
is what has a blank before an option or another path, or an equals sign."""


class NotLentError(Exception):
    """Why a file is not told: one of GONE, DENIED and UNKNOWN."""

    def __init__(self, outcome: str) -> None:
        super().__init__(outcome)
        self.outcome = outcome


@dataclass(frozen=True, slots=True)
class Wanted:
    """One file: of a process, of its thread ``tid``, or with ``pid`` 0 one of SETTINGS."""

    pid: int
    tid: int
    name: str


class Lender:
    """Opens files of the processes of user ``uid`` below ``proc``; ``gid``: ours."""

    def __init__(self, uid: int, proc: str = "/proc", *, gid: int | None = None) -> None:
        self._uid = uid
        self._proc = proc
        self._processes = OwnProcesses(uid, os.getgid() if gid is None else gid)
        self.is_own = self._processes.is_own
        self.kept = KeptOpen()

    def tasks(self, pid: int) -> list[int]:
        """The user's processes and the kernel's threads; with a ``pid`` the threads of that one.

        Empty when there is no such process or it is somebody else's.
        """
        if pid == 0:
            with os.scandir(self._proc) as entries:
                pids = (int(entry.name) for entry in entries if entry.name.isdigit())
                return sorted(islice(filter(self._may_be_seen, pids), _MOST_TASKS))
        try:
            with self._process(pid) as folder, _opened("task", _FOLDER, folder) as tasks:
                return sorted(map(int, _first_names(tasks, _MOST_TASKS)))
        except (NotLentError, OSError):
            return []

    def graphics(self, pid: int) -> dict[str, str]:
        """Descriptors of a process that lead to a graphics card, and to which kind."""
        found: dict[str, str] = {}
        try:
            with self._process(pid) as folder, _opened("fd", _FOLDER, folder) as links:
                for name in _first_names(links, _MOST_DESCRIPTORS):
                    kind = _graphics(links, name)
                    if kind:
                        found[name] = kind
        except (NotLentError, OSError):
            return {}
        return found

    def program(self, pid: int) -> list[str]:
        """The program's file name without its folders, and the number that Steam gave the game.

        A command line may hold passwords and paths; nothing else of it is told.
        """
        try:
            with self._process(pid) as folder, _opened("cmdline", _FILE, folder) as file:
                # The kernel reads on into the environment where a title fills the arguments.
                data = os.read(file, min(4096, _length_of_arguments(folder)))
        except (NotLentError, OSError):
            return []
        words = data.decode("utf-8", "replace").split("\0")
        numbers = [word for word in words[1 : lending.STEAM_WORDS] if _STEAM_ID.fullmatch(word)]
        return [_program_name(words[0]), *numbers[:1]]

    def tell(self, wanted: Iterable[Wanted]) -> list[tuple[str, str]]:
        """What became of each file, and what it says where it is told.

        A window asks for dozens of one game's threads at once: each process is looked at once.
        """
        asked = list(wanted)
        with contextlib.closing(_Folders(self)) as folders:
            # Each once: the kernel adds up 12,000 threads for one line, and 48 times for 48.
            told = {each: self._outcome(each, folders) for each in dict.fromkeys(asked)}
            changed = folders.changed()
        # One file may keep the reading of the next waiting for seconds, and a program may become
        # another one meanwhile.
        gone = lending.GONE, ""
        return [gone if each.pid in changed else told[each] for each in asked]

    def _outcome(self, wanted: Wanted, folders: "_Folders") -> tuple[str, str]:
        try:
            return lending.TOLD, self._told(wanted, folders)
        except NotLentError as error:
            return error.outcome, ""
        except (FileNotFoundError, NotADirectoryError, ProcessLookupError):
            return lending.GONE, ""
        except OSError:
            return lending.DENIED, ""

    def _told(self, wanted: Wanted, folders: "_Folders") -> str:
        pid, tid, name = wanted.pid, wanted.tid, wanted.name
        if pid == 0:
            if name not in lending.SETTINGS:
                raise NotLentError(lending.UNKNOWN)
            return _text(os.open(name, _FILE))
        folder, is_own = folders.of(pid)
        if not is_own:
            is_told = not tid and name in lending.KERNEL_THREAD_FILES
            if not (is_told and _is_kernel_thread(folder)):
                raise NotLentError(_reason(folder))
        elif not tid and name in lending.GROUP_FILES:
            return _text(_of_group(folder, name))
        elif not tid and name == lending.THREADS:
            return _threads(folder)
        elif not tid and _descriptor_number(name):
            return _of_graphics(folder, name)
        if name not in (lending.THREAD_FILES if tid else lending.PROCESS_FILES):
            raise NotLentError(lending.UNKNOWN)
        path = f"task/{tid}/{name}" if tid else name
        if is_own:
            text = self._text_of_own(wanted, path, folder)
        else:
            text = _text(os.open(path, _FILE, dir_fd=folder))
        return without_addresses(text) if name == "stat" else text

    def _text_of_own(self, wanted: Wanted, path: str, folder: int) -> str:
        pid, tid, name = wanted.pid, wanted.tid, wanted.name
        text = self.kept.text((pid, tid, name), lambda: self._opened_own(path, folder, tid))
        if name == "status" and not self._processes.has_own_ids(text):
            raise NotLentError(lending.GONE)  # since it was asked for it has become root, say
        return text

    def _opened_own(self, path: str, folder: int, tid: int) -> int:
        """Ids and rights belong to threads: one may have kept others than the first, which was
        asked. It gets none back but by starting another program, which is asked for anew.
        """
        if tid:
            with _opened(f"task/{tid}", _FOLDER, folder) as thread:
                if not self.is_own(thread):
                    raise FileNotFoundError(path)
        descriptor = os.open(path, _FILE, dir_fd=folder)
        if os.fstat(descriptor).st_uid != self._uid:
            os.close(descriptor)
            raise FileNotFoundError(path)
        return descriptor

    def close(self) -> None:
        """Give back what is kept open."""
        self.kept.close()

    @contextlib.contextmanager
    def _process(self, pid: int) -> Iterator[int]:
        """The folder of one of the user's own processes. Raises ``NotLentError``, ``OSError``."""
        with self._folder(pid) as folder:
            if not self.is_own(folder):
                raise NotLentError(_reason(folder))
            yield folder

    @contextlib.contextmanager
    def _folder(self, pid: int) -> Iterator[int]:
        folder = self.open_folder(pid)
        try:
            yield folder
        finally:
            os.close(folder)

    def open_folder(self, pid: int) -> int:
        """A process, to be looked at through this alone. Raises ``NotLentError``, ``OSError``."""
        if not 0 < pid < 1 << 31:
            raise NotLentError(lending.GONE)
        try:
            return os.open(f"{self._proc}/{pid}", _FOLDER)
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                raise
            # Where /proc hides others (hidepid), more would say which of them there are.
            raise NotLentError(lending.GONE) from None

    def _may_be_seen(self, pid: int) -> bool:
        try:
            with self._folder(pid) as folder:
                return self.is_own(folder) or _is_kernel_thread(folder)
        except (NotLentError, OSError):
            return False


class _Folders:
    """The processes of one request, each looked at once; raises as ``os.open`` does.

    Those that are the user's own stay open for the next request.
    """

    def __init__(self, lender: Lender) -> None:
        self._lender = lender
        self._own: dict[int, int] = {}
        self._others: dict[int, int] = {}

    def of(self, pid: int) -> tuple[int, bool]:
        """Its folder, and whether it is the user's own."""
        if pid not in self._own and pid not in self._others:
            self._look(pid)
        is_own = pid in self._own
        return (self._own if is_own else self._others)[pid], is_own

    def _look(self, pid: int) -> None:
        kept = self._lender.kept
        folder = kept.folder(pid)
        if folder is not None:
            if self._lender.is_own(folder):
                self._own[pid] = folder
                return
            kept.forget(pid)  # it ended, and its number may be another's now, or it has changed
        folder = self._lender.open_folder(pid)
        if self._lender.is_own(folder):
            kept.keep_folder(pid, folder)
            self._own[pid] = folder
        else:
            self._others[pid] = folder

    def changed(self) -> set[int]:
        """Those of the user's own that are it no longer, after all was read."""
        return {pid for pid, folder in self._own.items() if not self._lender.is_own(folder)}

    def close(self) -> None:
        """Give back those of others."""
        for folder in self._others.values():
            os.close(folder)


def _of_group(process: int, name: str) -> int:
    tree, _, file = name.rpartition(":")
    with _opened("cgroup", _FILE, process) as membership:
        lines = os.read(membership, 16384).decode("utf-8", "surrogateescape").split("\n")
    group = _group(lines, tree)
    if group is None:
        raise NotLentError(lending.GONE)
    base = _GROUPS if not tree else f"{_GROUPS}/{tree}"
    if not tree and os.path.isdir(f"{_GROUPS}/unified"):
        base = f"{_GROUPS}/unified"
    return os.open(f"{base}{group}/{file}", _FILE)


def _threads(folder: int) -> str:
    with _opened("task", _FOLDER, folder) as tasks:
        text = " ".join(_first_names(tasks, TOLD_MAX))
    return text if len(text) <= TOLD_MAX else ""


def _text(descriptor: int) -> str:
    try:
        return read_text(descriptor)
    finally:
        os.close(descriptor)


def _of_graphics(folder: int, name: str) -> str:
    """The lines of DRM, if the number leads to a card: the rest tells of the user's files."""
    number = _descriptor_number(name)
    text = _text(os.open(name, _FILE, dir_fd=folder))
    if not os.readlink(f"fd/{number}", dir_fd=folder).startswith(f"{lending.DRM}/"):
        raise NotLentError(lending.DENIED)
    return "".join(line for line in text.splitlines(keepends=True) if line.startswith("drm-"))


def _program_name(first: str) -> str:
    """Without folders, and without arguments that a program has put behind its name itself."""
    line = _CUT.split(first, maxsplit=1)[0]
    spaced = _SPACED_NAME.match(line)
    word = spaced[0] if spaced else line.split(" ", 1)[0]
    name = word.replace("\\", "/").rpartition("/")[2][:_WORD_MAX]
    return "".join(letter if letter.isprintable() else "?" for letter in name)


def _first_names(folder: int, most: int) -> list[str]:
    """At most so many, and no more are looked at: of 500,000 descriptors the list took 77 ms."""
    with os.scandir(folder) as entries:
        return [entry.name for entry in islice(entries, most)]


def _length_of_arguments(folder: int) -> int:
    """Of a program's command line, in bytes (arg_start and arg_end in proc_pid_stat(5))."""
    with _opened("stat", _FILE, folder) as file:
        fields = os.read(file, 4096).rpartition(b") ")[2].split()
    return max(0, int(fields[_ARG_START + 1]) - int(fields[_ARG_START]))


def _reason(folder: int) -> str:
    """Of somebody else's process not even that it is there; a kernel's thread is in the list."""
    with contextlib.suppress(OSError):
        return lending.DENIED if _is_kernel_thread(folder) else lending.GONE
    return lending.GONE


def _is_kernel_thread(folder: int) -> bool:
    if os.fstat(folder).st_uid != 0:
        return False
    with _opened("stat", _FILE, folder) as file:
        fields = os.read(file, 4096).rpartition(b") ")[2].split()
    return len(fields) > _FLAGS and bool(int(fields[_FLAGS]) & _PF_KTHREAD)


@contextlib.contextmanager
def _opened(path: str, flags: int, folder: int | None = None) -> Iterator[int]:
    descriptor = os.open(path, flags, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _descriptor_number(name: str) -> str:
    """The number in "fdinfo/7"; empty for any other name."""
    number = name.removeprefix(lending.DESCRIPTOR_FILE)
    return number if number != name and number.isascii() and number.isdigit() else ""


def _graphics(links: int, name: str) -> str:
    """The kind of card that a descriptor leads to; empty for others and for one that closed."""
    try:
        target = os.readlink(name, dir_fd=links)
    except OSError:
        return ""
    return next((kind for start, kind in lending.GRAPHICS.items() if target.startswith(start)), "")


def _group(lines: list[str], tree: str) -> str | None:
    """The path of the group in the tree of version 2, or in one of version 1; None in its root."""
    for line in lines:
        number, _, rest = line.partition(":")
        trees, _, path = rest.partition(":")
        if (number == "0" and not trees) if not tree else tree in trees.split(","):
            is_plain = path.startswith("/") and "/.." not in path
            return path if is_plain and path != "/" else None
    return None
