# SPDX-License-Identifier: GPL-3.0-or-later
"""What the root helper costs: to start, to try five values, and to have around.

As root everything is the real thing: system bus, polkitd, activation and kernel files, in the
kit of the tests; every value is back afterwards. Without root it is a private bus, a scripted
polkit and a scratch tree. Each start is measured in turn with that of a bare service.
"""

import contextlib
import json
import os
import re
import signal
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from tests.bench import bare_service, helper_promise
from tests.bench.row import Row
from tests.support import scratch_tree
from tests.support.bus_kit import BUS_NAME, CHECKOUT, PYTHON, BusKit, Caller, eventually
from tests.support.kernel_lock import alone_with_the_kernel
from tests.support.private_bus import PrivateBus, install_helper

STARTS = 15
TRIALS = 8  # the helper allows ten a minute
FIVE = {
    "vm.swappiness": "10",
    "vm.page-cluster": "0",
    "vm.dirty_bytes": str(256 << 20),
    "vm.watermark_scale_factor": "50",
    "vm.compaction_proactiveness": "10",
}
DRIVER = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
BARE = {"dest": bare_service.NAME, "iface": bare_service.NAME, "path": bare_service.PATH}
POLKIT = {
    "dest": "org.freedesktop.PolicyKit1",
    "path": "/org/freedesktop/PolicyKit1/Authority",
    "iface": "org.freedesktop.PolicyKit1.Authority",
}
BARE_PROGRAM = CHECKOUT / "tests/bench/bare_service.py"
SERVICE = "[D-BUS Service]\nName={name}\nExec={command}\nUser=root\n"
POLICY = f"""<busconfig><policy context="default"><allow own="{bare_service.NAME}"/>
<allow send_destination="{bare_service.NAME}"/></policy></busconfig>"""


class World(Protocol):
    """A bus on which helper and bare service start by themselves."""

    user: Caller
    watcher: Caller

    def stop(self, pid: int) -> None:
        """Kill a process."""
        ...

    def status(self, pid: int) -> str:
        """Return /proc/PID/status."""
        ...


class Installed:
    """The kit: everything as it is on a user's computer."""

    def __init__(self, kit: BusKit) -> None:
        self._kit = kit
        base = f"/usr/share/dbus-1/system-services/{bare_service.NAME}.service"
        kit.shell(f"cp {BARE_PROGRAM} /run/kit/bare.py")
        text = SERVICE.format(name=bare_service.NAME, command=f"{PYTHON} -I /run/kit/bare.py")
        kit.ask("write", path=base, text=text)
        kit.ask("write", path="/etc/dbus-1/system.d/bare.conf", text=POLICY)
        kit.observer.call("ReloadConfig", **DRIVER)
        # The kit's own /var/lib is memory; the journal is to be flushed to a disk, as at home.
        kit.shell(f"mkdir -m 700 {kit.logs}/state /var/lib/destutter")
        kit.shell(f"mount --bind {kit.logs}/state /var/lib/destutter")
        self.user, self.watcher = kit.client("alice"), kit.observer

    def stop(self, pid: int) -> None:
        self._kit.kill(pid, signal.SIGKILL)

    def status(self, pid: int) -> str:
        return self._kit.shell(f"cat /proc/{pid}/status")


class Private:
    """A bus of our own, for those who are not root."""

    def __init__(self, bus: PrivateBus, services: Path) -> None:
        commands = {
            BUS_NAME: f"{bus.program} --root {bus.root} --bus {bus.address}",
            bare_service.NAME: f"{PYTHON} -I {BARE_PROGRAM} {bus.address}",
        }
        for name, command in commands.items():
            (services / f"{name}.service").write_text(SERVICE.format(name=name, command=command))
        self.user, self.watcher = bus.client(), bus.client()
        self.watcher.call("ReloadConfig", **DRIVER)
        bus.allow("apply")

    def stop(self, pid: int) -> None:
        os.kill(pid, signal.SIGKILL)

    def status(self, pid: int) -> str:
        return Path(f"/proc/{pid}/status").read_text()


@contextlib.contextmanager
def world(directory: Path) -> Iterator[World]:
    """Start the world that this user can have."""
    if os.geteuid() == 0:
        with alone_with_the_kernel(), BusKit(directory) as kit:
            yield Installed(kit)
        return
    program = install_helper(directory / "installed")
    (directory / "services").mkdir()
    tree = scratch_tree.build(directory / "tree")
    with PrivateBus(program, directory, tree) as bus:
        yield Private(bus, directory / "services")


def process(place: World, name: str) -> int | None:
    """Return the process id behind a name, None when nobody owns it."""
    if not place.watcher.call("NameHasOwner", "s", name, **DRIVER):
        return None
    return int(place.watcher.call("GetConnectionUnixProcessID", "s", name, **DRIVER))


def first_answer_ms(place: World, name: str, options: dict[str, Any]) -> float:
    """Return the time from a call to its answer when the service has to be started for it."""
    pid = process(place, name)
    if pid is not None:
        place.stop(pid)
        eventually(lambda: not place.watcher.call("NameHasOwner", "s", name, **DRIVER))
    answer = place.user.wait(place.user.begin("GetState", **options))
    return float(answer["took_s"]) * 1000


def start_row(place: World) -> Row:
    """Return the helper's first answer beside the bare service's."""
    pairs = [
        (first_answer_ms(place, bare_service.NAME, BARE), first_answer_ms(place, BUS_NAME, {}))
        for _ in range(STARTS)
    ]
    bare, helper = (statistics.median(column) for column in zip(*pairs, strict=True))
    reference = f"bare dbus-python service, {bare:.0f} ms"
    goal = "<= 200 ms more"
    return Row(
        "helper started and answering",
        helper,
        "ms",
        reference,
        helper / bare,
        goal,
        helper - bare <= 200,
    )


def flush_ms(directory: Path) -> float:
    """Return the time to replace a file of the journal's size for good, as a trial does once."""
    started = time.perf_counter()
    with (directory / "flushed.new").open("wb") as file:
        file.write(bytes(2000))
        file.flush()
        os.fsync(file.fileno())
    (directory / "flushed.new").rename(directory / "flushed")
    descriptor = os.open(directory, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)
    return (time.perf_counter() - started) * 1000


def trial_row(place: World, directory: Path) -> Row:
    """Return the time of a trial of five values beyond that of asking polkit.

    A good part of it is the journal on its way to the disk, hence the reference.
    """
    entries = [{"id": name, "value": value} for name, value in FIVE.items()]
    text = json.dumps({"changes": entries})
    subject = ["system-bus-name", {"name": place.user.name}]
    question = [subject, "io.github.destutter.apply", {}, 0, ""]
    trials, questions, flushes = [], [], []
    for _ in range(TRIALS):
        answer = place.user.wait(place.user.begin("BeginTrial", "sib", text, 60, False))
        trials.append(answer["took_s"] * 1000)
        place.user.call("Revert", "s", answer["values"][0])
        number = place.watcher.begin("CheckAuthorization", "(sa{sv})sa{ss}us", *question, **POLKIT)
        questions.append(place.watcher.wait(number)["took_s"] * 1000)
        flushes.append(flush_ms(directory))
    cost, flushed = (
        statistics.median(trials) - statistics.median(questions),
        statistics.median(flushes),
    )
    reference = f"one flushed file, {flushed:.1f} ms"
    return Row(
        "trial of five values, beyond polkit",
        cost,
        "ms",
        reference,
        cost / flushed,
        "<= 20 ms",
        cost <= 20,
    )


def memory_row(place: World) -> Row:
    """Return the resident memory after all this, beside that of the bare service."""
    place.user.call("ListTunables")
    place.user.call("GetState", **BARE)
    mb = []
    for name in (bare_service.NAME, BUS_NAME):
        pid = process(place, name)
        assert pid is not None
        (kib,) = re.findall(r"VmRSS:\s*(\d+) kB", place.status(pid))
        mb.append(int(kib) * 1024 / 1e6)
    bare, helper = mb
    reference = f"bare dbus-python service, {bare:.1f} MB"
    return Row("helper resident", helper, "MB", reference, helper / bare, "<= 30 MB", helper <= 30)


def run() -> list[Row]:
    """Return three rows of cost, and eight of what a trial promises in bad times."""
    with tempfile.TemporaryDirectory(prefix="destutter-bench-") as name:
        directory = Path(name)
        with world(directory) as place:
            costs = [start_row(place), trial_row(place, directory), memory_row(place)]
    return costs + helper_promise.rows()
