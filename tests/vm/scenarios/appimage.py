# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage as its user meets it: no package of ours, a password, a helper, and gone again."""

import json
import time
from pathlib import Path

from tests.vm.bundle import (
    IMAGE,
    OPT,
    OURS,
    STOCK,
    SWAPPINESS,
    doctor,
    keep_for_every_start,
    refuse_a_wrong_password,
    set_up_the_helper,
    take_image_home,
    what_is_ours,
)
from tests.vm.image import PLAYER
from tests.vm.inside import say
from tests.vm.installed import call, install_helper, run, shown, until
from tests.vm.player import bring_to_front, in_session, log_in, with_password

ENTRY = Path("/home") / PLAYER / ".local/share/applications/io.github.destutter.Destutter.desktop"
WRONG = "let me in"
# The command and its sampler, some seconds after both are there: a child has its parent's name
# until its Python has begun.
NAMES = f"""
"{IMAGE}" watch --seconds 90 >/dev/null 2>&1 &
one=$!
for each in $(seq 60); do
    sleep 1
    [ "$(cat /proc/[0-9]*/comm 2>/dev/null | grep -cx destutter)" -lt 2 ] || break
done
sleep 8
cat /proc/[0-9]*/comm 2>/dev/null
kill $one
wait
"""


def scenario_one_file_is_all() -> None:
    """the user makes the file executable, and it says its version, mounted and unpacked"""
    take_image_home()
    log_in()
    bring_to_front("tty1")
    for unpacks in ("", "1"):
        began = time.monotonic()
        said = in_session(str(IMAGE), "--version", APPIMAGE_EXTRACT_AND_RUN=unpacks)
        say(f"# version after {time.monotonic() - began:.1f} s")
        assert said.text.startswith("destutter 0."), said.text
    until(lambda: not list(Path("/tmp").glob("destutter-appimage-*")))


def scenario_it_names_itself() -> None:
    """all of its processes are called as it is: the culprit of a cause was "AppRun" """
    names = in_session("sh", "-c", NAMES).text.split()
    assert names.count("destutter") >= 2, names
    assert "AppRun" not in names, names


def scenario_it_goes_into_the_menu_and_out_again() -> None:
    """the menu entry starts this file, and nothing is left of it after it was taken out"""
    assert in_session(str(IMAGE), "menu", "add").status == 0
    assert f'Exec="{IMAGE}" --record' in ENTRY.read_text()
    assert in_session(str(IMAGE), "menu", "remove").status == 0
    assert not ENTRY.exists()


def scenario_doctor_misses_the_helper() -> None:
    """without a helper doctor says where the way to it ends"""
    told = doctor()
    assert "Fails at" in told, told


def scenario_a_wrong_password_installs_nothing() -> None:
    """whoever does not know the administrator's password changes nothing"""
    refuse_a_wrong_password(WRONG)


def scenario_the_helper_is_set_up() -> None:
    """with the password the helper is there, and doctor finds every link to it"""
    set_up_the_helper()


def scenario_a_value_is_kept_for_every_start() -> None:
    """one password, and the value is in force and in the profile of the starts"""
    keep_for_every_start()


def scenario_an_update_keeps_what_is_kept() -> None:
    """the same helper over a running one with kept values: they stay"""
    said = with_password(str(IMAGE), "update-helper")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == OURS
    assert json.loads(call("GetState"))["state"] == "kept"


def scenario_the_unit_of_the_start_sets_what_is_kept() -> None:
    """the units work from where they are: the value that somebody reset is set at the start"""
    run("systemctl", "stop", "destutter-helper.service")
    run("systemctl", "restart", "destutter-boot.service")
    assert SWAPPINESS.read_text().strip() == OURS


def scenario_removal_takes_everything_back() -> None:
    """uninstall-helper: the value from before, and no file, unit or folder of ours"""
    said = with_password(str(IMAGE), "uninstall-helper")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == STOCK
    assert not OPT.exists(), sorted(OPT.rglob("*"))
    assert not what_is_ours(), what_is_ours()
    assert "destutter" not in run("systemctl", "list-unit-files", "--no-legend", "--no-pager")


def scenario_a_package_takes_over() -> None:
    """installed beside the AppImage's helper the package is in charge, and what is kept stays"""
    for words in (("install-helper",), ("apply", f"vm.swappiness={OURS}", "--keep", "always")):
        said = with_password(str(IMAGE), *words)
        assert said.status == 0, said.text
    told = doctor()
    assert "the AppImage's, in /opt/destutter" in told, told
    install_helper()
    assert not OPT.exists(), sorted(OPT.rglob("*"))
    assert shown("FragmentPath").startswith(("/usr/lib/", "/lib/"))
    assert SWAPPINESS.read_text().strip() == OURS
    state = json.loads(call("GetState"))
    assert state["state"] == "kept", state
    assert state["kept_always"], state
    told = doctor()
    assert "Fails at" not in told, told
    assert "in /usr/libexec/destutter" in told, told
    run("systemctl", "restart", "destutter-boot.service")
    run("dpkg", "--remove", "destutter-helper")
    assert SWAPPINESS.read_text().strip() == STOCK
    run("dpkg", "--purge", "destutter-helper")
    assert not what_is_ours(), what_is_ours()


def scenario_a_package_is_left_in_charge() -> None:
    """where a package has the helper, the AppImage uses that one and installs none"""
    install_helper()
    said = with_password(str(IMAGE), "install-helper")
    assert said.status == 1, said.text
    assert "a package of this system has the helper already" in said.text, said.text
    assert not OPT.exists()
    said = with_password(str(IMAGE), "uninstall-helper")
    assert said.status == 1, said.text
    assert not OPT.exists()
    told = doctor()
    assert "Fails at" not in told, told
