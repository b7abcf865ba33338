# SPDX-License-Identifier: GPL-3.0-or-later
"""The installer on a running system, in a mount namespace where everything it touches is empty.

systemctl and pkaction are stand-ins: the first one writes down what it was told.
"""

import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[3]
EMPTY = (
    *("/opt", "/run", "/etc/systemd/system", "/etc/dbus-1", "/etc/polkit-1"),
    *("/etc/tmpfiles.d", "/usr/share/polkit-1/actions", "/usr/libexec", "/var/lib"),
)
PACKAGE = "/usr/libexec/destutter/destutter-helper"
POLICY = "/usr/share/polkit-1/actions/io.github.destutter.policy"
INSTALL = "$installer install --bundle"
UNINSTALL = "$installer uninstall --bundle"
PACKAGE_COMES = f"mkdir -p {PACKAGE.rpartition('/')[0]}; touch {PACKAGE}; echo its >{POLICY}"
BUS_FILES = (
    "/etc/dbus-1/system.d/io.github.destutter.Helper1.conf",
    "/opt/destutter/share/dbus-1/system-services/io.github.destutter.Helper1.service",
)
WHAT_THE_BUS_HAS = (
    f'[ "$1" != daemon-reload ] || echo bus has $(ls {" ".join(BUS_FILES)} 2>/dev/null | wc -l)'
)
LIST = "find /opt /etc/systemd/system /etc/dbus-1 /etc/polkit-1 -type f -o -type l"


@pytest.fixture
def here(tmp_path):
    """Runs lines of shell in such a namespace, with polkit of a version; what was said."""

    def run(*lines, polkit="122", has_dbus_send=True):
        for name, text in (
            ("pkaction", f"echo pkaction version {polkit}"),
            ("systemctl", f'echo "$*" >>{tmp_path}/told\n{WHAT_THE_BUS_HAS} >>{tmp_path}/told'),
            ("dbus-send", f"echo dbus-send >>{tmp_path}/told; exit 1"),
        ):
            program = tmp_path / name
            program.write_text(f"#!/bin/sh\n{text}\n")
            program.chmod(0o755)
        script = [f"mount -t tmpfs none {folder}" for folder in EMPTY if Path(folder).is_dir()]
        script += ["mkdir -p /run/systemd/system /run/dbus", "touch /run/dbus/system_bus_socket"]
        if not has_dbus_send:
            (tmp_path / "dbus-send").unlink()
            script.append(
                "! [ -e /usr/bin/dbus-send ] || mount --bind /dev/null /usr/bin/dbus-send"
            )
        script += [
            f"PATH={tmp_path}:$PATH",
            f"installer={CHECKOUT}/packaging/system/install-helper",
        ]
        done = subprocess.run(
            ["unshare", "--mount", "sh", "-c", "\n".join([*script, *lines])],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        file = tmp_path / "told"
        return done.stdout + done.stderr, file.read_text().splitlines() if file.exists() else []

    return run


def test_new_polkit_is_told_of_its_folder(here):
    """126 watches /etc/polkit-1/actions only when it was there at its start."""
    _said, told = here(INSTALL, polkit="126")
    assert "try-reload-or-restart polkit.service" in told
    assert (
        "try-reload-or-restart polkit.service" not in here(INSTALL, polkit="125")[1][len(told) :]
    )


def test_bus_is_told_without_dbus_send(here):
    """Fedora and Arch have dbus-broker, which looks at its folders only when told."""
    _said, told = here(INSTALL, has_dbus_send=False)
    assert "reload dbus.service" in told


def test_systemd_knows_the_unit_before_the_bus_hears_of_it(here):
    """A window that waits for a helper asks at once: "Unit destutter-helper.service not found"."""
    _said, told = here(INSTALL)
    assert [each for each in told if each.startswith("bus ")] == ["bus has 0", "bus has 2"]


def test_running_helper_of_before_ends(here):
    """Or it would answer on with its old code; at the first set-up there is none, and a start
    that a window has asked for already would be cancelled."""
    _said, told = here(INSTALL, INSTALL)
    assert told.count("stop destutter-helper.service") == 1


def test_package_beside_it_takes_over(here):
    """The package has it removed, apart from what is the package's by then."""
    said, told = here(INSTALL, PACKAGE_COMES, "/opt/destutter/install-helper give-way", LIST)
    assert "/usr/libexec/destutter goes on" in said
    assert said.splitlines()[2:] == []
    assert told[-1] == "stop destutter-helper.service"


def test_removal_beside_a_package_leaves_that_alone(here):
    """uninstall-helper takes the AppImage's away: the policy, journal and changes stay."""
    journal = "mkdir -p /var/lib/destutter; touch /var/lib/destutter/journal.json"
    said, _told = here(
        INSTALL, PACKAGE_COMES, journal, UNINSTALL, LIST, f"cat {POLICY}", "ls /var/lib/destutter"
    )
    assert said.splitlines()[2:] == ["its", "journal.json"]


def test_package_alone_is_left_alone(here):
    """Nothing of an AppImage's is there, so there is nothing to remove."""
    said, told = here(PACKAGE_COMES, UNINSTALL)
    assert "update or remove" in said or "'make uninstall-helper' first" in said
    assert told == []


def test_checkout_does_not_install_beside_a_bundle(here):
    """systemd would go on to start the one in /opt."""
    said, _told = here(INSTALL, "$installer install", "ls /usr/libexec")
    assert "'destutter uninstall-helper' first" in said
    assert said.splitlines()[2:] == []


def test_it_can_be_removed_when_the_image_is_gone(here):
    """Its own installer lies beside it."""
    undo = "printf '#!/bin/sh\\n' >/opt/destutter/libexec/destutter/destutter-helper"
    said, _told = here(INSTALL, undo, "/opt/destutter/install-helper uninstall --bundle", LIST)
    assert said.splitlines()[1:] == ["install-helper: removed from /"]
