# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes resources/man/destutter.1 and resources/completions/destutter.bash from the command line.

`python packaging/manual/manual.py` after a change of an option; tests/house compares.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from destutter.cli import COMMANDS, build_parser, what_it_does
from destutter.words.renderer import english

ROOT = Path(__file__).resolve().parents[2]
MAN = ROOT / "resources" / "man" / "destutter.1"
COMPLETION = ROOT / "resources" / "completions" / "destutter.bash"

_FILES = (
    ("$XDG_DATA_HOME/destutter/sessions", "recordings; usually below ~/.local/share"),
    ("$XDG_CONFIG_HOME/destutter/settings.json", "settings; usually below ~/.config"),
    (
        "/var/lib/destutter",
        "what the helper changed, found before and keeps for games, its history; for root only",
    ),
    ("/run/destutter", "the same where /var/lib cannot be written, and what this start needs"),
    (
        "/run/sysctl.d/99-zz-destutter.conf, /run/udev/rules.d/99-zz-destutter.rules",
        "what is kept for every start; the helper writes both anew at each",
    ),
)
_STATUS = (
    ("0", "done"),
    ("1", "it could not be done; one line on standard error says why"),
    ("2", "wrong usage"),
)
_TAKES_A_FILE = ("FILE", "CSV", "DIR")


def man_page() -> str:
    """The manual page in the format of man(7)."""
    main = build_parser(None)
    lines = [
        '.\\" Made by packaging/manual/manual.py from the options of the program.',
        ".TH DESTUTTER 1",
        ".SH NAME",
        "destutter \\- shows why games freeze, and fixes it on trial",
        ".SH SYNOPSIS",
        ".B destutter",
        "[\\fIoptions\\fR]",
        ".br",
        ".B destutter",
        "\\fIcommand\\fR [\\fIoptions\\fR]",
        ".SH DESCRIPTION",
        "Watches the computer while a game runs, names the cause of stutters, and changes kernel",
        "settings on trial, with exact undo. Without a command the window opens; a second start",
        "brings the window that is open to the front. Measuring needs no rights.",
        ".SH OPTIONS",
        *_options(main),
        ".SH COMMANDS",
    ]
    for name in COMMANDS:
        parser = _parser_of(name)
        told = english(what_it_does(name))
        # The first letter alone: names such as MangoHud keep theirs.
        what = f"{told[:1].upper()}{told[1:]}."
        lines += [f'.SS "{_usage(name, parser)}"', _escaped(what)]
        lines += _options(parser)
    lines += [".SH EXIT STATUS", *_pairs(_STATUS), ".SH FILES", *_pairs(_FILES)]
    return "\n".join(lines) + "\n"


def bash_completion() -> str:
    """The completion for bash: commands, their options, and files where one belongs."""
    lines = [
        "# bash completion for destutter",
        "# Made by packaging/manual/manual.py from the options of the program.",
        "_destutter() {",
        "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}",
        '    local each name=""',
        '    for each in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
        f'        case " {" ".join(COMMANDS)} " in',
        '            *" $each "*) name=$each; break ;;',
        "        esac",
        "    done",
        "    case $before in",
        f"        {'|'.join(_file_options())})",
        '            mapfile -t COMPREPLY < <(compgen -f -- "$word")',
        "            return ;;",
        "    esac",
        '    local words=""',
        "    case $name in",
    ]
    for name in COMMANDS:
        words = [*_flags(_parser_of(name)), *_choices(_parser_of(name))]
        lines.append(f'        {name}) words="{" ".join(words)}" ;;')
    main = " ".join([*COMMANDS, *_flags(build_parser(None))])
    lines += [
        f'        *) words="{main}" ;;',
        "    esac",
        '    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")',
        "    if [[ ${#COMPREPLY[@]} -eq 0 && $word != -* && -n $name ]]; then",
        '        mapfile -t COMPREPLY < <(compgen -f -- "$word")',
        "    fi",
        "}",
        "complete -o filenames -F _destutter destutter",
    ]
    return "\n".join(lines) + "\n"


def _parser_of(command: str) -> argparse.ArgumentParser:
    for action in build_parser(command)._actions:
        if isinstance(action, argparse._SubParsersAction):
            found: argparse.ArgumentParser = action.choices[command]
            return found
    raise KeyError(command)


def _shown(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:
        is_commands = isinstance(action, argparse._SubParsersAction)
        if not is_commands and action.help != argparse.SUPPRESS:
            yield action


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    return [flag for action in _shown(parser) for flag in action.option_strings]


def _choices(parser: argparse.ArgumentParser) -> list[str]:
    return [
        str(choice)
        for action in _shown(parser)
        if not action.option_strings
        for choice in action.choices or ()
    ]


def _file_options() -> list[str]:
    parsers = [build_parser(None), *(_parser_of(name) for name in COMMANDS)]
    return sorted(
        {
            flag
            for parser in parsers
            for action in _shown(parser)
            if str(action.metavar) in _TAKES_A_FILE
            for flag in action.option_strings
        }
    )


def _value(action: argparse.Action) -> str:
    """What stands for the value of an option or argument."""
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, str):
        return action.metavar
    if action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return action.dest.upper()


def _usage(name: str, parser: argparse.ArgumentParser) -> str:
    """The command with what it takes, without its options."""
    words = [name]
    for action in _shown(parser):
        if not action.option_strings:
            value = _value(action)
            ending = "..." if action.nargs in ("*", "+") else ""
            is_optional = action.nargs in ("*", "?")
            words.append(f"[{value}{ending}]" if is_optional else f"{value}{ending}")
    return _escaped(" ".join(words))


def _options(parser: argparse.ArgumentParser) -> list[str]:
    lines = []
    for action in _shown(parser):
        names = ", ".join(f"\\fB{_escaped(flag)}\\fR" for flag in action.option_strings)
        value = f"\\fI{_escaped(_value(action))}\\fR" if _value(action) else ""
        lines += [".TP", f"{names} {value}".strip(), _escaped(_help(parser, action))]
    return lines


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    values = {**vars(action), "prog": parser.prog}
    text = (action.help or "") % values
    return text[:1].upper() + text[1:] + "." if text else "See the command."


def _pairs(pairs: tuple[tuple[str, str], ...]) -> list[str]:
    return [part for name, text in pairs for part in (".TP", _escaped(name), _escaped(text))]


def _escaped(text: str) -> str:
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def main() -> int:
    """Write both files."""
    for path, text in ((MAN, man_page()), (COMPLETION, bash_completion())):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
