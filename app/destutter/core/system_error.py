# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the system, said in the reader's language.

The C library has words for them too, in whatever language its own catalogues happen to be
installed in, which need not be the one that this program speaks.
"""

import errno
import os

from destutter.core.statement import Statement, told

NAMES = frozenset(
    """
    EACCES EADDRINUSE EAGAIN EBADF EBUSY ECONNREFUSED ECONNRESET EDQUOT EEXIST EFBIG EHOSTUNREACH
    EINVAL EIO EISDIR ELOOP EMFILE ENAMETOOLONG ENETUNREACH ENFILE ENODEV ENOENT ENOEXEC ENOMEM
    ENOSPC ENOSYS ENOTDIR ENOTEMPTY ENXIO EOPNOTSUPP EPERM EPIPE EROFS ESRCH ESTALE ETIMEDOUT
    ETXTBSY EXDEV
    """.split()
)
"""What the catalogue has words for (``resources/catalogue``, "system")."""


def system_reason(error: OSError) -> Statement:
    """Why the system refused; in the error's own words where it has other ones than the system's,
    or where the catalogue has none.
    """
    number = error.errno or 0
    name = errno.errorcode.get(number, "")
    if name in NAMES and error.strerror in (None, os.strerror(number)):
        return Statement(f"system.{name.lower()}")
    return told(error.strerror or str(error))
