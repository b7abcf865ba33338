# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter status``: every setting, who set it, what is advised, what Destutter changed."""

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from destutter.commands.game_words import game_json, game_line
from destutter.commands.options import add_json_option, add_root_option, root_of
from destutter.commands.parsing import CommandParser
from destutter.commands.terminal import CommandError, Terminal, UsageError
from destutter.core.statement import Statement, Value, told
from destutter.tuning.keys import key_of
from destutter.words.columns import to_left
from destutter.words.renderer import Renderer, english
from destutter.words.wrapping import wrapped

if TYPE_CHECKING:
    from destutter.commands.helper_state import HelperAnswer
    from destutter.core.kernel_files import KernelFiles
    from destutter.tuning.current import CurrentValue
    from destutter.tuning.ownership import Ownership
    from destutter.tuning.presets import Preset
    from destutter.tuning.recommendation import Recommendation

_WIDTHS = (38, 14, 16, 0)
_LINE = 99
_MOST_DEVICES = 2

_Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _Status:
    """All that is told: each mapping by id and device."""

    values: "tuple[CurrentValue, ...]"
    owners: "Mapping[_Key, Ownership]"
    advice: "Mapping[_Key, Recommendation]"
    answer: "HelperAnswer"
    preset: "Preset"
    words: Renderer
    is_sandboxed: bool = False

    def said(self, id_: str, values: Mapping[str, Value] | None = None) -> str:
        """A text of the command in the language of the terminal."""
        return self.words.text(Statement(f"status.{id_}", values or {}))


def add_arguments(parser: CommandParser) -> None:
    add_root_option(parser)
    add_json_option(parser)
    parser.add_argument("--workload", metavar="NAME", help=parser.say("cli.status.workload"))


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Show the settings. Raises ``CommandError`` when not a single one can be read."""
    from destutter.commands.computer import computer
    from destutter.commands.helper_state import ask_helper
    from destutter.core.sandbox import read_sandbox
    from destutter.tuning.current import read_current
    from destutter.tuning.ownership import read_ownership

    root, preset = root_of(arguments), _preset(arguments.workload, terminal)
    files = computer(root)
    values = read_current(files)
    if all(each.value is None for each in values):
        raise CommandError(Statement("command.no_settings", {"path": root}))
    answer = ask_helper(root)
    owners = read_ownership(files, values, is_helper_asked=answer.is_ready)
    advice = _advise(files, values, owners, preset)
    is_sandboxed = read_sandbox(files) is not None
    status = _Status(values, owners, advice, answer, preset, terminal.words, is_sandboxed)
    if arguments.json:
        terminal.json(_as_json(status))
        return 0
    for line in _lines(status):
        terminal.line(line)
    return 0


def _preset(name: str | None, terminal: Terminal) -> "Preset":
    """What is played; other presets that are broken are complained of, and cost nothing."""
    from destutter.resource_folder import ResourceError, resource_folder
    from destutter.tuning.presets import GENERAL, PresetError, load_presets

    if name is None or name == GENERAL.id:
        return GENERAL
    broken: dict[str, PresetError] = {}
    try:
        presets = load_presets(resource_folder() / "presets", broken.__setitem__)
    except ResourceError as error:
        raise CommandError(told(str(error))) from None
    if name in broken:
        raise CommandError(broken[name].statement)
    for each in broken.values():
        terminal.complain(each.statement)
    if name not in presets:
        known = ", ".join((GENERAL.id, *presets))
        raise UsageError(Statement("cli.status.workloads", {"names": known}))
    return presets[name]


def _advise(
    files: "KernelFiles",
    values: "tuple[CurrentValue, ...]",
    owners: "Mapping[_Key, Ownership]",
    preset: "Preset",
) -> "dict[_Key, Recommendation]":
    from destutter.tuning.advice import recommend
    from destutter.tuning.machine_profile import read_profile
    from destutter.tuning.ownership import chosen_keys
    from destutter.tuning.recommendation import Situation, present_values

    situation = Situation(
        read_profile(files), present_values(values), chosen_keys(owners.values()), preset=preset
    )
    return {(each.tunable, each.device): each for each in recommend(situation)}


def _as_json(status: _Status) -> dict[str, Any]:
    return {
        "workload": status.preset.id,
        "settings": [_setting(each, status) for each in status.values],
        "notes": [english(each) for each in status.preset.advice],
        "helper": {
            "is_ready": status.answer.is_ready,
            "detail": english(status.answer.detail),
            "notices": [english(notice) for notice in status.answer.notices],
        },
        "conflicts": [
            {"tunable": id_, "device": device or None, "origin": each.origin, "note": each.note}
            for (id_, device), each in status.answer.conflicts.items()
        ],
        "not_in_force": [
            {"tunable": id_, "device": device or None, "kept": kept, "value": now}
            for (id_, device), kept, _lasts, now in _not_in_force(status)
        ],
        "kept_for_games": [game_json(each) for each in status.answer.for_games],
    }


def _setting(value: "CurrentValue", status: _Status) -> dict[str, Any]:
    from destutter.commands.advice import advice_json
    from destutter.commands.who_set import next_start

    key = (value.id, value.device)
    recommended, owner = status.advice.get(key), status.owners.get(key)
    changed = status.answer.changed.get(key)
    next_boot, next_boot_by = next_start(value, owner, status.answer)
    return {
        "tunable": value.id,
        "device": value.device or None,
        "label": value.label,
        "unit": value.unit,
        "value": value.value,
        "is_active": value.is_active,
        "why": None if value.why is None else english(value.why),
        "set_by": english(_set_by(value, status)),
        "is_chosen": owner.is_chosen if owner else None,
        "next_boot": next_boot,
        "next_boot_by": None if next_boot_by is None else english(next_boot_by),
        "recommendation": None if recommended is None else advice_json(recommended),
        "changed": None if changed is None else {"origin": changed.origin, "value": changed.value},
        "kept_always": status.answer.kept_always.get(key),
    }


def _lines(status: _Status) -> Iterator[str]:
    from destutter.commands.advice import advice_lines, apply_line

    heads = (status.said(f"head.{name}") for name in ("setting", "value", "owner"))
    yield _row(*heads)
    yield from _value_lines(status)
    if status.is_sandboxed:
        yield status.said("sandbox")
    if status.advice:
        yield from ("", status.said("advised", {"workload": status.preset.name}))
        for advice in status.advice.values():
            yield from (f"  {line}" for line in advice_lines(advice, status.words))
        yield from ("", status.said("try", {"command": apply_line(status.advice.values())}))
    yield from (f"  {status.words.text(note)}" for note in status.preset.advice)
    yield from _conflicts(status)
    yield from _kept_in_vain(status)
    if status.answer.for_games:
        yield from ("", status.said("games"))
        yield from (f"  {status.words.text(game_line(each))}" for each in status.answer.for_games)
    yield from _next_start(status)
    yield from _absent(status)
    yield from ("", status.said("helper", {"detail": status.answer.detail}))
    yield from (f"  {status.words.text(notice)}" for notice in status.answer.notices)


def _value_lines(status: _Status) -> Iterator[str]:
    """A row for each setting; devices for which everything is the same share one."""
    rows: dict[tuple[str, str, str, str], list[str]] = defaultdict(list)
    for value in status.values:
        if value.value is None:
            continue
        recommended = status.advice.get((value.id, value.device))
        note = "" if value.is_active else status.said("not_active")
        if recommended is not None:
            note = status.said(
                "advised_value",
                {"value": recommended.recommended, "risk": recommended.risk_word},
            )
        unit = status.words.measures.unit(value.unit)
        shown = f"{value.value} {unit}" if unit else value.value
        owner = status.words.text(_set_by(value, status))
        rows[value.id, shown, owner, note].append(value.device)
    for (id_, shown, owner, note), devices in rows.items():
        yield _row(_named(id_, devices, status), shown, owner, note)


def _named(id_: str, devices: list[str], status: _Status) -> str:
    if devices == [""]:
        return id_
    if len(devices) > _MOST_DEVICES:
        return status.said("and_more", {"name": f"{id_}@{devices[0]}", "more": len(devices) - 1})
    return f"{id_}@{','.join(devices)}"


def _conflicts(status: _Status) -> Iterator[str]:
    """What an undo left alone, and both ways out."""
    conflicts = status.answer.conflicts
    if not conflicts:
        return
    from destutter.commands.results import told_value

    yield from ("", status.said("left_alone"))
    values = _by_key(status)
    for key, conflict in conflicts.items():
        now = values[key].value if key in values else None
        said = {
            "name": _name(key),
            "value": _present(now),
            "origin": told_value(conflict.origin),
        }
        yield f"  {status.said('conflict', said)}"


def _kept_in_vain(status: _Status) -> Iterator[str]:
    """What Destutter keeps and something else has replaced."""
    rows: list[str] = []
    for key, kept, lasts, now in _not_in_force(status):
        said: dict[str, Value] = {"name": _name(key), "value": kept, "lasts": lasts}
        rows.append(f"  {status.said('kept', {**said, 'present': _present(now)})}")
    if rows:
        yield from ("", status.said("in_vain"), *rows)


def _present(value: str | None) -> Value:
    return value or Statement("status.not_here")


def _not_in_force(status: _Status) -> "Iterator[tuple[_Key, str, Value, str | None]]":
    from destutter.commands.who_set import not_in_force

    return not_in_force(_by_key(status), status.answer)


def _by_key(status: _Status) -> "dict[_Key, CurrentValue]":
    return {(value.id, value.device): value for value in status.values}


def _name(key: _Key) -> str:
    return key_of(*key)


def _next_start(status: _Status) -> Iterator[str]:
    """What the next start will set to another value than the present one."""
    from destutter.commands.who_set import next_start

    differing = []
    for value in status.values:
        owner = status.owners.get((value.id, value.device))
        coming, by = next_start(value, owner, status.answer)
        if value.value is None or coming in (None, value.value) or by is None:
            continue
        said: dict[str, Value] = {"value": coming, "present": value.value, "owner": by}
        name = _name((value.id, value.device))
        differing.append(f"  {status.said('coming', {'name': name, **said})}")
    if differing:
        yield from ("", status.said("next_start"), *differing)


def _absent(status: _Status) -> Iterator[str]:
    """What is not there, all that is missing for the same reason together."""
    missing: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for value in status.values:
        if value.value is None:
            why = "" if value.why is None else status.words.text(value.why)
            missing[why][value.id].append(value.device)
    if not missing:
        return
    yield from ("", status.said("absent"))
    for why, ids in missing.items():
        groups: dict[str, list[str]] = defaultdict(list)
        for id_, devices in ids.items():
            groups[", ".join(filter(None, devices))].append(id_)
        for devices_text, names in groups.items():
            said = {"why": why, "names": ", ".join(names)}
            text = status.said("missing", said)
            if devices_text:
                text = status.said("missing_on", {**said, "devices": devices_text})
            yield from wrapped(text, _LINE, first="  ", rest="    ")


def _set_by(value: "CurrentValue", status: _Status) -> Statement:
    from destutter.commands.who_set import set_by

    return set_by(value, status.owners.get((value.id, value.device)), status.answer)


def _row(*cells: str) -> str:
    pairs = zip(cells, _WIDTHS, strict=False)
    return " ".join(to_left(cell, width) for cell, width in pairs).rstrip()
