# SPDX-License-Identifier: GPL-3.0-or-later
"""What a window in a sandbox may borrow of the computer: the closed lists of the lender.

A Flatpak sees neither other processes nor control groups nor /sys/kernel. The lender
(`destutter_lender`) runs outside, as the same user, and hands over read-only descriptors of the
files named here, one by one. Nothing here tells a path, an argument or the environment of a
program, and a directory is never handed over: it would be a way out.
"""

BUS_NAME = "io.github.destutter.Destutter.Lender1"
"""On the session bus. Below the application's own id, so that its Flatpak may call it without a
permission, and no other sandboxed program may."""

OBJECT_PATH = "/io/github/destutter/Destutter/Lender1"
INTERFACE = BUS_NAME
ERROR_PREFIX = BUS_NAME + ".Error."

PROCESS_FILES = frozenset({"stat", "status", "schedstat", "cgroup", "comm"})
THREAD_FILES = frozenset({"stat", "status", "schedstat"})
KERNEL_THREAD_FILES = frozenset({"stat", "schedstat", "comm"})
"""Of the kernel's own threads, which belong to no user."""

TOLD_FILES = frozenset({"io", "wchan"})
"""Of processes and threads; their text is told. The kernel shows these to those alone who might
trace the process, and nobody may from a user namespace of their own, as a Flatpak's is: wchan says
0 there and io refuses, whoever opened the file (cap_ptrace_access_check in security/commoncap.c).
"""

GROUP_FILES = frozenset(
    """
    cpu.pressure memory.pressure io.pressure
    memory.events memory.stat cpu.stat io.max
    memory:memory.failcnt cpu:cpu.stat
    blkio:blkio.throttle.read_bps_device blkio:blkio.throttle.write_bps_device
    blkio:blkio.throttle.read_iops_device blkio:blkio.throttle.write_iops_device
    """.split()
)
"""Of the control group of a process; before the colon the tree of version 1 in which it lies."""

SETTINGS = frozenset(
    """
    /sys/fs/cgroup/cgroup.controllers /sys/fs/cgroup/unified/cgroup.controllers
    /sys/kernel/mm/lru_gen/enabled /sys/kernel/mm/lru_gen/min_ttl_ms
    /sys/kernel/mm/transparent_hugepage/enabled /sys/kernel/mm/transparent_hugepage/defrag
    /sys/kernel/mm/transparent_hugepage/shmem_enabled
    /sys/kernel/mm/transparent_hugepage/khugepaged/defrag
    /sys/kernel/mm/transparent_hugepage/khugepaged/pages_to_scan
    /sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs
    /sys/kernel/mm/transparent_hugepage/khugepaged/alloc_sleep_millisecs
    /sys/kernel/sched_ext/state /sys/kernel/sched_ext/root/ops
    /sys/module/nvme_core/parameters/default_ps_max_latency_us
    /sys/module/pcie_aspm/parameters/policy
    /sys/module/zswap/parameters/enabled
    """.split()
)
"""Files of the whole computer that a sandbox hides."""

FILES_MAX = 16
"""Descriptors that one message of D-Bus may carry."""

REQUEST_MAX_BYTES = 4096
CALLS_PER_S_MAX = 300
CHANNELS_MAX = 8
"""Sockets (SOCK_SEQPACKET) for TOLD_FILES: a request like that of Lend, answered by [[outcome,
text], ...] or null. Some are asked for at every tick, and a call over the buses costs 0.4 ms."""

LENT, GONE, DENIED, UNKNOWN = "", "gone", "denied", "unknown"
"""What became of each file that was asked for: its descriptor follows; it or its process is not
there; it is somebody else's; there is no such file in the lists."""

GRAPHICS = {"/dev/dri/": "/dev/dri", "/dev/nvidia": "/dev/nvidia"}
"""Descriptors of a program that are told, by the beginning of what they lead to, and as what."""

METHODS = {
    "ListTasks": ("i", "s"),
    "ListGraphics": ("i", "s"),
    "NameProgram": ("i", "s"),
    "Lend": ("s", "sah"),
    "OpenChannel": ("", "h"),
    "GetVersion": ("", "s"),
}
"""By name, the signatures of the arguments and of the answer."""
