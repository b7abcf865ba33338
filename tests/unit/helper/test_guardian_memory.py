# SPDX-License-Identifier: GPL-3.0-or-later
"""The guardian's memory is locked, and it gets more when it needs more."""

import subprocess
import sys

from destutter_helper.guardian import LOCKED_MAX_BYTES

_PROGRAM = """
import resource
from destutter_helper import confine, guardian
low = 4 << 20
resource.setrlimit(resource.RLIMIT_MEMLOCK, (low, low))
resource.setrlimit = lambda *_: (_ for _ in ()).throw(ValueError("not allowed"))
guardian._never_wait_for_memory()
confine.confine()
kept = [bytearray(1 << 20) for _ in range(%d)]
print(len(kept))
"""


def test_a_limit_that_cannot_be_raised_takes_no_memory_away():
    """In a container without CAP_SYS_RESOURCE: locking what will come would refuse all of it."""
    wanted = LOCKED_MAX_BYTES // (1 << 20)
    command = [sys.executable, "-c", _PROGRAM % wanted]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(wanted)
