# SPDX-License-Identifier: GPL-3.0-or-later
"""What the kernel itself tells, through the installed packages and by the player's own command."""

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.vm.inside import say
from tests.vm.installed import run, until
from tests.vm.player import UID, Said, bring_to_front, log_in, with_password, without_agent
from tests.vm.scenarios.fixing_memory import swap_on_zram

INSTANCES = Path("/sys/kernel/tracing/instances")
DRIVE = Path("/sys/block/vdb")
SECONDS = 40
DIALOG = "Authentication is required"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ROOM_KIB = 200 << 10

Look = dict[str, Any]

# Loads in bursts, each time some more than is free, and gives it back.
LOADING = """
import mmap, time
piece = bytes(1 << 20)
while True:
    free = int(open("/proc/meminfo").read().split("MemFree:")[1].split()[0])
    size = (free >> 10) + 60
    memory = mmap.mmap(-1, size << 20)
    for _ in range(size):
        memory.write(piece)
    memory.close()
    time.sleep(0.5)
"""
# Sleeps for a millisecond, and is late when somebody has the core.
WAKING = """
import time
while True:
    time.sleep(0.001)
"""
# Before all ordinary threads, ksoftirqd among them, 30 ms of each 60.
HOGGING = """
import os, sys, time
open("/proc/self/comm", "w").write("rt-hog")
os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
while True:
    end = time.monotonic() + 0.03
    while time.monotonic() < end:
        pass
    time.sleep(0.03)
"""
# Datagrams for hundreds of sockets at once: sent to one, each is done so soon that ksoftirqd has
# nothing left to do in one run of three (0 of its waits beside 244 of the game's).
TALKING = """
import os, socket, time
os.nice(5)
receivers = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(400)]
for each in receivers:
    each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    each.bind(("", 47311))
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
while True:
    for _ in range(30):
        sender.sendto(b"state", ("127.255.255.255", 47311))
    time.sleep(0.002)
"""
# Saves, and waits until it is on the drive; beside it one reads. Three threads, and bytes that are
# made once: eight that made theirs anew left an emulated processor nothing for the command.
SAVING = """
import os, sys, threading
os.nice(5)
piece = os.urandom(1 << 14)
def save(number):
    drive = os.open(sys.argv[1], os.O_WRONLY)
    while True:
        for at in range(64):
            os.pwrite(drive, piece, (number << 22) + (at << 16))
        os.fdatasync(drive)
for number in range(2):
    threading.Thread(target=save, args=(number,)).start()
save(2)
"""
# The same of one thread that rests in between. An expert's trace takes a stack at each switch of
# the game, a millisecond's work of a processor that is emulated: eight threads that save all the
# time kept the guest from anything else for a quarter of an hour.
SAVING_SELDOM = """
import os, sys, time
drive = os.open(sys.argv[1], os.O_WRONLY)
while True:
    for at in range(64):
        os.pwrite(drive, os.urandom(1 << 14), at << 16)
    os.fdatasync(drive)
    time.sleep(0.3)
"""
READING = """
import mmap, os, sys
os.nice(5)
drive = os.open(sys.argv[1], os.O_RDONLY | os.O_DIRECT)
room = mmap.mmap(-1, 4096)
at = 0
while True:
    os.preadv(drive, [room], at)
    at = (at + 1_048_576) % (48 << 20)
"""


def scenario_both_packages_install() -> None:
    """both packages are installed, and the player sits at the computer"""
    run("dpkg", "-i", *sorted(str(path) for path in Path("packages").glob("*.deb")))
    log_in()
    bring_to_front("tty1")
    swap_on_zram()


def scenario_nobody_looks_without_a_password() -> None:
    """without a password there is no trace, and no instance of one"""
    with program(WAKING) as game:
        said = without_agent("destutter", "trace", "--game", str(game), "--seconds", "2")
    assert said.status == 1, said.text
    assert not ours(), ours()


def scenario_reclaim_by_thread() -> None:
    """who frees memory itself is named, with how long it took"""
    with filled_memory() as blocks, program(LOADING) as game, slow_kswapd(game):
        looks = traced(game, lambda: _use_again(blocks))
    waits = [each for look in looks for each in look["waits"] if each["kind"] == "reclaim"]
    mine = [each["duration_ns"] / 1e6 for each in waits if each["thread"]["pid"] == game]
    say(f"# {len(waits)} waits in direct reclaim, {len(mine)} of the game, {max(mine, default=0)}")
    assert mine, "the game freed no memory itself"


def scenario_ksoftirqd_behind_the_hog() -> None:
    """ksoftirqd and the game wait behind the real-time task, which is named, with its priority"""
    with program(WAKING) as game, program(TALKING), program(HOGGING, user=0):
        looks = traced(game)
    waits = [each for look in looks for each in look["waits"] if each["kind"] == "core"]
    behind = [each for each in waits if (each["behind"] or {}).get("name") == "rt-hog"]
    late = [each for each in behind if each["thread"]["name"].startswith("ksoftirqd/")]
    mine = [each for each in behind if each["thread"]["pid"] == game]
    longest = max((each["duration_ns"] / 1e6 for each in mine), default=0.0)
    say(f"# {len(late)} waits of ksoftirqd, {len(mine)} of the game, at most {longest:.0f} ms")
    assert late, {each["thread"]["name"] for each in waits}
    assert mine
    assert {each["behind_priority"] for each in late + mine} == {49}


def scenario_writers_held_back() -> None:
    """that the kernel holds writers back is told of the drive, and whose requests were slow"""
    limit = DRIVE / "queue/wbt_lat_usec"
    before = limit.read_text()
    node = f"/dev/{DRIVE.name}"
    os.chown(node, UID, UID)
    limit.write_text("1")
    with program(SAVING, node) as game, program(READING, node):
        looks = traced(game)
    limit.write_text(before)
    moments = [each for look in looks for each in look["moments"] if each["kind"] == "wbt"]
    say(f"# held back further {len(moments)} times")
    assert {each["device"] for each in moments} == {DRIVE.name}
    requests = [each for look in looks for each in look["requests"]]
    mine = [each for each in requests if (each["thread"] or {}).get("pid") == game]
    halves = [(each["queue_ns"], each["device_ns"]) for each in mine if each["queue_ns"]]
    shares = [queue / (queue + device) for queue, device in halves]
    say(f"# {len(mine)} slow requests of the game, {max(shares, default=0):.0%} before the drive")
    assert mine


def scenario_a_split_lock() -> None:
    """the kernel's word on a split lock is told with the game's name and no address"""
    with program(WAKING) as game:
        word = f"x86/split lock detection: #AC: python3/{game} took a split_lock trap at address: "
        looks = traced(game, lambda: _say_again(f"<4>{word}0xdeadbeef\n"))
    moments = [each for look in looks for each in look["moments"] if each["kind"] == "split_lock"]
    assert {each["thread"]["tid"] for each in moments} == {game}, moments
    # Letters, since times of many digits have any four of them now and then.
    assert "deadbeef" not in json.dumps(moments)


def scenario_an_experts_minute() -> None:
    """an expert's trace has a password of its own, and names the longest sleep's functions"""
    with program(SAVING_SELDOM, f"/dev/{DRIVE.name}") as game:
        looks = traced(game, None, "--expert")
    path = next(each["longest_sleep"] for each in looks if "longest_sleep" in each)
    say(f"# slept {path['sleep']['duration_ns'] / 1e6:.0f} ms in {', '.join(path['functions'])}")
    assert path["functions"], path
    assert not any(name.startswith("0x") for name in path["functions"])


def _say_again(word: str) -> None:
    """Once a second: when the player's command begins to look is not known here."""
    for _ in range(SECONDS):
        Path("/dev/kmsg").write_text(word)
        time.sleep(1)


def traced(game: int, work: Callable[[], object] | None = None, *options: str) -> list[Look]:
    """What the player's own command tells of a game, while there is some work."""
    said: list[Said] = []
    command = ["destutter", "trace", "--game", str(game), "--seconds", str(SECONDS), "--json"]
    user = threading.Thread(target=lambda: said.append(with_password(*command, *options)))
    user.start()
    until(ours, 300)  # beside a real-time task, on a slow host, the dialog alone took 100 s
    if work is not None:
        work()
    user.join()
    assert said[0].status == 0, said[0].text
    assert DIALOG in said[0].text, said[0].text
    until(lambda: not ours(), 20)
    # The dialog of the terminal ends with a colour's end, on the line of the first look. Where the
    # reader is so late that this look has everything, "0 events" were told of 4,580.
    lines = [COLOUR.sub("", line) for line in said[0].text.splitlines()]
    looks: list[Look] = [json.loads(line) for line in lines if line.startswith("{")]
    counts = [look.get("counts", {}) for look in looks]
    say(f"# {len(looks)} looks, {sum(each.get('events', 0) for each in counts)} events")
    assert looks
    return looks


def ours() -> list[str]:
    """The trace instances of the helper."""
    found = INSTANCES.glob("destutter-*") if INSTANCES.is_dir() else ()
    return [path.name for path in found]


@contextlib.contextmanager
def program(source: str, *words: str, user: int = UID) -> Iterator[int]:
    """A program of the player's, or of root's, until the block ends; its number."""
    command = [sys.executable, "-c", source, *words]
    with subprocess.Popen(command, user=user, group=user) as process:
        try:
            yield process.pid
        finally:
            process.kill()


@contextlib.contextmanager
def filled_memory() -> Iterator[list[bytearray]]:
    """Memory that has to be compressed before it is free."""
    blocks: list[bytearray] = []
    while _free_kib() > ROOM_KIB:
        blocks.append(bytearray(os.urandom(350_000)) + bytearray(700_000))
    yield blocks
    blocks.clear()


@contextlib.contextmanager
def slow_kswapd(game: int) -> Iterator[None]:
    """One that frees too slowly for the game, as beside eight that compute; with one processor
    that is emulated it keeps up with any (five runs of 40 s without a wait of the game)."""
    kswapd = int(subprocess.check_output(["pgrep", "-x", "kswapd0"]))
    before = os.getpriority(os.PRIO_PROCESS, kswapd)
    os.setpriority(os.PRIO_PROCESS, kswapd, 19)
    os.setpriority(os.PRIO_PROCESS, game, -10)
    try:
        yield
    finally:
        os.setpriority(os.PRIO_PROCESS, kswapd, before)


def _use_again(blocks: list[bytearray]) -> None:
    """What was paged out comes back, so that memory is full again before the next burst."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for block in blocks:
            for at in range(0, len(block), 4096):
                block[at] ^= 1
        time.sleep(0.2)


def _free_kib() -> int:
    text = Path("/proc/meminfo").read_text()
    return int(text.split("MemFree:")[1].split()[0])
