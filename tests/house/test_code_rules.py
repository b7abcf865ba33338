# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules of the house that no linter knows."""

import ast
import re

from tests.house.source_tree import (
    APP,
    HELPER,
    OLDEST_PYTHON,
    PARSES_SOURCE,
    TESTS,
    Module,
    all_modules,
    docstring_nodes,
    dotted,
    functions,
    module_at,
    modules_below,
    product_modules,
)

pytestmark = PARSES_SOURCE

MAX_MODULE_LINES = 450
MAX_TEST_MODULE_LINES = 600
MAX_FUNCTION_LINES = 60
MAX_HELPER_LINES = 3916
"""A ratchet: whoever makes the helper smaller lowers it. The guardian and what keeps strangers
from holding up the service took a quarter of it, asking drives for their power states 80 lines,
undoing each setting of a shared queue by itself 190, starts and journals that go wrong 150,
saying everything as id and values 26, lending the kernel's event tracing 470, the table of calls
that polkit is asked about 11, errors that pass by themselves 25, a trial for as long as a
game runs 72, hearing who leaves where nobody can fill the queue 22, what is kept
for games 261."""
LICENCE = "# SPDX-License-Identifier: GPL-3.0-or-later"

KERNEL_PATH = re.compile(r"/?(proc|sys)(/\S*)?")
KNOW_KERNEL_PATHS = (
    APP / "sampling",
    APP / "tuning",
    HELPER / "api" / "tunables.py",
    HELPER / "kernel_writer.py",
    HELPER / "guardian.py",  # of its own process: the order in which the kernel kills
    HELPER / "api" / "lending.py",  # the closed lists of what a sandbox may borrow
    HELPER / "kernel_tree.py",  # which file system lies where
    HELPER / "trace_instances.py",  # whether the kernel is locked
    HELPER / "trace_tasks.py",  # whose processes those are that somebody names
    HELPER / "game_process.py",  # whether a number still is the game that somebody meant
    HELPER.parent / "destutter_lender",
    APP / "core" / "foreign_descriptors.py",  # of its own process: what a descriptor leads to
    APP / "core" / "lent_files.py",  # which paths mean something else inside of a sandbox
    APP / "core" / "kernel_numbers.py",  # both of samplers and tuning
    APP / "core" / "swap_areas.py",  # both of samplers and tuning
)

WALL_CLOCK = {
    "app/destutter/commands/helper_state.py": "the helper's log has the time of day",
    "app/destutter/sampling/frames/frame_tail.py": "compares with a file's time",
    "app/destutter/sampling/frames/xplane.py": "the kernel stamps packets by the wall clock",
}
"""Files that may read the wall clock, and what for."""

EMPTY_NAMES = ("Manager", "Util", "Utils", "Handler", "Helpers", "Misc", "Common")

STARTS_A_PROGRAM = re.compile(r"os\.(system|popen|exec\w+|spawn\w+|posix_spawnp?|fork\w*)")


def test_every_file_is_python_3_11():
    """Every file compiles on the oldest Python that we promise, on whatever Python this is."""
    for folder in (APP, HELPER, TESTS):
        for path in sorted(folder.rglob("*.py")):
            if module_at(path) is None:
                ast.parse(path.read_text("utf-8"), str(path), feature_version=OLDEST_PYTHON)


def test_a_class_name_stands_for_one_thing():
    """Whoever reads or searches a name finds one class in both halves, private ones included."""
    places: dict[str, list[str]] = {}
    for module in product_modules():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module.at(node, node.name))
    assert places
    assert [each for each in places.values() if len(each) > 1] == []


def test_every_file_names_its_licence():
    """Each Python file with code begins with the SPDX line, after a shebang at most."""
    wrong = [
        module.name
        for module in all_modules()
        if len(module.tree.body) > 1 and LICENCE not in module.text.splitlines()[:2]
    ]
    assert not wrong, wrong


def test_no_module_is_too_long():
    """A module has one subject: at most 450 lines, and 600 where it is a catalogue of tests."""
    wrong = {
        module.name: lines
        for module in all_modules()
        if (lines := len(module.text.splitlines()))
        > (MAX_TEST_MODULE_LINES if module.path.is_relative_to(TESTS) else MAX_MODULE_LINES)
    }
    assert not wrong, wrong


def test_no_function_is_too_long():
    """A function has at most 60 lines, its docstring included."""
    wrong = [
        module.at(function, f"{function.name} has {length} lines")
        for module in all_modules()
        for function in functions(module)
        if (length := (function.end_lineno or 0) - function.lineno + 1) > MAX_FUNCTION_LINES
    ]
    assert not wrong, wrong


def _code_lines(module: Module) -> int:
    """Count the lines that are not blank, comment or docstring."""
    lines = module.text.splitlines()
    words = {
        number
        for node in docstring_nodes(module)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return sum(
        1
        for number, line in enumerate(lines, 1)
        if number not in words and line.strip() and not line.strip().startswith("#")
    )


def test_helper_stays_small_enough_to_read():
    """What runs as root does not grow: its lines of code beside the contract, which is a table."""
    sizes = {
        module.name: _code_lines(module)
        for module in modules_below(HELPER)
        if not module.path.is_relative_to(HELPER / "api")
    }
    assert sum(sizes.values()) <= MAX_HELPER_LINES, sizes


def _kernel_paths(module: Module) -> list[str]:
    docstrings = docstring_nodes(module)
    return [
        module.at(node, repr(node.value))
        for node in module.nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node not in docstrings
        and node.value not in {"proc", "sys"}
        and KERNEL_PATH.fullmatch(node.value)
    ]


def test_kernel_paths_are_known_in_few_places():
    """Paths below /proc and /sys stand only in samplers, tuning, registry and kernel writer."""
    wrong = [
        line
        for module in product_modules()
        if not any(module.path.is_relative_to(place) for place in KNOW_KERNEL_PATHS)
        for line in _kernel_paths(module)
    ]
    assert not wrong, wrong


def test_nothing_measures_with_the_wall_clock():
    """time.time() jumps; intervals are measured with a monotonic clock."""
    wrong = [
        module.at(node, "time.time()")
        for module in product_modules()
        if module.name not in WALL_CLOCK
        for node in module.nodes
        if isinstance(node, ast.Call) and dotted(node.func) in {"time.time", "time.time_ns"}
    ]
    assert not wrong, wrong


def test_helper_calls_nothing_that_starts_a_program():
    """No exec, spawn or system in the part that runs as root; one fork, of the guardian."""
    wrong = [
        module.at(node, dotted(node.func))
        for module in modules_below(HELPER)
        for node in module.nodes
        if isinstance(node, ast.Call) and STARTS_A_PROGRAM.fullmatch(dotted(node.func))
        if (module.path.name, dotted(node.func)) != ("guardian.py", "os.fork")
    ]
    assert not wrong, wrong


def test_texts_for_translation_are_constant():
    """tr() gets a plain text: a translator never sees what was put together at run time."""
    wrong = [
        module.at(node, "tr() of a text that is put together")
        for module in modules_below(APP)
        for node in module.nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name | ast.Attribute)
        and (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) == "tr"
        and not (
            node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        )
    ]
    assert not wrong, wrong


def test_names_say_something():
    """No class or module is named for being a manager, a handler or a drawer for odds and ends."""
    wrong = [
        module.at(node, node.name)
        for module in product_modules()
        for node in module.nodes
        if isinstance(node, ast.ClassDef) and node.name.endswith(EMPTY_NAMES)
    ] + [
        module.name
        for module in product_modules()
        if module.path.stem in {name.lower() for name in EMPTY_NAMES}
    ]
    assert not wrong, wrong
