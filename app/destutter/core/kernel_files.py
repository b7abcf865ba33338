# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading kernel files below a root directory.

Every /proc and /sys read of the application goes through ``KernelFiles``, so that a captured
tree, a container's view and the live kernel are read by the same code.

Three outcomes are kept apart everywhere: a file or name that does not exist is ``None``, a file
that exists but cannot be understood raises ``KernelFileError`` with its path and line, and a
file that may not be read raises ``KernelFileDeniedError``. Nothing is ever turned into 0.
"""

import errno
import os
from pathlib import Path

from destutter.core.statement import Statement, StatementError, Value
from destutter.core.system_error import system_reason

_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENODEV, errno.ENXIO, errno.ESRCH})
_NOT_SUPPORTED = frozenset({errno.EOPNOTSUPP, errno.ENODATA, errno.EINVAL})
_READ_SIZE = 1 << 16
LAST_PIECE = 1024
"""A piece that is shorter ends the file.

seq_file answers a large file in pieces that end at a record, so a short read is not the end of
the file until a read at that offset returns nothing. A piece smaller than this is only possible
at the end: records are lines, and the kernel's buffer is a page.
"""


class KernelFileError(StatementError):
    """A kernel file exists but does not read as expected.

    Attributes: ``path`` as named below the root, ``line`` (1-based, None when the whole file is
    meant) and ``reason``, a text where the system gave its own.
    """

    def __init__(self, path: str, line: int | None, reason: Statement | str) -> None:
        values: dict[str, Value] = {"path": path, "reason": reason}
        if line is None:
            super().__init__(Statement("core.file", values))
        else:
            super().__init__(Statement("core.file_line", {**values, "line": str(line)}))
        self.path = path
        self.line = line
        self.reason = reason


class KernelFileDeniedError(KernelFileError):
    """The kernel refuses to show this file to this user."""


class KernelFiles:
    """Kernel files below ``root`` ("/" for the running kernel)."""

    shares_processes = True
    """Whether process ids in /proc are those that calls of the running kernel take."""

    def __init__(self, root: str | os.PathLike[str] = "/") -> None:
        self.root = os.path.abspath(os.fspath(root))

    @property
    def is_live(self) -> bool:
        """Whether the running kernel is read, and not a captured tree."""
        return self.root == "/"

    @property
    def lends(self) -> bool:
        """Whether what a sandbox hides of the computer is lent to this program all the same."""
        return False

    def must_ask(self, path: str) -> bool:  # noqa: ARG002  (asked of each file)
        """Whether a file is read by asking somebody each time, and has no descriptor."""
        return False

    def begin_look(self, name: str) -> None:
        """This thread reads from now on much the same files as after the last call with ``name``.

        Where they have to be asked for, one message brings them.
        """

    def locate(self, path: str) -> str:
        """The real location of an absolute kernel path such as "/proc/vmstat"."""
        return path if self.is_live else self.root + path

    def exists(self, path: str) -> bool:
        """Whether the file or directory exists below the root."""
        return os.path.exists(self.locate(path))

    def is_file(self, path: str) -> bool:
        """Whether there is a file, not a directory, below the root."""
        return os.path.isfile(self.locate(path))

    def list_names(self, path: str) -> list[str]:
        """Sorted names in a directory; empty when it does not exist."""
        try:
            return sorted(os.listdir(self.locate(path)))
        except OSError as error:
            if error.errno in _GONE:
                return []
            raise _translated(path, error) from error

    def read_link(self, path: str) -> str | None:
        """The text of a symbolic link, which nobody follows; None when there is none."""
        try:
            return os.readlink(self.locate(path))
        except OSError as error:
            if error.errno in _GONE or error.errno in _NOT_SUPPORTED:
                return None
            raise _translated(path, error) from error

    def resolve(self, path: str) -> str | None:
        """Where a symbolic link leads, as a path below the root; None when nothing is there."""
        location = Path(self.locate(path))
        if not location.exists():
            return None
        resolved = str(location.resolve())
        prefix = "" if self.is_live else str(Path(self.root).resolve())
        return resolved[len(prefix) :] if resolved.startswith(prefix) else resolved

    def read_bytes(self, path: str) -> bytes | None:
        """The whole file; None when it does not exist or the feature is off in this kernel."""
        descriptor = self.open(path)
        if descriptor is None:
            return None
        try:
            return _read_all(descriptor)
        except OSError as error:
            none_if_gone(path, error)
            return None
        finally:
            os.close(descriptor)

    def read_text(self, path: str) -> str | None:
        """The whole file without the trailing newline; None when it does not exist."""
        data = self.read_bytes(path)
        if data is None:
            return None
        try:
            return data.decode().rstrip("\n")
        except UnicodeDecodeError:
            raise KernelFileError(path, None, Statement("core.not_text")) from None

    def read_int(self, path: str) -> int | None:
        """A file that holds one whole number; None when it does not exist."""
        text = self.read_text(path)
        if text is None:
            return None
        try:
            return int(text)
        except ValueError:
            shown = ascii(text[:40])
            raise KernelFileError(path, 1, Statement("core.not_whole", {"text": shown})) from None

    def open(self, path: str) -> int | None:
        """A descriptor for reading, which the caller closes; None when the file does not exist."""
        try:
            return os.open(self.locate(path), os.O_RDONLY | os.O_CLOEXEC)
        except OSError as error:
            none_if_gone(path, error)
            return None


def names_if_shown(files: KernelFiles, folder: str) -> list[str]:
    """Sorted names in a directory; empty also where this user may not list it."""
    try:
        return files.list_names(folder)
    except KernelFileError:
        return []


def none_if_gone(path: str, error: OSError) -> None:
    """Return when the file, or the device or process behind it, is not there; raise otherwise.

    Raises ``KernelFileDeniedError`` or ``KernelFileError`` when the kernel refuses.
    """
    if error.errno not in _GONE and error.errno not in _NOT_SUPPORTED:
        raise _translated(path, error) from error


def _read_all(descriptor: int) -> bytes:
    data = os.read(descriptor, _READ_SIZE)
    if len(data) < LAST_PIECE:
        return data
    parts = [data]
    while part := os.read(descriptor, _READ_SIZE):
        parts.append(part)
    return b"".join(parts)


def _translated(path: str, error: OSError) -> KernelFileError:
    reason = system_reason(error)
    if error.errno in (errno.EACCES, errno.EPERM):
        return KernelFileDeniedError(path, None, reason)
    return KernelFileError(path, None, reason)
