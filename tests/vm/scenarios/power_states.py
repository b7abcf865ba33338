# SPDX-License-Identifier: GPL-3.0-or-later
"""An NVMe drive that falls asleep, by a patched QEMU: what it was told, and how long it takes.

The controller itself is asked for its table (Get Features 0Ch), as sysfs tells what was written
and not what has arrived. It is slow to start, so that udev often writes before it is ready.
"""

import ctypes
import fcntl
import json
import mmap
import os
import random
import statistics
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dbus

from tests.vm.inside import say
from tests.vm.installed import begin, call, run, until

ID, CONTROLLER, DRIVE = "nvme.latency_tolerance", "nvme0", "/dev/nvme0n1"
SYSFS = Path("/sys/class/nvme", CONTROLLER)
TOLERANCE = SYSFS / "power" / "pm_qos_latency_tolerance_us"
OWN, OURS = "100000", "0"
EXIT_MS = 95.0
"""From the deepest state, as the machine of this run has it; the kernel enters it after 2 s."""
REST_S, READS = 3.0, 3
REPLUGS = 9
PAGE = 4096
GET_FEATURES, POWER_STATES, TABLE_BYTES = 0x0A, 0x0C, 256
ADMIN_COMMAND = 0xC0484E41  # _IOWR('N', 0x41, struct nvme_admin_cmd) in linux/nvme_ioctl.h
COMMAND = struct.Struct("=BBHIIIQQIIIIIIIIII")
LOG = Path("/dev/shm/game.csv")
GAME = {
    "log": str(LOG),
    "seconds": "3600",
    "hz": "20",
    "work-ms": "3",
    "alloc-kib": "64",
    "heap-mib": "16",
    "assets": DRIVE,
    "read-kib": "4",
    "read-every": "4",
}
RECORD_S = 120
CAUSE = "nvme_power_state"


def scenario_a_trial_keeps_the_drive_awake() -> None:
    """it sleeps by itself, not in a trial, and sleeps again after it"""
    run("dpkg", "-i", *sorted(str(path) for path in Path("packages").glob("*.deb")))
    check("of the drive's own", is_asleep=True)
    txid, hold = begin([(ID, CONTROLLER, OURS)])
    check("on trial", is_asleep=False)
    call("Revert", txid)
    os.close(hold.take())
    check("reverted", is_asleep=True)


def scenario_the_cause_is_named() -> None:
    """a game that reads now and then has this cause, and has it no more with the setting"""
    assert CAUSE in causes_of("asleep")
    keep("restart")
    assert CAUSE not in causes_of("awake")
    assert undone() == [(CONTROLLER, "restored", OWN)]


def scenario_f42_what_is_kept_has_an_effect_after_each_replug() -> None:
    """kept for every start, the controller is told each time that it comes back"""
    keep("always")
    for number in range(1, REPLUGS + 1):
        replug()
        check(f"replug {number}", is_asleep=False)


def scenario_f43_undo_after_a_replug() -> None:
    """undo goes back to the drive's own, also where the setting was applied again before it"""
    assert undone() == [(CONTROLLER, "restored", OWN)]
    check("undone", is_asleep=True)
    keep("always")
    replug()
    keep("always")
    assert undone() == [(CONTROLLER, "restored", OWN)]
    check("applied again and undone", is_asleep=True)
    replug()
    check("undone and replugged", is_asleep=True)


def keep(until_when: str) -> None:
    """Try our value, and keep it."""
    txid, hold = begin([(ID, CONTROLLER, OURS)])
    call("Keep", txid, until_when, dbus.Boolean(False))
    os.close(hold.take())


def undone() -> list[tuple[str, str, str]]:
    """Undo everything: device, outcome and value of each result."""
    results = json.loads(call("Undo", "{}"))["results"]
    return [(one["device"], one["outcome"], one["value"]) for one in results]


def replug() -> None:
    """The drive goes and comes back, as another object of the kernel."""
    place = Path(os.path.realpath(SYSFS / "device"))
    (place / "remove").write_text("1")
    until(lambda: not SYSFS.exists())
    Path("/sys/bus/pci/rescan").write_text("1")
    until(lambda: Path("/sys/block", Path(DRIVE).name).exists())
    run("udevadm", "settle")


def check(what: str, *, is_asleep: bool) -> None:
    """The value, what the controller has, and how long it takes after a rest."""
    value, is_on = TOLERANCE.read_text().strip(), is_table_on()
    taken_ms = [_read_after_rest() for _ in range(READS)]
    table = "on" if is_on else "off"
    told = ", ".join(f"{each:.1f}" for each in taken_ms)
    say(f"# {what}: value {value}, power states {table}, reads after {REST_S:.0f} s (ms): {told}")
    assert value == (OWN if is_asleep else OURS), value
    assert is_on == is_asleep, f"the controller has them {table}"
    is_slow = statistics.median(taken_ms) >= EXIT_MS
    assert is_slow == is_asleep, taken_ms


def is_table_on() -> bool:
    """Whether the controller enters power states by itself, as it says."""
    table = ctypes.create_string_buffer(TABLE_BYTES)
    place = (ctypes.addressof(table), 0, TABLE_BYTES)
    words = (POWER_STATES, *[0] * 5)  # command words 10 to 15
    command = bytearray(COMMAND.pack(GET_FEATURES, *[0] * 6, *place, *words, 0, 0))
    fd = os.open(f"/dev/{CONTROLLER}", os.O_RDONLY)
    try:
        assert fcntl.ioctl(fd, ADMIN_COMMAND, command) == 0
    finally:
        os.close(fd)
    return bool(COMMAND.unpack(command)[-1] & 1)


def _read_after_rest() -> float:
    """How many ms a read of one page takes that comes after a rest."""
    time.sleep(REST_S)
    fd = os.open(DRIVE, os.O_RDONLY | os.O_DIRECT)
    try:
        pages = os.lseek(fd, 0, os.SEEK_END) // PAGE
        with mmap.mmap(-1, PAGE) as page:
            began = time.monotonic_ns()
            os.preadv(fd, [page], random.randrange(pages) * PAGE)  # noqa: S311 (no secrets)
            return (time.monotonic_ns() - began) / 1e6
    finally:
        os.close(fd)


def causes_of(name: str) -> set[str]:
    """What the program says of a game that reads from the drive now and then."""
    recording = f"/dev/shm/{name}.destutter"
    with _game() as game:
        watched = ("--pid", str(game.pid), "--mangohud", str(LOG))
        run("destutter", "record", "--out", recording, "--seconds", str(RECORD_S), *watched)
    told: dict[str, Any] = json.loads(run("destutter", "diagnose", "--json", recording))
    for line in run("destutter", "diagnose", recording).splitlines()[:12]:
        say(f"# {name}: {line}")
    return {finding["cause"] for finding in told["findings"]}


@contextmanager
def _game() -> Iterator[subprocess.Popen[bytes]]:
    LOG.unlink(missing_ok=True)
    words = [word for name, value in GAME.items() for word in (f"--{name}", value)]
    with subprocess.Popen(["./victim", *words]) as game:
        try:
            until(LOG.exists)
            yield game
        finally:
            game.kill()
