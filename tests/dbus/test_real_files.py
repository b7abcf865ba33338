# SPDX-License-Identifier: GPL-3.0-or-later
"""Attacks on the helper's files: links in its way, code that others can write, stray modules."""

import sys

import pytest

from tests.support.bus_kit import Refused

INSTALLED = "/usr/libexec/destutter"
CODE = f"{INSTALLED}/destutter_helper"


@pytest.mark.parametrize("place", ["/var/lib/destutter", "/run/destutter"])
def test_a10_links_in_the_way_are_not_followed(kit, place):
    """State directories that are links into alice's reach: no start, nothing touched."""
    kit.shell(f"mkdir -p /run/kit/hers; chown 61001 /run/kit/hers; ln -s /run/kit/hers {place}")
    try:
        with pytest.raises(Refused, match=r"DBus\.Error\.Spawn"):
            kit.client("alice").call("GetState")
        assert kit.shell("ls -A /run/kit/hers") == ""
    finally:
        kit.shell(f"rm {place}; rm -r /run/kit/hers")


@pytest.mark.parametrize(
    "change",
    [
        f"chmod g+w {CODE}/gate.py",
        f"chown alice {CODE}/service.py",
        f"chmod o+w {CODE}",
        f"chown alice {INSTALLED}",
        f"chown alice {CODE}/__pycache__/gate.*.pyc",
        f"chmod o+w {CODE}/__pycache__",
        f"mv {CODE} /run/kit/code; chown -R alice /run/kit/code; ln -s /run/kit/code {CODE}",
    ],
)
def test_a11_code_that_others_can_write_does_not_start(kit, change):
    """One module, one directory or one link that is not root's alone stops the helper."""
    kit.shell(f"cp -a {INSTALLED} /run/kit/good; {change}")
    try:
        with pytest.raises(Refused, match=r"DBus\.Error\.Spawn"):
            kit.client("alice").call("GetState")
        found = kit.log("bus").rstrip().splitlines()
        assert any(
            "does not belong to root" in line or "written by others" in line for line in found
        )
    finally:
        kit.shell(f"rm -rf {INSTALLED} /run/kit/code; mv /run/kit/good {INSTALLED}")


def test_a11_everything_installed_is_roots(kit):
    """Files of the helper and the directories above them: owned by root, writable by root only."""
    places = "/usr/libexec/destutter /usr/share/polkit-1/actions /usr/share/dbus-1/system.d "
    places += "/usr/share/dbus-1/system-services /usr/lib/systemd/system /usr/lib/tmpfiles.d"
    bad = kit.shell(f"find {places} -name '*destutter*' \\( ! -uid 0 -o -perm /022 ! -type l \\)")
    assert bad == ""
    assert kit.shell("find /usr/libexec/destutter ! -uid 0 -o -perm /022 ! -type l") == ""


def test_a12_modules_lying_around_are_not_imported(kit):
    """Modules in the bus daemon's working directory and below /usr/local are not even opened."""
    alice = kit.client("alice")
    evil = "open('/run/kit/evil', 'a').write(__file__)"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    local = f"/usr/local/lib/python{version}/dist-packages"
    kit.shell(f"mkdir -p {local}")
    try:
        for name in ("dbus", "json", "gi", "destutter_helper", "sitecustomize"):
            (kit.logs / f"{name}.py").write_text(evil)
            kit.shell(f'echo "{evil}" > {local}/{name}.py')
        kit.shell(f'echo "import os; {evil}" > {local}/evil.pth')
        alice.call("GetState")
        assert kit.shell("cat /run/kit/evil 2>/dev/null || true") == ""
    finally:
        kit.shell(f"rm -rf {local} {kit.logs}/*.py /run/kit/evil")


def test_a37_the_check_comes_before_the_first_import(kit):
    """A compiled module of alice's would run as root while it is loaded: it is not loaded."""
    kit.shell(f"cp -a {INSTALLED} /run/kit/good")
    evil = "open('/run/kit/evil', 'a').write(__file__)\n"
    source = f"{CODE}/api/names.py"
    kit.shell(f'cat {source} > /run/kit/names.py; echo "{evil}" >> {source}; chown alice {source}')
    try:
        with pytest.raises(Refused, match=r"DBus\.Error\.Spawn"):
            kit.client("alice").call("GetState")
        assert kit.shell("cat /run/kit/evil 2>/dev/null || true") == ""
        assert "does not belong to root" in kit.log("bus")
    finally:
        kit.shell(f"rm -rf {INSTALLED}; mv /run/kit/good {INSTALLED}")
