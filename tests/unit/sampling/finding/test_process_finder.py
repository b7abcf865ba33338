# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the running programs is the game."""

import pytest

from destutter.sampling.files.process_files import parse_process_stat
from destutter.sampling.finding.process_finder import MINIMUM_AGE_S, find_game
from tests.support.fake_root import FakeRoot, process_stat

UPTIME = 100_000
LATEST = UPTIME - MINIMUM_AGE_S * 100
DRM = "drm-driver:\tamdgpu\ndrm-client-id:\t7\n"


class Desktop:
    """A tree with programs that have run for a while, unless it is said otherwise."""

    def __init__(self, folder):
        self.root = FakeRoot(folder)
        self.processes = {}
        self.shares = {}

    def run(self, pid, name, parent=1, ticks=10, share=0.0, arguments=(), **fields):
        """Start a program."""
        line = process_stat(pid, name, ppid=parent, utime=ticks, **fields)
        self.processes[pid] = parse_process_stat("/p", line.encode())
        self.shares[pid] = share
        if arguments:
            data = b"".join(word.encode() + b"\0" for word in arguments)
            self.root.put(f"/proc/{pid}/cmdline", data)

    def draw(self, pid):
        """Let a program use the graphics card."""
        self.root.put(f"/proc/{pid}/fdinfo/9", DRM)

    def own(self, pid, uid):
        """Let a program be this user's."""
        self.root.put(f"/proc/{pid}/status", f"Name:\tx\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\n")

    def find(self, registered=(), uid=None):
        """The game."""
        return find_game(self.root.files, self.processes, self.shares, LATEST, registered, uid)


@pytest.fixture
def desktop(tmp_path):
    """Programs of any desktop."""
    made = Desktop(tmp_path)
    made.run(2, "kthreadd", parent=0)
    made.run(40, "kworker/u16:3-e", parent=2, ticks=9000)
    made.run(100, "gnome-shell", ticks=5000, share=0.5)
    made.draw(100)
    made.run(101, "firefox", ticks=9000, share=0.9)
    made.draw(101)
    made.run(102, "cc1plus", ticks=9000, share=1.0)
    return made


def test_a_desktop_has_no_game(desktop):
    """Compositor, browser, compiler and the kernel's own threads are no game."""
    assert desktop.find() is None


def test_the_game_of_another_user_is_not_mine(desktop):
    """A Steam game of root was preferred to the simulator that ran full screen here."""
    desktop.run(300, "reaper", arguments=("reaper", "SteamLaunch", "AppId=440"))
    desktop.run(301, "Adlerflug", parent=300, ticks=900)
    desktop.run(310, "X-Plane-x86_64", ticks=100)
    desktop.own(301, 0)
    desktop.own(310, 1000)
    assert desktop.find(uid=1000).name == "X-Plane-x86_64"
    assert desktop.find(uid=1001) is None
    assert desktop.find().name == "Adlerflug"
    desktop.run(311, "X-Plane-x86_64", ticks=900)
    assert desktop.find(uid=1001).pid == 311, "whose it is cannot be read"


def test_a_game_of_steam(desktop):
    """Below Steam's reaper, the program that used most CPU and is not Wine or a container."""
    desktop.run(200, "reaper", arguments=("reaper", "SteamLaunch", "AppId=1086940", "--"))
    desktop.run(201, "pv-bwrap", parent=200, ticks=900)
    desktop.run(202, "wineserver", parent=201, ticks=8000)
    desktop.run(203, "services.exe", parent=201, ticks=7000)
    desktop.run(204, "bg3_dx11.exe", parent=202, ticks=6000, starttime=500)
    game = desktop.find()
    assert game[:4] == (204, "bg3_dx11.exe", 500, "Steam")


def test_a_reaper_of_something_else_is_no_sign(desktop):
    """Any program may be called reaper: without an AppId it says nothing."""
    desktop.run(200, "reaper", arguments=("reaper", "--all"))
    desktop.run(204, "worker", parent=200, ticks=6000)
    assert desktop.find() is None


def test_a_windows_program_without_steam(desktop):
    """A program of Wine; the kernel cuts its name off after fifteen letters."""
    path = "C:\\Games\\FlightSimulator2024.exe"
    desktop.run(300, "FlightSimulator", ticks=700, arguments=(path,))
    desktop.run(301, "explorer.exe", ticks=900)
    game = desktop.find()
    assert (game.pid, game.name) == (300, "FlightSimulator2024.exe")
    assert game.found_as == "Windows program"


def test_a_known_simulator(desktop):
    """X-Plane runs natively and needs no other sign."""
    desktop.run(300, "X-Plane-x86_64")
    assert desktop.find()[:4] == (300, "X-Plane-x86_64", 0, "simulator")


def test_what_gamescope_shows(desktop):
    """The busiest program below gamescope."""
    desktop.run(300, "gamescope-wl", ticks=4000)
    desktop.run(301, "Xwayland", parent=300, ticks=300)
    desktop.run(302, "supertuxkart", parent=300, ticks=800)
    assert desktop.find().pid == 302


def test_a_busy_program_that_draws(desktop):
    """At last, a program that draws and uses a quarter of a CPU."""
    desktop.run(300, "minetest", share=0.3)
    assert desktop.find() is None
    desktop.draw(300)
    assert desktop.find()[:4] == (300, "minetest", 0, "graphics load")
    desktop.run(300, "minetest", share=0.2)
    assert desktop.find() is None


def test_a_program_that_just_began_does_not_count(desktop):
    """Launchers and updates are over within twenty seconds."""
    desktop.run(300, "X-Plane-x86_64", starttime=UPTIME - 1900)
    assert desktop.find() is None
    desktop.run(300, "X-Plane-x86_64", starttime=UPTIME - 2000)
    assert desktop.find().pid == 300


def test_a_game_that_ended_does_not_count(desktop):
    """A process that only waits to be reaped is no game."""
    desktop.run(300, "X-Plane-x86_64", state="Z")
    assert desktop.find() is None


def test_what_asked_game_mode_comes_first(desktop):
    """The registered program, or what a registered script started, before any other sign."""
    desktop.run(300, "flight", ticks=10)
    desktop.run(301, "bash", ticks=1)
    desktop.run(302, "X-Plane", ticks=900, parent=301)
    assert desktop.find({300}).pid == 300
    assert desktop.find({300}).found_as == "GameMode"
    assert desktop.find({301}).pid == 302
    assert desktop.find({999}).found_as == "simulator"
