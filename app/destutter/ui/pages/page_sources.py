# SPDX-License-Identifier: GPL-3.0-or-later
"""What pages are made from besides measurements: the frame of the window does without."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from destutter.bridge.global_keys import GlobalKeys
    from destutter.bridge.kept_settings import KeptSettings
    from destutter.bridge.kernel_trace import KernelTrace
    from destutter.bridge.tuning_model import TuningModel
    from destutter.sampling.installed.library import GameLibrary
    from destutter.tuning.presets import Preset


@dataclass(frozen=True, slots=True)
class PageSources:
    """``read_machine`` describes this computer, as the header of a stream does; ``read_presets``
    gives what may be played, ``read_folders`` where the file systems of a drive are mounted.
    Without ``tuning`` there is nothing to change, without ``trace`` nothing to look into, and
    without ``read_games`` no list of installed games, without ``keys`` none that work while a
    game has the keyboard.
    """

    tuning: TuningModel | None = None
    settings: KeptSettings | None = None
    read_machine: Callable[[], Mapping[str, Any]] = dict
    read_presets: Callable[[], Sequence[Preset]] = tuple
    trace: KernelTrace | None = None
    read_folders: Callable[[str], Sequence[str]] = lambda _drive: ()
    read_games: Callable[[], GameLibrary] | None = None
    keys: GlobalKeys | None = None
