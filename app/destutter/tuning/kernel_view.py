# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernel files in the form in which the list of devices, shared with the helper, reads them."""

import errno
import os

from destutter.core.kernel_files import KernelFileError, KernelFiles


class FilesView:
    """A ``destutter_helper.api.devices.KernelView`` of the running kernel or a captured tree."""

    def __init__(self, files: KernelFiles) -> None:
        self._files = files

    def read(self, path: str) -> bytes:
        """The whole file; OSError when it is not there or cannot be read."""
        try:
            data = self._files.read_bytes(path)
        except KernelFileError as error:
            raise OSError(errno.EIO, str(error.reason)) from error
        if data is None:
            raise FileNotFoundError(errno.ENOENT, path)
        return data

    def names(self, path: str) -> list[str]:
        """The names in a directory; empty when there is none, or a sandbox hides it."""
        try:
            return self._files.list_names(path)
        except KernelFileError:
            return []

    def inode(self, path: str) -> int:
        """The inode of a directory; OSError when it is not there."""
        return os.stat(self._files.locate(path)).st_ino

    def link(self, path: str) -> str:
        """The text of a symbolic link; OSError when there is none."""
        text = self._files.read_link(path)
        if text is None:
            raise FileNotFoundError(errno.ENOENT, path)
        return text
