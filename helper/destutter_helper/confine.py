# SPDX-License-Identifier: GPL-3.0-or-later
"""The process gives away what it does not need, also where no systemd unit confines it.

After `confine` it has one capability (CAP_SYS_NICE, for the priorities of ksoftirqd and the
guardian), cannot gain another one, and cannot start a program: the kernel refuses execve and
execveat (seccomp).
"""

import contextlib
import ctypes
import os
import resource
import struct

PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2  # linux/prctl.h, linux/seccomp.h
PR_CAPBSET_DROP, PR_SET_NO_NEW_PRIVS = 24, 38
CAP_SYS_NICE, CAP_LAST = 23, 63  # linux/capability.h; for an unknown one the kernel says EINVAL
CAPABILITY_VERSION_3 = 0x20080522
LOAD, IF_EQUAL, IF_NOT_LESS, RETURN = 0x20, 0x15, 0x35, 0x06  # linux/bpf_common.h
ALLOW, REFUSE = 0x7FFF0000, 0x00050001  # linux/seccomp.h; the low half is EPERM
DESCRIPTORS = 8192  # as in the unit: libdbus alone takes up to 4096 from strangers
FIRST_X32_NUMBER = 0x40000000
# By the size of a pointer: AUDIT_ARCH, execve, execveat (linux/audit.h, asm/unistd.h).
EXEC_NUMBERS = {
    8: {"x86_64": (0xC000003E, 59, 322), "aarch64": (0xC00000B7, 221, 281)},
    # Also programs of 32 bits on a kernel of 64, which names its own machine.
    4: {
        "x86_64": (0x40000003, 11, 358),
        "i686": (0x40000003, 11, 358),
        "aarch64": (0x40000028, 11, 387),
        "armv7l": (0x40000028, 11, 387),
    },
}


def confine() -> None:
    """Give away capabilities, the gain of privileges, and the right to start programs."""
    with contextlib.suppress(OSError, ValueError):  # as much as a unit has left us
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        count = DESCRIPTORS if most == resource.RLIM_INFINITY else min(DESCRIPTORS, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, most))
    libc = ctypes.CDLL(None, use_errno=True)
    _succeed(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "new privileges be given up")
    for capability in range(CAP_LAST + 1):
        if capability != CAP_SYS_NICE:
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
    header = struct.pack("II", CAPABILITY_VERSION_3, 0)
    nice = 1 << CAP_SYS_NICE
    some = struct.pack("6I", nice, nice, 0, 0, 0, 0)  # effective, permitted, inheritable
    if libc.capset(header, some) != 0:  # a unit may have taken even this one
        _succeed(libc.capset(header, bytes(24)), "capabilities be given away")
    numbers = exec_numbers(os.uname().machine, struct.calcsize("P"))
    if numbers is not None:
        _forbid_programs(libc, *numbers)


def exec_numbers(machine: str, pointer_bytes: int) -> tuple[int, int, int] | None:
    """AUDIT_ARCH, execve and execveat of this process; None where they are not known.

    The kernel tells its own machine, also to a program of 32 bits on a kernel of 64: by the
    numbers of that one the filter would refuse such a program everything.
    """
    return EXEC_NUMBERS[pointer_bytes].get(machine)


def _forbid_programs(libc: ctypes.CDLL, arch: int, execve: int, execveat: int) -> None:
    """Refuse the two calls, and every call by the rules of another architecture."""
    steps = (  # struct sock_filter: code, steps to skip if true and if false, operand
        (LOAD, 0, 0, 4),  # seccomp_data.arch
        (IF_EQUAL, 0, 5, arch),
        (LOAD, 0, 0, 0),  # seccomp_data.nr
        (IF_NOT_LESS, 3, 0, FIRST_X32_NUMBER),
        (IF_EQUAL, 2, 0, execve),
        (IF_EQUAL, 1, 0, execveat),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    )
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
    program = struct.pack("HP", len(steps), ctypes.addressof(code))  # struct sock_fprog
    outcome = libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0)
    _succeed(outcome, "the right to start programs be given up")


def _succeed(outcome: int, what: str) -> None:
    if outcome != 0:
        raise OSError(ctypes.get_errno(), f"not confined: the kernel did not let {what}")
