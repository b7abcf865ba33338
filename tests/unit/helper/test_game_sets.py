# SPDX-License-Identifier: GPL-3.0-or-later
"""What is kept for games: authorised once, one user's, all of it or nothing, and its file."""

import hashlib
import json
from dataclasses import replace

import pytest

from destutter_helper import game_sets, journal
from destutter_helper.api import names, payload
from destutter_helper.api.names import HelperError
from destutter_helper.api.payload import Change, UndoRequest
from destutter_helper.engine import Engine
from destutter_helper.game_sets import FILE, KeptForGames, KeptSet, KeptSets
from destutter_helper.stores import STARTS_HISTORY
from tests.support.faulty_kernel import Computer
from tests.support.helper_moves import change_set, keep, outcomes

ALICE, BOB, ROOT = 1000, 1001, 0
TEN = change_set("vm.swappiness=10")


@pytest.fixture
def sets(engine: Engine) -> KeptForGames:
    """What this helper knows of."""
    return KeptForGames(engine)


def begin(engine: Engine, id_: str, uid: int = ALICE) -> journal.Trial:
    """The game has started; its descriptor is the guardian's business, and there is none."""
    sets = KeptForGames(engine)
    return sets.begin(id_, sets.changes_of(id_, uid), (uid, ":1.7"), -1, -1)


def values(computer: Computer) -> tuple[str | None, str | None]:
    """The two settings that these tests move."""
    names_ = ("/proc/sys/vm/swappiness", "/proc/sys/vm/page-cluster")
    return tuple(computer.kernel.read(name).decode().strip() for name in names_)  # type: ignore[return-value]


def refusal(caught: pytest.ExceptionInfo[HelperError]) -> tuple[str, str]:
    """The name of an error and the id of what it says."""
    return caught.value.name, caught.value.said.id


def test_what_is_kept_is_set_while_the_game_runs_and_then_as_before(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """Keeping writes nothing to the kernel; a start does, as a trial with two minutes."""
    before = values(computer)
    id_ = sets.keep(ALICE, "sim", change_set("vm.swappiness=10", "vm.page-cluster=0"))
    assert values(computer) == before
    assert not sets.listed(ALICE).sets[0].runs
    trial = begin(engine, id_)
    assert values(computer) == ("10", "0")
    assert (trial.set_id, engine.state().seconds_left) == (id_, 120)
    (told,) = sets.listed(ALICE).sets
    assert (told.id, told.game, told.uid, told.runs) == (id_, "sim", ALICE, True)
    engine.revert(trial.txid, names.ENDED_GAME)
    assert values(computer) == before
    assert engine.is_idle


def test_it_goes_on_for_twelve_hours_as_a_trial_for_a_game_does(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """Longer than a trial of ten minutes, and it has to be renewed."""
    trial = begin(engine, sets.keep(ALICE, "sim", TEN))
    for _ in range(7):
        computer.kernel.now_ns += 110 * journal.NS_PER_S
        assert engine.expire() is None
        engine.extend(trial.txid, 120)
    computer.kernel.now_ns += 121 * journal.NS_PER_S
    assert outcomes(engine.expire() or ()) == {"vm.swappiness": "restored"}


def test_a54_nobody_sets_sees_or_forgets_what_somebody_else_keeps(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """Not even whether it is there is told; root sees and forgets all."""
    id_ = sets.keep(ALICE, "sim", TEN)
    for work in (lambda: begin(engine, id_, BOB), lambda: sets.forget(id_, BOB)):
        with pytest.raises(HelperError) as caught:
            work()
        assert refusal(caught) == ("UnknownKey", "helper.game.none")
    with pytest.raises(HelperError) as caught:
        sets.changes_of("0" * 32, ALICE)
    assert refusal(caught) == ("UnknownKey", "helper.game.none")
    assert sets.listed(BOB).sets == ()
    assert sets.listed(ROOT).sets == sets.listed(ALICE).sets != ()
    assert values(computer)[0] == "60"
    sets.forget(id_, ROOT)
    assert sets.listed(ALICE).sets == ()


def test_a54_two_users_keep_by_one_name_without_each_other(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """Each has a set of their own for the same game."""
    hers = sets.keep(ALICE, "sim", TEN)
    his = sets.keep(BOB, "sim", change_set("vm.swappiness=20"))
    assert hers != his
    begin(engine, his, BOB)
    assert values(computer)[0] == "20"
    sets.forget(his, BOB)
    assert [one.id for one in sets.listed(ROOT).sets] == [hers]


def test_a55_what_is_kept_again_by_a_name_takes_the_place_of_the_first(
    sets: KeptForGames,
) -> None:
    """It gets another number, so that whoever knows the old one does not set the new values."""
    first = sets.keep(ALICE, "sim", TEN)
    second = sets.keep(ALICE, "sim", change_set("vm.page-cluster=0"))
    (told,) = sets.listed(ALICE).sets
    assert (told.id, told.changes) == (second, (Change("vm.page-cluster", "0"),))
    assert first != second
    with pytest.raises(HelperError):
        sets.changes_of(first, ALICE)


def test_a55_what_the_dialog_says_is_what_is_kept(sets: KeptForGames) -> None:
    """It is said that no further password will be asked for; the game's name is not in it."""
    plan = sets.check(ALICE, "Authentication for root", TEN)
    assert plan.summary == "for one game, then without a password: swappiness 60 → 10"
    many = change_set(*(f"vm.{one}=1" for one in ("swappiness", "page-cluster")))
    assert len(sets.check(ALICE, "sim", many).summary) <= payload.SUMMARY_MAX


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        (change_set("kernel.core_pattern=x"), "UnknownKey"),
        (change_set("vm.swappiness=5000"), "OutOfRange"),
        (change_set("block.scheduler@nowhere=bfq"), "DeviceGone"),
        (change_set("vm.dirty_ratio=20", "vm.dirty_bytes=268435456"), "InvalidArgument"),
    ],
)
def test_a55_what_no_trial_takes_cannot_be_kept(
    sets: KeptForGames, computer: Computer, wrong: payload.ChangeSet, name: str
) -> None:
    """Unknown, out of range, without its device, contradicting itself: by a trial's names."""
    for work in (sets.check, sets.keep):
        with pytest.raises(HelperError) as caught:
            work(ALICE, "sim", wrong)
        assert caught.value.name == name
    assert FILE not in computer.disk.files


@pytest.mark.parametrize(
    "game", ["", " ", "a\nb", "a\x1b[2J", "a\u202eb", " a", "a ", "a  b", "a\u00a0b", "x" * 65]
)
def test_a56_names_that_could_be_more_than_names_are_refused(
    sets: KeptForGames, game: str
) -> None:
    """Empty, control characters, one that turns the writing, loose blanks, too long."""
    with pytest.raises(HelperError) as caught:
        sets.check(ALICE, game, TEN)
    assert refusal(caught) == ("InvalidArgument", "helper.request.invalid")


@pytest.mark.parametrize("game", ["X-Plane 12", "Baldur's Gate 3", "原神", "a", "x" * 64])
def test_names_of_games_are_taken(sets: KeptForGames, game: str) -> None:
    """In any language."""
    sets.keep(ALICE, game, TEN)
    assert [one.game for one in sets.listed(ALICE).sets] == [game]


def test_a56_each_user_and_all_together_have_so_many(
    sets: KeptForGames, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """32 and 256, told in words; what is kept anew by a name is no further one."""
    for number in range(game_sets.SETS_OF_USER_MAX):
        sets.keep(ALICE, f"sim {number}", TEN)
    with pytest.raises(HelperError) as caught:
        sets.keep(ALICE, "one more", TEN)
    assert refusal(caught) == ("TooLarge", "helper.game.too_many")
    sets.keep(ALICE, "sim 0", change_set("vm.swappiness=11"))
    monkeypatch.setattr(game_sets, "SETS_MAX", game_sets.SETS_OF_USER_MAX)
    with pytest.raises(HelperError) as caught:
        sets.keep(BOB, "sim", TEN)
    assert refusal(caught) == ("TooLarge", "helper.game.too_many")
    monkeypatch.setattr(game_sets, "SETS_MAX", 256)
    monkeypatch.setattr(game_sets, "FILE_MAX_BYTES", len(computer.disk.files[FILE]))
    with pytest.raises(HelperError) as caught:
        sets.keep(BOB, "sim", TEN)
    assert refusal(caught) == ("TooLarge", "helper.game.too_large")


def test_a56_starts_push_nothing_out_of_the_history(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """Each is free, so they are told in a file of their own; what was kept stays told."""
    keep(engine, "vm.page-cluster=0")
    id_ = sets.keep(ALICE, "sim", TEN)
    for _ in range(300):
        engine.revert(begin(engine, id_).txid, names.ENDED_GAME)
    events = [one["event"] for one in engine.stores.history()]
    assert events[:2] == ["trial", "keep"]
    assert events[-2:] == ["game", "game-ended"]
    assert len(computer.disk.files[STARTS_HISTORY]) <= 64 * 1024
    assert engine.stores.history()[-1]["set"] == id_


def test_what_somebody_keeps_of_it_is_in_the_history_of_all(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """That was asked for with a password."""
    engine.keep(begin(engine, sets.keep(ALICE, "sim", TEN)).txid, "restart")
    computer.disk.files.pop(STARTS_HISTORY)
    assert [one["event"] for one in engine.stores.history()] == ["keep"]


def test_two_games_one_runs_at_a_time(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """The second hears why, and begins when the first is over."""
    first = sets.keep(ALICE, "sim", TEN)
    second = sets.keep(ALICE, "other", change_set("vm.swappiness=20"))
    trial = begin(engine, first)
    with pytest.raises(HelperError) as caught:
        begin(engine, second)
    assert refusal(caught) == ("Busy", "helper.trial.busy_game")
    assert values(computer)[0] == "10"
    engine.revert(trial.txid, names.ENDED_GAME)
    begin(engine, second)
    assert values(computer)[0] == "20"


def test_on_top_of_what_is_kept_for_every_start(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """As any trial: when the game ends, what is kept is there again; undo goes to the origin."""
    keep(engine, "vm.swappiness=30", until="always")
    trial = begin(engine, sets.keep(ALICE, "sim", TEN))
    assert values(computer)[0] == "10"
    engine.revert(trial.txid, names.ENDED_GAME)
    assert values(computer)[0] == "30"
    engine.undo(UndoRequest())
    assert values(computer)[0] == "60"


def test_what_somebody_else_sets_meanwhile_stays(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """As after any trial."""
    trial = begin(engine, sets.keep(ALICE, "sim", TEN))
    computer.kernel.set("/proc/sys/vm/swappiness", "77")
    results = engine.revert(trial.txid, names.ENDED_GAME)
    assert outcomes(results) == {"vm.swappiness": "foreign"}
    assert values(computer)[0] == "77"


def test_undo_of_everything_ends_it_and_forgets_no_set(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """What was authorised stays so, until its user forgets it or the program goes."""
    begin(engine, sets.keep(ALICE, "sim", TEN))
    engine.undo(UndoRequest())
    assert values(computer)[0] == "60"
    assert [one.runs for one in sets.listed(ALICE).sets] == [False]
    sets.forget_all()
    assert sets.listed(ROOT).sets == ()
    assert FILE not in computer.disk.files


def test_f79_it_outlives_a_killed_helper_and_a_power_cut(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """The values do not: they are put back as those of any trial."""
    id_ = sets.keep(ALICE, "sim", TEN)
    begin(engine, id_)
    other = computer.start()
    assert outcomes(other.recover()) == {"vm.swappiness": "restored"}
    assert values(computer)[0] == "60"
    begin(other, id_)
    computer.power_cut("torn")
    last = computer.start()
    last.recover()
    assert last.boot() == ()
    assert values(computer)[0] == "60"
    assert [one.id for one in KeptForGames(last).listed(ALICE).sets] == [id_]


@pytest.mark.parametrize("crash_at", range(1, 5))
def test_f79_keeping_is_done_or_not_whenever_the_helper_is_killed(
    engine: Engine, sets: KeptForGames, computer: Computer, crash_at: int
) -> None:
    """The set from before, or the new one; never half of it."""
    old = sets.keep(ALICE, "sim", TEN)
    computer.run(lambda: sets.keep(ALICE, "sim", change_set("vm.page-cluster=0")), crash_at)
    (told,) = KeptForGames(computer.start()).listed(ALICE).sets
    wanted = Change("vm.swappiness", "10") if told.id == old else Change("vm.page-cluster", "0")
    assert told.changes == (wanted,)


def test_f80_a_set_whose_drive_is_gone_is_not_set_at_all(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """It names the drive; with the drive back it is set again."""
    id_ = sets.keep(ALICE, "sim", change_set("vm.swappiness=10", "block.scheduler@sda=bfq"))
    computer.kernel.unplug("block/sda")
    with pytest.raises(HelperError) as caught:
        begin(engine, id_)
    assert (caught.value.name, caught.value.device) == ("DeviceGone", "sda")
    assert values(computer)[0] == "60"
    computer.kernel.plug("block/sda")
    begin(engine, id_)
    assert computer.kernel.queues["sda"].scheduler == "bfq"


def test_f80_a_drive_without_a_number_cannot_be_kept(engine: Engine, sets: KeptForGames) -> None:
    """Later it could be another drive."""
    devices = engine.kernel.devices
    nameless = [replace(one, wwid="", serial="") for one in devices("block", "sda")]
    engine.kernel.devices = lambda *_of: nameless  # type: ignore[method-assign]
    with pytest.raises(HelperError) as caught:
        sets.keep(ALICE, "sim", change_set("block.scheduler@sda=bfq"))
    assert refusal(caught) == ("Unsupported", "helper.keep.no_serial")


def test_what_is_held_can_be_kept_for_a_game(engine: Engine, sets: KeptForGames) -> None:
    """It lasts no longer than whoever holds it, and neither does this."""
    trial = begin(engine, sets.keep(ALICE, "sim", change_set("cpu.dma_latency=20")))
    assert engine.kernel.is_holding()
    engine.revert(trial.txid, names.ENDED_GAME)
    assert not engine.kernel.is_holding()


def test_a_policy_for_all_processors_is_kept_as_such(engine: Engine, sets: KeptForGames) -> None:
    """However many there are when the game starts."""
    id_ = sets.keep(ALICE, "sim", change_set("softirq.policy=fifo:10"))
    assert sets.changes_of(id_, ALICE).changes == (Change("softirq.policy", "fifo:10"),)


def planted(computer: Computer, *sets: KeptSet, **other: int) -> None:
    """A file that whoever writes it could have made."""
    computer.disk.files[FILE] = journal.seal(KeptSets(sets, **other))


def one_set(**changed: object) -> KeptSet:
    """A set as it is kept, but for what the test says."""
    sound = KeptSet("a" * 32, ALICE, "sim", (journal.Setting("vm.swappiness", "10", None),))
    return replace(sound, **changed)  # type: ignore[arg-type]


def test_f80_a_value_that_is_allowed_no_more_is_not_set(
    engine: Engine, sets: KeptForGames, computer: Computer
) -> None:
    """After an upgrade, or with other memory: refused as at a trial."""
    kept = (journal.Setting("vm.swappiness", "5000", None),)
    planted(computer, one_set(settings=kept))
    with pytest.raises(HelperError) as caught:
        begin(engine, "a" * 32)
    assert caught.value.name == "OutOfRange"
    assert values(computer)[0] == "60"


@pytest.mark.parametrize("share", range(0, 100, 4))
def test_f81_of_a_damaged_file_nothing_is_believed(
    engine: Engine, sets: KeptForGames, computer: Computer, share: int
) -> None:
    """Cut off or with one other byte: said in words, nothing is set, no other file is touched."""
    id_ = sets.keep(ALICE, "sim", TEN)
    whole = computer.disk.files[FILE]
    cut = len(whole) * share // 100
    for damaged in (whole[:cut], whole[:cut] + b"?" + whole[cut + 1 :]):
        computer.disk.files[FILE] = damaged
        told = sets.listed(ALICE)
        assert (told.sets, told.trouble and told.trouble.id) == ((), "helper.game.damaged")
        for work in (lambda: begin(engine, id_), lambda: sets.forget(id_, ALICE)):
            with pytest.raises(HelperError) as caught:
                work()
            assert refusal(caught) == ("JournalUnavailable", "helper.game.damaged")
        assert computer.disk.files[FILE] == damaged
    assert engine.is_idle


def test_f81_with_a_password_it_begins_anew(sets: KeptForGames, computer: Computer) -> None:
    """What was there stays beside it, for whoever wants to know."""
    sets.keep(ALICE, "sim", TEN)
    computer.disk.files[FILE] = damaged = b"damaged"
    sets.check(BOB, "other", TEN)
    assert computer.disk.files[FILE] == damaged
    sets.keep(BOB, "other", TEN)
    assert [one.game for one in sets.listed(ROOT).sets] == ["other"]
    assert computer.disk.files[f"{FILE}.damaged"] == damaged
    sets.forget_all()
    assert not [name for name in computer.disk.files if name.startswith(FILE)]


WRONG = {
    "a name that turns the writing": one_set(game="a\u202eb"),
    "nobody's": one_set(uid=-1),
    "a number of another form": one_set(id="../journal"),
    "nothing to set": one_set(settings=()),
    "a value of another form": one_set(settings=(journal.Setting("vm.swappiness", "1\n", None),)),
    "a drive's without a drive": one_set(
        settings=(journal.Setting("block.scheduler", "bfq", None),)
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a57_what_could_never_have_been_kept_is_damage(
    sets: KeptForGames, computer: Computer, name: str
) -> None:
    """With a right checksum, too: of such a file nothing is set."""
    planted(computer, one_set(id="b" * 32, game="sound"), WRONG[name])
    told = sets.listed(ROOT)
    assert (told.sets, told.trouble and told.trouble.id) == ((), "helper.game.damaged")


def test_a57_two_with_one_number_or_too_many_are_damage(
    sets: KeptForGames, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which of them would be meant is not guessed."""
    planted(computer, one_set(), one_set(game="other"))
    assert sets.listed(ROOT).trouble is not None
    monkeypatch.setattr(game_sets, "SETS_MAX", 1)
    planted(computer, one_set(), one_set(id="b" * 32, game="other"))
    assert sets.listed(ROOT).trouble is not None


@pytest.mark.parametrize("how", ["version", "setting"])
def test_f81_a_newer_helpers_file_is_left_alone(
    sets: KeptForGames, computer: Computer, how: str
) -> None:
    """Neither read nor replaced, with a password neither."""
    if how == "version":
        planted(computer, one_set(), min_reader=2)
    else:
        planted(computer, one_set(settings=(journal.Setting("vm.from_2030", "1", None),)))
    before = computer.disk.files[FILE]
    with pytest.raises(HelperError) as caught:
        sets.keep(ALICE, "sim", TEN)
    assert refusal(caught) == ("Unsupported", "helper.game.newer")
    assert computer.disk.files[FILE] == before
    assert sets.listed(ALICE).trouble is not None


def test_f81_a_field_of_a_newer_helper_is_passed_over(
    sets: KeptForGames, computer: Computer
) -> None:
    """As in the journal, where it says that older ones may read it."""
    planted(computer, one_set())
    content = json.loads(computer.disk.files[FILE].partition(b"\n")[2])
    content["sets"][0]["colour"] = 1
    body = json.dumps(content).encode()
    checksum = hashlib.sha256(body).hexdigest().encode()
    computer.disk.files[FILE] = checksum + b"\n" + body
    assert [one.game for one in sets.listed(ALICE).sets] == ["sim"]


def test_f81_a_full_disk_is_told_in_words_and_changes_nothing(
    sets: KeptForGames, computer: Computer
) -> None:
    """The set from before is still there; so it is where the last one cannot be removed."""
    id_ = sets.keep(ALICE, "sim", TEN)
    computer.disk.fail_from = 1
    for work in (
        lambda: sets.keep(ALICE, "sim", change_set("vm.page-cluster=0")),
        lambda: sets.forget(id_, ALICE),
    ):
        with pytest.raises(HelperError) as caught:
            work()
        assert refusal(caught) == ("JournalUnavailable", "helper.game.not_written")
    sets.forget_all()
    computer.disk.fail_from = 0
    assert [one.id for one in sets.listed(ALICE).sets] == [id_]


def test_f81_a_file_that_cannot_be_read_just_now_is_not_damaged(
    sets: KeptForGames, computer: Computer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too many open files: nothing begins anew over it."""
    sets.keep(ALICE, "sim", TEN)

    def fail(_name: str) -> bytes:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(computer.disk, "read", fail)
    with pytest.raises(HelperError) as caught:
        sets.keep(ALICE, "sim", TEN)
    assert refusal(caught) == ("JournalUnavailable", "helper.game.unreadable")


def test_f81_without_a_directory_that_lasts_nothing_is_kept(computer: Computer) -> None:
    """As for every start."""
    computer.is_persistent = False
    with pytest.raises(HelperError) as caught:
        KeptForGames(computer.start()).keep(ALICE, "sim", TEN)
    assert refusal(caught) == ("Unsupported", "helper.keep.no_directory")
