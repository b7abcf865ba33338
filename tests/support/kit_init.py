# SPDX-License-Identifier: GPL-3.0-or-later
"""First process of the bus kit's namespaces: mounts, users, sessions, bus, polkitd, children.

Started by `bus_kit.BusKit` under `unshare`; everything it mounts, writes and starts disappears
with it. It is steered by JSON messages over one socket, which also carry the descriptors of the
processes that it starts. Standard library only: it runs under the system's own interpreter.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

# alice may do everything, bob nothing, carol is the administrator; the others get the defaults.
USERS = {"alice": 61001, "bob": 61002, "carol": 61003, "dave": 61004, "erin": 61005}
USERS |= {"frank": 61006, "grace": 61007}
SEAT = "seat0"
OVERLAID = ("/usr", "/etc", "/var/lib")
LEAVING_S = 5.0

RULES = """
polkit.addAdminRule(function(action, subject) { return ["unix-user:carol"]; });
polkit.addRule(function(action, subject) {
    if (action.id.indexOf("io.github.destutter.") !== 0) { return polkit.Result.NOT_HANDLED; }
    if (subject.user == "alice") { return polkit.Result.YES; }
    if (subject.user == "bob") { return polkit.Result.NO; }
    return polkit.Result.NOT_HANDLED;
});
"""


def mount(*arguments: str) -> None:
    """Run mount(8)."""
    subprocess.run(["/usr/bin/mount", *arguments], check=True)


def overlay_the_host() -> None:
    """Make /run empty, and writes below OVERLAID go to memory instead of the host's disk."""
    mount("-t", "tmpfs", "-o", "mode=755", "tmpfs", "/run")
    for target in OVERLAID:
        base = Path("/run/kit-overlay") / target.strip("/").replace("/", "-")
        upper, work = base / "upper", base / "work"
        upper.mkdir(parents=True)
        work.mkdir()
        options = f"lowerdir={target},upperdir={upper},workdir={work}"
        mount("-t", "overlay", "overlay", "-o", options, target)
    for directory in ("dbus", "systemd/seats", "systemd/sessions", "systemd/users", "kit"):
        Path("/run", directory).mkdir(parents=True, mode=0o755)


def add_users() -> None:
    """Append the kit's users to the overlaid account files."""
    with Path("/etc/passwd").open("a") as passwd, Path("/etc/group").open("a") as group:
        for name, uid in USERS.items():
            passwd.write(f"{name}:x:{uid}:{uid}::/nonexistent:/bin/sh\n")
            group.write(f"{name}:x:{uid}:\n")


def add_rules() -> None:
    """Write the polkit rules of the kit's users."""
    path = Path("/etc/polkit-1/rules.d/00-kit.rules")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(RULES)
    path.chmod(0o644)


def add_setuid_program() -> None:
    """Put a setuid-root program there: a setpriv that any user may run with uid 0."""
    target = Path("/usr/bin/kit-setuid")
    shutil.copyfile("/usr/bin/setpriv", target)
    target.chmod(0o4755)


def daemon_path(service: str) -> str:
    """Return the program that the bus would start for a service."""
    text = Path("/usr/share/dbus-1/system-services", f"{service}.service").read_text()
    found = re.search(r"^Exec=(\S+)", text, re.MULTILINE)
    if found is None:
        raise SystemExit(f"{service}.service names no program")
    return found.group(1)


class Init:
    """The command loop and the processes of the kit."""

    def __init__(self, control: socket.socket, log_directory: Path) -> None:
        """Answer on `control`; let daemons write their logs into `log_directory`."""
        self._control = control
        self._logs = log_directory
        self._statuses: dict[int, int] = {}
        self._children: list[subprocess.Popen[bytes]] = []

    def start_bus(self) -> None:
        """Start the system bus with the distribution's own configuration."""
        with (self._logs / "bus.log").open("ab") as log:
            daemon = subprocess.Popen(
                ["dbus-daemon", "--system", "--nofork", "--nopidfile", "--print-address"],
                stdout=subprocess.PIPE,
                stderr=log,
                stdin=subprocess.DEVNULL,
                cwd=self._logs,
            )
        self._children.append(daemon)
        if daemon.stdout is None or not daemon.stdout.readline():
            raise SystemExit("dbus-daemon did not start; see bus.log")

    def start_polkitd(self) -> int:
        """Start polkitd with one debug line per check; return its process id."""
        with (self._logs / "polkit.log").open("ab") as log:
            daemon = subprocess.Popen(
                [daemon_path("org.freedesktop.PolicyKit1")],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env={"G_MESSAGES_DEBUG": "all", "PATH": "/usr/bin:/bin"},
            )
        self._children.append(daemon)
        return daemon.pid

    def run_shell(self, command: str) -> dict[str, Any]:
        """Run a command as root inside and return its output."""
        done = subprocess.run(
            ["/bin/sh", "-c", command], capture_output=True, text=True, check=False
        )
        return {"rc": done.returncode, "out": done.stdout, "err": done.stderr}

    def spawn(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        """Start a process with a user, a cgroup and three descriptors."""

        def become() -> None:
            if request.get("cgroup"):
                Path(request["cgroup"], "cgroup.procs").write_text("0")
            uid = int(request["uid"])
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)

        if request.get("cgroup"):
            Path(request["cgroup"]).mkdir(parents=True, exist_ok=True)
        child = subprocess.Popen(
            request["argv"],
            stdin=descriptors[0],
            stdout=descriptors[1],
            stderr=descriptors[2],
            env=request.get("env", {"PATH": "/usr/bin:/bin"}),
            cwd=request.get("cwd", "/"),
            preexec_fn=become,  # noqa: PLW1509 (this process has one thread)
        )
        self._children.append(child)
        for descriptor in descriptors:
            os.close(descriptor)
        return {"pid": child.pid}

    def kill(self, pid: int, number: int) -> dict[str, Any]:
        """Send a signal; a process that is gone already is fine."""
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return {"gone": True}
        return {"gone": False}

    def wait_gone(self, pid: int, timeout_s: float) -> dict[str, Any]:
        """Wait until a process (a child or an orphan that init inherited) has ended."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            self._reap()
            if not Path(f"/proc/{pid}").exists():
                return {"gone": True, "status": self._statuses.get(pid)}
            time.sleep(0.002)
        return {"gone": False}

    def _reap(self) -> None:
        """Collect every ended process, adopted orphans too."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            self._statuses[pid] = os.waitstatus_to_exitcode(status)

    def handle(self, request: dict[str, Any], descriptors: list[int]) -> dict[str, Any]:
        """Do one request."""
        self._reap()
        operation = request["op"]
        if operation == "spawn":
            return self.spawn(request, descriptors)
        if operation == "kill":
            return self.kill(int(request["pid"]), int(request["signal"]))
        if operation == "wait":
            return self.wait_gone(int(request["pid"]), float(request["timeout_s"]))
        if operation == "shell":
            return self.run_shell(str(request["command"]))
        if operation == "write":
            path = Path(request["path"])
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(request["text"])
            return {}
        if operation == "polkitd":
            return {"pid": self.start_polkitd()}
        raise ValueError(operation)

    def clean_up(self) -> None:
        """Let everybody leave: the helper reverts a trial, and what was kept is taken back.

        It is done here because this process outlives a test session that is killed.
        """
        with suppress(ProcessLookupError):
            os.kill(-1, signal.SIGTERM)
        deadline = time.monotonic() + LEAVING_S
        while time.monotonic() < deadline:
            self._reap()
            if len([name for name in os.listdir("/proc") if name.isdecimal()]) == 1:
                break
            time.sleep(0.01)
        self.run_shell("/usr/libexec/destutter/destutter-helper --undo-all --no-dbus")

    def serve(self) -> None:
        """Answer requests until the other side closes."""
        while True:
            data, descriptors, _flags, _address = socket.recv_fds(self._control, 1 << 20, 8)
            if not data:
                return
            try:
                answer = self.handle(json.loads(data), descriptors)
            except (OSError, ValueError, KeyError) as error:
                answer = {"failed": f"{type(error).__name__}: {error}"}
            self._control.send(json.dumps(answer).encode())


def main() -> None:
    """Build the world, then serve: CONTROL_FD CHECKOUT LOG_DIRECTORY."""
    control = socket.socket(fileno=int(sys.argv[1]))
    checkout, logs = Path(sys.argv[2]), Path(sys.argv[3])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.umask(0o022)
    overlay_the_host()
    add_users()
    add_rules()
    add_setuid_program()
    for script in ("kit_client.py", "kit_agent.py"):
        shutil.copyfile(checkout / "tests/support" / script, Path("/run/kit", script))
    subprocess.run(
        [str(checkout / "packaging/system/install-helper"), "install"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    init = Init(control, logs)
    init.start_bus()
    init.start_polkitd()
    control.send(json.dumps({"ready": True}).encode())
    init.serve()
    init.clean_up()


if __name__ == "__main__":
    main()
