# SPDX-License-Identifier: GPL-3.0-or-later
"""What one program does on the graphics card: /proc/PID/fdinfo of its DRM files.

Keys: Documentation/gpu/drm-usage-stats.rst. A program opens the same client many times, so
clients are told apart by device and "drm-client-id".
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.sample import RawValue
from destutter.core.statement import Statement
from destutter.sampling.files.measurement import Measurement, text_of, whole
from destutter.sampling.files.process_files import PROC
from destutter.sampling.game.watched_process import WatchedProcess

_UNITS = {b"": 1, b"ns": 1, b"KiB": 1 << 10, b"MiB": 1 << 20, b"GiB": 1 << 30}
_SEARCH_NS = 10_000_000_000  # cards are opened at the start, and a game may have hundreds of links


class DrmClient(NamedTuple):
    """One client of a card: nanoseconds and cycles per engine, bytes per memory region."""

    driver: str
    key: tuple[bytes, bytes]
    busy_ns: dict[str, int]
    cycles: dict[str, int]
    total_cycles: dict[str, int]
    resident_bytes: dict[str, int]


def parse_fdinfo(path: str, data: bytes) -> DrmClient | None:
    """The client behind a file descriptor; None when it is not one of a graphics card."""
    pairs: dict[bytes, bytes] = {}
    lines: dict[bytes, int] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        name, colon, value = line.partition(b":")
        if colon and name.startswith(b"drm-"):
            pairs[name] = value.strip()
            lines[name] = number
    if b"drm-driver" not in pairs:
        return None
    client = DrmClient(text_of(pairs[b"drm-driver"]), _key(path, pairs), {}, {}, {}, {})
    for name, value in pairs.items():
        _take(client, path, lines[name], name, value)
    return client


def _key(path: str, pairs: dict[bytes, bytes]) -> tuple[bytes, bytes]:
    # A driver without client ids cannot be told apart: each descriptor is a client of its own.
    return pairs.get(b"drm-pdev", b""), pairs.get(b"drm-client-id", path.encode())


def _take(client: DrmClient, path: str, line: int, name: bytes, value: bytes) -> None:
    for prefix, target in (
        (b"drm-engine-capacity-", None),
        (b"drm-engine-", client.busy_ns),
        (b"drm-total-cycles-", client.total_cycles),
        (b"drm-cycles-", client.cycles),
        (b"drm-resident-", client.resident_bytes),
        # The older name of the same thing; the newer one wins where both are.
        (b"drm-memory-", client.resident_bytes),
    ):
        if not name.startswith(prefix):
            continue
        if target is not None:
            key = text_of(name[len(prefix) :])
            if prefix != b"drm-memory-" or key not in target:
                target[key] = _amount(path, line, value)
        return


def _amount(path: str, line: int, value: bytes) -> int:
    number, _, unit = value.partition(b" ")
    factor = _UNITS.get(unit.strip())
    if factor is None:
        raise KernelFileError(
            path, line, Statement("sampling.unknown_unit", {"unit": ascii(text_of(unit))})
        )
    return whole(path, line, number) * factor


def read_clients(files: KernelFiles, pid: int, descriptors: Iterable[str]) -> list[DrmClient]:
    """The clients behind these descriptors, each once. A descriptor that closed is left out."""
    found: dict[tuple[bytes, bytes], DrmClient] = {}
    for name in descriptors:
        path = f"{PROC}/{pid}/fdinfo/{name}"
        data = files.read_bytes(path)
        client = parse_fdinfo(path, data) if data else None
        if client is not None:
            found.setdefault(client.key, client)
    return list(found.values())


def drm_descriptors(files: KernelFiles, pid: int) -> list[str]:
    """The descriptors of a program that are clients of a card; empty when that is hidden."""
    try:
        names = files.list_names(f"{PROC}/{pid}/fdinfo")
        return [name for name in names if read_clients(files, pid, [name])]
    except KernelFileError:
        return []


class DrmClientSampler:
    """Busy time per engine and memory per region of the watched game.

    xe counts cycles instead of nanoseconds; the share of all cycles that passed is turned into
    time here. ``clock`` gives nanoseconds.
    """

    sources = ("gpu_engine", "gpu_region")

    def __init__(
        self, files: KernelFiles, watch: WatchedProcess, clock: Callable[[], int]
    ) -> None:
        self._files = files
        self._watch = watch
        self._clock = clock
        self._pid: int | None = None
        self._descriptors: list[str] = []
        self._search_ns = 0
        self._last: dict[tuple[bytes, bytes, str], tuple[int, int, int]] = {}
        self._busy_ns: dict[tuple[bytes, bytes, str], int] = {}

    def read(self) -> Sequence[Measurement]:
        """Nothing while no game is watched; no instances when it uses no card this way."""
        pid = self._watch.pid
        if pid is None:
            return ()
        now_ns = self._clock()
        if pid != self._pid or now_ns >= self._search_ns:
            if pid != self._pid:
                self.close()
            self._pid = pid
            self._descriptors = drm_descriptors(self._files, pid)
            self._search_ns = now_ns + _SEARCH_NS
        clients = read_clients(self._files, pid, self._descriptors)
        engines: dict[str, RawValue] = {}
        regions: dict[str, RawValue] = {}
        for client in clients:
            for engine, busy_ns in (self._from_cycles(client, now_ns) | client.busy_ns).items():
                _add(engines, f"{client.driver} {engine}", busy_ns)
            for region, size in client.resident_bytes.items():
                _add(regions, f"{client.driver} {region}", size)
        return (
            Measurement("gpu_engine", tuple(engines), tuple(engines.values())),
            Measurement("gpu_region", tuple(regions), tuple(regions.values())),
        )

    def close(self) -> None:
        self._pid = None
        self._descriptors = []
        self._last = {}
        self._busy_ns = {}

    def _from_cycles(self, client: DrmClient, now_ns: int) -> dict[str, int]:
        found = {}
        for engine, cycles in client.cycles.items():
            total = client.total_cycles.get(engine)
            if total is None:
                continue
            key = (*client.key, engine)
            last_ns, last_cycles, last_total = self._last.get(key, (now_ns, cycles, total))
            self._last[key] = (now_ns, cycles, total)
            if total > last_total and cycles >= last_cycles:
                share = (cycles - last_cycles) / (total - last_total)
                grown = int(share * (now_ns - last_ns))
                self._busy_ns[key] = self._busy_ns.get(key, 0) + grown
            found[engine] = self._busy_ns.setdefault(key, 0)
        return found


def _add(sums: dict[str, RawValue], name: str, amount: int) -> None:
    sums[name] = (sums.get(name) or 0) + amount
