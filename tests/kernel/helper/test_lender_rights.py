# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs and threads with more rights than the lender has; root alone can make them."""

import ast
import os
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from destutter_helper.api import lending
from destutter_lender import files
from destutter_lender.files import Lender, Wanted

NOBODY = 65534
HELPER = str(Path(files.__file__).parents[1])
ASKS = """
import os, sys
sys.path.insert(0, sys.argv[1])
from destutter_lender.files import Lender, Wanted
print(Lender(os.getuid()).tell([Wanted(int(sys.argv[2]), 0, "stat")])[0][0])
"""
"""The lender as the user, with the user's rights: what becomes of one file."""


@pytest.mark.parametrize(("right", "told"), [("+sys_ptrace", lending.GONE), ("+wake_alarm", "")])
def test_l23_a_program_with_more_rights_than_the_lender_is_somebody_elses(right, told):
    """L23: ambient ones leave it open to be looked at. Every program of a desktop has one."""
    given = f"--inh-caps={right}", f"--ambient-caps={right}"
    ids = f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"
    command = ["setpriv", *ids, *given, "sleep", "60"]
    drop = ["setpriv", *ids, "--bounding-set=-all", "/usr/bin/python3", "-c", ASKS]
    with subprocess.Popen(command) as process:
        asked = subprocess.run(
            [*drop, HELPER, str(process.pid)], check=False, capture_output=True, text=True
        )
        process.kill()
    assert (asked.stderr, asked.stdout) == ("", f"{told}\n")


def test_l23_a_thread_that_kept_root_is_not_told_with_its_process():
    """L23: ids belong to threads, and its first one has given them up."""
    code = (
        "import ctypes, os, threading, time\n"
        "libc = ctypes.CDLL(None)\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        f"libc.syscall(119, {NOBODY}, {NOBODY}, {NOBODY})\n"  # setresgid, of this thread alone
        f"libc.syscall(117, {NOBODY}, {NOBODY}, {NOBODY})\n"  # setresuid
        "libc.prctl(4, 1, 0, 0, 0)\n"  # PR_SET_DUMPABLE
        "print(flush=True); time.sleep(60)"
    )
    with (
        subprocess.Popen(["/usr/bin/python3", "-c", code], stdout=subprocess.PIPE) as process,
        closing(Lender(NOBODY, gid=NOBODY)) as lender,
    ):
        assert process.stdout is not None
        process.stdout.readline()
        first, root = sorted(map(int, os.listdir(f"/proc/{process.pid}/task")))
        wanted = [Wanted(process.pid, tid, "comm") for tid in (first, root, first)]
        outcomes = [became for became, _ in lender.tell(wanted)]
        process.kill()
    assert outcomes == [lending.TOLD, lending.GONE, lending.TOLD]


def test_l23_a_thread_that_kept_rights_is_not_told_with_its_process():
    """L23: of the thread that gave its own up everything is told, of the other one nothing."""
    code = (
        "import ctypes, os, threading, time\n"
        "libc = ctypes.CDLL(None)\n"
        "libc.prctl(8, 1, 0, 0, 0)\n"  # PR_SET_KEEPCAPS
        f"os.setgroups([]); os.setresgid({NOBODY}, {NOBODY}, {NOBODY})\n"
        f"os.setresuid({NOBODY}, {NOBODY}, {NOBODY})\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        "head = (ctypes.c_uint32 * 2)(0x20080522, 0)\n"  # _LINUX_CAPABILITY_VERSION_3
        "assert libc.syscall(126, head, (ctypes.c_uint32 * 6)()) == 0\n"  # capset
        "libc.prctl(4, 1, 0, 0, 0)\n"  # PR_SET_DUMPABLE
        "print(flush=True); time.sleep(60)"
    )
    asks = ASKS.replace(
        '[Wanted(int(sys.argv[2]), 0, "stat")])[0][0])',
        '[Wanted(int(sys.argv[2]), tid, "status") for tid in map(int, sys.argv[3:])]))',
    )
    ids = f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"
    drop = ["setpriv", *ids, "--bounding-set=-all", "/usr/bin/python3", "-c", asks, HELPER]
    with subprocess.Popen(["/usr/bin/python3", "-c", code], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        first, kept = sorted(map(int, os.listdir(f"/proc/{process.pid}/task")))
        asked = subprocess.run(
            [*drop, *map(str, (process.pid, first, kept))],
            check=False,
            capture_output=True,
            text=True,
        )
        process.kill()
    assert asked.stderr == ""
    (told, text), (gone, nothing) = ast.literal_eval(asked.stdout)
    assert (told, gone, nothing) == (lending.TOLD, lending.GONE, "")
    assert f"Pid:\t{first}\n" in text
