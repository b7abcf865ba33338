# SPDX-License-Identifier: GPL-3.0-or-later
"""Giving a file its name without ever replacing another."""

import errno
import os

_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})


def move_without_replacing(source: str, target: str) -> None:
    """Give a file another name in its file system.

    Raises ``FileExistsError`` when the name is taken, and other ``OSError`` as they come.
    """
    try:
        # Unlike a rename, a link fails when the name was taken a moment ago.
        os.link(source, target)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        # FAT, as on USB sticks, and some network file systems have no links.
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), target) from None
        os.rename(source, target)
    else:
        os.unlink(source)
