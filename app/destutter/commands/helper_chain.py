# SPDX-License-Identifier: GPL-3.0-or-later
"""The way from this program to the root helper, step by step: the first failing one is named."""

import contextlib
import os
import shutil
import socket
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from destutter.core.bus_caller import SYSTEM_BUS, socket_path
from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.statement import Statement
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
_INSTALL = "'make install-helper' or the package destutter-helper puts it there"
_PROGRAMS = (
    "usr/libexec/destutter/destutter-helper",
    "usr/local/libexec/destutter/destutter-helper",
)
_OWN_DIRECTORIES = ("var/lib/destutter", "run/destutter")
_BUS_TIMEOUT_S = 2.0

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

    name: str
    is_fine: bool
    detail: str


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
        _file("how the bus starts the helper", activation, _ACTIVATION),
        _program(root, activation),
        *(_own_directory(root, name) for name in _OWN_DIRECTORIES),
        _file("who may speak on the bus", _find(root, _POLICY), _POLICY),
        _file("what may be asked of polkit", _find(root, _ACTIONS), _ACTIONS),
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
        return ChainLink(what, is_fine=False, detail=f"{name} is not installed; {_INSTALL}")
    return ChainLink(what, is_fine=True, detail=str(found))


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
    name = "the helper's program"
    if activation is None:
        return ChainLink(name, is_fine=False, detail="unknown, because the bus does not know it")
    try:
        command = _named_in(activation)
    except OSError as error:
        return ChainLink(name, is_fine=False, detail=f"{activation}: {error.strerror}")
    if not command:
        return ChainLink(name, is_fine=False, detail=f"{activation} names no program")
    program = root / command.lstrip("/")
    try:
        info = program.stat()
    except OSError as error:
        return ChainLink(name, is_fine=False, detail=f"{program}: {error.strerror}")
    if info.st_mode & (stat.S_IWGRP | stat.S_IWOTH) or not _is_owned_by_root(info):
        return ChainLink(
            name, is_fine=False, detail=f"{program} can be changed by others than root"
        )
    return ChainLink(name, is_fine=True, detail=f"{program}{_beside(root, program)}")


def _beside(root: Path, program: Path) -> str:
    """What there is to say of a second helper, which is not the one that runs."""
    others = [root / name for name in _PROGRAMS if (root / name).is_file()]
    if not program.is_relative_to(root / "opt/destutter") or not others:
        return ""
    return (
        f", the AppImage's, runs; {others[0]} is installed beside it and does not. 'destutter "
        "uninstall-helper' of the AppImage leaves that one in charge"
    )


def _own_directory(root: Path, name: str) -> ChainLink:
    """One that the helper refuses to start with, when others could have put something into it."""
    path, step = root / name, f"the helper's own directory /{name}"
    try:
        info = path.lstat()
    except FileNotFoundError:
        return ChainLink(step, is_fine=True, detail="not there yet; the helper makes it")
    except OSError as error:
        return ChainLink(step, is_fine=False, detail=f"{error.strerror}")
    wrong = ""
    if stat.S_ISLNK(info.st_mode):
        wrong = "is a link, which the helper does not follow"
    elif not stat.S_ISDIR(info.st_mode):
        wrong = "is no directory"
    elif not _is_owned_by_root(info):
        wrong = f"belongs to the user {info.st_uid}, not to root"
    elif info.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        wrong = f"can be written to by others than root (mode {stat.S_IMODE(info.st_mode):04o})"
    return ChainLink(step, is_fine=not wrong, detail=f"it {wrong}" if wrong else "root's alone")


def _is_owned_by_root(info: os.stat_result) -> bool:
    return info.st_uid == 0


def _bus(address: str) -> ChainLink:
    name = "the system bus"
    path = socket_path(address)
    if not path:
        return ChainLink(name, is_fine=False, detail=f"{address} is no address that can be tried")
    shown = path.replace("\0", "@")  # as /proc/net/unix writes an abstract name
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(_BUS_TIMEOUT_S)
            connection.connect(path)
    except OSError as error:
        return ChainLink(
            name, is_fine=False, detail=f"{shown} does not answer: {error.strerror or error}"
        )
    return ChainLink(name, is_fine=True, detail=shown)


def _polkit(root: Path) -> ChainLink:
    name = "polkit, which decides who may change settings"
    found = _find(root, _POLKIT)
    if found is None:
        return ChainLink(name, is_fine=False, detail="not installed; the package polkitd has it")
    return ChainLink(name, is_fine=True, detail=str(found))


def _agent() -> ChainLink:
    """Whether anybody can ask for a password: the desktop, or polkit in a terminal."""
    name = "somebody who asks for the password"
    agent = _running_agent(KernelFiles())
    if agent is not None:
        return ChainLink(name, is_fine=True, detail=agent)
    text_agent = shutil.which("pkttyagent")
    if text_agent is not None:
        return ChainLink(name, is_fine=True, detail=f"{text_agent}, in a terminal")
    if os.geteuid() == 0:
        return ChainLink(name, is_fine=True, detail="not needed by the administrator")
    detail = "no agent of the desktop runs, and pkttyagent is not installed"
    return ChainLink(name, is_fine=False, detail=detail)


def _running_agent(files: KernelFiles) -> str | None:
    for pid in list_pids(files):
        try:
            process = read_process_stat(files, pid)
        except KernelFileError:
            continue
        if process is not None and process.name.startswith(_AGENTS):
            return process.name
    return None
