# SPDX-License-Identifier: GPL-3.0-or-later
"""What the scenarios about the AppImage do in the guest: fetch it, set up helpers of any age."""

import hashlib
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.vm.image import PLAYER
from tests.vm.inside import say
from tests.vm.installed import call, files_of_ours, run
from tests.vm.player import in_session, with_password

SWAPPINESS = Path("/proc/sys/vm/swappiness")
STOCK, OURS = "60", "10"
IMAGE = Path("/home") / PLAYER / "Games and tools" / "Destutter.AppImage"
OPT = Path("/opt/destutter")
FUSERMOUNT, FUSE = Path("/usr/bin/fusermount3"), Path("/dev/fuse")
CODE = ("helper", "packaging/system", "polkit", "resources/dbus", "SECURITY.md")
NAMES = "helper/destutter_helper/api/names.py"


def layout() -> list[str]:
    """The words that say of which kind this system is; none for plain Debian."""
    first = Path("layout").read_text().splitlines()[0] if Path("layout").exists() else 'words=""'
    return first.removeprefix("words=").strip('"').split()


def take_image_home() -> None:
    """The user has downloaded the AppImage, and made it executable."""
    (source,) = Path("packages").glob("*.AppImage")
    IMAGE.parent.mkdir()
    shutil.copy(source, IMAGE)
    IMAGE.chmod(0o755)


def refuse_a_wrong_password(password: str) -> None:
    """Whoever does not know the administrator's password installs nothing."""
    said = with_password(str(IMAGE), "install-helper", password=password)
    assert said.status == 1, said.text
    assert not OPT.exists()
    assert not what_is_ours(), what_is_ours()


def set_up_the_helper() -> str:
    """Set it up by password; what the doctor says then."""
    began = time.monotonic()
    said = with_password(str(IMAGE), "install-helper")
    assert said.status == 0, said.text
    assert "SHA-256 of the archive" in said.text
    say(f"# set up in {time.monotonic() - began:.0f} s")
    told = doctor()
    assert "Fails at" not in told, told
    return told


def keep_for_every_start() -> None:
    """One password, and our value is in force and in the profile of the starts."""
    said = with_password(str(IMAGE), "apply", f"vm.swappiness={OURS}", "--keep", "always")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == OURS
    assert json.loads(call("GetState"))["kept_always"]


def doctor() -> str:
    """What the AppImage's doctor says, as the user."""
    return in_session(str(IMAGE), "doctor").text


def what_is_ours() -> list[str]:
    """What is there of ours; polkit's and systemd's own records of it do not count."""
    return [name for name in files_of_ours() if not name.startswith("/var/lib/systemd")]


def set_up_version(version: str) -> None:
    """Set up this checkout's helper under another version, as its AppImage would have."""
    with tempfile.TemporaryDirectory() as folder:
        for name in CODE:
            source, target = Path(name), Path(folder, name)
            if source.is_dir():
                shutil.copytree(source, target)
            else:
                shutil.copy(source, target)
        names = Path(folder, NAMES)
        text = names.read_text()
        line = next(each for each in text.splitlines() if each.startswith("HELPER_VERSION"))
        names.write_text(text.replace(line, f'HELPER_VERSION = "{version}"'))
        file = Path(folder, "helper.tar")
        run("sh", f"{folder}/packaging/system/pack-helper", str(file))
        archive = file.read_bytes()
    page = Path("packaging/system/from-bundle").read_text()
    command = ["sh", "-c", page, "sh", "install", hashlib.sha256(archive).hexdigest()]
    done = subprocess.run(command, input=archive, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def without_fuse() -> Iterator[None]:
    """Nobody can mount: neither the program nor the device is there for users."""
    mode = FUSE.stat().st_mode & 0o777
    away = FUSERMOUNT.with_name("away")
    FUSERMOUNT.rename(away)
    FUSE.chmod(0o600)
    try:
        yield
    finally:
        FUSE.chmod(mode)
        away.rename(FUSERMOUNT)


@contextmanager
def without_python() -> Iterator[None]:
    """The system's Python is gone, but for what runs already."""
    found = [*Path("/usr/bin").glob("python3*"), *Path("/usr/lib").glob("python3*")]
    for path in found:
        path.rename(path.with_name(f"away-{path.name}"))
    try:
        yield
    finally:
        for path in found:
            path.with_name(f"away-{path.name}").rename(path)
