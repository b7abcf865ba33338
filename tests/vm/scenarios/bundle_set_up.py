# SPDX-License-Identifier: GPL-3.0-or-later
"""The AppImage on a system without any package of ours: first start, until a value is kept."""

import os
import time
from pathlib import Path

from tests.vm.bundle import (
    IMAGE,
    OURS,
    STOCK,
    SWAPPINESS,
    doctor,
    keep_for_every_start,
    layout,
    refuse_a_wrong_password,
    set_up_the_helper,
    take_image_home,
    what_is_ours,
)
from tests.vm.inside import say
from tests.vm.installed import run
from tests.vm.player import bring_to_front, log_in, see_a_trial_end, with_password

TRIAL_S = 20
TRIAL = ("apply", f"vm.swappiness={OURS}", "--trial", str(TRIAL_S))


def scenario_the_system_is_what_it_is_called() -> None:
    """polkit and the bus are those of this system, and what it keeps read-only is so"""
    say(f"# {run('pkaction', '--version').strip()}, {run('systemctl', '--version').split()[1]}")
    say(
        f"# bus: {run('systemctl', 'show', '--value', '--property', 'Id', 'dbus.service').strip()}"
    )
    words = layout()
    is_closed = "image-based" in words or "steamos" in words
    assert os.access("/usr/share/polkit-1/actions", os.W_OK) is not is_closed
    assert os.access("/", os.W_OK) is not is_closed
    assert os.access("/etc", os.W_OK)
    assert Path("/opt").is_symlink() is ("image-based" in words)
    assert ("broker" in words) is not Path("/usr/bin/dbus-send").exists()


def scenario_the_file_runs_and_finds_no_helper() -> None:
    """the user makes the file executable; doctor measures, and says where the way to it ends"""
    log_in()
    bring_to_front("tty1")
    take_image_home()
    began = time.monotonic()
    assert "Fails at" in doctor()
    say(f"# doctor after {time.monotonic() - began:.0f} s")
    assert not what_is_ours(), what_is_ours()


def scenario_a_wrong_password_installs_nothing() -> None:
    """whoever does not know the administrator's password changes nothing"""
    refuse_a_wrong_password("let me in")


def scenario_the_helper_is_set_up() -> None:
    """with the password the helper is there, and doctor finds every link to it"""
    told = set_up_the_helper()
    say(*[f"# {line.strip()}" for line in told.splitlines() if "the helper's answer" in line][:1])


def scenario_a_trial_ends_by_itself() -> None:
    """one password, the value is in the kernel, and at the end of the trial the old one"""
    see_a_trial_end(lambda: with_password(str(IMAGE), *TRIAL), SWAPPINESS, (STOCK, OURS))


def scenario_a_value_is_kept_for_every_start() -> None:
    """one password, and the value is in force and in the profile of the starts"""
    keep_for_every_start()


def scenario_what_an_update_leaves_is_named() -> None:
    """SteamOS has a list of what is ours in /etc; elsewhere there is none"""
    kept = Path("/etc/atomic-update.conf.d/destutter.conf")
    assert kept.exists() is ("steamos" in layout())
