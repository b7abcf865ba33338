# SPDX-License-Identifier: GPL-3.0-or-later
"""Which other processes have memory in common with the game, by the files that both may write.

A thread that sleeps in a futex with nobody of its own game awake waits for its own time, or for
another process that shares the memory in which the futex lies: the compositor of a headset,
wineserver, a helper of a browser. The kernel tells in /proc/PID/maps what a process has mapped,
with device and inode, so that the same memory is known again in another process.
"""

from collections.abc import Iterator

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.measurement import text_of
from destutter.sampling.files.process_files import PROC

_WRITABLE = b" rw-s "
# Buffers of graphics cards and sound, descriptors that all programs have in common, and caches
# that all programs of a user map: nobody waits in those for somebody else. Of all drivers i915
# alone names its buffers itself (__create_shmem in drivers/gpu/drm/i915/gem/i915_gem_shmem.c);
# those of the others are "/drm mm object" (drm_gem_object_init) or below /dev.
_IN_MEMORY = ("/dev/shm/", "/dev/zero")  # noqa: S108  names in a table of the kernel
_NO_MEETING = ("/dev/", "anon_inode:", "/dmabuf:", "/drm mm object", "/i915", "/[", "[")
_CACHES = ("/.cache/", "/var/cache/", "/dconf/", "mesa_shader_cache", "fontconfig")

Meeting = tuple[bytes, bytes]
"""A piece of shared memory: device and inode, as /proc/PID/maps has them."""


def meetings(maps: bytes) -> Iterator[Meeting]:
    """The shared writable memory of a process in which another one can wake it."""
    at = maps.find(_WRITABLE)
    while at >= 0:
        end = maps.find(b"\n", at)
        words = maps[at + len(_WRITABLE) : end if end >= 0 else None].split(None, 3)
        # offset device inode path
        if len(words) == 4 and _can_meet(text_of(words[3])):
            yield words[1], words[2]
        at = maps.find(_WRITABLE, at + 1)


def _can_meet(path: str) -> bool:
    if path.startswith(_IN_MEMORY):
        return True
    return not path.startswith(_NO_MEETING) and not any(part in path for part in _CACHES)


class SharedMemory:
    """What joins a process to others: the memory that they share."""

    def __init__(self, files: KernelFiles, pid: int) -> None:
        self._files = files
        self.wanted = self.of(pid)

    def of(self, pid: int) -> frozenset[Meeting]:
        """The shared memory that a process has."""
        try:
            maps = self._files.read_bytes(f"{PROC}/{pid}/maps") or b""
        except KernelFileError:
            return frozenset()  # somebody else's, which nobody may read: not known, and no failure
        return frozenset(meetings(maps))
