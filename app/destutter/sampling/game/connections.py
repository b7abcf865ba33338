# SPDX-License-Identifier: GPL-3.0-or-later
"""Which other processes are at the other end of the pipe or socket that a thread sleeps in.

A main thread asleep so waits for whoever writes into it: wineserver, which answers each request of
a Windows game through a pipe of its thread, a launcher, a plugin's server, a voice program.
/proc/PID/fd names the two ends of a pipe alike, and /proc/PID/fdinfo tells which of them it is;
the other end of a connection within this computer is told by sock_diag(7) for Unix sockets and by
/proc/PID/net/tcp for those of TCP.
"""

import contextlib
import os
import socket
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.sampling.files.process_files import PROC

_PIPE, _SOCKET = "pipe:[", "socket:["
_ENDS = (_PIPE, _SOCKET)
_DEVICES, _MEMORY = "/dev/", "/dev/shm/"  # noqa: S108  nothing is written there
_READ, _WRITE = " read", " write"
_OTHER = {_READ: _WRITE, _WRITE: _READ}
_WAYS = {os.O_RDONLY: (_READ,), os.O_WRONLY: (_WRITE,), os.O_RDWR: (_READ, _WRITE)}
# Of linux/netlink.h, sock_diag.h and unix_diag.h.
_NETLINK_SOCK_DIAG = 4
_BY_FAMILY = 20
_REQUEST_DUMP = 0x301
_DONE, _ERROR = 3, 2
_SHOW_PEER, _PEER = 4, 2
_REQUEST = struct.Struct("=IHHII BBHIIIII")
_HEADER = struct.Struct("=IHHII")
_MESSAGE = struct.Struct("=BBBBIII")  # unix_diag_msg: family, type, state, padding, inode, cookie
_ATTRIBUTE = struct.Struct("=HHI")
_ANSWER_S = 0.2  # the kernel answers at once; the slow side waits for it
_LOCAL, _REMOTE, _INODE = 1, 2, 9  # columns of /proc/net/tcp


def end_at(files: KernelFiles, pid: int, descriptor: str) -> tuple[str, ...]:
    """The ends of pipes and sockets that one descriptor of a process is, mostly one.

    Named as the kernel does, of a pipe with the way: "socket:[4711]", "pipe:[4711] read". What is
    asked for is known to be waited at, so that a file with a path can only be a pipe with a name
    (``mkfifo``). None for devices; raises ``KernelFileError`` where nobody may look.
    """
    link = files.read_link(f"{PROC}/{pid}/fd/{descriptor}") or ""
    is_device = link.startswith(_DEVICES) and not link.startswith(_MEMORY)
    is_named = link.startswith("/") and not is_device
    return _ends(files, pid, descriptor, link) if is_named or link.startswith(_ENDS) else ()


def ends_of(files: KernelFiles, pid: int, among: frozenset[str] | None = None) -> frozenset[str]:
    """The ends that a process has open, as in ``end_at``; of pipes those among these alone."""
    pipes = None if among is None else {_split(each)[0] for each in among}
    ends: set[str] = set()
    try:
        for name in files.list_names(f"{PROC}/{pid}/fd"):
            link = files.read_link(f"{PROC}/{pid}/fd/{name}") or ""
            # A second file of each pipe would be half of the cost, and nearly none is wanted.
            is_asked = link.startswith(_SOCKET if pipes is not None else _ENDS)
            if is_asked or (pipes is not None and link in pipes):
                ends.update(_ends(files, pid, name, link))
    except KernelFileError:
        return frozenset()  # somebody else's, which nobody may read: not known, and no failure
    return frozenset(ends)


def _ends(files: KernelFiles, pid: int, descriptor: str, link: str) -> tuple[str, ...]:
    if link.startswith(_SOCKET):
        return (link,)
    data = files.read_bytes(f"{PROC}/{pid}/fdinfo/{descriptor}") or b""
    return tuple(link + way for way in _WAYS.get(access_mode(data), (_READ, _WRITE)))


def _split(end: str) -> tuple[str, str]:
    """Its pipe and the way; of a socket the way is empty."""
    way = next((each for each in _OTHER if end.endswith(each)), "")
    return end.removesuffix(way), way


def access_mode(data: bytes) -> int:
    """``O_RDONLY``, ``O_WRONLY`` or ``O_RDWR``, of a file of fdinfo; -1 where it does not tell."""
    _, _, after = data.partition(b"flags:")
    word = after.split(None, 1)[:1]
    try:
        return int(word[0], 8) & os.O_ACCMODE if word else -1  # the kernel writes it in octal
    except ValueError:
        return -1


class Connections:
    """What joins a process to others: the other ends of its pipes and sockets.

    ``ends`` are those at which it was found waiting; without one, as where Yama keeps its calls
    from us (ptrace_scope 1), all that it has, or of pipes those that it reads (``only_reads``).
    """

    def __init__(
        self,
        files: KernelFiles,
        pid: int,
        ends: frozenset[str],
        unix_peers: Callable[[], Mapping[int, int]] | None = None,
        *,
        only_reads: bool = False,
    ) -> None:
        self._files = files
        peers = unix_peers or peers_of_unix_sockets
        mine = ends or ends_of(files, pid)
        if only_reads and not ends:
            mine = frozenset(each for each in mine if not each.endswith(_WRITE))
        self.wanted = other_ends(files, pid, mine, peers)

    def of(self, pid: int) -> frozenset[str]:
        """The ends that another process has."""
        return ends_of(self._files, pid, self.wanted)


class OwnEnds:
    """Which pipes and sockets join threads of one process, as a loader's to the main one's.

    Who sleeps at such a one waits for a thread of its own. Asked once of each, for all the files
    of the process have to be gone through (3 us each).
    """

    def __init__(
        self,
        files: KernelFiles,
        unix_peers: Callable[[], Mapping[int, int]] | None = None,
    ) -> None:
        self._files = files
        self._unix_peers = unix_peers or peers_of_unix_sockets
        self._known: dict[tuple[int, str], bool] = {}

    def are_all(self, pid: int, ends: Iterable[str]) -> bool:
        """Whether all of these lead back to the process; not where none is known."""
        found = [self._leads_back(pid, end) for end in ends]
        return bool(found) and all(found)

    def forget(self) -> None:
        """Another process is asked about from now on."""
        self._known.clear()

    def _leads_back(self, pid: int, end: str) -> bool:
        if (pid, end) not in self._known:
            wanted = other_ends(self._files, pid, [end], self._unix_peers)
            own = ends_of(self._files, pid, wanted) if wanted else frozenset()
            self._known[pid, end] = bool(wanted) and wanted <= own
        return self._known[pid, end]


def other_ends(
    files: KernelFiles,
    pid: int,
    ends: Iterable[str],
    unix_peers: Callable[[], Mapping[int, int]],
) -> frozenset[str]:
    """What is at the other end of these, within this computer, under the names of ``end_at``."""
    found, inodes = set(), set()
    for end in ends:
        pipe, way = _split(end)
        if way:
            found.add(pipe + _OTHER[way])
        elif end.startswith(_SOCKET) and end[len(_SOCKET) : -1].isdecimal():
            inodes.add(int(end[len(_SOCKET) : -1]))
    if inodes:
        peers = {**_tcp_peers(files, pid), **unix_peers()}
        found |= {f"{_SOCKET}{peers[inode]}]" for inode in inodes if inode in peers}
    return frozenset(found)


def peers_of_unix_sockets() -> dict[int, int]:
    """The inode at the other end of each connected Unix socket; empty where nobody tells."""
    peers: dict[int, int] = {}
    # A kernel without it, or a sandbox: then nothing is known of Unix sockets.
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _NETLINK_SOCK_DIAG) as asked,
    ):
        asked.settimeout(_ANSWER_S)
        asked.send(
            _REQUEST.pack(
                _REQUEST.size, _BY_FAMILY, _REQUEST_DUMP, 1, 0,
                socket.AF_UNIX, 0, 0, 0xFFFFFFFF, 0, _SHOW_PEER, 0xFFFFFFFF, 0xFFFFFFFF,
            )
        )  # fmt: skip
        while _take(asked.recv(1 << 16), peers):
            pass
    return peers


def _take(data: bytes, peers: dict[int, int]) -> bool:
    """Take in one datagram of the answer; whether more follow."""
    at = 0
    while at + _HEADER.size <= len(data):
        length, kind, *_ = _HEADER.unpack_from(data, at)
        if kind in (_DONE, _ERROR) or length < _HEADER.size:
            return False
        body = data[at + _HEADER.size : at + length]
        if kind == _BY_FAMILY and len(body) >= _MESSAGE.size:
            inode = _MESSAGE.unpack_from(body)[4]
            for peer in _peers_in(body[_MESSAGE.size :]):
                peers[inode] = peer
        at += (length + 3) & ~3
    return bool(data)


def _peers_in(attributes: bytes) -> Iterator[int]:
    at = 0
    while at + 4 <= len(attributes):
        length, kind = struct.unpack_from("=HH", attributes, at)
        if kind == _PEER and length == _ATTRIBUTE.size and at + length <= len(attributes):
            yield _ATTRIBUTE.unpack_from(attributes, at)[2]
        at += max((length + 3) & ~3, 4)


def _tcp_peers(files: KernelFiles, pid: int) -> dict[int, int]:
    """By inode that of the other end, of connections whose two ends are on this computer."""
    by_ends: dict[tuple[bytes, bytes], int] = {}
    for name in ("tcp", "tcp6"):
        try:
            table = files.read_bytes(f"{PROC}/{pid}/net/{name}") or b""
        except KernelFileError:
            continue
        for row in table.splitlines()[1:]:
            columns = row.split()
            if len(columns) > _INODE and columns[_INODE].isdigit():
                by_ends[columns[_LOCAL], columns[_REMOTE]] = int(columns[_INODE])
    return {
        inode: by_ends[remote, local]
        for (local, remote), inode in by_ends.items()
        if (remote, local) in by_ends
    }
