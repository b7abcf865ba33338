# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a path is a file that can be read to its end."""

import os
import stat


def is_plain(path: str | os.PathLike[str]) -> bool:
    """Whether it is a file whose bytes lie on a disk. Raises ``OSError`` and ``ValueError``.

    A folder is none, nor a pipe, a device or a socket, and neither is what the kernel tells as a
    file: /proc/kmsg looks like any other, and whoever reads it waits for ever and takes it away
    from others. Nothing is opened here: that alone can do something to a device.
    """
    info = os.stat(path)
    # The kernel's own file systems have no blocks, and their files that wait no size.
    return stat.S_ISREG(info.st_mode) and (info.st_size > 0 or os.statvfs(path).f_blocks > 0)
