# SPDX-License-Identifier: GPL-3.0-or-later
"""The desktop user of the guest, for scenarios that run as root: commands in a real session."""

import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.vm.image import PASSWORD
from tests.vm.installed import run, until

UID = 1000
ASKED = "Password: "
WAIT_S = 120.0
LIST_SESSIONS = ("loginctl", "list-sessions", "--no-legend")


@dataclass(frozen=True)
class Said:
    """How a command ended, and all that it wrote on its terminal."""

    status: int
    text: str


def session_socket(console: str) -> Path:
    """Where the agent of the session on a console listens."""
    return Path(f"/run/user/{UID}/session-{console}")


def log_in() -> None:
    """Wait until the user is logged in at the first console, and somebody else at the second."""
    until(session_socket("tty1").exists, WAIT_S)
    until(lambda: {"tty1", "tty2"} <= sessions().keys(), WAIT_S)


def in_session(
    *command: str,
    console: str = "tty1",
    answers: Sequence[tuple[str, str]] = (),
    **more: str,
) -> Said:
    """Run a command as the user, on a terminal in the session of a console.

    ``answers`` are pairs of a text to wait for and a line to type; ``more`` is environment.
    """
    with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rw") as stream:
        connection.connect(str(session_socket(console)))
        request = {"command": command, "answers": answers, "more": more}
        stream.write(json.dumps(request) + "\n")
        stream.flush()
        reply = json.loads(stream.readline())
    return Said(reply["status"], reply["output"])


def with_password(*command: str, password: str = PASSWORD) -> Said:
    """The same at the first console, answering the first question for a password."""
    return in_session(*command, answers=((ASKED, password),))


def without_agent(*command: str, console: str = "tty1") -> Said:
    """The same without a terminal on standard input: nobody can be asked for a password."""
    return in_session("sh", "-c", '"$@" </dev/null', "sh", *command, console=console)


def sessions() -> dict[str, str]:
    """The sessions: number of each by its console."""
    numbers = [line.split()[0] for line in run(*LIST_SESSIONS).splitlines()]
    return {session_property(number, "TTY"): number for number in numbers}


def session_property(number: str, key: str) -> str:
    """One property of a session, as logind says it."""
    return run("loginctl", "show-session", number, "--property", key, "--value").strip()


def bring_to_front(console: str) -> None:
    """Switch to the session of a console; the other one becomes inactive."""
    number = sessions()[console]
    run("loginctl", "activate", number)
    until(lambda: session_property(number, "Active") == "yes")


def see_a_trial_end(
    have_it: Callable[[], Said], file: Path, values: tuple[str, str], timeout_s: float = 120.0
) -> Said:
    """Have a trial while a kernel file takes the second value, and the first again by itself."""
    said: list[Said] = []
    user = threading.Thread(target=lambda: said.append(have_it()))
    user.start()
    stock, ours = values
    wait_for(file, ours, timeout_s)
    wait_for(file, stock, timeout_s)
    user.join()
    assert said[0].status == 0, said[0].text
    return said[0]


def wait_for(path: Path, value: str, timeout_s: float = 60.0) -> float:
    """Wait until a kernel file has a value; the seconds that it took."""
    began = time.monotonic()
    until(lambda: path.read_text().strip() == value, timeout_s)
    return time.monotonic() - began
