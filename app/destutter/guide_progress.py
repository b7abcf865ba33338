# SPDX-License-Identifier: GPL-3.0-or-later
"""How far somebody is in the guide, kept over a restart."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from destutter.core.statement import Statement, StatementError, Value
from destutter.core.system_error import system_reason
from destutter.core.whole_file import write_whole_file


class GuideStep(StrEnum):
    """The five steps, in their order."""

    WELCOME = "welcome"
    CHECK = "check"
    RECORD = "record"
    CHOOSE = "choose"
    COMPARE = "compare"

    @property
    def number(self) -> int:
        """From 1 to 5."""
        return list(GuideStep).index(self) + 1

    def moved(self, by: int) -> "GuideStep":
        """The step so many further; the first or the last where there is none."""
        steps = list(GuideStep)
        return steps[min(max(0, steps.index(self) + by), len(steps) - 1)]


class GuideProgressError(StatementError):
    """The file cannot be written."""


@dataclass(frozen=True, slots=True)
class GuideProgress:
    """``baseline`` and ``second`` are file names of recordings; ``changes`` maps the keys of
    settings ("ID" or "ID@DEVICE") that were tried to their values. ``is_declined``: the offer of
    the first start was closed."""

    step: GuideStep = GuideStep.WELCOME
    baseline: str = ""
    second: str = ""
    changes: tuple[tuple[str, str], ...] = ()
    is_declined: bool = False

    @property
    def is_begun(self) -> bool:
        """Whether there is something to go on with."""
        return self.step is not GuideStep.WELCOME

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """Progress from a parsed file; what makes no sense is left out."""
        step = values.get("step")
        changes = values.get("changes")
        return cls(
            next((each for each in GuideStep if each == step), GuideStep.WELCOME),
            _file_name(values.get("baseline")),
            _file_name(values.get("second")),
            tuple(_pairs(changes)) if isinstance(changes, list) else (),
            values.get("is_declined") is True,
        )


def _file_name(value: object) -> str:
    return value if isinstance(value, str) and "/" not in value and value != ".." else ""


def _pairs(values: list[Any]) -> Iterator[tuple[str, str]]:
    for each in values:
        if isinstance(each, list) and len(each) == 2 and all(isinstance(t, str) for t in each):
            yield each[0], each[1]


class GuideStore:
    """The progress in a file. ``progress`` is what holds now."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.progress = self._load()

    def _load(self) -> GuideProgress:
        try:
            values = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return GuideProgress()
        return GuideProgress.from_mapping(values) if isinstance(values, dict) else GuideProgress()

    def keep(self, progress: GuideProgress) -> None:
        """Go on from here next time. Raises ``GuideProgressError``; it holds until then."""
        if progress != self.progress:
            self.progress = progress
            self._write()

    def note_shown(self) -> None:
        """Leave a file even if nothing was begun: by it later starts know that this was shown.

        Raises ``GuideProgressError``.
        """
        if not self._path.exists():
            self._write()

    def _write(self) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole_file(self._path, json.dumps(asdict(self.progress)).encode())
        except OSError as error:
            values: dict[str, Value] = {"reason": system_reason(error), "path": str(self._path)}
            raise GuideProgressError(Statement("menu.not_kept", values)) from error
