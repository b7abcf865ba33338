# SPDX-License-Identifier: GPL-3.0-or-later
"""How long NVMe drives need to wake up: what their controllers say of themselves.

Identify Controller is the one command that is sent to a drive, and it changes nothing. The kernel
lets whoever may open the device for reading send it (``nvme_cmd_allowed`` in
drivers/nvme/host/ioctl.c, since Linux 6.2; before, only with a right that the helper has not).
"""

import contextlib
import ctypes
import errno
import fcntl
import os
import re
import struct
import threading
from collections.abc import Iterator

from destutter_helper.api.devices import directory_of
from destutter_helper.api.payload import Controller, PowerState
from destutter_helper.api.statement import Said, told
from destutter_helper.api.tunables import DEVICE_KINDS
from destutter_helper.kernel_tree import KernelTree

NVME = "nvme"
_NAME = re.compile(r"nvme[0-9]{1,4}")
_ADMIN_COMMAND = 0xC0484E41  # _IOWR('N', 0x41, struct nvme_admin_cmd) in linux/nvme_ioctl.h
_COMMAND = struct.Struct("=BBHIIIQQIIIIIIIIII")
_IDENTIFY, _CONTROLLER = 0x06, 1  # NVM Express Base Specification 2.0, 5.17
_DATA_BYTES = 4096  # what Identify answers, whatever it is asked about (same, 5.17)
# Bytes of its data (same, figure 275): number of states less one, the first of their descriptors.
_COUNT_AT, _STATES_AT, _STATE = 263, 2048, struct.Struct("<HBBII20x")
_STATES_MAX = 32  # all that there are (same): a damaged answer may say 256
_SLEEPS = 0x02  # non-operational: what is asked for waits until it is left
_WAIT_S = 0.2  # a drive that works answers within a millisecond
_LATE = Said("helper.kernel.drive_silent")
_REFUSED = Said("helper.kernel.drive_not_asked")


class PowerStates:
    """Asks each controller once in its life, beside the loop: a drive that hangs answers never.

    One thread at most, so that a drive that does not answer costs one, whoever asks how often.
    """

    def __init__(self, tree: KernelTree) -> None:
        self._tree = tree
        self._known: dict[tuple[str, int], Controller] = {}
        self._asking: threading.Thread | None = None

    def read(self) -> tuple[Controller, ...]:
        """All controllers, those that have not answered yet without their states."""
        lives = [*self._lives()]
        self._known = {life: self._known[life] for life in lives if life in self._known}
        missing = [life for life in lives if life not in self._known]
        if missing and (self._asking is None or not self._asking.is_alive()):
            self._asking = threading.Thread(target=self._ask, args=(missing,), daemon=True)
            self._asking.start()
        if missing and self._asking is not None:
            self._asking.join(_WAIT_S)
        return tuple(self._known.get(life) or Controller(life[0], (), _LATE) for life in lives)

    def _lives(self) -> Iterator[tuple[str, int]]:
        for name in filter(_NAME.fullmatch, self._tree.names(DEVICE_KINDS[NVME].directory)):
            with contextlib.suppress(OSError):  # it left just now
                yield name, self._tree.inode(directory_of(NVME, name))

    def _ask(self, lives: list[tuple[str, int]]) -> None:
        for life in lives:
            try:
                fd = self._tree.open_device(f"/dev/{life[0]}", os.O_RDONLY)
                try:
                    found = Controller(life[0], states_of(identify(fd)))
                finally:
                    os.close(fd)
            except OSError as error:
                is_refused = error.errno in (errno.EACCES, errno.EPERM)
                reason = _REFUSED if is_refused else told(os.strerror(error.errno or 0))
                found = Controller(life[0], (), reason)
            self._known[life] = found


def identify(fd: int) -> bytes:
    """What a controller says of itself. OSError when the kernel or the drive refuses.

    Without a time limit of ours: when one passes, the kernel resets the drive.
    """
    data = ctypes.create_string_buffer(_DATA_BYTES)
    words = (_CONTROLLER, *[0] * 5)  # command words 10 to 15
    command = bytearray(
        _COMMAND.pack(
            *(_IDENTIFY, 0, 0, 0, 0, 0, 0, ctypes.addressof(data), 0, _DATA_BYTES, *words, 0, 0)
        )
    )
    if fcntl.ioctl(fd, _ADMIN_COMMAND, command) != 0:  # a status of the drive's, not an errno
        raise OSError(errno.EIO, "the drive refused")
    return data.raw


def states_of(data: bytes) -> tuple[PowerState, ...]:
    """The power states in Identify Controller's data, the most awake one first."""
    count = min(data[_COUNT_AT] + 1, _STATES_MAX)
    found = (
        _STATE.unpack_from(data, _STATES_AT + number * _STATE.size) for number in range(count)
    )
    return tuple(
        PowerState(entry_us, exit_us, not flags & _SLEEPS)
        for _power, _reserved, flags, entry_us, exit_us in found
    )
