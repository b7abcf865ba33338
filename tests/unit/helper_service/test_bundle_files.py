# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper at the places that the AppImage uses: complete, removable, never half."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from destutter_helper.api import lending

CHECKOUT = Path(__file__).resolve().parents[3]
INSTALLER = CHECKOUT / "packaging/system/install-helper"
CODE = Path("opt/destutter/libexec/destutter")
BUS = Path("etc/dbus-1/system.d/io.github.destutter.Helper1.conf")


def install(folder, verb="install", installer=INSTALLER, *, check=True, env=None):
    """Run it for a scratch tree."""
    command = [installer, verb, "--bundle", "--destdir", folder]
    return subprocess.run(command, capture_output=True, timeout=60, check=check, env=env)


def content(folder):
    """Every file and link below it, and what it says."""
    return {
        str(path.relative_to(folder)): path.readlink() if path.is_symlink() else path.read_bytes()
        for path in folder.rglob("*")
        if (path.is_symlink() or path.is_file()) and path.suffix != ".pyc"
    }


def test_nothing_lies_where_an_update_of_the_system_would_remove_it(tmp_path):
    """Code in /opt, the rest in /etc; the bus is told of the place, and all names fit."""
    install(tmp_path)
    found = set(content(tmp_path))
    places = {name.split("/")[0] for name in found if "polkit-1/actions" not in name}
    assert places == {"opt", "etc"}
    (folder,) = re.findall(r"<servicedir>/(.+)</servicedir>", (tmp_path / BUS).read_text())
    activation = tmp_path / folder / "io.github.destutter.Helper1.service"
    assert f"Exec=/{CODE}/destutter-helper\n" in activation.read_text()
    for path in (tmp_path / "etc/systemd").rglob("*.service"):
        assert not re.search(r"@\w+@", path.read_text()), path


def test_users_buses_are_told_where_the_lender_is(tmp_path):
    """A Flatpak calls it over the user's bus, which reads no folder of /opt by itself."""
    install(tmp_path)
    (policy,) = (tmp_path / "etc/dbus-1/session.d").iterdir()
    (folder,) = re.findall(r"<servicedir>/(.+)</servicedir>", policy.read_text())
    (activation,) = (tmp_path / folder).iterdir()
    assert f"Name={lending.BUS_NAME}\n" in activation.read_text()
    assert f"Exec=/{CODE}/destutter-lender\n" in activation.read_text()
    assert (tmp_path / CODE / "destutter-lender").stat().st_mode & 0o777 == 0o755


def test_removal_leaves_no_file(tmp_path):
    """Nor folders of our own; those of the system stay."""
    (tmp_path / "etc/atomic-update.conf.d").mkdir(parents=True)
    install(tmp_path)
    install(tmp_path, "uninstall")
    assert content(tmp_path) == {}
    assert not (tmp_path / "opt/destutter").exists()


def test_steamos_keeps_it_through_its_updates(tmp_path):
    """Of /etc only what such a list names is left after one: all of ours is named."""
    lists = tmp_path / "etc/atomic-update.conf.d"
    lists.mkdir(parents=True)
    install(tmp_path)
    kept = (lists / "destutter.conf").read_text().split("\n")
    patterns = [line for line in kept if line.startswith("/")]
    for name in content(tmp_path):
        path = Path("/", name)
        if name.startswith("etc/") and path.parent.name != "atomic-update.conf.d":
            assert any(path.match(pattern) for pattern in patterns), name


@pytest.fixture(scope="module")
def older(tmp_path_factory):
    """The installer of a version before, with another helper and another bus policy."""
    checkout = tmp_path_factory.mktemp("older")
    for name in ("helper/destutter_helper", "packaging/system", "resources/dbus", "polkit"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(CHECKOUT / name, checkout / name, ignore=ignored)
    (checkout / "SECURITY.md").write_text("older")
    (checkout / "helper/destutter_helper/gone.py").write_text("OLDER = True\n")
    bus = checkout / "packaging/system/dbus/io.github.destutter.Helper1.conf"
    bus.write_text(bus.read_text().replace("<busconfig>", "<busconfig>\n  <!-- older -->"))
    return checkout / "packaging/system/install-helper"


# By its calls, and which of them are tried: the first ones stage the code, the last ones write
# what lies around it.
_STOPS = {"mv": (1, 20, 27, 28, 29, 36, 45), "rm": (1, 29, 40), "ln": (1, 4), "find": (1, 2)}


@pytest.mark.long
@pytest.mark.parametrize("program", _STOPS)
def test_interrupted_update_is_old_or_new_and_the_next_one_completes_it(tmp_path, older, program):
    """Killed at a call of one of its programs: the code as a whole, and each file, is of one."""
    old, new = tmp_path / "old", tmp_path / "new"
    install(old, installer=older)
    install(new)
    stop = _stopper(tmp_path, program)
    counted, tree = tmp_path / "count", tmp_path / "tree"
    for turn in _STOPS[program]:
        shutil.copytree(old, tree, symlinks=True)
        counted.write_text("")
        environment = {"PATH": f"{stop}:/usr/bin:/bin", "COUNT": str(counted), "TURN": str(turn)}
        done = install(tree, env=environment, check=False)
        assert done.returncode != 0, "it was not interrupted"
        _check_old_or_new(tree, old, new)
        install(tree)
        assert content(tree) == content(new)
        shutil.rmtree(tree)


def _stopper(folder, program):
    """A folder with one program that kills its caller instead of working, at the TURNth call."""
    stop = folder / "stop"
    stop.mkdir()
    (stop / program).write_text(
        "#!/bin/sh\n"
        'echo >> "$COUNT"; [ "$(wc -l < "$COUNT")" -ne "$TURN" ] || kill -9 $PPID\n'
        f'exec /usr/bin/{program} "$@"\n'
    )
    (stop / program).chmod(0o755)
    return stop


def _check_old_or_new(tree, old, new):
    now, before, after = content(tree), content(old), content(new)
    code = {name: text for name, text in now.items() if name.startswith(f"{CODE}/")}
    assert code in (
        {name: text for name, text in before.items() if name.startswith(f"{CODE}/")},
        {name: text for name, text in after.items() if name.startswith(f"{CODE}/")},
    )
    for name, text in now.items():
        if name.startswith(f"{CODE}/") or name not in before | after:
            continue  # what is staged beside its place is read by nobody
        assert text in (before.get(name), after.get(name)), name
    assert set(before) & set(after) - {name for name in before if "libexec" in name} <= set(now)
