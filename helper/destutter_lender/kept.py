# SPDX-License-Identifier: GPL-3.0-or-later
"""What stays open between two requests: a window asks for the same files ten times a second.

Opening and closing is half of what telling a file takes: 10.7 µs for a thread's stat, 4.8 µs for
one that is open. Whether a process is the user's own is asked anew at every request all the same:
a descriptor goes on telling when its program has become one that does not want to be looked at.
"""

import os
import resource
from collections import OrderedDict
from collections.abc import Callable

# Together with the channels fewer than the 1,024 descriptors that a session gives. Where an
# administrator gives fewer, fewer files stay open: with 640 of 512 every process was "gone".
_MOST_FOLDERS = 192  # more than one request can name (lending.FILES_MAX)
_MOST_FILES = 640
_OTHERS = 128  # channels, the folders and files of one request, and what Python has open
TOLD_MAX = 3500  # 48 of them fit into an answer

File = tuple[int, int, str]
"""A process, its thread or 0, and the file's name."""


class KeptOpen:
    """Folders of the user's own processes and files in them; those asked for last stay."""

    def __init__(self) -> None:
        self._folders: OrderedDict[int, int] = OrderedDict()
        self._files: OrderedDict[File, int] = OrderedDict()
        limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        room = limit - _OTHERS
        self._most_folders = min(_MOST_FOLDERS, room // 2)
        self._most_files = min(_MOST_FILES, room - self._most_folders)

    def folder(self, pid: int) -> int | None:
        """The folder that is kept; its process may have ended, which ``forget`` is for."""
        folder = self._folders.get(pid)
        if folder is not None:
            self._folders.move_to_end(pid)
        return folder

    def keep_folder(self, pid: int, folder: int) -> None:
        """It is closed by this object from now on."""
        self._folders[pid] = folder
        if len(self._folders) > self._most_folders:
            self.forget(next(iter(self._folders)))

    def forget(self, pid: int) -> None:
        """Close what is kept of a process."""
        os.close(self._folders.pop(pid))
        for file in [each for each in self._files if each[0] == pid]:
            os.close(self._files.pop(file))

    def text(self, file: File, opened: Callable[[], int]) -> str:
        """What it says now. A thread's id may have come back: then it is opened anew.

        Raises ``OSError`` as ``opened`` does, which opens it, and as reading does.
        """
        descriptor = self._files.get(file)
        if descriptor is not None:
            try:
                text = read_text(descriptor)
            except OSError:
                os.close(self._files.pop(file))
            else:
                self._files.move_to_end(file)
                return text
        descriptor = opened()
        try:
            text = read_text(descriptor)
        except OSError:
            os.close(descriptor)
            raise
        self._files[file] = descriptor
        if len(self._files) > self._most_files:
            os.close(self._files.popitem(last=False)[1])
        return text

    def close(self) -> None:
        """Give all of it back."""
        for pid in list(self._folders):
            self.forget(pid)


def read_text(descriptor: int) -> str:
    """From the file's beginning, as many whole lines as are told. Raises ``OSError``."""
    data = os.pread(descriptor, TOLD_MAX, 0)
    if len(data) == TOLD_MAX:  # a user with 250 groups; half a number would be another one
        data = data[: data.rfind(b"\n") + 1] or data
    return data.decode("utf-8", "replace")
