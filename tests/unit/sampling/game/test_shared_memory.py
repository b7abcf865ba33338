# SPDX-License-Identifier: GPL-3.0-or-later
"""Which processes share memory with a game in which they can wake it."""

import pytest

from destutter.core.kernel_files import KernelFiles
from destutter.sampling.game.partner_search import PartnerSearch
from destutter.sampling.game.shared_memory import SharedMemory, meetings
from tests.support.fake_root import FakeRoot

GAME, COMPOSITOR, SERVER, STRANGER = 100, 101, 50, 102


def line(path, inode=7, rights="rw-s", device="00:1c"):
    """A line of /proc/PID/maps."""
    return f"7f0000000000-7f0000001000 {rights} 00000000 {device} {inode}          {path}\n"


class Desktop:
    """A tree of processes with what they have mapped; ``cost_ns`` is what each look costs."""

    def __init__(self, folder):
        self.root = FakeRoot(folder)
        self.cost_ns = 0
        self.worked_ns = 0

    def put(self, pid, *lines, name="program", uid=1000):
        """A process."""
        self.root.put(f"/proc/{pid}/maps", "".join(lines))
        self.root.put(f"/proc/{pid}/comm", f"{name}\n")
        self.root.put(f"/proc/{pid}/status", f"Name:\t{name}\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\n")

    def search(self):
        """The search of the game, begun."""
        bond = SharedMemory(self.root.files, GAME)
        return PartnerSearch(self.root.files, GAME, bond, self._clock)

    def partners(self):
        """Those that a whole search finds."""
        search = self.search()
        while not search.is_over:
            search.go_on()
        return search.partners

    def _clock(self):
        self.worked_ns += self.cost_ns
        return self.worked_ns


@pytest.fixture
def desktop(tmp_path):
    """A desktop without processes."""
    return Desktop(tmp_path)


@pytest.mark.parametrize(
    ("path", "rights", "counts"),
    [
        ("/dev/shm/vr", "rw-s", True),
        ("/memfd:wine (deleted)", "rw-s", True),
        ("/SYSV00001234 (deleted)", "rw-s", True),
        ("/dev/zero (deleted)", "rw-s", True),
        ("/home/me/game/state", "rw-s", True),
        ("/usr/share/fonts/a.ttf", "r--s", False),
        ("/usr/lib/libc.so.6", "rw-p", False),
        ("/dev/dri/renderD128", "rw-s", False),
        ("/dev/nvidia0", "rw-s", False),
        ("anon_inode:[io_uring]", "rw-s", False),
        ("/dmabuf:", "rw-s", False),
        ("/home/me/.cache/mesa_shader_cache/index", "rw-s", False),
        ("/run/user/1000/dconf/user", "rw-s", False),
        ("", "rw-s", False),
    ],
)
def test_what_can_be_met_in(path, rights, counts):
    """Shared and writable memory; no device, no buffer and no cache that all programs map."""
    table = line("/usr/bin/game", rights="r-xp") + line(path, rights=rights) + line("[heap]")
    assert [*meetings(table.encode())] == ([(b"00:1c", b"7")] if counts else [])


def test_whoever_maps_the_same_file_is_a_partner(desktop):
    """By device and inode: a path may be another file elsewhere."""
    path = "/dev/shm/vr"
    desktop.put(GAME, line(path))
    desktop.put(COMPOSITOR, line("/another/name"))
    desktop.put(STRANGER, line(path, inode=8), line(path, device="00:1d"))
    assert desktop.partners() == (COMPOSITOR,)


def test_another_user_is_no_partner(desktop):
    """What somebody else's process does is not told here."""
    desktop.put(GAME, line("/memfd:a"))
    desktop.put(COMPOSITOR, line("/memfd:a"), uid=0)
    assert desktop.partners() == ()


def test_the_fewest_that_share_come_first(desktop):
    """At most three: those of the memory that the fewest have."""
    desktop.put(GAME, line("/memfd:all", 1), line("/memfd:two", 2))
    for pid in range(200, 210):
        desktop.put(pid, line("/memfd:all", 1))
    desktop.put(300, line("/memfd:two", 2), line("/memfd:all", 1))
    assert desktop.partners()[0] == 300
    assert len(desktop.partners()) == 3


def test_servers_of_the_desktop_count_only_where_nobody_else_shares(desktop):
    """Nearly every program shares memory with them."""
    desktop.put(GAME, line("/memfd:x", 1), line("/memfd:y", 2))
    desktop.put(SERVER, line("/memfd:x", 1), name="Xwayland")
    assert desktop.partners() == (SERVER,)
    desktop.put(COMPOSITOR, line("/memfd:y", 2))
    desktop.put(STRANGER, line("/memfd:y", 2))
    assert set(desktop.partners()) == {COMPOSITOR, STRANGER}


def test_a_game_that_shares_nothing_has_nobody_looked_at(desktop):
    """No other process is read."""
    desktop.put(GAME, line("/usr/bin/game", rights="r-xp"))
    desktop.put(COMPOSITOR, line("/memfd:a"))
    search = desktop.search()
    assert (search.is_over, search.partners) == (True, ())


def test_a_search_is_done_in_pieces(desktop):
    """So that a crowd of processes holds nobody up: ten milliseconds each."""
    desktop.put(GAME, line("/memfd:a"))
    for pid in range(200, 240):
        desktop.put(pid, line("/memfd:b", 9))
    desktop.put(COMPOSITOR, line("/memfd:a"))
    desktop.cost_ns = 1_000_000
    search = desktop.search()
    pieces = 0
    while not search.is_over:
        search.go_on()
        pieces += 1
    assert 4 <= pieces <= 6
    assert search.partners == (COMPOSITOR,)


def test_processes_that_nobody_may_read_are_left_out(desktop):
    """As those of others are: no failure."""
    desktop.put(GAME, line("/memfd:a"))
    desktop.put(COMPOSITOR, line("/memfd:a"))
    desktop.root.remove(f"/proc/{COMPOSITOR}/maps")
    (desktop.root.folder / f"proc/{COMPOSITOR}/maps").mkdir()
    assert desktop.partners() == ()


def test_this_kernel_tells_who_shares_memory(tmp_path):
    """A child that maps the same file as this process (live)."""
    import mmap
    import os
    import signal

    path = tmp_path / "meeting"
    path.write_bytes(bytes(4096))
    ready, told = os.pipe()
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 4096) as mine:
        pid = os.fork()
        if pid == 0:
            os.write(told, mine[:1])
            signal.pause()
        try:
            os.read(ready, 1)
            files = KernelFiles()
            search = PartnerSearch(files, os.getpid(), SharedMemory(files, os.getpid()))
            while not search.is_over:
                search.go_on()
            assert pid in search.partners
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.close(ready)
            os.close(told)
