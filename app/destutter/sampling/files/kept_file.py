# SPDX-License-Identifier: GPL-3.0-or-later
"""A kernel file that is opened when first needed, and again when what is behind it came back."""

import os

from destutter.core.kernel_files import (
    LAST_PIECE,
    KernelFileDeniedError,
    KernelFiles,
    none_if_gone,
)
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import AbsentError

# Most files are shorter, and Python takes so little from a pool of its own.
_FIRST_SIZE = 448


class KeptFile:
    """One file below the root, held open between reads; each sees the kernel's present values.

    ``absent`` says in words what is missing when the file does not exist.
    """

    __slots__ = ("_absent", "_descriptor", "_files", "_short", "_size", "path")

    def __init__(self, files: KernelFiles, path: str, absent: Statement | None = None) -> None:
        self.path = path
        self._files = files
        self._absent = absent or Statement("sampling.no_file", {"path": path})
        self._descriptor: int | None = None
        self._size = self._short = _FIRST_SIZE

    def find(self) -> bytes | None:
        """The present content, or None when the file does not exist (any more).

        Raises ``KernelFileDeniedError`` or ``KernelFileError`` when the kernel refuses.
        """
        # A hundred files are read this way in a second, so all of it stands in one function.
        descriptor = self._descriptor
        if descriptor is None:
            if self._files.must_ask(self.path):
                return self._files.read_bytes(self.path)
            descriptor = self._descriptor = self._files.open(self.path)
            if descriptor is None:
                return None
        try:
            data = os.pread(descriptor, self._size, 0)
            return data if len(data) < self._short else self._rest(descriptor, data)
        except OSError as error:
            self.close()
            none_if_gone(self.path, error)
            return None

    def read(self) -> bytes:
        """The present content. Raises ``AbsentError`` when there is none."""
        data = self.find()
        if data is None:
            raise AbsentError(self._absent)
        return data

    def find_if_shown(self) -> bytes | None:
        """As ``find``; None also where this user may not read the file."""
        try:
            return self.find()
        except KernelFileDeniedError:
            return None

    def close(self) -> None:
        """Give the descriptor back; the next read opens the file again."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _rest(self, descriptor: int, data: bytes) -> bytes:
        while len(data) == self._size:
            self._size *= 2
            self._short = min(self._size, LAST_PIECE)
            data = os.pread(descriptor, self._size, 0)
        parts = [data]
        offset = len(data)
        while len(parts[-1]) >= LAST_PIECE:
            parts.append(os.pread(descriptor, self._size, offset))
            offset += len(parts[-1])
        return data if len(parts) == 1 else b"".join(parts)
