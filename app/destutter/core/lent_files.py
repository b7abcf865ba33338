# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel files as a window in a sandbox gets them: its own where it sees them, else lent ones.

A Flatpak has a /proc of its own, without other processes, and neither control groups nor
/sys/kernel. What stands there the lender tells, with one message for what a tick asks for: no
descriptor of a file outside may be in a sandbox (`destutter_helper.api.lending` says why).
"""

import re
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from destutter.core.asked_together import AskedTogether, Told
from destutter.core.kernel_files import KernelFileDeniedError, KernelFileError, KernelFiles
from destutter.core.lender_client import File, LenderAwayError, LenderClient
from destutter.core.statement import Statement
from destutter_helper.api import lending

_ABSENT = Statement("core.not_lent")
_SOMEBODY_ELSES = Statement("core.somebody_elses")
_LOOK = 4  # more than an ordinary tick asks for
_GROUPS = "/sys/fs/cgroup/"
_OUTSIDE = ("/sys/kernel/", "/sys/module/", _GROUPS)
_PROCESS = re.compile(r"/proc/([0-9]+)(?:/(.*))?")
_THREAD = re.compile(r"task/([0-9]+)/([^/]+)")


class _Place(NamedTuple):
    """A path of the computer outside: a process and what of it, or with ``pid`` 0 the whole."""

    pid: int
    rest: str


class LentFiles(KernelFiles):
    """The running kernel, seen from inside of a sandbox."""

    shares_processes = False

    def __init__(
        self, client: LenderClient, *, clock: Callable[[], int] = time.monotonic_ns
    ) -> None:
        super().__init__("/")
        self._client = client
        self._listed: dict[str, list[str]] = {}
        self._group_members: deque[int] = deque(maxlen=4)
        self._clock = clock
        self._of_threads = threading.local()  # a tick and the slow side ask at the same time
        self._memberships: dict[int, str] = {}
        self._groups: dict[str, File | None] = {}

    @property
    def lends(self) -> bool:
        """Whether a lender answers; asked again at most every few seconds."""
        return self._client.is_there()

    def exists(self, path: str) -> bool:
        """Whether it exists; of what is outside, whether it is lent."""
        place = _outside(path)
        if place is None:
            return super().exists(path)
        if place.pid and not place.rest:
            return str(place.pid) in self.list_names("/proc")
        is_group = not place.pid and path not in lending.SETTINGS
        return self.read_bytes(f"{path}/cgroup.controllers" if is_group else path) is not None

    def is_file(self, path: str) -> bool:
        """Whether there is a file; of what is outside, whether it is lent."""
        return super().is_file(path) if _outside(path) is None else self.exists(path)

    def list_names(self, path: str) -> list[str]:
        """Sorted names in a directory; of processes, tasks and descriptors those outside."""
        try:
            names = self._list_outside(path)
        except LenderAwayError:
            raise KernelFileError(path, None, _ABSENT) from None
        if names is None:
            return super().list_names(path)
        self._listed[path] = names
        return names

    def read_link(self, path: str) -> str | None:
        """Where a link leads; of a descriptor outside only whether that is a graphics card."""
        place = _outside(path)
        if place is None:
            return super().read_link(path)
        folder, _, number = place.rest.partition("/")
        if folder != "fd" or not place.pid:
            return None
        try:
            return self._client.graphics(place.pid).get(number)
        except LenderAwayError:
            raise KernelFileError(path, None, _ABSENT) from None

    def resolve(self, path: str) -> str | None:
        """Where a link leads, of what is seen from here."""
        return super().resolve(path) if _outside(path) is None else None

    def read_bytes(self, path: str) -> bytes | None:
        """The whole file; of one outside what the lender tells of it."""
        place = _outside(path)
        if place is None:
            return super().read_bytes(path)
        if place.rest == "cmdline":
            return self._program(path, place.pid)
        told = self._told(path, place)
        if place.rest == "cgroup":
            self._is_member(place.pid, (told or b"").decode())
        return told

    def begin_look(self, name: str) -> None:
        """What is asked from now on comes with one message, as far as the last such look asked."""
        self._together.begin(name)

    def must_ask(self, path: str) -> bool:
        """What is outside."""
        return _outside(path) is not None

    def open(self, path: str) -> int | None:
        """A descriptor for reading, which the caller closes; of what is outside there is none."""
        if _outside(path) is not None:
            raise KernelFileError(path, None, _ABSENT)
        return super().open(path)

    def _told(self, path: str, place: _Place) -> bytes | None:
        """A tick asks for much the same as the one before it: with each file come those that were
        asked for behind it then. One that asks for others looks at all threads, and gets the next
        ones with each message.
        """
        outcome, text = self._together.take(path) or self._ask(path, place)
        if outcome == lending.DENIED:
            raise KernelFileDeniedError(path, None, _SOMEBODY_ELSES)
        return None if outcome else text.encode()

    @property
    def _together(self) -> AskedTogether:
        try:
            together: AskedTogether = self._of_threads.together
        except AttributeError:
            together = self._of_threads.together = AskedTogether(self._clock)
        return together

    def _ask(self, path: str, place: _Place) -> Told:
        together = self._together
        if together.is_expected(path):
            others = together.expected_with(path)
        else:
            following = self._next_to(place) if together.misses > _LOOK else ()
            others = together.not_yet(following)
        others = others[: lending.FILES_MAX - 1]
        found = [(one, file) for one in (path, *others) for file in self._files(one)]
        if not found:
            return lending.GONE, ""  # of a group in which nobody is
        found = found[: lending.FILES_MAX]
        try:
            told = self._client.tell([file for _, file in found])
        except LenderAwayError:
            raise KernelFileError(path, None, _ABSENT) from None
        answers = dict(zip((one for one, _ in found), told, strict=True))
        answer = answers.pop(path, (lending.GONE, ""))
        together.keep(answers)
        return answer

    def _program(self, path: str, pid: int) -> bytes | None:
        try:
            words = self._client.program(pid)
        except LenderAwayError:
            raise KernelFileError(path, None, _ABSENT) from None
        return "\0".join([*words, ""]).encode() if words else None

    def _list_outside(self, path: str) -> list[str] | None:
        """None where the names are to be looked up here."""
        if path == "/proc":
            return [str(pid) for pid in self._client.tasks()]
        place = _outside(path)
        if place is None:
            return None
        if place.pid and place.rest == "task":
            return self._threads(path, place)
        if place.pid and place.rest in ("fd", "fdinfo"):
            kinds = self._client.graphics(place.pid)
            only = None if place.rest == "fd" else lending.DRM
            return sorted(name for name, kind in kinds.items() if only in (None, kind))
        return []

    def _threads(self, path: str, place: _Place) -> list[str]:
        """In the message of the tick; a list that is longer, or of an older lender, by a call."""
        _, text = self._together.take(path) or self._ask(path, place)
        told = sorted((one for one in text.split() if one.isascii() and one.isdigit()), key=int)
        return told or [str(tid) for tid in self._client.tasks(place.pid)]

    def _next_to(self, place: _Place) -> list[str]:
        """The same file of processes or threads that come next in the list.

        Of 200 threads each would take a message, and a tick waits for it.
        """
        thread = _THREAD.fullmatch(place.rest)
        if thread is not None:
            folder, name, own = f"/proc/{place.pid}/task", thread[2], thread[1]
        elif place.rest == "stat":
            folder, name, own = "/proc", place.rest, str(place.pid)
        else:
            return []
        names = self._listed.get(folder, [])
        if own not in names:
            return []
        following = names[names.index(own) + 1 :][: lending.FILES_MAX]
        return [f"{folder}/{each}/{name}" for each in following]

    def _files(self, path: str) -> Iterable[File]:
        place = _outside(path)
        file = None if place is None else self._file(path, place)
        return () if file is None else (file,)

    def _file(self, path: str, place: _Place) -> File | None:
        if place.pid:
            thread = _THREAD.fullmatch(place.rest)
            return (place.pid, int(thread[1]), thread[2]) if thread else (place.pid, 0, place.rest)
        if path in lending.SETTINGS:
            return 0, 0, path
        if not path.startswith(_GROUPS):
            return None
        if path not in self._groups:
            self._groups[path] = self._of_group(path)
        return self._groups[path]

    def _is_member(self, pid: int, text: str) -> None:
        """The lines of its groups are these now."""
        if pid not in self._group_members:
            self._group_members.append(pid)
        if self._memberships.get(pid) != text:
            # Of those who are asked no more none is kept.
            kept = {one: self._memberships.get(one, "") for one in self._group_members}
            self._memberships, self._groups = {**kept, pid: text}, {}

    def _of_group(self, path: str) -> File | None:
        """A file of a control group is asked for by a process in it, never by its place."""
        base, _, name = path[len(_GROUPS) :].rpartition("/")
        for pid in self._group_members:
            for line in self._memberships.get(pid, "").split("\n"):
                number, _, rest = line.partition(":")
                trees, _, group = rest.partition(":")
                for tree in ("", "unified") if number == "0" else trees.split(","):
                    if base == f"{tree}{group}".lstrip("/"):
                        is_new = tree in ("", "unified")
                        return pid, 0, name if is_new else f"{tree}:{name}"
        return None


@lru_cache(4096)
def _outside(path: str) -> _Place | None:
    """What a path means outside of the sandbox; None for what is the same inside."""
    process = _PROCESS.fullmatch(path)
    if process is not None:
        return _Place(int(process[1]), process[2] or "")
    return _Place(0, path) if f"{path}/".startswith(_OUTSIDE) else None
