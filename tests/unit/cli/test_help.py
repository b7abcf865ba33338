# SPDX-License-Identifier: GPL-3.0-or-later
"""Help and wrong usage in the language of the one who reads them."""

import argparse
import ast
import inspect
from collections.abc import Iterator
from typing import TypeAlias

import pytest

from destutter import cli
from destutter.commands import parsing
from destutter.words.columns import columns
from destutter.words.language import ENGLISH, LANGUAGES
from destutter.words.renderer import english, renderer

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
LOCALES = {"de": "de_DE.UTF-8", "zh_CN": "zh_CN.UTF-8"}

OF_PROGRAMMERS = (
    "conflict", "callable", "__call__", "positionals", "optional", "merge", "dest=", "subparser",
    "option string", "open '", "mode %r", "parser_name", "prog", "(%s)", "at most one",
    "%s argument", "%(type)s", "usage: ", "subcommands", "%(heading)s", "deprecated", "default",
    "maybe you meant",
)  # fmt: skip
"""Parts of what argparse says to those who build a parser, or of kinds of options not in use."""


Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def _parser(name: str, language: str) -> argparse.ArgumentParser:
    """The parser of a command; of the window without one."""
    words = renderer(language)
    with parsing.argparse_speaks(words):
        parser = cli.build_parser(name or None, words)
    return _commands(parser).choices[name] if name else parser


def _commands(parser: argparse.ArgumentParser) -> Subparsers:
    (found,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    return found


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", ["", *cli.COMMANDS])
def test_no_help_stays_english(name, language):
    """Every description, every option and every title has words of its own in each language."""
    own, other = _parser(name, ENGLISH), _parser(name, language)
    assert own.description != other.description
    for one, two in zip(own._actions, other._actions, strict=True):
        assert (one.option_strings, one.dest) == (two.option_strings, two.dest)
        assert one.help is None or one.help != two.help
    for group, same in zip(own._action_groups, other._action_groups, strict=True):
        assert group.title != same.title


@pytest.mark.parametrize("language", OTHERS)
def test_every_command_is_listed_in_the_language(language):
    """The list of commands below the window's own options."""
    own, other = (_commands(_parser("", each)) for each in (ENGLISH, language))
    for one, two in zip(own._choices_actions, other._choices_actions, strict=True):
        assert one.help != two.help


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("locale", ["C", *LOCALES.values()])
@pytest.mark.parametrize("name", cli.COMMANDS)
def test_help_fits_the_terminal(commands, monkeypatch, name, locale, width):
    """No line is wider than the terminal, in columns; usage goes on below its own beginning."""
    monkeypatch.setenv("LC_ALL", locale)
    monkeypatch.setenv("COLUMNS", str(width))
    outcome = commands.run(name, "--help")
    assert (outcome.status, outcome.errors) == (0, "")
    lines = outcome.output.splitlines()
    assert [line for line in lines if columns(line) > width - 2] == []
    begun = columns(lines[0].partition("[")[0])
    if lines[1]:
        assert lines[1][:begun].isspace()
        assert not lines[1][begun].isspace()


EXAMPLES = {
    "de_DE.UTF-8": (
        ("watch", "Aufruf: destutter watch", "Optionen:\n", "nach so langer Zeit enden"),
        ("undo", "Argumente:\n", "alles, was Destutter geändert hat"),
        ("--help", "Befehle:\n", "jede Sekunde eine Zeile: ob es ruckelt"),
    ),
    "zh_CN.UTF-8": (
        ("watch", "用法：destutter watch", "选项:\n", "经过此时长后结束"),
        ("undo", "位置参数:\n", "Destutter 更改的一切"),
        ("--help", "命令:\n", "每秒一行：是否卡顿"),
    ),
    "C": (("watch", "usage: destutter watch", "options:\n", "end after so long"),),
}


@pytest.mark.parametrize("locale", EXAMPLES)
def test_help_is_in_the_language(commands, monkeypatch, locale):
    """What argparse says by itself as well."""
    monkeypatch.setenv("LC_ALL", locale)
    for name, *told in EXAMPLES[locale]:
        output = commands.run(name, "--help").output
        assert [words for words in told if words not in output] == []


@pytest.mark.parametrize(
    ("words", "german", "chinese"),
    [
        ("wathc", "ungültige Auswahl: 'wathc' (möglich sind 'watch'", "无效的选择：'wathc'"),
        ("watch --sekonds 3", "unbekannte Argumente: --sekonds 3", "无法识别的参数：--sekonds 3"),
        ("watch --seconds", "Argument --seconds: ein Wert wird erwartet", "需要一个值"),
        ("watch --seconds x", "Argument --seconds: 'x' ist keine Zahl", "'x' 不是秒数"),
        ("watch --json=3", "Argument --json: nimmt keinen Wert, hier '3'", "不接受值"),
        ("watch --pid x", "ist nicht die Nummer eines Prozesses", "'x' 不是进程号"),
        ("watch --xplane h:0", "h:0 ist keine Adresse", "h:0 不是"),
        ("--strip --record", "nicht zusammen mit --strip erlaubt", "不能与 --strip 同时使用"),
        ("record", "diese Argumente fehlen: --out", "缺少以下参数：--out"),
        ("undo --a", "--a kann --all, --accept sein", "--a 可能是 --all, --accept"),
        ("undo", "nennen, was zurückzunehmen ist", "请指定要撤销的设置"),
        ("undo vm.swapiness", "ist vm.swappiness gemeint?", "是否指 vm.swappiness？"),
        ("apply x", "'x' ist nicht ID=VALUE", "'x' 不是 ID=VALUE"),
        ("apply x=1 --trial 4", "von 5 bis 120", "5 到 120 之间的整数秒数"),
        ("apply vm.swappiness=900", "900 ist keine ganze Zahl von 0 bis 200", "之间的整数"),
        ("prove wakeup --against", "mindestens ein Wert", "需要至少一个值"),
        ("prove memory --mib 1", "von 32 bis 16777216", "32 到 16777216 之间"),
        ("prove wakeup --device sda", "'wakeup' nutzt kein Laufwerk", "不使用驱动器"),
        ("export x --out y --metrics foo", "keine Messgröße 'foo'", "没有指标 'foo'"),
        ("diagnose --json --markdown", "schließen einander aus", "不能同时使用"),
        ("diagnose a --pid 1", "--pid ist für eine Messung von jetzt", "--pid 用于当前测量"),
        ("status --workload foo", "--workload ist eines von general", "为以下之一：general"),
    ],
)
def test_wrong_usage_is_told_in_the_language(commands, monkeypatch, words, german, chinese):
    """The sentences of argparse, and those of our own checks, which also say which option."""
    for locale, told in ((LOCALES["de"], german), (LOCALES["zh_CN"], chinese)):
        monkeypatch.setenv("LC_ALL", locale)
        outcome = commands.run(*words.split())
        assert outcome.output == ""
        assert outcome.status == (1 if "900" in words else 2)
        assert told in outcome.complaint


def _texts_of_argparse() -> Iterator[str]:
    for node in ast.walk(ast.parse(inspect.getsource(argparse))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("_", "ngettext"):
            yield from (str(ast.literal_eval(each)) for each in node.args[:1] if _is_text(each))


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def test_all_that_argparse_says_here_is_known():
    """What a newer Python words differently would stay English: this says which text."""
    known = {english(each) for each in parsing._OF_ARGPARSE}
    said = set(_texts_of_argparse())
    assert known <= said
    assert {
        text for text in said - known if not any(part in text for part in OF_PROGRAMMERS)
    } == set()


def test_argparse_is_left_as_it_was(commands, monkeypatch):
    """Its words are those of the process, and others use it, too."""
    before = vars(argparse)["_"]
    monkeypatch.setenv("LC_ALL", LOCALES["de"])
    commands.run("--bogus")
    assert vars(argparse)["_"] is before
