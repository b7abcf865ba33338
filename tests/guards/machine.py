# SPDX-License-Identifier: GPL-3.0-or-later
"""At the end of a session the computer is as it was: settings, loop devices and mounts."""

import glob
import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.guards import RED

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

SETTINGS = (
    "/proc/sys/vm/*",
    "/proc/sys/kernel/split_lock_mitigate",
    "/proc/sys/kernel/sched_rt_runtime_us",
    "/proc/sys/kernel/numa_balancing",
    "/sys/kernel/mm/transparent_hugepage/*",
    "/sys/kernel/mm/transparent_hugepage/khugepaged/*",
    "/sys/kernel/mm/lru_gen/*",
    "/sys/block/*/queue/*",
    "/sys/block/*/queue/iosched/*",
    "/sys/block/zram*/disksize",
    "/sys/class/nvme/*/power/pm_qos_latency_tolerance_us",
    "/sys/class/scsi_host/*/link_power_management_policy",
    "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
    "/sys/devices/system/cpu/cpu*/cpufreq/energy_performance_preference",
)
COUNTERS = frozenset({"pages_collapsed", "full_scans", "stat_refresh", "io_timeout"})
"""Files beside the settings that count, or act when they are read."""

SETTLE_S = 3.0
"""How long a loop device or a lazy mount may take to go."""


def _files() -> Iterator[str]:
    idle = tuple(f"{device}/" for device in _idle_devices())
    for pattern in SETTINGS:
        for path in glob.glob(pattern):
            if path.startswith(idle):
                continue
            if os.path.basename(path) not in COUNTERS and os.access(path, os.R_OK):
                yield path


def _idle_devices() -> Iterator[str]:
    """Yield loop devices without a file: what is left in their queues concerns nobody."""
    for device in glob.glob("/sys/block/loop*"):
        if not os.path.exists(f"{device}/loop/backing_file"):
            yield device


def _text(path: str) -> str | None:
    try:
        return Path(path).read_text(errors="replace").strip()
    except OSError:
        return None


def _settings() -> dict[str, str]:
    # Root may read anything by access(2), also files without any read bit: these only act.
    readable = (path for path in _files() if os.stat(path).st_mode & 0o444)
    return {path: text for path in readable if (text := _text(path)) is not None}


def _loop_devices() -> dict[str, str]:
    pattern = "/sys/block/loop*/loop/backing_file"
    return {path: text for path in glob.glob(pattern) if (text := _text(path))}


def _mounts() -> dict[str, str]:
    lines = (_text("/proc/self/mountinfo") or "").splitlines()
    return {f"mount {line.split()[4]} #{line.split()[0]}": "mounted" for line in lines}


def _softirq_policies() -> dict[str, str]:
    found = {}
    for path in glob.glob("/proc/[0-9]*/comm"):
        if (_text(path) or "").startswith("ksoftirqd/"):
            pid = int(path.split("/")[2])
            policy, priority = os.sched_getscheduler(pid), os.sched_getparam(pid).sched_priority
            found[f"scheduling of {_text(path)}"] = f"{policy}:{priority}"
    return found


def _dma_latency() -> dict[str, str]:
    try:
        return {"/dev/cpu_dma_latency": Path("/dev/cpu_dma_latency").read_bytes().hex()}
    except OSError:
        return {}


def snapshot() -> dict[str, str]:
    """Return every setting, loop device and mount that a test could have changed."""
    return {
        **_settings(),
        **_loop_devices(),
        **_mounts(),
        **_softirq_policies(),
        **_dma_latency(),
    }


def differences(before: dict[str, str], now: dict[str, str], place: Path) -> list[str]:
    """Return one line for each entry that a test may have made come, go or change."""
    return [
        f"{key}: was {before.get(key, 'absent')}, is {now.get(key, 'absent')}"
        for key in sorted(before.keys() | now.keys())
        if before.get(key) != now.get(key) and is_ours(key, before.get(key), now.get(key), place)
    ]


GROUP = "kernel"
"""The group of pytest-xdist whose tests change the computer; it stands behind their names."""


def is_ours(key: str, before: str | None, now: str | None, place: Path) -> bool:
    """Whether a test may have made this difference; ``place`` is where all tests put their files.

    A setting that was there may have been changed by one. Whoever mounts a stick or attaches a
    loop device meanwhile, or runs tests of his own, makes entries come and go: of these only what
    lies below ``place`` is ours.
    """
    if key.startswith("mount ") or key.endswith("/backing_file"):
        return any(f"{place}/" in (text or "") for text in (key, before, now))
    return before is not None and now is not None


LOCK = "\0destutter: tests that change kernel settings"
"""An abstract socket: seen from every chroot, and gone with the process that holds it."""


def claim_computer(
    say: Callable[[str], None], sleep: Callable[[float], None] = time.sleep
) -> socket.socket:
    """Wait until no other session changes kernel settings; the claim lasts until it is closed.

    Two sessions at once would take each other's values for those of the computer.
    """
    claim = socket.socket(socket.AF_UNIX)
    has_said = False
    while True:
        try:
            claim.bind(LOCK)
        except OSError:
            if not has_said:
                say("waiting: another test session is changing this computer's kernel settings")
                has_said = True
            sleep(0.5)
        else:
            return claim


class MachineGuard:
    """Compares the computer before and after the session.

    A difference is a failure when this session runs tests that change the computer, or when a
    machine runs it; otherwise somebody else may have been at work, and it is only reported. With
    workers this stands in the process that starts them.
    """

    def __init__(self, *, is_ci: bool) -> None:
        self._must_hold = is_ci
        self._claim: socket.socket | None = None
        self._before: dict[str, str] = {}
        self._place = Path()
        self._differences: list[str] = []

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """One process: look at the computer before the first test."""
        is_changing = any(item.get_closest_marker("kernel") for item in session.items)
        self._begin(session.config, is_changing and not session.config.option.collectonly)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(
        self, node: "WorkerController", ids: Sequence[str]
    ) -> None:
        """With workers: the first of them knows all tests, and none has begun yet."""
        if not self._before:
            self._begin(node.config, any(each.endswith(f"@{GROUP}") for each in ids))

    def _begin(self, config: pytest.Config, is_changing: bool) -> None:
        """Have the computer for this session if it changes it; then remember the computer."""
        if is_changing:
            self._must_hold = True
            self._claim = claim_computer(config.get_terminal_writer().line)
        # This session's folder, above those of its workers: pytest tells it to fixtures alone.
        self._place = config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
        self._before = snapshot()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Compare; what is on its way out may take a moment."""
        if not self._before:  # nothing was even collected
            return
        give_up = time.monotonic() + SETTLE_S
        while (
            found := differences(self._before, snapshot(), self._place)
        ) and time.monotonic() < give_up:
            time.sleep(0.1)
        self._differences = found
        if found and self._must_hold:
            session.exitstatus = RED
        if self._claim is not None:
            self._claim.close()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Name each difference."""
        word = "FAILED" if self._must_hold else "note"
        for line in self._differences:
            terminalreporter.write_line(f"{word}: this computer is not as it was: {line}")
