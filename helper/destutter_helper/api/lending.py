# SPDX-License-Identifier: GPL-3.0-or-later
"""What a window in a sandbox may borrow of the computer: the closed lists of the lender.

A Flatpak sees neither other processes nor control groups nor /sys/kernel. The lender
(`destutter_lender`) runs outside, as the same user, and tells what stands in the files named
here, one by one. No descriptor of a file is handed over. One of a file that belongs to the user,
as most of /proc/PID do, could be given a lease (fcntl F_SETLEASE) from inside of the sandbox:
everybody who opens that file then waits for up to 45 s, the lender, its other callers and root's
ps among them; and it goes on telling when its program has become one that does not want to be
looked at. Nothing here tells an argument or the environment of a program.
"""

BUS_NAME = "io.github.destutter.Destutter.Lender1"
"""On the session bus. Below the application's own id, so that its Flatpak may call it without a
permission, and no other sandboxed program may."""

OBJECT_PATH = "/io/github/destutter/Destutter/Lender1"
INTERFACE = BUS_NAME
ERROR_PREFIX = BUS_NAME + ".Error."

PROCESS_FILES = frozenset({"stat", "status", "schedstat", "cgroup", "io", "wchan", "comm"})
THREAD_FILES = PROCESS_FILES - {"cgroup"}
THREADS = "task"
"""Of a process: the ids of its threads, parted by blanks. A game's are listed at every tick, and
a call takes five times as long. Empty, which no list is, for one that is longer than is told."""

KERNEL_THREAD_FILES = frozenset({"stat", "schedstat"})
"""Of the kernel's own threads, which belong to no user."""

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

DESCRIPTOR_FILE = "fdinfo/"
"""With a number behind it. Told if it is of a graphics card now, and of it the lines of DRM."""

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

FILES_MAX = 48
"""Files of one request: so many answers of 3,500 bytes fit into a pipe of 256 KiB."""

REQUEST_MAX_BYTES = 4096  # PIPE_BUF: through a pipe a request comes as a whole or is none
CALLS_PER_S_MAX = 300  # at 0.4 ms a flood costs an eighth of a core
CHANNELS_MAX = 8  # of all callers; each keeps two descriptors of the lender open
CHANNELS_OF_ONE_MAX = 3
"""A channel is two pipes for what is told: into the first goes a request, [[pid, tid, name], ...]
with 0 for no thread and for no process, and out of the second comes a line with
[[outcome, text], ...] or null. Some are asked for at every tick, and a call over the buses costs
0.4 ms. No sockets: they carry descriptors, whose closing may wait."""

TOLD, GONE, DENIED, UNKNOWN = "", "gone", "denied", "unknown"
"""What became of each file that was asked for: its text follows; it or its process is not there;
it is somebody else's; there is no such file in the lists."""

DRM, NVIDIA = "/dev/dri", "/dev/nvidia"
GRAPHICS = {f"{DRM}/": DRM, NVIDIA: NVIDIA}
"""Descriptors of a program that are told, by the beginning of what they lead to, and as what."""

STEAM_ID, STEAM_WORDS = "AppId=", 4
"""Steam starts a game below "reaper SteamLaunch AppId=N -- COMMAND". Of a command line its
program's name is told, and such a number among the words in front of the game's own."""

METHODS = {
    "ListTasks": ("i", "s"),
    "ListGraphics": ("i", "s"),
    "NameProgram": ("i", "s"),
    "OpenChannel": ("", "ah"),
    "GetVersion": ("", "s"),
}
"""By name, the signatures of the arguments and of the answer."""
