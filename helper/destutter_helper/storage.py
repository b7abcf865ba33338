# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of the helper's own directories: replaced as a whole, or not at all."""

import contextlib
import errno
import fcntl
import os
import stat
import time

_LOOK_AGAIN_S = 0.02  # flock has no time limit; how late a lock that came free is taken
# A damaged file must not fill the memory that the unit allows (192 MB).
_READ_MAX_BYTES = 4 * 1024 * 1024


class Storage:
    """A flat set of small files in one directory, ours and closed to writing by others.

    ``mode`` is that of the files. OSError when the directory is a link, somebody else's, or
    cannot be made; every method may raise it.
    """

    def __init__(self, path: str, *, mode: int = 0o600) -> None:
        self._mode = mode
        self._durable: set[str] = set()
        with contextlib.suppress(FileExistsError):
            os.mkdir(path, 0o700 if mode == 0o600 else 0o755)
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        self._fd = os.open(path, flags)
        found = os.fstat(self._fd)
        if found.st_uid != os.geteuid() or stat.S_IMODE(found.st_mode) & 0o022:
            os.close(self._fd)
            raise OSError(errno.EPERM, f"{path} is open to writing by others")

    def close(self) -> None:
        """Closes the directory, and with it gives up the lock."""
        os.close(self._fd)

    def is_writable(self) -> bool:
        """False on a file system that is mounted read-only."""
        return os.access(".", os.W_OK, dir_fd=self._fd)

    def lock(self, wait_s: float = 0.0) -> None:
        """Takes the directory for this process; BlockingIOError when another keeps it."""
        give_up = time.monotonic() + wait_s
        while time.monotonic() < give_up:
            with contextlib.suppress(BlockingIOError):
                return fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            time.sleep(_LOOK_AGAIN_S)
        return fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def read(self, name: str) -> bytes | None:
        """The content, or None when there is no such file."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # a FIFO is empty
        try:
            with open(
                name, "rb", opener=lambda one, _: os.open(one, flags, dir_fd=self._fd)
            ) as file:
                return file.read(_READ_MAX_BYTES)
        except FileNotFoundError:
            return None

    def replace(
        self, name: str, data: bytes, *, previous: str = "", is_durable: bool = True
    ) -> None:
        """Puts ``data`` in place of the file; what was there stays as ``previous``.

        A reader of this boot finds the old or the new content, and when ``is_durable`` a reader
        after a power cut does, too. What is not known to be durable never becomes ``previous``:
        so one of the two is readable whatever is cut off.
        """
        self._write_new(f"{name}.new", data, is_durable=is_durable)
        if previous and name in self._durable:
            self.link(name, previous)
        self.rename(f"{name}.new", name)
        self._durable.discard(name)
        if is_durable:
            os.fsync(self._fd)
            self._durable.add(name)

    def append(self, name: str, data: bytes, *, max_bytes: int) -> None:
        """Adds lines to a file, whose older half is dropped when it grows beyond ``max_bytes``."""
        text = self.read(name) or b""
        if text and not text.endswith(b"\n"):  # a full disk cut the last line off
            text += b"\n"
        text += data
        if len(text) > max_bytes:
            text = text[-max_bytes // 2 :].partition(b"\n")[2]
        self.replace(name, text, is_durable=False)

    def rename(self, name: str, new: str) -> None:
        """Renames a file if it is there."""
        with contextlib.suppress(FileNotFoundError):
            os.rename(name, new, src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def link(self, name: str, new: str) -> None:
        """Gives a file a second name if it is there; what had that name loses it."""
        self.remove(f"{new}.new")
        with contextlib.suppress(FileNotFoundError):
            to = {"src_dir_fd": self._fd, "dst_dir_fd": self._fd}
            os.link(name, f"{new}.new", **to, follow_symlinks=False)
            self.rename(f"{new}.new", new)

    def remove(self, name: str) -> None:
        """Removes a file if it is there, durable on return."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self._fd)
            os.fsync(self._fd)

    def _write_new(self, name: str, data: bytes, *, is_durable: bool) -> None:
        # What a killed helper left; O_EXCL and O_NOFOLLOW below then take no file or link of
        # others.
        self.remove(name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(name, flags, self._mode, dir_fd=self._fd), "wb") as file:
            os.fchmod(file.fileno(), self._mode)
            file.write(data)
            file.flush()
            if is_durable:
                os.fsync(file.fileno())
