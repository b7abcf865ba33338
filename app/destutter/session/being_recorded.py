# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a recording is still written, by whichever window or command: its writer holds a lock.

flock(2): it goes with the writer's descriptor, so a crash leaves none behind. File systems that
know no locks tell of no recording.
"""

import contextlib
import fcntl
import os


def hold(descriptor: int) -> None:
    """Tell others that this file is being recorded, until the descriptor is closed."""
    with contextlib.suppress(OSError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_being_recorded(path: str | os.PathLike[str]) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
