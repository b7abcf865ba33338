# SPDX-License-Identifier: GPL-3.0-or-later
"""The way from this program to the root helper, step by step: the first failing one is named."""

import contextlib
import os
import shutil
import socket
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from destutter.core.bus_caller import SYSTEM_BUS, socket_path
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.statement import Statement, Value, told
from destutter.core.system_error import system_reason
from destutter.sampling.files.process_files import list_pids, read_process_stat
from destutter_helper.api.names import BUS_NAME

DOCTOR_SHOWS = Statement("command.doctor_shows")

FROM_OUTSIDE = Statement("command.helper_outside")
"""How the helper gets there, in a Flatpak: nothing leads out of the sandbox."""

_SHARED = ("usr/share", "usr/local/share", "etc", "opt/destutter/share")
_ACTIVATION = f"dbus-1/system-services/{BUS_NAME}.service"
_POLICY = f"dbus-1/system.d/{BUS_NAME}.conf"
_ACTIONS = "polkit-1/actions/io.github.destutter.policy"
_POLKIT = "dbus-1/system-services/org.freedesktop.PolicyKit1.service"
_PROGRAMS = (
    "usr/libexec/destutter/destutter-helper",
    "usr/local/libexec/destutter/destutter-helper",
)
_OWN_DIRECTORIES = ("var/lib/destutter", "run/destutter")
_BUS_TIMEOUT_S = 2.0  # a bus that hangs is an answer, too; the steps behind it want to be told

# Names of processes (15 letters of them) that ask for passwords on behalf of polkit.
_AGENTS = (
    "polkit-gnome-au",
    "polkit-kde-auth",
    "polkit-mate-aut",
    "lxpolkit",
    "lxqt-policykit-",
    "xfce-polkit",
    "gnome-shell",
    "cinnamon",
    "hyprpolkitagent",
    "budgie-polkit-d",
    "cosmic-osd",
    "phosh",
)


@dataclass(frozen=True, slots=True)
class ChainLink:
    """One link of the chain. ``detail`` says what was found, or what is wrong."""

    name: Statement
    is_fine: bool
    detail: Statement


def find_activation(root: Path = Path("/")) -> Path | None:
    """The file by which the bus starts the helper, if it is installed.

    Beside a package the AppImage's helper is the one that runs: its units are in /etc, and what is
    there has precedence (systemd.unit(5)).
    """
    bundled = root / "opt/destutter/share" / _ACTIVATION
    return bundled if bundled.is_file() else _find(root, _ACTIVATION)


def static_steps(root: Path = Path("/"), bus_address: str = SYSTEM_BUS) -> list[ChainLink]:
    """Everything that can be seen without speaking to the helper, in the order of a call."""
    activation = find_activation(root)
    return [
        _bus(bus_address),
        _file("activation", activation, _ACTIVATION),
        _program(root, activation),
        *(_own_directory(root, name) for name in _OWN_DIRECTORIES),
        _file("policy", _find(root, _POLICY), _POLICY),
        _file("actions", _find(root, _ACTIONS), _ACTIONS),
        _polkit(root),
        _agent(),
    ]


def sandboxed_steps(bus_address: str) -> list[ChainLink]:
    """What can be seen of the way from within a Flatpak: where it goes on, only the helper tells.

    The files of the helper, polkit and the desktop's agent are outside; the bus that is seen here
    is Flatpak's, which lets our messages through to the helper and to nobody else.
    """
    return [_bus(bus_address)]


def first_failing(steps: Iterable[ChainLink]) -> ChainLink | None:
    """The step at which a call to the helper ends."""
    return next((step for step in steps if not step.is_fine), None)


def _find(root: Path, name: str) -> Path | None:
    return next((path for base in _SHARED if (path := root / base / name).is_file()), None)


def _file(what: str, found: Path | None, name: str) -> ChainLink:
    if found is None:
        return _failing(what, "file", {"file": name})
    return _fine(what, told(str(found)))


def _fine(step: str, detail: Statement) -> ChainLink:
    return ChainLink(Statement(f"doctor.step.{step}"), is_fine=True, detail=detail)


def _failing(step: str, why: str, values: Mapping[str, Value] | None = None) -> ChainLink:
    detail = Statement(f"doctor.wrong.{why}", values or {})
    return ChainLink(Statement(f"doctor.step.{step}"), is_fine=False, detail=detail)


def helper_program(root: Path = Path("/")) -> str:
    """The program that the bus starts, as an administrator calls it; empty when it is unknown."""
    activation = find_activation(root)
    with contextlib.suppress(OSError):
        return _named_in(activation) if activation is not None else ""
    return ""


def _named_in(activation: Path) -> str:
    lines = activation.read_text(encoding="utf-8", errors="replace").splitlines()
    command = next((line[5:].split() for line in lines if line.startswith("Exec=")), [])
    return command[0] if command else ""


def _program(root: Path, activation: Path | None) -> ChainLink:
    step = "program"
    if activation is None:
        return _failing(step, "unknown_program")
    try:
        command = _named_in(activation)
    except OSError as error:
        return _failing(step, "unreadable", _of_file(activation, error))
    if not command:
        return _failing(step, "no_program", {"path": str(activation)})
    program = root / command.lstrip("/")
    try:
        info = program.stat()
    except OSError as error:
        return _failing(step, "unreadable", _of_file(program, error))
    if info.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or not _is_owned_by_root(info):
        return _failing(step, "open_program", {"path": str(program)})
    return _fine(step, _running(root, program))


def _of_file(path: Path, error: OSError) -> Mapping[str, Value]:
    return {"path": str(path), "reason": system_reason(error)}


def _running(root: Path, program: Path) -> Statement:
    """The helper that runs, and what there is to say of a second one, which does not."""
    others = [root / name for name in _PROGRAMS if (root / name).is_file()]
    if not program.is_relative_to(root / "opt/destutter") or not others:
        return told(str(program))
    return Statement("doctor.two_helpers", {"path": str(program), "other": str(others[0])})


def _own_directory(root: Path, name: str) -> ChainLink:
    """One that the helper refuses to start with, when others could have put something into it."""
    what = Statement("doctor.step.directory", {"path": f"/{name}"})
    try:
        info = (root / name).lstat()
    except FileNotFoundError:
        return ChainLink(what, is_fine=True, detail=Statement("doctor.directory.absent"))
    except OSError as error:
        return ChainLink(what, is_fine=False, detail=system_reason(error))
    wrong = None
    if stat.S_ISLNK(info.st_mode):
        wrong = Statement("doctor.directory.link")
    elif not stat.S_ISDIR(info.st_mode):
        wrong = Statement("doctor.directory.none")
    elif not _is_owned_by_root(info):
        wrong = Statement("doctor.directory.owner", {"user": str(info.st_uid)})
    elif info.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        mode = f"{stat.S_IMODE(info.st_mode):04o}"
        wrong = Statement("doctor.directory.open", {"mode": mode})
    return ChainLink(what, wrong is None, wrong or Statement("doctor.directory.fine"))


def _is_owned_by_root(info: os.stat_result) -> bool:
    return info.st_uid == 0


def _bus(address: str) -> ChainLink:
    path = socket_path(address)
    if not path:
        return _failing("bus", "address", {"address": address})
    shown = path.replace("\0", "@")  # as /proc/net/unix writes an abstract name
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(_BUS_TIMEOUT_S)
            connection.connect(path)
    except OSError as error:
        return _failing("bus", "bus", {"path": shown, "reason": system_reason(error)})
    return _fine("bus", told(shown))


def _polkit(root: Path) -> ChainLink:
    found = _find(root, _POLKIT)
    return _failing("polkit", "polkit") if found is None else _fine("polkit", told(str(found)))


def _agent() -> ChainLink:
    """Whether anybody can ask for a password: the desktop, or polkit in a terminal."""
    agent = _running_agent(KernelFiles())
    if agent is not None:
        return _fine("agent", told(agent))
    text_agent = shutil.which("pkttyagent")
    if text_agent is not None:
        return _fine("agent", Statement("doctor.agent.terminal", {"program": text_agent}))
    if os.geteuid() == 0:
        return _fine("agent", Statement("doctor.agent.not_needed"))
    return _failing("agent", "no_agent")


def _running_agent(files: KernelFiles) -> str | None:
    for pid in list_pids(files):
        try:
            process = read_process_stat(files, pid)
        except KernelFileError:
            continue
        if process is not None and process.name.startswith(_AGENTS):
            return process.name
    return None
