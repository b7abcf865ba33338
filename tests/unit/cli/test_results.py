# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of changes in words."""

import pytest

from destutter.commands.results import result_json, result_line
from destutter.commands.trial_watch import NO_HELPER
from destutter.words.language import LANGUAGES
from destutter.words.renderer import english, renderer
from destutter_helper.api.payload import Result
from destutter_helper.api.statement import Said, told

QUEUE = (
    "block.scheduler=mq-deadline block.nr_requests=64 block.iosched.fifo_batch=7 "
    "block.wbt_lat_usec=2000"
)
OUTCOMES = (
    "changed already restored foreign failed gone ok reset resurrected until-restart accepted"
).split()
TIED = (
    "back to 128 (was 64 and 3 other settings that belong together with it after the "
    "interrupted change)"
)
NEXT_START = (
    "is restored now, but the next start sets it again: the state directory cannot be written"
)


def _told(result, asked=None):
    return english(result_line(result, asked))


def _result(outcome, value, *notes, until=""):
    return Result("block.nr_requests", "sda", outcome, value, "128", until, notes)


@pytest.mark.parametrize(
    ("result", "told"),
    [
        (_result("changed", "64", until="restart"), "128 -> 64, until the next restart"),
        (_result("already", "128", until="always"), "already 128, at every start"),
        (_result("failed", "64", told("no room")), "still 64: no room"),
        (
            Result("block.nr_requests", "sda", "changed", "64", None, "restart"),
            "absent -> 64, until the next restart",
        ),
        (_result("restored", None), "back to absent"),
        (_result("failed", None, Said("helper.note.comes_back")), NEXT_START),
        (
            _result("gone", None, Said("helper.note.device_left")),
            "the device is not there any more; it starts anew when it returns",
        ),
        (
            _result("restored", "128", Said("helper.note.interrupted", {"settings": QUEUE})),
            TIED,
        ),
        (
            _result("restored", "128", Said("helper.note.tied"), told("so")),
            f"back to 128 ({Said('helper.note.tied')}; so)",
        ),
        (
            _result("failed", "64", Said("helper.of_tomorrow", {"some_settings": QUEUE})),
            (
                "still 64: helper.of_tomorrow (some_settings: 64 and 3 other "
                "settings that belong together with it)"
            ),
        ),
    ],
)
def test_a_result_is_one_sentence(result, told):
    """Punctuated, without None, and without the list of what the kernel ties together."""
    assert _told(result) == f"block.nr_requests (sda): {told}"


@pytest.mark.parametrize(
    ("result", "german", "chinese"),
    [
        (
            _result("changed", "64", until="restart"),
            "128 -> 64, bis zum nächsten Neustart",
            "128 -> 64，直到下次重启",
        ),
        (
            _result("restored", "128", Said("helper.note.overwritten", {"settings": QUEUE})),
            (
                "zurück auf 128 (jemand anderes hatte 64 und 3 weitere, dazu gehörende "
                "Einstellungen gesetzt)"
            ),
            "已恢复为 128（其他人曾设置 64 以及另外 3 项与之相关的设置）",
        ),
        (
            _result("failed", "64", NO_HELPER),
            "noch 64: der Hilfsdienst antwortet nicht und hat es nicht zurückgenommen",
            "仍为 64：辅助服务没有应答，也没有恢复它",
        ),
        (
            _result("gone", None, Said("helper.note.device_left")),
            "das Gerät ist nicht mehr da; es fängt neu an, wenn es zurückkehrt",
            "设备已不存在；它返回时会重新开始",
        ),
    ],
)
def test_a_result_is_told_in_the_language(result, german, chinese):
    """The helper's notes within it, too."""
    assert renderer("de").text(result_line(result)) == f"block.nr_requests (sda): {german}"
    assert renderer("zh_CN").text(result_line(result)) == f"block.nr_requests（sda）：{chinese}"


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_has_its_words(outcome):
    """Each that the helper knows, in each language; one of a later helper is shown as it is."""
    for language in LANGUAGES:
        text = renderer(language).text(result_line(_result(outcome, "64")))
        assert "change." not in text
    assert _told(_result("of_tomorrow", "64")).endswith(": of_tomorrow")


def test_a_foreign_value_is_said_once():
    """Its own, or one of those that stand and fall with it."""
    alone = Said("helper.note.somebody_else", {"settings": "vm.swappiness=77"})
    own = _told(_result("foreign", "77", alone))
    assert own.startswith("block.nr_requests (sda): left alone at 77: somebody else has set it ")
    theirs = Said("helper.note.somebody_else", {"settings": QUEUE})
    tied = _told(_result("foreign", "64", theirs))
    assert "somebody else has changed it, or what belongs to it" in tied
    assert "fifo_batch" not in tied


def test_what_the_kernel_made_of_a_wish_is_told():
    """Some values are rounded, to 0 as well."""
    told = _told(_result("changed", "0", until="restart"), asked="3")
    assert told.endswith("128 -> 0, until the next restart (asked for 3: the kernel made 0 of it)")
    assert "asked" not in _told(_result("changed", "64"), asked="64")


def test_a_result_for_programs_has_a_note_in_english():
    """How long it stays, or what was noted; the same keys as ever."""
    left = Said("helper.note.somebody_else", {"settings": "block.nr_requests=64"})
    told_ = result_json(_result("foreign", "64", left, told("so")))
    assert list(told_) == ["id", "device", "outcome", "value", "origin", "note"]
    assert told_["note"] == "somebody else changed it to block.nr_requests=64; so"
    assert result_json(_result("changed", "64", until="restart"))["note"] == "restart"
    assert result_json(_result("restored", "128"))["note"] == ""
