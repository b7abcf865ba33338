# SPDX-License-Identifier: GPL-3.0-or-later
"""The files that install-helper puts on a computer: complete, filled in, confined, removable."""

import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from destutter_helper.__main__ import RUNS
from destutter_helper.api.tunables import SYSCTLS, TUNABLES

CHECKOUT = Path(__file__).resolve().parents[3]
INSTALLER = CHECKOUT / "packaging/system/install-helper"
SERVICES = ("helper", "boot", "resume", "recover", "confirm")
UNITS = Path("usr/lib/systemd/system")


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Install below a directory."""
    directory = tmp_path_factory.mktemp("installed")
    run_installer("install", "--destdir", directory)
    return directory


def run_installer(*arguments):
    command = [str(INSTALLER), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def names_below(directory):
    return {
        str(path.relative_to(directory))
        for path in directory.rglob("*")
        if not path.is_dir() and not re.search("/destutter_(helper|lender)/", str(path))
    }


def test_the_right_files_are_installed(installed):
    """Program, policy, activation, contract, units with their links, directories, document."""
    resume = {"suspend", "hibernate", "hybrid-sleep", "suspend-then-hibernate"}
    wants = {f"{UNITS}/{target}.target.wants/destutter-resume.service" for target in resume}
    wants |= {f"{UNITS}/multi-user.target.wants/destutter-boot.service"}
    wants |= {f"{UNITS}/timers.target.wants/destutter-confirm.timer"}
    assert names_below(installed) == wants | {
        *(f"{UNITS}/destutter-{name}.service" for name in SERVICES),
        f"{UNITS}/destutter-confirm.timer",
        "usr/libexec/destutter/destutter-helper",
        "usr/libexec/destutter/destutter-lender",
        "usr/share/dbus-1/services/io.github.destutter.Destutter.Lender1.service",
        "usr/share/polkit-1/actions/io.github.destutter.policy",
        "usr/share/dbus-1/system.d/io.github.destutter.Helper1.conf",
        "usr/share/dbus-1/system-services/io.github.destutter.Helper1.service",
        "usr/share/dbus-1/interfaces/io.github.destutter.Helper1.xml",
        "usr/lib/tmpfiles.d/destutter.conf",
        "usr/share/doc/destutter-helper/SECURITY.md",
    }


def test_links_of_units_lead_to_units(installed):
    """No link among the installed files leads nowhere."""
    links = [path for path in installed.rglob("*") if path.is_symlink()]
    assert links
    assert all(path.exists() for path in links)


def test_no_placeholder_is_left(installed):
    """Units and activation file have real paths and the whole confinement."""
    for path in [*(installed / UNITS).glob("*.*"), *(installed / "usr/share").rglob("*.service")]:
        if path.is_file():
            assert not re.search(r"@\w+@", path.read_text()), path


def test_modules_are_compiled_and_all_there(installed):
    """Every module of the helper is installed with its byte code, and nothing else."""
    code = installed / "usr/libexec/destutter/destutter_helper"
    source = CHECKOUT / "helper/destutter_helper"
    expected = {str(path.relative_to(source)) for path in source.rglob("*.py")}
    found = {str(path.relative_to(code)) for path in code.rglob("*") if path.is_file()}
    assert {name for name in found if name.endswith(".py")} == expected
    assert sum(name.endswith(".pyc") for name in found) == len(expected)
    assert "introspection.xml" in found


def test_a11_nothing_is_writable_by_others(installed):
    """No installed file or directory can be written by group or others."""
    paths = [path for path in (installed / "usr").rglob("*") if not path.is_symlink()]
    loose = [path for path in paths if path.stat().st_mode & 0o022]
    assert loose == []


def test_uninstall_leaves_no_file(tmp_path):
    """What install wrote, uninstall removes."""
    run_installer("install", "--destdir", tmp_path)
    done = run_installer("uninstall", "--destdir", tmp_path)
    assert done.returncode == 0
    assert [path for path in tmp_path.rglob("*") if not path.is_dir()] == []
    assert [*tmp_path.rglob("*.wants")] == []


def test_uninstall_leaves_what_others_want(tmp_path):
    """A directory of wanted units with another program's in it stays, with that."""
    run_installer("install", "--destdir", tmp_path)
    other = tmp_path / UNITS / "suspend.target.wants/other.service"
    other.symlink_to("../other.service")
    run_installer("uninstall", "--destdir", tmp_path)
    assert [*tmp_path.rglob("*.wants")] == [other.parent]
    assert other.is_symlink()


@pytest.mark.parametrize(
    "arguments", [(), ("instal",), ("install", "--wat"), ("install", "--destdir")]
)
def test_wrong_usage_is_said_in_one_line(arguments):
    """Exit status 2, one line, nothing done."""
    done = run_installer(*arguments)
    assert done.returncode == 2
    assert re.fullmatch(r"install-helper: .+\n", done.stderr)


@pytest.mark.parametrize("name", SERVICES)
def test_services_are_confined(installed, name):
    """systemd's own judgement of every service: 2.2 or better (0 is best, 10 unconfined)."""
    unit = installed / UNITS / f"destutter-{name}.service"
    done = subprocess.run(
        ["systemd-analyze", "security", "--no-pager", "--offline=yes", "--threshold=22", unit],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr


@pytest.mark.parametrize("name", SERVICES)
def test_services_start_with_a_mode_that_exists(installed, name):
    """Each ExecStart is the installed program with a mode of its command line, or none."""
    text = (installed / UNITS / f"destutter-{name}.service").read_text()
    (command,) = re.findall(r"^ExecStart=(.+)$", text, re.MULTILINE)
    program, *options = command.split()
    assert (installed / program.lstrip("/")).exists()
    assert set(options) <= {f"--{name}" for name in RUNS}


@pytest.mark.parametrize("name", ["boot", "confirm"])
def test_destutter_off_on_the_command_line_stops_the_boot(installed, name):
    """The units of the start do nothing when the kernel command line says destutter=off."""
    text = (installed / UNITS / f"destutter-{name}.service").read_text()
    assert "ConditionKernelCommandLine=!destutter=off\n" in text


def test_f28_units_without_their_program_do_nothing(installed):
    """When the files of the helper were deleted by hand, no unit fails at a start."""
    for name in ("boot", "resume", "recover", "confirm"):
        text = (installed / UNITS / f"destutter-{name}.service").read_text()
        assert "ConditionPathExists=/usr/libexec/destutter/destutter-helper\n" in text


def test_f19_a_helper_that_cannot_stay_up_is_followed_by_recovery(installed):
    """The service restarts a few times, then the recovery run takes over."""
    text = (installed / UNITS / "destutter-helper.service").read_text()
    for line in ("Restart=on-failure", "OnFailure=destutter-recover.service", "StartLimitBurst=5"):
        assert f"{line}\n" in text


NAMES = ["io.github.destutter.Helper1", "io.github.destutter.Helper1.Holds"]


def test_bus_policy_names_interfaces_and_no_user_but_root():
    """Only root owns the names and sends them signals; everybody may call the first one.

    On named interfaces, without descriptors, and Set is not let through.
    """
    path = CHECKOUT / "packaging/system/dbus/io.github.destutter.Helper1.conf"
    policies = list(ET.parse(path).getroot())  # noqa: S314 (a file of ours)
    assert [policy.attrib for policy in policies] == [{"context": "default"}, {"user": "root"}]
    default, root = policies
    signals = [{"send_destination": name, "send_type": "signal"} for name in NAMES]
    assert {rule.tag for rule in root} == {"allow"}
    assert [rule.attrib for rule in root] == [{"own": name} for name in NAMES] + signals
    *allowed, first, second = default
    assert [(rule.tag, rule.attrib) for rule in (first, second)] == [
        ("deny", signal) for signal in signals
    ]
    for rule in allowed:
        assert (rule.tag, rule.get("max_fds")) == ("allow", "0")
        assert rule.get("send_destination") == NAMES[0]
        assert rule.get("send_interface")
    members = {rule.get("send_member") for rule in allowed if rule.get("send_member")}
    assert members == {"Get", "GetAll"}


def test_activation_works_with_and_without_systemd(installed):
    """The bus has a program to run as root, and a unit to prefer."""
    path = "usr/share/dbus-1/system-services/io.github.destutter.Helper1.service"
    lines = (installed / path).read_text().splitlines()
    assert "Exec=/usr/libexec/destutter/destutter-helper" in lines
    assert "User=root" in lines
    assert "SystemdService=destutter-helper.service" in lines


def test_program_runs_isolated(installed):
    """The interpreter is the system's own, without site, environment and working directory."""
    first, *_rest = (installed / "usr/libexec/destutter/destutter-helper").read_text().splitlines()
    assert first == "#!/usr/bin/python3 -IS"


def test_a38_an_open_umask_opens_nothing(tmp_path):
    """Installed by somebody with umask 000: no file or directory of ours can be written by all."""
    command = f"umask 000; exec {CHECKOUT}/packaging/system/install-helper install --destdir ."
    subprocess.run(["/bin/sh", "-c", command], check=True, cwd=tmp_path, capture_output=True)
    paths = [path for path in tmp_path.rglob("*") if not path.is_symlink()]
    assert [path for path in paths if path.stat().st_mode & 0o022] == []
    assert paths


def test_a41_the_sandbox_opens_the_sysctls_of_the_registry_and_no_other():
    """/proc/sys is read-only for the units, but for exactly what the helper may write."""
    text = (CHECKOUT / "packaging/system/systemd/confine.conf").read_text()
    words = re.findall(r"^ReadWritePaths=(.*)$", text, re.MULTILINE)
    opened = {word.lstrip("-") for line in words for word in line.split()}
    registry = {one.path for one in TUNABLES if one.path.startswith(SYSCTLS)}
    assert {path for path in opened if path.startswith("/proc")} == registry
    assert re.search(r"^ReadOnlyPaths=/proc/sys$", text, re.MULTILINE)
