# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole system bus for tests: real dbus-daemon, real polkitd, real activation, real helper.

Everything lives in mount and process namespaces of its own, above overlays, so the host is not
touched and nothing is left behind; the kernel's settings, however, are the real ones. Needs root
and the packages dbus, polkitd, python3-dbus and python3-gi; no systemd.
"""

import itertools
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.support.kit_init import SEAT, USERS

CHECKOUT = Path(__file__).resolve().parents[2]
BUS_NAME = "io.github.destutter.Helper1"
ERROR = BUS_NAME + ".Error."
PYTHON = "/usr/bin/python3"
ANSWER_S = 90.0  # a whole window that starts beside a busy machine; a test ends at 120


class KitError(Exception):
    """The kit itself failed, not what it tests."""


def missing_requirements() -> list[str]:
    """Return what this machine lacks for the kit, in words."""
    programs = {
        "dbus-daemon": "dbus",
        "unshare": "util-linux",
        "setpriv": "util-linux",
    }
    missing = [
        f"{program} (package {package})"
        for program, package in programs.items()
        if shutil.which(program) is None
    ]
    activation = Path("/usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service")
    if not activation.exists():
        missing.append("polkitd (package polkitd)")
    return missing


def cgroup_root() -> Path:
    """Return the hierarchy in which logind's sessions are looked up (v2 or the hybrid one)."""
    for candidate in ("/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd", "/sys/fs/cgroup"):
        if Path(candidate, "cgroup.procs").exists():
            return Path(candidate)
    raise KitError("no cgroup hierarchy is mounted, so no login session can be played")


class Peer:
    """A scripted process on the bus: one JSON command a line, one answer a line."""

    def __init__(self, descriptors: tuple[int, int], stop: Callable[[int], None]) -> None:
        """Take over the write end of its stdin and the read end of its stdout."""
        self._stdin, self._stdout = descriptors
        self._stop = stop
        self._partial = b""
        self._answers: dict[int, dict[str, Any]] = {}
        self._ids = itertools.count(1)
        self.pid = 0
        self.name = "a scripted process"
        self.name = str(self.wait(0)["name"])

    def send(self, op: str, **fields: Any) -> int:
        """Send a command and return its number."""
        number = next(self._ids)
        line = json.dumps({"id": number, "op": op, **fields}) + "\n"
        os.write(self._stdin, line.encode())
        return number

    def wait(self, number: int, timeout_s: float = ANSWER_S) -> dict[str, Any]:
        """Return the answer to a command."""
        deadline = time.monotonic() + timeout_s
        while number not in self._answers:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not select.select([self._stdout], [], [], left_s)[0]:
                raise KitError(f"no answer from {self.name} within {timeout_s} s")
            data = os.read(self._stdout, 1 << 20)
            if not data:
                raise KitError(f"{self.name} ended; see peers.log")
            *lines, self._partial = (self._partial + data).split(b"\n")
            for line in lines:
                answer = json.loads(line)
                self._answers[answer["id"]] = answer
        return self._answers.pop(number)

    def has_answer(self, number: int) -> bool:
        """Say whether the answer to a command has come already."""
        with suppress(KitError):
            self._answers[number] = self.wait(number, 0.001)
        return number in self._answers

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        """Send a command and return its answer."""
        return self.wait(self.send(op, **fields))

    def close(self) -> None:
        """End the process by closing its stdin; a second time does nothing.

        A number that was closed may be somebody else's by then.
        """
        for descriptor in (self._stdin, self._stdout):
            with suppress(OSError):
                os.close(descriptor)
        self._stdin = self._stdout = -1

    def kill(self, number: int = signal.SIGKILL) -> None:
        """Send a signal."""
        self._stop(number)


class Caller(Peer):
    """A scripted client of the helper."""

    cgroup: Path | None = None

    def call(self, member: str, sig: str = "", *args: Any, **options: Any) -> Any:
        """Call a method; return its values (one: bare), or raise `Refused` with the error name."""
        return self.result(self.begin(member, sig, *args, **options))

    def begin(self, member: str, sig: str = "", *args: Any, **options: Any) -> int:
        """Send a call without waiting."""
        return self.send("call", member=member, sig=sig, args=list(args), **options)

    def result(self, number: int) -> Any:
        """Wait for the answer to `begin`."""
        answer = self.wait(number)
        if "error" in answer:
            raise Refused(answer["error"], answer.get("text", ""), answer.get("said", ""))
        values = answer["values"]
        return values[0] if len(values) == 1 else values

    def refusal(self, member: str, sig: str = "", *args: Any, **options: Any) -> str:
        """Call a method that must fail; return the error's name without the prefix."""
        try:
            values = self.call(member, sig, *args, **options)
        except Refused as refused:
            return refused.name.removeprefix(ERROR)
        raise AssertionError(f"{member} succeeded: {values!r}")

    def signals(self, member: str) -> list[list[Any]]:
        """Return the arguments of every signal of this name so far."""
        heard = self.ask("signals")["signals"]
        return [signal["args"] for signal in heard if signal["member"] == member]


class Refused(Exception):
    """A D-Bus error."""

    def __init__(self, name: str, text: str, said: str = "") -> None:
        """Keep the error's name and texts."""
        super().__init__(f"{name}: {text}")
        self.name = name
        self.text = text
        self.said = said


class BusKit:
    """The namespaces, the bus, polkitd, and everybody on the bus."""

    def __init__(self, log_directory: Path) -> None:
        """Write the logs of all daemons into `log_directory`."""
        self.logs = log_directory
        self._init: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._cgroups: set[Path] = set()
        self._peers: list[Peer] = []
        self._agent: Peer | None = None
        self._observer: Caller | None = None
        self._sessions = itertools.count(1)

    def __enter__(self) -> Self:
        """Start."""
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop."""
        self.stop()

    def start(self) -> None:
        """Build the namespaces and wait until bus and polkitd run."""
        missing = missing_requirements()
        if missing:
            raise KitError("the bus tests need " + ", ".join(missing))
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = ["unshare", "--mount", "--pid", "--fork", "--mount-proc"]
        command += ["--propagation", "private", "--kill-child", PYTHON]
        command += [str(CHECKOUT / "tests/support/kit_init.py"), str(theirs.fileno())]
        with (self.logs / "init.log").open("ab") as log:
            self._init = subprocess.Popen(
                [*command, str(CHECKOUT), str(self.logs)],
                pass_fds=[theirs.fileno()],
                env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        theirs.close()
        self._control = ours
        ours.settimeout(ANSWER_S)
        if not ours.recv(1 << 20):
            self.stop()
            raise KitError("the kit did not start:\n" + (self.logs / "init.log").read_text())

    def stop(self) -> None:
        """End every process of the kit and remove its cgroups."""
        for peer in [*self._peers, *([self._observer] if self._observer else [])]:
            peer.close()
        self._peers.clear()
        self._agent = self._observer = None
        if self._control is not None:
            self._control.close()
        # The first process lets the helper take everything back, and ends by itself.
        if self._init is not None:
            with suppress(subprocess.TimeoutExpired):
                self._init.wait(20)
            self._init.kill()
            self._init.wait()
        for group in sorted(self._cgroups, key=lambda path: -len(path.parts)):
            self._remove_cgroup(group)

    def _remove_cgroup(self, group: Path) -> None:
        """Remove a cgroup as soon as the kernel has seen its last process end."""
        deadline = time.monotonic() + 5
        while group.exists() and time.monotonic() < deadline:
            with suppress(OSError):
                group.rmdir()
                return
            time.sleep(0.01)

    def ask(self, op: str, descriptors: tuple[int, ...] = (), **fields: Any) -> dict[str, Any]:
        """Let the first process inside do something."""
        if self._control is None:
            raise KitError("the kit is not running")
        request = json.dumps({"op": op, **fields}).encode()
        socket.send_fds(self._control, [request], list(descriptors))
        answer: dict[str, Any] = json.loads(self._control.recv(1 << 20))
        if "failed" in answer:
            raise KitError(answer["failed"])
        return answer

    def shell(self, command: str) -> str:
        """Run a shell command as root inside; return its output, raise when it fails."""
        answer = self.ask("shell", command=command)
        if answer["rc"] != 0:
            raise KitError(f"{command}: {answer['err'] or answer['out']}")
        return str(answer["out"])

    def spawn(
        self, argv: list[str], uid: int, cgroup: Path | None = None
    ) -> tuple[int, tuple[int, int]]:
        """Start a process inside; return its id inside and the ends of its stdin and stdout."""
        child_in, our_out = os.pipe()
        our_in, child_out = os.pipe()
        log = os.open(self.logs / "peers.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            answer = self.ask(
                "spawn",
                (child_in, child_out, log),
                argv=argv,
                uid=uid,
                cgroup=str(cgroup) if cgroup else None,
            )
        finally:
            for descriptor in (child_in, child_out, log):
                os.close(descriptor)
        return int(answer["pid"]), (our_out, our_in)

    @property
    def beside(self) -> list[str]:
        """A prefix for a command that starts among the processes inside, with our own mounts."""
        if self._init is None:
            raise KitError("the kit is not running")
        return ["nsenter", f"--pid=/proc/{self._init.pid}/ns/pid_for_children", "--"]

    def session(self, user: str, kind: str) -> Path:
        """Write logind's files for a session ("active", "inactive" or "remote"), as its cgroup."""
        number, uid = next(self._sessions), USERS[user]
        identity = f"kit{number}"
        scope = f"session-{identity}.scope"
        state = "online" if kind == "inactive" else "active"
        lines = [f"UID={uid}", f"USER={user}", "REMOTE=0", "TYPE=x11", "CLASS=user"]
        lines += [f"SCOPE={scope}", f"ACTIVE={int(kind != 'inactive')}"]
        lines += [f"STATE={state}"]
        if kind == "remote":
            lines[2:4] = ["REMOTE=1", "REMOTE_HOST=192.0.2.7", "TYPE=tty"]
        else:
            lines += [f"SEAT={SEAT}", "IS_DISPLAY=1"]
        base = "/run/systemd/"
        self.ask("write", path=f"{base}sessions/{identity}", text="\n".join(lines) + "\n")
        text = f"NAME={user}\nSTATE={state}\nSESSIONS={identity}\nDISPLAY={identity}\n"
        self.ask("write", path=f"{base}users/{uid}", text=text)
        text = f"IS_SEAT0=1\nACTIVE={identity}\nACTIVE_UID={uid}\nSESSIONS={identity}\n"
        self.ask("write", path=f"{base}seats/{SEAT}", text=text)
        group = cgroup_root() / "user.slice" / f"user-{uid}.slice" / scope
        slices = {group.parent, group.parent.parent}
        self._cgroups |= {group} | {path for path in slices if not path.exists()}
        return group

    def client(
        self, user: str, session: str | None = "active", beside: Caller | None = None
    ) -> Caller:
        """Start a client as a user ("root" too), in a new session, in none, or in another's."""
        uid = USERS.get(user, 0)
        group = self.session(user, session) if uid and session else None
        if beside is not None:
            group = beside.cgroup
        pid, ends = self.spawn([PYTHON, "-I", "/run/kit/kit_client.py"], uid, group)
        caller = Caller(ends, lambda number: self.kill(pid, number))
        caller.pid, caller.cgroup = pid, group
        self._peers.append(caller)
        return caller

    def adopt(self, peer: Peer) -> None:
        """End a peer that a test has spawned itself at the next reset."""
        self._peers.append(peer)

    @property
    def observer(self) -> Caller:
        """A client of root's that stays over resets and never starts the helper by itself."""
        if self._observer is None:
            pid, ends = self.spawn([PYTHON, "-I", "/run/kit/kit_client.py"], 0)
            self._observer = Caller(ends, lambda number: self.kill(pid, number))
        return self._observer

    @property
    def agent(self) -> Peer:
        """The scripted authentication agent, started at first use."""
        if self._agent is None:
            pid, ends = self.spawn([PYTHON, "-I", "/run/kit/kit_agent.py"], 0)
            self._agent = Peer(ends, lambda number: self.kill(pid, number))
            self._agent.pid = pid
            self._peers.append(self._agent)
        return self._agent

    def play_human(self, client: Caller, mode: str) -> None:
        """Answer the client's password dialogs: yes, no, cancel, hang or wrong."""
        self.agent.ask("register", pid=client.pid, mode=mode)

    def dialogs(self) -> list[dict[str, Any]]:
        """Return every dialog so far: action, message, details, identities, open."""
        found: list[dict[str, Any]] = self.agent.ask("dialogs")["dialogs"]
        return found

    def kill(self, pid: int, number: int) -> None:
        """Send a signal to a process inside and, for SIGKILL, wait until it is gone."""
        self.ask("kill", pid=pid, signal=int(number))
        if number == signal.SIGKILL:
            self.wait_gone(pid)

    def wait_gone(self, pid: int, timeout_s: float = 10.0) -> None:
        """Wait until a process inside has ended."""
        if not self.ask("wait", pid=pid, timeout_s=timeout_s)["gone"]:
            raise KitError(f"process {pid} did not end")

    def helper_pid(self) -> int | None:
        """Return the helper's process id inside, or None while it does not run."""
        driver = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
        try:
            return int(self.observer.call("GetConnectionUnixProcessID", "s", BUS_NAME, **driver))
        except Refused:
            return None

    def kill_helper(self, number: int = signal.SIGKILL) -> None:
        """End the helper and wait until it is gone; fine when it does not run."""
        pid = self.helper_pid()
        if pid is not None:
            self.kill(pid, number)
            self.wait_gone(pid)

    def _has_no_helper(self) -> bool:
        """End the helper, also one that the bus is still starting for somebody just killed.

        Such a one has no name yet; it took its state folder from the test after it.
        """
        self.kill_helper(signal.SIGTERM)
        starting = "[d]estutter-helper|[d]bus-daemon-launch-helper"
        return not self.ask("shell", command=f"pgrep -f '{starting}'")["out"]

    def guardian_pid(self) -> int:
        """Return the process id inside of the guardian, the helper's only child."""
        pid = self.helper_pid()
        return int(self.shell(f"cat /proc/{pid}/task/{pid}/children"))

    def kill_all(self) -> None:
        """Kill helper and guardian, neither of which has time to do anything about the other."""
        pid, guardian = self.helper_pid(), self.guardian_pid()
        if pid is not None:
            self.shell(f"kill -STOP {pid}; kill -KILL {guardian} {pid}")
            self.wait_gone(pid)
            self.wait_gone(guardian)

    def end_polkitd(self) -> None:
        """Stop polkitd; the bus starts it again when somebody calls it."""
        driver = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
        name = "org.freedesktop.PolicyKit1"
        pid = self.observer.call("GetConnectionUnixProcessID", "s", name, **driver)
        self.kill(int(pid), signal.SIGKILL)

    def restart_polkitd(self) -> None:
        """Start a new polkitd, which reads policy and rules again, and wait for its name."""
        driver = {"dest": "org.freedesktop.DBus", "iface": "org.freedesktop.DBus"}
        with suppress(Refused):
            self.end_polkitd()
        self.ask("polkitd")
        name = "org.freedesktop.PolicyKit1"
        eventually(lambda: self.observer.call("NameHasOwner", "s", name, **driver))

    def log(self, name: str) -> str:
        """Return a log: bus (with the helper's lines), polkit, init or peers."""
        path = self.logs / f"{name}.log"
        return path.read_text(errors="replace") if path.exists() else ""

    def reset(self) -> None:
        """Bring the kit back to its first state: nobody on the bus, no helper, no state."""
        for peer in self._peers:
            peer.close()
            if peer.pid:
                self.kill(peer.pid, signal.SIGKILL)
        self._peers.clear()
        self._agent = None
        eventually(self._has_no_helper, ANSWER_S)
        self.ask("shell", command="/usr/libexec/destutter/destutter-helper --undo-all --no-dbus")
        self.shell("rm -rf /var/lib/destutter /run/destutter /run/sysctl.d /run/udev/rules.d")


def eventually(condition: Callable[[], Any], timeout_s: float = 10.0) -> Any:
    """Return the first true value of `condition`, or fail after `timeout_s`."""
    deadline = time.monotonic() + timeout_s
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"did not happen within {timeout_s} s")
        time.sleep(0.02)
