# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scenarios about the installed helper do in the guest: call it, and ask systemd."""

import json
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import dbus

from tests.vm.inside import say

NAME = "io.github.destutter.Helper1"
OBJECT = "/io/github/destutter/Helper1"
UNIT = "destutter-helper.service"
INSTALLER = "packaging/system/install-helper"
CALL_S = 300.0
REMOVED_FROM = ("/etc", "/usr", "/var", "/run")


def call(member: str, *values: Any) -> Any:
    """Call a method of the helper: its text, or its values when there are several."""
    reply = dbus.SystemBus().call_blocking(
        NAME, OBJECT, NAME, member, None, values, timeout=CALL_S
    )
    return reply if isinstance(reply, tuple | list) else str(reply)


def begin(
    wanted: Sequence[tuple[str, str, str]], seconds: int = 60, *, may_ask: bool = False
) -> tuple[str, Any]:
    """Put settings (id, device, value) on trial; the number and the descriptor to hold.

    polkit opens a dialog for a password only when it ``may_ask``.
    """
    entries = [{"id": name, "device": device, "value": value} for name, device, value in wanted]
    text = json.dumps({"changes": entries})
    txid, hold = call("BeginTrial", text, dbus.Int32(seconds), dbus.Boolean(may_ask))
    return str(txid), hold


def shown(key: str, unit: str = UNIT) -> str:
    """What `systemctl show` says of a unit."""
    return run("systemctl", "show", "--value", "--property", key, unit).strip()


def check_success(unit: str) -> None:
    """Fail with the unit's log unless its last run went well."""
    if shown("Result", unit) != "success":
        raise AssertionError(run("journalctl", "-b", "--no-pager", "-o", "cat", "-u", unit))


def run(*command: str) -> str:
    """Run a program that must succeed; its output."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def until(
    condition: Callable[[], object], timeout_s: float = 60.0, *, every_s: float = 0.1
) -> None:
    """Wait until something is true, looking every so often."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(every_s)


def install_helper(folder: str = "packages") -> None:
    """Install the helper's package from a folder of the job."""
    run("dpkg", "-i", *(str(path) for path in Path(folder).glob("destutter-helper_*.deb")))


def files_of_ours() -> list[str]:
    """Files and folders of the packages that are there, apart from this job."""
    wanted = ("-name", "*destutter*", "-not", "-path", "/var/lib/guest-job/*")
    command = ["find", *REMOVED_FROM, *wanted]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()


def scheduler_of(file: Path) -> str:
    """The I/O scheduler that a queue/scheduler file says is in use."""
    return file.read_text().partition("[")[2].partition("]")[0]


def ask_host(command: Mapping[str, Any]) -> None:
    """Have QEMU do something to this computer; it is under way on return."""
    say(f"# host: {json.dumps(command)}")


def plug_nvme_in() -> None:
    """The NVMe drive comes, or comes back."""
    arguments = {"driver": "nvme", "id": "hotnvme", "bus": "bay", "drive": "nvme"}
    ask_host({"execute": "device_add", "arguments": arguments | {"serial": "GUEST-NVME"}})
