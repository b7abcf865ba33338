# SPDX-License-Identifier: GPL-3.0-or-later
"""The Flatpak on its stand-in runtime, installed for an ordinary user who has buses of their own.

That user is not asked for: the one behind sudo, or nobody. Everything of theirs lies in one folder
below /var/tmp and is gone at the end.
"""

import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.private_bus import CONFIGURATION, install_helper
from tests.support.scratch_tree import build as build_tree

ROOT = Path(__file__).parents[2]
ID = "io.github.destutter.Destutter"
HELPER = "io.github.destutter.Helper1"
LENDER = f"{ID}.Lender1.service"
REPO = ROOT / ".cache" / "flatpak" / "repo"
DISPLAY = ":79"
PATIENCE_S = 60.0
_NOBODY = 65534
# Root's bus, which the sandbox's user may use.
_OPEN_BUS = CONFIGURATION.replace('"default">', '"default"><allow user="*"/>')
_RELOAD = ("dbus-send", "--print-reply=literal", "--dest=org.freedesktop.DBus")
_BUS_ITSELF = ("/org/freedesktop/DBus", "org.freedesktop.DBus.ReloadConfig")
_SERVICE = "[D-BUS Service]\nName={name}\nExec={program} --root {tree} --bus unix:path={socket}\n"


@dataclass(frozen=True)
class Said:
    """What a program of the sandbox said on both outputs, and how it ended."""

    status: int
    text: str


@dataclass
class Sandbox:
    """One user with the Flatpak. ``folder`` is theirs, ``tree`` what the helper changes."""

    folder: Path
    tree: Path
    session: str
    system: str
    user: int
    services: Path
    programs: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def home(self) -> Path:
        """The user's home."""
        return self.folder / "home"

    @property
    def own(self) -> Path:
        """What the Flatpak has of it: its data, its settings."""
        return self.home / ".var" / "app" / ID

    @property
    def logs(self) -> Path:
        """The folder of frame logs in that home, with one that has only its header."""
        folder = self.home / "logs"
        if not folder.exists():
            folder.mkdir(mode=0o755)
            (folder / "game.csv").write_text("fps,frametime,elapsed\n")
            if os.geteuid() == 0:
                os.chown(folder, self.user, self.user)
        return folder

    def run(self, *words: str, options: Sequence[str] = ()) -> Said:
        """Run a command of Destutter in the sandbox, with options for ``flatpak run``."""
        return self.as_user("flatpak", "run", *options, ID, *words)

    def start(self, *words: str) -> "subprocess.Popen[bytes]":
        """The same, but go on meanwhile."""
        with (self.folder / "log").open("ab") as log:
            program = subprocess.Popen(
                ("flatpak", "run", ID, *words), stdout=log, stderr=log, **self._as_user()
            )
        self.programs.append(program)
        return program

    def as_user(self, *words: str) -> Said:
        """Run any program as that user, on their buses."""
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=PATIENCE_S,
            **self._as_user(),
        )
        return Said(done.returncode, done.stdout)

    def install_helper(self) -> None:
        """Put the helper on the system bus; its kernel is a scratch tree, and polkit says yes."""
        program = install_helper(self.tree.parent / "installed")
        socket = self.system.partition("=")[2]
        self.services.joinpath("helper.service").write_text(
            _SERVICE.format(name=HELPER, program=program, tree=self.tree, socket=socket)
        )
        environment = {"DBUS_SYSTEM_BUS_ADDRESS": self.system, "PATH": os.environ["PATH"]}
        polkit = ROOT / "packaging" / "dev" / "stand-in-polkit"
        self.programs.append(subprocess.Popen([polkit, self.system], env=environment))
        subprocess.run((*_RELOAD, f"--bus={self.system}", *_BUS_ITSELF), check=True)

    def install_lender(self) -> None:
        """Put the lender on the user's bus, at a place where users may read it."""
        installed = self.folder / "outside"
        installed.mkdir(mode=0o755)
        install_helper(installed)
        # The bus looks for homes in the list of users, where this one has none.
        services = self.folder / "run" / "dbus-1" / "services"
        text = (installed / "usr/share/dbus-1/services" / LENDER).read_text("utf-8")
        text = text.replace("Exec=/usr", f"Exec={installed}/usr")
        (services / LENDER).write_text(text, "utf-8")
        said = self.as_user(*_RELOAD, f"--bus={self.session}", *_BUS_ITSELF)
        assert said.status == 0, said.text

    @contextmanager
    def game(self) -> Iterator[int]:
        """A program of the user's outside of the sandbox, of two threads; its process id."""
        code = (
            "import threading, time\n"
            "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()\n"
            "while True:\n    sum(range(20_000)); time.sleep(0.005)\n"
        )
        command = ("/usr/bin/python3", "-c", code)
        with subprocess.Popen(command, **self._as_user()) as process:
            try:
                yield process.pid
            finally:
                process.kill()

    def _as_user(self) -> dict[str, Any]:
        environment: Mapping[str, str] = {
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(self.folder / "run"),
            "DBUS_SESSION_BUS_ADDRESS": self.session,
            "DBUS_SYSTEM_BUS_ADDRESS": self.system,
            "DISPLAY": DISPLAY,
        }
        given: dict[str, Any] = {"env": environment, "cwd": self.home}
        if os.geteuid() == 0:
            given |= {"user": self.user, "group": self.user, "extra_groups": []}
        return given


def may_mount() -> bool:
    """Whether users may use FUSE here, by which the portal shows documents."""
    try:
        return bool(os.stat("/dev/fuse").st_mode & 0o002)
    except OSError:
        return False


@contextmanager
def growing(log: Path) -> Iterator[None]:
    """Play the game that writes this log: 60 frames a second, until the end."""
    done = threading.Event()

    def play() -> None:
        began = time.monotonic_ns()
        while not done.wait(1 / 60):
            with log.open("a", encoding="utf-8") as file:
                file.write(f"60,16.6,{time.monotonic_ns() - began}\n")

    game = threading.Thread(target=play)
    game.start()
    try:
        yield
    finally:
        done.set()
        game.join()


def until(is_done: Any) -> None:
    """Wait until something holds; raises ``AssertionError`` when it does not come."""
    give_up = time.monotonic() + PATIENCE_S
    while not is_done():
        assert time.monotonic() < give_up, is_done
        time.sleep(0.1)


@contextmanager
def installed() -> Iterator[Sandbox]:
    """The Flatpak of this checkout, built if it has changed, and installed."""
    subprocess.run([ROOT / "packaging" / "flatpak" / "build", "stand-in"], check=True)
    with ExitStack() as stack:
        place = tempfile.TemporaryDirectory(dir="/var/tmp", prefix="destutter-flatpak-")
        folder = Path(stack.enter_context(place))
        sandbox = _make(folder)
        stack.callback(_end, sandbox)
        _start_buses(sandbox)
        # The user cannot read the cache of whoever builds.
        shutil.copytree(REPO, folder / "repo")
        remote = ("flatpak", "--user", "remote-add", "--no-gpg-verify", "stand-in")
        install = ("flatpak", "--user", "install", "-y", "--noninteractive", "stand-in", ID)
        for command in ((*remote, f"file://{folder}/repo"), install):
            said = sandbox.as_user(*command)
            assert said.status == 0, said.text
        yield sandbox


def _make(folder: Path) -> Sandbox:
    user = int(os.environ.get("SUDO_UID", _NOBODY)) if os.geteuid() == 0 else os.geteuid()
    folder.chmod(0o755)
    for name in ("home", "run"):
        (folder / name).mkdir(mode=0o700)
        if os.geteuid() == 0:
            os.chown(folder / name, user, user)
    services = folder / "services"
    services.mkdir()
    (folder / "helper").mkdir(mode=0o700)
    tree = build_tree(folder / "helper" / "tree")
    session, system = (f"unix:path={folder}/{name}" for name in ("run/bus", "system-bus"))
    return Sandbox(folder, tree, session, system, user, services)


def _start_buses(sandbox: Sandbox) -> None:
    socket = sandbox.system.partition("=")[2]
    configuration = sandbox.folder / "bus.conf"
    configuration.write_text(_OPEN_BUS.format(socket=socket, services=sandbox.services))
    log = (sandbox.folder / "log").open("ab")
    with log:
        start = ("dbus-daemon", "--nofork", f"--config-file={configuration}")
        sandbox.programs.append(subprocess.Popen(start, stderr=log))
        own = ("dbus-daemon", "--session", "--nofork", f"--address={sandbox.session}")
        screen = ("Xvfb", DISPLAY, "-screen", "0", "1440x900x24", "-nolisten", "tcp")
        for command in (own, screen):
            as_user = sandbox._as_user()
            sandbox.programs.append(subprocess.Popen(command, stderr=log, stdout=log, **as_user))
    paths = (socket, sandbox.session.partition("=")[2], f"/tmp/.X11-unix/X{DISPLAY[1:]}")
    until(lambda: all(Path(path).exists() for path in paths))


def _end(sandbox: Sandbox) -> None:
    for program in reversed(sandbox.programs):
        program.terminate()
    for program in sandbox.programs:
        try:
            program.wait(10)
        except subprocess.TimeoutExpired:
            program.kill()
            program.wait()
