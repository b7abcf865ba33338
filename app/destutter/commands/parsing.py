# SPDX-License-Identifier: GPL-3.0-or-later
"""argparse in the language of the one who reads it, in the columns of a terminal."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn

from destutter.commands.terminal import UsageError
from destutter.core.statement import Statement, Value
from destutter.words.language import ENGLISH
from destutter.words.renderer import Renderer, english

_OF_ARGPARSE = (
    Statement("cli.argparse.positionals"),
    Statement("cli.argparse.options"),
    Statement("cli.argparse.help"),
    Statement(
        "cli.argparse.argument", {"argument": "%(argument_name)s", "message": "%(message)s"}
    ),
    Statement("cli.argparse.unrecognized", {"words": "%s"}),
    Statement("cli.argparse.ambiguous", {"option": "%(option)s", "matches": "%(matches)s"}),
    Statement("cli.argparse.no_choice", {"value": "%(value)r", "choices": "%(choices)s"}),
    Statement("cli.argparse.one"),
    Statement("cli.argparse.at_least_one"),
    Statement("cli.argparse.required", {"arguments": "%s"}),
    Statement("cli.argparse.one_of", {"arguments": "%s"}),
    Statement("cli.argparse.excluded", {"option": "%s"}),
    Statement("cli.argparse.ignored", {"value": "%r"}),
)
"""What argparse says by itself, as it says it in English."""


_PLACES = {
    "COMMAND": Statement("cli.place.command"),
    "DIR": Statement("cli.place.folder"),
    "FILE": Statement("cli.place.file"),
    "ID=VALUE": Statement("cli.place.id_value"),
    "NAME": Statement("cli.place.name"),
    "OUT": Statement("cli.place.out"),
    "PATH": Statement("cli.place.path"),
    "SECONDS": Statement("cli.place.seconds"),
    "TEXT": Statement("cli.place.text"),
}
"""What stands in a usage for what the user writes; PID, CSV and single letters stay."""


class CommandParser(argparse.ArgumentParser):
    """Says what is wrong in one line, without the usage above it."""

    def __init__(self, *, words: Renderer, **given: Any) -> None:
        self._words = words
        super().__init__(formatter_class=partial(_Formatter, words=words), **given)

    def say(self, id_: str, values: Mapping[str, Value] | None = None) -> str:
        """A text for a help, in which argparse looks for places of its own."""
        return self._words.text(Statement(id_, values or {})).replace("%", "%%")

    def takes_value(self, word: str) -> bool:
        """Whether a word is an option whose value is the next one."""
        option = self._option_string_actions.get(word)
        return option is not None and option.nargs is None

    def error(self, message: str) -> NoReturn:
        """Raise ``UsageError``."""
        raise UsageError(Statement("cli.how", {"text": message, "program": self.prog}))

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except UsageError as error:
            raise argparse.ArgumentError(action, self._words.text(error.statement)) from None


@contextmanager
def argparse_speaks(words: Renderer) -> Iterator[None]:
    """Inside, argparse has its own texts in the language: it asks gettext, which knows none."""
    module = vars(argparse)
    gettext = module["_"]
    known = () if words.language == ENGLISH else _OF_ARGPARSE
    texts = {english(each): words.text(each) for each in known}
    module["_"] = lambda text: texts.get(text, text)
    try:
        yield
    finally:
        module["_"] = gettext


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str, words: Renderer) -> None:
        super().__init__(prog)
        self._words = words

    def _metavar_formatter(
        self, action: argparse.Action, default_metavar: str
    ) -> Callable[[int], tuple[str, ...]]:
        written = super()._metavar_formatter(action, default_metavar)
        return lambda size: tuple(self._place(each) for each in written(size))

    def _place(self, name: str) -> str:
        known = _PLACES.get(name)
        return name if known is None else self._words.text(known)

    def _split_lines(self, text: str, width: int) -> list[str]:
        from destutter.words.wrapping import wrapped

        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        from destutter.words.wrapping import wrapped

        return "\n".join(wrapped(text, width, indent, indent))

    def _format_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None,
    ) -> str:
        from destutter.words.columns import columns

        # What follows is indented by the letters of this, and has to be by its columns.
        shown = self._words.text(Statement("cli.usage")) if prefix is None else prefix
        stand_in = "_" * columns(shown)
        formatted = super()._format_usage(usage, actions, groups, stand_in)
        return formatted.replace(stand_in, shown, 1)
