# SPDX-License-Identifier: GPL-3.0-or-later
"""The real helper on a private bus above a scratch tree: needs no root, changes no computer.

polkit is played by `fake_polkit.py`. The processes are direct children of the test.
"""

import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.bus_kit import CHECKOUT, PYTHON, Caller, KitError, Peer
from tests.support.scratch_helper import write_program

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <servicedir>{services}</servicedir>
  <policy context="default">
    <allow send_destination="*"/>
    <allow receive_sender="*"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
ACTIVATION = """[D-BUS Service]
Name=io.github.destutter.Helper1
Exec={command}
"""
NAME_APPEARS_S = 20.0
_NAME = "io.github.destutter.Helper1"
_DRIVER = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}


def install_helper(directory: Path) -> Path:
    """Install the helper's files below a directory; return the program for scratch trees."""
    subprocess.run(
        [CHECKOUT / "packaging/system/install-helper", "install", "--destdir", directory],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return write_program(directory / "usr/libexec/destutter/destutter-helper")


def start_of(pid: int) -> str:
    """When a process began, in ticks since the start of the computer: field 22 of its line."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[19]


class PrivateBus:
    """A bus daemon, a scripted polkit, the helper, and clients."""

    def __init__(self, program: Path, directory: Path, root: Path) -> None:
        """Run `program` above the tree `root`; put the socket and the logs into `directory`."""
        self.root = root
        self.program = program
        self._directory = directory
        self.address = f"unix:path={directory}/bus"
        self._processes: list[subprocess.Popen[bytes]] = []
        self._peers: list[Peer] = []
        self.helper: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start the bus and the scripted polkit, not yet the helper."""
        try:
            self._start_bus()
        except BaseException:
            self._stop()
            raise
        return self

    def _start_bus(self) -> None:
        configuration = self._directory / "bus.conf"
        places = {"socket": self._directory / "bus", "services": self._directory / "services"}
        configuration.write_text(CONFIGURATION.format(**places))
        daemon = self._start(
            ["dbus-daemon", "--nofork", f"--config-file={configuration}", "--print-address"],
            stdout=subprocess.PIPE,
        )
        if daemon.stdout is None or not daemon.stdout.readline():
            raise KitError("dbus-daemon did not start")
        daemon.stdout.close()
        ends, process = self._scripted("fake_polkit.py")
        self.polkit = Peer(ends, process.send_signal)
        self._peers.append(self.polkit)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End everything."""
        self._stop()

    def _stop(self) -> None:
        for peer in self._peers:
            peer.close()
        for process in reversed(self._processes):
            with suppress(OSError):
                process.terminate()
        for process in self._processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        with (self._directory / "log").open("ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log, **options)
        self._processes.append(process)
        return process

    def _scripted(self, script: str) -> tuple[tuple[int, int], subprocess.Popen[bytes]]:
        """Start a scripted process; return the ends of its stdin and stdout, and it."""
        child_in, our_out = os.pipe()
        our_in, child_out = os.pipe()
        command = [PYTHON, "-I", str(CHECKOUT / "tests/support" / script), self.address]
        with (self._directory / "log").open("ab") as log:
            process = subprocess.Popen(command, stdin=child_in, stdout=child_out, stderr=log)
        os.close(child_in)
        os.close(child_out)
        self._processes.append(process)
        return (our_out, our_in), process

    def start_helper(self, *options: str) -> None:
        """Start the helper and wait until it has its name."""
        for ended in self._processes:  # the fuzz leaves thousands behind
            ended.poll()
        command = [PYTHON, "-IS", str(self.program), "--root", str(self.root)]
        self.helper = self._start([*command, "--bus", self.address, *options])
        self._await_name(self.helper)

    def offer_helper(self, *options: str) -> None:
        """Let the bus start a helper whenever somebody calls one and none is there."""
        services = self._directory / "services"
        services.mkdir()
        command = [self.program, "--root", self.root, "--bus", self.address, *options]
        text = ACTIVATION.format(command=" ".join(map(str, command)))
        (services / "helper.service").write_text(text)
        self._tell_bus()

    def withdraw_helper(self) -> None:
        """End the helper, and let the bus start none any more, as its removal does."""
        pid = self.client().call("GetConnectionUnixProcessID", "s", _NAME, **_DRIVER)
        shutil.rmtree(self._directory / "services")
        os.kill(int(pid), signal.SIGTERM)
        self._tell_bus()

    def _tell_bus(self) -> None:
        self.client().call("ReloadConfig", **_DRIVER)

    def _await_name(self, helper: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + NAME_APPEARS_S
        while time.monotonic() < deadline and helper.poll() is None:
            # Whoever is on the bus already: one more Python takes as long as the helper.
            if self.polkit.ask("is_there", name=_NAME)["is_there"]:
                return
            time.sleep(0.01)
        status = helper.poll()
        how = f"within {NAME_APPEARS_S:.0f} s" if status is None else f"but ended with {status}"
        raise KitError(f"the helper did not start, {how}:\n{self.log()}")

    def guardian_pid(self) -> int:
        """Return the process id of the guardian, the helper's only child."""
        if self.helper is None:
            raise KitError("the helper was not started")
        children = Path(f"/proc/{self.helper.pid}/task/{self.helper.pid}/children").read_text()
        return int(children)

    def kill_all(self) -> None:
        """Kill helper and guardian, neither of which has time to do anything about the other."""
        if self.helper is not None:
            self.helper.send_signal(signal.SIGSTOP)
            os.kill(self.guardian_pid(), signal.SIGKILL)
            self.helper.kill()
            self.helper.wait()

    def end_bus(self) -> None:
        """End the bus under everybody's feet."""
        self._processes[0].kill()
        self._processes[0].wait()

    def client(self) -> Caller:
        """Start a scripted client."""
        ends, process = self._scripted("kit_client.py")
        caller = Caller(ends, process.send_signal)
        caller.pid = process.pid
        self._peers.append(caller)
        return caller

    def allow(self, action: str, mode: str = "yes") -> None:
        """Set what the scripted polkit says to an action (last part of its id)."""
        self.polkit.ask("mode", action=f"io.github.destutter.{action}", mode=mode)

    def questions(self) -> list[dict[str, Any]]:
        """Return every question that polkit got."""
        found: list[dict[str, Any]] = self.polkit.ask("questions")["questions"]
        return found

    def show(self, pid: int) -> None:
        """Let the helper's tree say of a process what the kernel does."""
        folder = self.root / f"proc/{pid}"
        folder.mkdir(exist_ok=True)
        for name in ("status", "stat"):
            (folder / name).write_bytes(Path(f"/proc/{pid}/{name}").read_bytes())

    def log(self) -> str:
        """Return what all processes wrote to stderr."""
        return (self._directory / "log").read_text(errors="replace")
