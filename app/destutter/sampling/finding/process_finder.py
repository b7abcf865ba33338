# SPDX-License-Identifier: GPL-3.0-or-later
"""Which of the running programs is the game.

In this order: what asked GameMode, what Steam started, a Windows program, a known simulator, what
gamescope shows, and at last any program that draws on the graphics card and keeps a good part of a
CPU busy. A program counts after twenty seconds, so that launchers and their updates do not. Who
writes a frame log is found sooner, by ``log_writer.py``. Of another user it is never by itself.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple

from destutter.core.kernel_files import KernelFileError, KernelFiles
from destutter.core.kernel_names import COMM_LENGTH, KTHREADD
from destutter.sampling.files.process_files import (
    PROC,
    ProcessStat,
    read_arguments,
    read_if_shown,
    status_value,
)
from destutter.sampling.finding.game_version import game_version
from destutter.sampling.gpu.drm_clients import drm_descriptors
from destutter_helper.api.lending import NVIDIA, STEAM_ID, STEAM_WORDS

MINIMUM_AGE_S = 20  # launchers and updates are over by then
MINIMUM_CPU = 0.25
"""Of one CPU: what a program without any other sign must use to be taken for a game."""

_SIMULATORS = ("X-Plane", "FlightSimulator", "DCS.exe", "fgfs", "Prepar3D", "AeroflyFS", "il-2")
# What runs around a game: Steam's containers, Wine's services, shells.
AROUND_GAMES = frozenset(
    """
    Xwayland Xorg
    reaper pressure-vessel pv-bwrap srt-bwrap bwrap steam-launch-wr steam-runtime-s proton python3
    python sh bash gamescope gamescopereaper gamescope-wl gamemoderun mangohud umu-run wine wine64
    wine-preloader wine64-preloade wineserver wineserver64 steam.exe services.exe explorer.exe
    winedevice.exe plugplay.exe svchost.exe rpcss.exe tabtip.exe wineboot.exe start.exe
    conhost.exe cmd.exe UnityCrashHandl UnityCrashHandler64.exe CrashReportClie crashpad_handle
    xalia.exe steamwebhelper iexplore.exe dxsetup.exe EpicGamesLaunch EpicWebHelper.e
    """.split()
)
# Programs that draw on the card and are no games: by their whole name, and by its beginning.
_DESKTOP = frozenset(
    """
    Xorg Xwayland gnome-shell plasmashell mutter sway Hyprland weston xfwm4 cinnamon brave msedge
    vivaldi-bin opera steam discord Discord electron code obs mpv vlc totem ffmpeg kdenlive
    blender destutter lutris heroic
    """.split()
)
_DESKTOP_FAMILIES = ("kwin_", "cosmic-", "firefox", "chrom", "Isolated Web", "Web", "GPU Process")


class Game(NamedTuple):
    """The watched game. ``start_ticks`` is the start of its process since boot; ``version`` is
    empty where nothing tells it. ``found_as`` is recorded for who looks why another program than
    the game was watched; nothing here depends on it."""

    pid: int
    name: str
    start_ticks: int
    found_as: str
    version: str = ""


def find_game(
    files: KernelFiles,
    processes: Mapping[int, ProcessStat],
    cpu_shares: Mapping[int, float],
    latest_ticks: int,
    registered: Collection[int] = (),
    uid: int | None = None,
) -> Game | None:
    """The game among these processes, or None; only one of the user ``uid`` if that is given.

    ``cpu_shares`` is the recent use of each process, 1.0 being one whole CPU; none counts that has
    begun after ``latest_ticks`` since boot; ``registered`` are the processes that GameMode knows.
    """
    old = {
        pid: stat
        for pid, stat in processes.items()
        if stat.start_ticks <= latest_ticks and stat.parent != KTHREADD and not stat.has_ended
    }
    rules: tuple[tuple[str, Callable[[], Iterable[int]]], ...] = (
        ("GameMode", lambda: _with_below(old, registered)),
        ("Steam", lambda: _steam(files, old)),
        ("Windows program", lambda: (pid for pid in old if _is_windows(files, pid, old[pid]))),
        ("simulator", lambda: (p for p in old if old[p].name.startswith(_SIMULATORS))),
        ("gamescope", lambda: _below(old, _named(old, "gamescope"))),
        ("graphics load", lambda: _drawing(files, old, cpu_shares)),
    )
    for found_as, candidates in rules:
        pid = _busiest(old, (each for each in candidates() if _is_of(files, each, uid)))
        if pid is not None:
            name, version = full_name(files, pid, old[pid]), game_version(files, pid)
            return Game(pid, name, old[pid].start_ticks, found_as, version)
    return None


def _is_of(files: KernelFiles, pid: int, uid: int | None) -> bool:
    """Whether a process is this user's, as far as that can be read."""
    if uid is None:
        return True
    path = f"{PROC}/{pid}/status"
    try:
        owner = status_value(path, read_if_shown(files, path), b"Uid")
    except KernelFileError:
        return True
    return owner in (None, uid)


def _busiest(processes: Mapping[int, ProcessStat], pids: Iterable[int]) -> int | None:
    """The one that has used most CPU time, leaving out what only runs around a game."""
    chosen = [pid for pid in pids if processes[pid].name not in AROUND_GAMES]
    return max(chosen, key=lambda pid: (_ticks(processes[pid]), -pid), default=None)


def _ticks(stat: ProcessStat) -> int:
    return stat.user_ticks + stat.system_ticks


def _named(processes: Mapping[int, ProcessStat], prefix: str) -> list[int]:
    return [pid for pid, stat in processes.items() if stat.name.startswith(prefix)]


def _steam(files: KernelFiles, processes: Mapping[int, ProcessStat]) -> Iterable[int]:
    reapers = [
        pid
        for pid in _named(processes, "reaper")
        if any(word.startswith(STEAM_ID) for word in read_arguments(files, pid)[:STEAM_WORDS])
    ]
    return _below(processes, reapers)


def _with_below(processes: Mapping[int, ProcessStat], pids: Collection[int]) -> list[int]:
    """These, as far as they run, and what they started: a script may have asked for its game."""
    running = [pid for pid in pids if pid in processes]
    return [*running, *_below(processes, running)]


def _below(processes: Mapping[int, ProcessStat], roots: Collection[int]) -> list[int]:
    """All processes that descend from these."""
    children: dict[int, list[int]] = {}
    for pid, stat in processes.items():
        children.setdefault(stat.parent, []).append(pid)
    found: list[int] = []
    left = list(roots)
    while left:
        below = children.pop(left.pop(), [])
        found += below
        left += below
    return [pid for pid in found if pid not in roots]


def _is_windows(files: KernelFiles, pid: int, stat: ProcessStat) -> bool:
    if stat.name.lower().endswith(".exe"):
        return True
    if len(stat.name) < COMM_LENGTH:
        return False
    return full_name(files, pid, stat).lower().endswith(".exe")


def _drawing(
    files: KernelFiles, processes: Mapping[int, ProcessStat], cpu_shares: Mapping[int, float]
) -> Iterable[int]:
    for pid, stat in processes.items():
        if cpu_shares.get(pid, 0.0) < MINIMUM_CPU or stat.name in _DESKTOP:
            continue
        if stat.name.startswith(_DESKTOP_FAMILIES):
            continue
        if drm_descriptors(files, pid) or _uses_nvidia(files, pid):
            yield pid


def _uses_nvidia(files: KernelFiles, pid: int) -> bool:
    """Whether it has NVIDIA's device open; its driver is no DRM client."""
    base = f"{PROC}/{pid}/fd"
    try:
        targets = [files.read_link(f"{base}/{name}") for name in files.list_names(base)]
    except KernelFileError:
        return False
    return any(target is not None and target.startswith(NVIDIA) for target in targets)


def full_name(files: KernelFiles, pid: int, stat: ProcessStat) -> str:
    """The name behind a kernel name that was cut off, from the command line."""
    if len(stat.name) < COMM_LENGTH:
        return stat.name
    for word in read_arguments(files, pid):
        base = word.replace("\\", "/").rpartition("/")[2]
        if base.startswith(stat.name):
            return base
    return stat.name
