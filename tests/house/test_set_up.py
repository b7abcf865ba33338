# SPDX-License-Identifier: GPL-3.0-or-later
"""Set-up on computers that we do not have: stand-ins for each distribution's package manager.

The stand-ins keep a list of installed names, and write down how they were called. The real thing
on a real fresh Debian is tests/fresh/run.
"""

import os
import pty
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.house.source_tree import ROOT

TOOLS = (
    *("bash", "cat", "cut", "dirname", "env", "flock", "grep", "head", "mkdir", "printf"),
    *("python3", "readlink", "sed", "sh", "sha256sum", "sort", "tail", "true"),
)

STAND_INS = {
    "sudo": 'echo "SUDO $*"; exec "$@"',
    "id": 'echo "${FAKE_UID:-1000}"',
    "dpkg-query": 'grep -qx -- "$4" "$STATE/installed" && printf installed',
    "apt-cache": 'grep -qx -- "$2" "$STATE/known" && echo "Candidate: 1.0"; true',
    "apt-get": """echo "apt-get $*" >> "$STATE/calls"
case "$*" in *update) exit ;; esac
for name; do case $name in -*|install) ;; *) echo "$name" >> "$STATE/installed" ;; esac; done""",
    "rpm": 'for name; do :; done; grep -qx -- "$name" "$STATE/installed"',
    "dnf": """echo "dnf $*" >> "$STATE/calls"
case "$*" in *repoquery*) grep -x -- "$4" "$STATE/known"; exit ;; esac
for name; do case $name in -*|install) ;; *) echo "$name" >> "$STATE/installed" ;; esac; done""",
    "pacman": """case "$1" in
-T) grep -qx -- "$2" "$STATE/installed" || { echo "$2"; exit 127; } ;;
-Sp) grep -x -- "$2" "$STATE/known" ;;
-Sy) echo "pacman $*" >> "$STATE/calls" ;;
*) echo "pacman $*" >> "$STATE/calls"
   for name; do case $name in -*) ;; *) echo "$name" >> "$STATE/installed" ;; esac; done ;;
esac""",
}

FAMILIES = {
    "Debian": ("apt-get", "dpkg-query", "apt-cache"),
    "Fedora": ("dnf", "rpm"),
    "Arch": ("pacman",),
}
EXPECTED = {
    "Debian": {"python3-dbus", "python3-gi", "dbus", "polkitd"},
    "Fedora": {"python3-dbus", "python3-gobject-base", "dbus", "polkit"},
    "Arch": {"python-dbus", "python-gobject", "dbus", "polkit"},
}


@dataclass
class Computer:
    """A scratch checkout and a PATH with nothing but the tools given."""

    home: Path

    def __post_init__(self) -> None:
        folder = self.home / "checkout" / "packaging" / "setup"
        folder.mkdir(parents=True)
        for name in ("set-up", "system-packages.conf"):
            shutil.copy(ROOT / "packaging" / "setup" / name, folder)
        freezer = self.home / "checkout" / "packaging" / "frozen"
        freezer.mkdir()
        shutil.copy(ROOT / "packaging" / "frozen" / "requirements.txt", freezer)
        shutil.copy(ROOT / "pyproject.toml", self.home / "checkout")
        self.tools = self.home / "bin"
        self.tools.mkdir()
        for name in TOOLS:
            where = shutil.which(name, path="/usr/bin:/bin")
            assert where, name
            (self.tools / name).symlink_to(where)
        for name in ("installed", "known", "calls"):
            (self.home / name).write_text("")
        (self.home / "os-release").write_text('ID=test\nPRETTY_NAME="Test Linux 1"\n')

    def add(self, *names: str) -> None:
        """Put stand-ins on the PATH."""
        for name in names:
            tool = self.tools / name
            tool.write_text(f"#!{self.tools}/bash\n{STAND_INS[name]}\n")
            tool.chmod(0o755)

    def has(self, *packages: str) -> None:
        """Let packages be installed from the start."""
        (self.home / "installed").write_text("\n".join(packages) + "\n")

    def set_up(self, *words: str, stdin: int = subprocess.DEVNULL, **environ: str):
        """Call the script; output is in the order in which a person sees it."""
        environ.setdefault("CI", "")
        return subprocess.run(
            [self.home / "checkout/packaging/setup/set-up", *words],
            env={
                "PATH": str(self.tools),
                "STATE": str(self.home),
                "DESTUTTER_OS_RELEASE": str(self.home / "os-release"),
                **environ,
            },
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=60,
        )

    @property
    def calls(self) -> str:
        """What the stand-ins wrote down."""
        return (self.home / "calls").read_text()


@pytest.fixture
def computer(tmp_path):
    """A computer with a user who has sudo, and no package manager yet."""
    made = Computer(tmp_path)
    made.add("sudo", "id")
    return made


@pytest.mark.parametrize("family", FAMILIES)
def test_each_family_installs_by_its_own_names(computer, family):
    """Debian, Fedora and Arch get their own package names by their own package manager."""
    computer.add(*FAMILIES[family])
    done = computer.set_up("helper")
    assert done.returncode == 0, done.stdout
    installed = set((computer.home / "installed").read_text().split())
    assert installed >= EXPECTED[family], done.stdout


@pytest.mark.parametrize("family", FAMILIES)
def test_reasons_come_before_rights(computer, family):
    """Every missing package is named with its reason before sudo is called."""
    computer.add(*FAMILIES[family])
    text = computer.set_up("helper").stdout
    before, _, after = text.partition("SUDO")
    assert after
    assert "Test Linux 1" in before
    assert "asks you before a setting is changed: polkit" in before
    assert all(name in before for name in EXPECTED[family])


@pytest.mark.parametrize("family", FAMILIES)
def test_second_call_does_nothing(computer, family):
    """Once set up, another call says nothing and calls no package manager."""
    computer.add(*FAMILIES[family])
    computer.set_up("helper")
    calls = computer.calls
    done = computer.set_up("helper")
    assert (done.returncode, done.stdout, computer.calls) == (0, "", calls)


def test_what_is_installed_is_not_named(computer):
    """Only what is missing is asked for; of two names for one thing either will do."""
    computer.add(*FAMILIES["Fedora"])
    computer.has("python3", "python3-dbus", "python3-gobject", "dbus-broker")
    done = computer.set_up("helper")
    assert "1 more package" in done.stdout
    assert "install polkit" in computer.calls
    assert "dbus" not in computer.calls


def test_first_known_name_is_chosen(computer):
    """Where a package has two names, the one that this distribution knows is installed."""
    computer.add(*FAMILIES["Debian"])
    (computer.home / "known").write_text("policykit-1\ndbus\n")
    computer.set_up("helper")
    assert "policykit-1" in computer.calls
    assert "polkitd" not in computer.calls


def test_root_needs_no_sudo(computer):
    """As root the package manager is called directly."""
    computer.add(*FAMILIES["Debian"])
    done = computer.set_up("helper", FAKE_UID="0")
    assert done.returncode == 0, done.stdout
    assert "SUDO" not in done.stdout


def test_without_sudo_root_gets_the_command(computer):
    """Without sudo nothing is installed, and one line says what root should run."""
    computer.add(*FAMILIES["Fedora"])
    (computer.tools / "sudo").unlink()
    done = computer.set_up("helper")
    assert done.returncode == 1
    last = done.stdout.splitlines()[-1]
    assert last.startswith(
        "destutter: there is no sudo; as root, run: dnf install python3 python3-dbus"
    )


@pytest.mark.parametrize(("answer", "code"), [("n\n", 1), ("y\n", 0), ("\n", 0)])
def test_person_at_the_terminal_is_asked(computer, answer, code):
    """At a terminal nothing is installed against a no."""
    computer.add(*FAMILIES["Debian"])
    ours, theirs = pty.openpty()
    try:
        os.write(ours, answer.encode())
        done = computer.set_up("helper", stdin=theirs)
    finally:
        os.close(ours)
        os.close(theirs)
    assert done.returncode == code, done.stdout
    assert ("SUDO" in done.stdout) == (code == 0)


def test_old_python_is_named(computer):
    """Python below 3.11 gives one line with both versions, and nothing is installed."""
    computer.add(*FAMILIES["Debian"])
    old = computer.home / "python3.9"
    old.write_text(f"#!{computer.tools}/bash\necho 3.9\n")
    old.chmod(0o755)
    done = computer.set_up("helper", DESTUTTER_PYTHON=str(old))
    assert done.returncode == 1
    (line,) = done.stdout.splitlines()
    assert "3.11 or newer is needed" in line
    assert "is 3.9" in line
    assert computer.calls == ""


def test_bare_system_gets_its_python(computer):
    """Where there is no Python yet, it is installed with the rest, and named before with why."""
    python = computer.home / "python3"
    computer.add(*FAMILIES["Debian"])
    with (computer.tools / "apt-get").open("a") as stand_in:
        stand_in.write(
            f'[[ $* != *" python3 "* ]] || {shutil.which("ln")} -s "{sys.executable}" "{python}"\n'
        )
    done = computer.set_up("helper", DESTUTTER_PYTHON=str(python))
    assert done.returncode == 0, done.stdout
    assert "runs the helper: python3\n" in done.stdout.partition("SUDO")[0]
    calls = computer.calls
    assert computer.set_up("helper", DESTUTTER_PYTHON=str(python)).stdout == ""
    assert computer.calls == calls


def test_python_that_did_not_come_is_named(computer):
    """A package manager that says yes and brings no Python does not lead into a strange error."""
    computer.add(*FAMILIES["Debian"])
    done = computer.set_up("helper", DESTUTTER_PYTHON="/nowhere/python3")
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].endswith("/nowhere/python3, and there is none.")


def test_missing_python_is_named(computer):
    """Without a package manager that we know, no Python at all gives one line, too."""
    done = computer.set_up("run", DESTUTTER_PYTHON="/nowhere/python3")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "destutter: Python 3.11 or newer is needed as /nowhere/python3, and there is none."
    ]


def test_unknown_package_manager_is_told_what_is_needed(computer):
    """On a distribution that we do not know, the needs are listed for the user to install."""
    bare = computer.home / "python3"
    bare.write_text(
        f"#!{computer.tools}/bash\n"
        f'[[ "$2" = *ensurepip* ]] && exit 1\nexec {sys.executable} "$@"\n'
    )
    bare.chmod(0o755)
    done = computer.set_up("helper", DESTUTTER_PYTHON=str(bare))
    assert done.returncode == 1, done.stdout
    assert "not known here" in done.stdout
    assert "polkit" in done.stdout


def test_failed_installation_is_one_clear_line(computer):
    """A package manager that fails ends the set-up, with the command to see why."""
    computer.add(*FAMILIES["Debian"])
    (computer.tools / "apt-get").write_text(
        f'#!{computer.tools}/bash\ncase "$*" in *update) exit 0 ;; esac\nexit 100\n'
    )
    done = computer.set_up("helper")
    assert done.returncode == 1
    last = done.stdout.splitlines()[-1]
    assert last.startswith("destutter: the packages could not be installed. To see why, run: sudo")


@pytest.mark.parametrize("words", [(), ("--help",), ("everything",), ("test", "bench")])
def test_wrong_word_is_refused(computer, words):
    """An unknown level or option, or two levels, give one line and a non-zero exit."""
    done = computer.set_up(*words)
    assert done.returncode != 0
    assert len(done.stdout.splitlines()) == 1
