# SPDX-License-Identifier: GPL-3.0-or-later
"""Ids that the code puts together: whatever they can become has a text.

What stands in one piece ``test_catalogue.py`` looks up. Of an f-string the parts are followed to
where they are handed in as constants of the same module; what comes from elsewhere is named here,
so that an id of which nobody has said what it can become is a failure, too.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from destutter.analysis.changes.helper_origin import Fit, Origin
from destutter.analysis.changes.tuning_state import LASTS_ALWAYS, LASTS_RESTART, LASTS_TRIAL
from destutter.analysis.comparing.differences import UNFAIR
from destutter.analysis.comparing.rows import PRIMARY
from destutter.cli import COMMANDS
from destutter.core import traced
from destutter.core.compared import ComparedOutcome
from destutter.core.system_error import NAMES
from destutter.diagnosis.blame.card_blame import SATURATED, SHARED
from destutter.diagnosis.causes.graphics import LINK
from destutter.diagnosis.causes.registry import CAUSES
from destutter.diagnosis.circumstances.kernel_time import EVICTED, PAGED, Work
from destutter.diagnosis.finding import OWN_LIMIT, OWN_READING, OWN_SAVING, Group, TileState
from destutter.diagnosis.findings.partner_findings import ANSWERED, WATCHED, WORKER_ANSWERED
from destutter.diagnosis.findings.stutter_parts import ELSE, OWN, UNKNOWN
from destutter.diagnosis.runs.compared_minutes import Reason
from destutter.diagnosis.runs.phases import Phase
from destutter.diagnosis.runs.score import PARTS
from destutter.diagnosis.stutters.periods import KNOWN_S, period_kind
from destutter.diagnosis.unplayed_span import Unplayed
from destutter.diagnosis.verdict.holders import WAYS
from destutter.diagnosis.verdict.own_business import BESIDE, HEADLINES, OWN_BUSINESS
from destutter.resource_folder import resource_folder
from destutter.tuning.other_programs import KNOWN
from destutter.tuning.presets import GENERAL, load_presets
from destutter.tuning.recommendation import HIGH, LOW, MEDIUM
from tests.house.source_tree import PARSES_SOURCE, Function, Module, product_modules
from tests.house.test_catalogue import IDS, MAKERS

pytestmark = PARSES_SOURCE

PRESETS = [GENERAL, *load_presets(resource_folder() / "presets").values()]
OUTCOMES = [each.name.lower() for each in ComparedOutcome]
RISKS = (LOW, MEDIUM, HIGH)
WAITS = (
    *(traced.RECLAIM, traced.MEMCG_RECLAIM, traced.COMPACTION),
    *(traced.THROTTLED, traced.DIRTY_PAUSE, traced.CORE),
)
OPERATIONS = (traced.READ, traced.WRITE, traced.FLUSH, traced.DISCARD, traced.OTHER)

FINDINGS = (
    *(spec.id for spec in CAUSES),
    *(f"run_queue_delay.{OWN_LIMIT}", f"slow_device.{OWN_LIMIT}", f"gpu_throttling.{LINK}"),
    f"{SATURATED}.{SHARED}",
    *(f"slow_device.{OWN_SAVING}", f"slow_device.{OWN_READING}"),
    *(f"filesystem_commit.{OWN_SAVING}", f"swap_thrash.{PAGED}", f"dropped_caches.{EVICTED}"),
)
"""Causes, and those that come about in a way of their own, which has sentences of its own."""

SPANS = ("", ".whole")
HELD = [
    f"{OWN_BUSINESS[where]}_{way}{told}"
    for where, ways in WAYS.items()
    for way in ways
    for told in ("", "_untold")
    if way != "reads" or not told  # a reader that has no name is not told at all
]
WORKERS = ("timer", "socket", "pipe", "gpu", "elsewhere", "held_back", "frozen")
PLACES = {
    *OWN_BUSINESS.values(),
    *HELD,
    *(f"worker_{each}" for each in (*WORKERS, *HELD) if each.startswith(WORKERS)),
    *(ANSWERED, WATCHED, WORKER_ANSWERED, "handed_on_alone", "handed_on_shared"),
    *("maps_own", "own_work_brief", "own_work_limit"),
    *(f"own_kernel_{work}" for work in Work),
}
"""Where the game's own doing can have taken a stutter's time, as the sentences call it."""

PARTS_OF_IDS: Mapping[str, Iterable[str]] = {
    "advice_memory: kind": ("files", "compressing"),
    "checkup: name.lower()": ("mangohud", "gamescope"),
    "checkup: spec.id": [spec.id for spec in CAUSES],
    "cli: command.replace('-', '_')": [each.replace("-", "_") for each in COMMANDS],
    "compare: side": "ab",
    "comparison_words: DECIDED[outcome]": ("better", "worse"),
    "comparison_words: comparison.reason.name.lower()": [
        each.name.lower() for each in Reason if each is not Reason.NONE
    ],
    "comparison_words: id_": UNFAIR,
    "comparison_words: name": ("too_short", "nothing_common", "other_games", "too_close"),
    "comparison_words: row.id": ("stutters", *PRIMARY),
    "confirmation_words: DECIDED.get(row.outcome, 'open')": ("better", "worse", "open"),
    "confirmation_words: outcome": ("better", "worse"),
    "correlator: kind": {period_kind(period_s) for period_s in (*KNOWN_S, 7.0, 700.0)},
    "coverage: spec.id": [spec.id for spec in CAUSES],
    "doctor: where": ("fails", "fails_in_sandbox"),
    "groups: finding.told_as": FINDINGS,
    "helper_chain: step": ("activation", "policy", "actions", "program"),
    "helper_origin: fit": [each.value for each in Fit],
    "helper_origin: origin": [each.value for each in Origin],
    "options: name": ("strip", "record", "quit"),
    "other_programs: KNOWN[self.key][1]": [changes for _, changes in KNOWN.values()],
    "phase_words: phase.name.lower()": [each.name.lower() for each in Phase],
    "presets: note": [note for preset in PRESETS for note in preset.notes],
    "presets: self.id": [preset.id for preset in PRESETS],
    "proving_table: judgement.outcome.name.lower()": OUTCOMES,
    "recommendation: self.risk": RISKS,
    "remedy: finding.group.value": ("storage", "cpu", "memory"),
    "remedy: finding.kind": (OWN_SAVING, OWN_READING),
    "results: result.outcome.replace('-', '_')": (
        *("already", "restored", "accepted", "ok", "reset", "resurrected", "until_restart"),
    ),
    "results: until": (LASTS_ALWAYS, LASTS_RESTART, LASTS_TRIAL),
    "risk: risk": RISKS,
    "said_of_sessions: part.id": PARTS,
    "said_of_sessions: score.trust": ("short", "long"),
    "signs: state.value": [each.value for each in TileState],
    "status: name": ("setting", "value", "owner"),
    "system_error: name.lower()": [each.lower() for each in NAMES],
    "time_lost: told": ("verdict.lost", "verdict.lost.rows"),
    "time_lost: name": ("memory", "storage", "cpu", ELSE, OWN, UNKNOWN),
    "trace_instances: reason": ("locked", "no_tracefs"),
    "trace_lines: _PARTLY.get(loss.instance, 'partly')": (
        *("partly", "partly.waits", "partly.drives", "partly.game"),
    ),
    "trace_lines: _TALLIED[kind]": ("interrupt", "gpu", "file"),
    "trace_lines: moment.kind": (traced.WBT, traced.SPLIT_LOCK, traced.OOM_KILL),
    "traced: id_": ("behind", "behind_realtime"),
    "traced: request.operation": OPERATIONS,
    "traced: wait.kind": WAITS,
    "trace_lines: name": ("time", "length", "what", "who", "more"),
    "proving_table: name": ("reader_p99", "reader", "heavy", "heavy_to_reader"),
    "said_of_sessions: name": (
        *("latest_wake", "direct_reclaim", "slowest_read", "slowest_write", "least_available"),
    ),
    "unplayed_span: kind.value": [each.value for each in Unplayed],
    "verdict: by": ("sampled", "wakeup"),
    "verdict: about": ["own", *(group.value for group in Group)],
    "verdict: finding.group.value": [group.value for group in Group],
    "verdict: finding.told_as": FINDINGS,
    "verdict: HEADLINES.get(own, UNSEEN)": {*HEADLINES.values(), "unseen"},
    "verdict: own": PLACES,
    "verdict: f'verdict.{told}'": [
        *(f"verdict.computer{how}" for how in (*SPANS, ".smooth")),
        *(f"verdict.hitches{span}" for span in SPANS),
        *("verdict.smooth", "verdict.smooth.wakeup"),
    ],
    "verdict: f'verdict.{told}.detail'": (
        "verdict.hitches.detail",
        "verdict.hitches.possible.detail",
    ),
    "verdict: f'verdict.{told}.busy.detail'": [f"verdict.{each}.busy.detail" for each in BESIDE],
    "verdict: f\"verdict.{told}{('.quiet' if cleared else '')}.detail\"": [
        f"verdict.{place}{quiet}.detail"
        for place in (*PLACES, "unseen", "wakeup", "virtual")
        for quiet in ("", ".quiet")
    ],
    "outcome: kind": {*HEADLINES.values()},
    "verdict: f'verdict.{kind}.{told}'": [
        f"verdict.{kind}.frames{span}" for kind in HEADLINES.values() for span in SPANS
    ],
    "verdict: told": [f"{origin}{span}" for origin in ("frames", "wakeup") for span in SPANS],
}
"""What a part of an id, or a whole one, can be; named by the module in which it stands."""

_Around = tuple[Function, ...]


def _calls_in(node: ast.AST, around: _Around = ()) -> Iterator[tuple[ast.Call, _Around]]:
    """Each call, with the functions in which it stands."""
    for child in ast.iter_child_nodes(node):
        inner = (*around, child) if isinstance(child, Function) else around
        if isinstance(child, ast.Call):
            yield child, inner
        yield from _calls_in(child, inner)


def _parts(expr: ast.expr, module: Module, around: _Around) -> set[str]:
    """What an expression can be; KeyError for one of which that is not known."""
    key = f"{module.path.stem}: {ast.unparse(expr)}"
    if key in PARTS_OF_IDS:
        return set(PARTS_OF_IDS[key])
    if isinstance(expr, ast.Constant):
        return {str(expr.value)}
    if isinstance(expr, ast.FormattedValue):
        return _parts(expr.value, module, around)
    if isinstance(expr, ast.IfExp):
        return _parts(expr.body, module, around) | _parts(expr.orelse, module, around)
    if isinstance(expr, ast.JoinedStr):
        return set(map("".join, product(*(_parts(part, module, around) for part in expr.values))))
    found: set[str] = set()
    for given, inner in _handed_in(expr, module, around):
        found |= _parts(given, module, inner)
    if not found:
        raise KeyError(key)
    return found


def _handed_in(
    expr: ast.expr, module: Module, around: _Around
) -> Iterator[tuple[ast.expr, _Around]]:
    """What the module's own calls have for the argument that an expression names."""
    for function in around:
        names = [each.arg for each in function.args.args]
        if isinstance(expr, ast.Name) and expr.id in names:
            at = names.index(expr.id) - (names[0] == "self")
            for call, inner in _calls_in(module.tree):
                if _called(call) == function.name and len(call.args) > at:
                    yield call.args[at], inner


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")


def test_whatever_is_put_together_has_a_text():
    """Each id that can come of an f-string is in the catalogue, and none is left to chance."""
    wrong = []
    for module in product_modules():
        for call, around in _calls_in(module.tree):
            if _called(call) in MAKERS and call.args and isinstance(call.args[0], ast.JoinedStr):
                try:
                    ids = _parts(call.args[0], module, around)
                except KeyError as unknown:
                    wrong.append(module.at(call, f"what can this be? {unknown}"))
                else:
                    wrong += [module.at(call, id_) for id_ in sorted(ids - IDS)]
    assert not wrong


def test_nothing_is_named_that_is_not_put_together():
    """Each entry above stands for an expression of the module that it names."""
    there = {
        f"{module.path.stem}: {ast.unparse(node)}"
        for module in product_modules()
        for node in module.nodes
        if isinstance(node, ast.expr)
    }
    assert PARTS_OF_IDS.keys() <= there


WITHOUT_HEADLINE = {"handed_on", "handed_on_alone", "handed_on_shared", "unseen"}
"""Where the time went is open: the headline says that no cause stands out."""

OF_OTHER_KINDS = {"virtual", "wakeup"}
"""Verdicts of their own, which have their headline beside their detail."""


def test_where_the_time_went_stands_in_the_headline():
    """Else "no cause stands out" stood above a line that says what the game waited for."""
    places = {
        id_.removeprefix("verdict.").removesuffix(".quiet.detail")
        for id_ in IDS
        if id_.startswith("verdict.") and id_.endswith(".quiet.detail")
    }
    told = {place for place in places if not place.startswith("hitches.")}
    assert told - HEADLINES.keys() == WITHOUT_HEADLINE | OF_OTHER_KINDS
