# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages as their user meets them: installed, started from the menu, with a password."""

import os
import shlex
import shutil
import subprocess
import time
from pathlib import Path

import dbus

from tests.vm.image import PLAYER
from tests.vm.inside import say
from tests.vm.installed import UNIT, begin, call, check_success, files_of_ours, run, shown, until
from tests.vm.packages import NEWER
from tests.vm.player import (
    ASKED,
    bring_to_front,
    in_session,
    log_in,
    session_property,
    sessions,
    with_password,
    without_agent,
)
from tests.vm.screen import (
    PICTURE,
    PID,
    SAID,
    click,
    colours,
    open_window,
    title,
    wait_for_another_picture,
    wait_for_another_title,
    wait_for_the_window,
)

SWAPPINESS = Path("/proc/sys/vm/swappiness")
STOCK, OURS = "60", "10"
CHANGE = f"vm.swappiness={OURS}"
SCORE_MAX = 25
PAGE_COLUMN, PAGE_ROWS = 100, (121, 205)
"""Where the names of the pages Causes and Sessions are."""
WRONG = "let me in"


def scenario_both_packages_install() -> None:
    """dpkg installs both packages without a question; the program says its version"""
    began = time.monotonic()
    packages = sorted(str(path) for path in Path("packages").glob("*.deb"))
    run("dpkg", "-i", *packages)
    say(f"# installed in {time.monotonic() - began:.0f} s")
    assert run("destutter", "--version").startswith("destutter 0.")
    assert run("dpkg", "--audit") == ""


def scenario_the_user_sits_at_the_computer() -> None:
    """logind knows the user's session at this seat, and somebody else's; the user's is in front"""
    log_in()
    bring_to_front("tty1")
    number = sessions()["tty1"]
    assert session_property(number, "Seat") == "seat0"
    assert session_property(number, "Remote") == "no"


def scenario_doctor_finds_the_helper() -> None:
    """doctor finds every link between the program and the helper"""
    said = in_session("destutter", "doctor")
    assert "Fails at" not in said.text, said.text
    assert said.status == 0, said.text


def scenario_a_trial_expires_by_itself() -> None:
    """tried with a password, the value is set, and goes back when the time is over"""
    began = time.monotonic()
    said = with_password("destutter", "apply", CHANGE, "--trial", "10")
    assert ASKED in said.text, said.text
    assert "On trial for 10 s" in said.text, said.text
    assert "restored" in said.text or "back" in said.text, said.text
    say(f"# password, trial and return in {time.monotonic() - began:.0f} s")
    assert SWAPPINESS.read_text().strip() == STOCK


def scenario_a_trial_for_a_game_ends_with_it() -> None:
    """under the unit's confinement too: the helper opens the game, and watches its end"""
    with subprocess.Popen(["sleep", "600"]) as game:
        txid, hold = begin([("vm.swappiness", "", OURS)], seconds=5)
        line = Path(f"/proc/{game.pid}/stat").read_text()
        start = line.rpartition(") ")[2].split()[19]
        assert int(call("Bind", txid, dbus.Int32(game.pid), start)) > 100
        time.sleep(6)
        assert SWAPPINESS.read_text().strip() == OURS
        game.kill()
    until(lambda: SWAPPINESS.read_text().strip() == STOCK, timeout_s=5)
    del hold


def scenario_a_wrong_password_changes_nothing() -> None:
    """for every start a password is always asked; a wrong one leaves everything as it was"""
    said = with_password("destutter", "apply", CHANGE, "--keep", "always", password=WRONG)
    assert said.status == 1, said.text
    assert SWAPPINESS.read_text().strip() == STOCK
    assert not _is_kept_for_every_start()


def scenario_kept_until_the_restart() -> None:
    """kept until the restart, the value stays when the program has left"""
    said = with_password("destutter", "apply", CHANGE, "--keep", "restart")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == OURS
    assert not _is_kept_for_every_start()


def scenario_the_menu_entry_opens_the_window() -> None:
    """the command of the menu entry opens a window that draws what it measures"""
    began = time.monotonic()
    open_window()
    wait_for_the_window()
    say(f"# drawn after {time.monotonic() - began:.0f} s, {colours()} colours")
    for _ in range(3):  # the first figures come after some seconds
        wait_for_another_picture()
    shutil.copy(PICTURE, "out/live.xwd")
    assert len(processes()) >= 2, "no process measures"


def scenario_f26_newer_packages_under_the_open_window() -> None:
    """both packages in a newer version over a kept value and an open window: both go on"""
    began = time.monotonic()
    run("dpkg", "-i", *sorted(str(path) for path in Path("packages/newer").glob("*.deb")))
    say(f"# upgraded in {time.monotonic() - began:.0f} s")
    for name in ("destutter", "destutter-helper"):
        assert run("dpkg-query", "-W", "-f", "${Version}", name) == NEWER
    assert run("dpkg", "--audit") == ""
    assert SWAPPINESS.read_text().strip() == OURS
    assert PID.read_text().strip() in processes(), "the window has ended"
    wait_for_another_picture()


def scenario_pages_of_the_old_window_still_open() -> None:
    """pages that were not looked at before the upgrade open after it, and nothing is complained"""
    titles = {title()}
    for row in PAGE_ROWS:
        click(PAGE_COLUMN, row)
        titles.add(wait_for_another_title(titles))
    shutil.copy(PICTURE, "out/page.xwd")
    assert not SAID.read_text(), SAID.read_text()


def scenario_the_closed_window_leaves_no_process() -> None:
    """the window ends when it is told to, and no process of it remains"""
    began = time.monotonic()
    run("kill", PID.read_text().strip())
    until(lambda: not processes())
    say(f"# ended in {time.monotonic() - began:.0f} s")


def scenario_a_session_in_the_background_is_denied() -> None:
    """the user whose session is not in front may neither undo nor try without a password"""
    bring_to_front("tty2")
    _check_denied(without_agent("destutter", "undo", "--all").text)
    _check_denied(without_agent("destutter", "apply", CHANGE).text)
    assert SWAPPINESS.read_text().strip() == OURS


def scenario_an_ssh_session_is_denied() -> None:
    """the same user over ssh, from elsewhere, may neither undo nor try without a password"""
    bring_to_front("tty1")
    run("systemctl", "start", "ssh.service")
    home = Path(f"/home/{PLAYER}/.ssh")
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "key")
    home.mkdir(mode=0o700)
    shutil.copy("key.pub", home / "authorized_keys")
    run("chown", "-R", f"{PLAYER}:", str(home))
    options = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-i", "key"]
    ssh = ["ssh", "-n", *options, f"{PLAYER}@127.0.0.1"]
    for words in (("undo", "--all"), ("apply", CHANGE)):
        command = [*ssh, shlex.join(("destutter", *words))]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 1, (done.returncode, done.stdout, done.stderr)
        _check_denied(done.stderr)
    assert SWAPPINESS.read_text().strip() == OURS


def scenario_undo_is_free_at_the_computer() -> None:
    """the user in front of the computer takes everything back without a password"""
    said = without_agent("destutter", "undo", "--all")
    assert said.status == 0, said.text
    assert SWAPPINESS.read_text().strip() == STOCK


def scenario_every_setting_by_the_users_own_call() -> None:
    """every scheduler on both drives, queue and memory settings, by the user's own bus calls"""
    code = Path(__file__).parents[3]
    said = with_password(
        "env", f"PYTHONPATH={code}", "python3", "-B", "-m", "tests.vm.players_trials"
    )
    assert said.status == 0, said.text
    for line in said.text.splitlines():
        if line.startswith("# "):
            say(line.rstrip())


def scenario_the_unit_is_confined_by_systemds_own_judgement() -> None:
    """systemd-analyze security rates the running unit below 2.5 of 10"""
    rating = run("systemd-analyze", "security", "--no-pager", f"--threshold={SCORE_MAX}", UNIT)
    say(f"# {rating.splitlines()[-1].strip()}")


def scenario_nothing_failed_or_was_refused_by_the_sandbox() -> None:
    """no unit has failed, and the kernel log tells of no system call that was refused"""
    check_success(UNIT)
    assert not run("systemctl", "--failed", "--no-legend", "--plain").strip()
    audit = run("journalctl", "-b", "-k", "--no-pager", "-o", "cat")
    assert "type=1326" not in audit, audit
    assert shown("NRestarts") == "0"


def scenario_f27_removal_of_both_leaves_nothing() -> None:
    """dpkg --purge of both packages with a value on trial: stock again, and no file left"""
    _txid, hold = begin([("vm.swappiness", "", OURS)])
    run("dpkg", "--purge", "destutter", "destutter-helper")
    os.close(hold.take())
    assert SWAPPINESS.read_text().strip() == STOCK
    assert not files_of_ours(), files_of_ours()


def processes() -> list[str]:
    """Processes of the program."""
    command = ["pgrep", "-x", "destutter"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()


def _is_kept_for_every_start() -> bool:
    journal = Path("/var/lib/destutter/journal.json")
    return journal.exists() and b'"profile":[]' not in journal.read_bytes()


def _check_denied(text: str) -> None:
    assert "password" in text or "may not do this" in text, text
