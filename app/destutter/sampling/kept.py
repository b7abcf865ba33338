# SPDX-License-Identifier: GPL-3.0-or-later
"""A kernel file that is opened when first needed, and again when what is behind it came back."""

from destutter.core.kernel_files import KeptFile, KernelFiles
from destutter.sampling.measurement import AbsentError


class Kept:
    """One file below the root, held open between reads.

    ``absent`` says in words what is missing when the file does not exist.
    """

    __slots__ = ("_absent", "_file", "_files", "path")

    def __init__(self, files: KernelFiles, path: str, absent: str = "") -> None:
        self.path = path
        self._files = files
        self._absent = absent or f"this kernel has no {path}"
        self._file: KeptFile | None = None

    def find(self) -> bytes | None:
        """The present content, or None when the file does not exist (any more).

        Raises ``KernelFileError`` when the kernel refuses.
        """
        file = self._file
        if file is None:
            file = self._file = self._files.keep_open(self.path)
            if file is None:
                return None
        data = file.read()
        if data is None:
            self.close()
        return data

    def read(self) -> bytes:
        """The present content. Raises ``AbsentError`` when there is none."""
        data = self.find()
        if data is None:
            raise AbsentError(self._absent)
        return data

    def close(self) -> None:
        """Give the descriptor back; the next read opens the file again."""
        if self._file is not None:
            self._file.close()
            self._file = None
