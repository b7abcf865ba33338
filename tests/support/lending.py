# SPDX-License-Identifier: GPL-3.0-or-later
"""The installed lender on a session bus of the test's own, and a sandbox like Flatpak's."""

import os
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.support.private_bus import CONFIGURATION

CHECKOUT = Path(__file__).resolve().parents[2]
ENDS_S = 20.0
SERVICE = "io.github.destutter.Destutter.Lender1.service"


@contextmanager
def lending_bus(installed: Path, folder: Path) -> Iterator[str]:
    """A session bus that starts the lender of ``installed`` when it is called; its address."""
    (folder / "services").mkdir()
    text = (installed / "usr/share/dbus-1/services" / SERVICE).read_text("utf-8")
    place = f"{installed}/usr/libexec/"
    (folder / "services" / SERVICE).write_text(text.replace("/usr/libexec/", place), "utf-8")
    configuration = folder / "bus.conf"
    configuration.write_text(
        CONFIGURATION.format(socket=folder / "bus", services=folder / "services"), "utf-8"
    )
    (folder / "run").mkdir(mode=0o700)
    daemon = subprocess.Popen(
        ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--print-address"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "XDG_RUNTIME_DIR": str(folder / "run")},
    )
    assert daemon.stdout is not None
    assert daemon.stdout.readline()
    try:
        yield f"unix:path={folder}/bus"
    finally:
        lenders = _children(daemon.pid)
        daemon.terminate()
        daemon.wait()
        daemon.stdout.close()
        for pid in lenders:
            _wait_for_end(pid)


def _children(pid: int) -> list[int]:
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii")
    return [int(word) for word in text.split()]


def _wait_for_end(pid: int) -> None:
    """A lender ends with its bus; on a busy machine not at once."""
    give_up = time.monotonic() + ENDS_S
    with suppress(OSError):
        while ") Z " not in Path(f"/proc/{pid}/stat").read_text("ascii"):
            assert time.monotonic() < give_up, "the lender stays without a bus"
            time.sleep(0.01)


def sandboxed(command: Sequence[str], address: str, home: Path) -> list[str]:
    """The command in a sandbox as `flatpak run` makes it: own /proc, no groups, no /sys/kernel.

    With the mark by which a Flatpak is known, the bus and nothing else of what is outside.
    """
    hidden = [f"--tmpfs={path}" for path in ("/sys/fs/cgroup", "/sys/kernel", "/sys/module")]
    outside = [
        *("/usr", "/bin", "/lib", "/lib64", "/sbin", "/etc", "/root", "/opt", "/home", "/sys"),
        str(CHECKOUT),
        str(Path(address.partition("=")[2]).parent),
    ]
    folders = [word for path in outside for word in ("--ro-bind-try", path, path)]
    return [
        *("bwrap", "--unshare-user", "--unshare-pid", "--unshare-ipc", "--die-with-parent"),
        *(word for word in ("--tmpfs", "/", *folders)),
        *(word for each in hidden for word in each.split("=")),
        *("--proc", "/proc", "--dev", "/dev", "--bind", str(home), str(home)),
        *("--ro-bind", os.devnull, "/.flatpak-info"),
        *("--setenv", "DBUS_SESSION_BUS_ADDRESS", address, "--setenv", "HOME", str(home)),
        *("--chdir", "/", "--", *command),
    ]
