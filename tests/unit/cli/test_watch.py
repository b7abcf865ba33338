# SPDX-License-Identifier: GPL-3.0-or-later
"""``destutter watch``."""

import json

from destutter.core.kernel_files import KernelFileError
from destutter.core.statement import told
from destutter.sampling.live import LiveSourceError
from tests.support.commands import BreakingSource
from tests.support.scripted_source import Script


def test_one_line_a_second_with_verdict_and_groups(commands):
    """Twelve seconds: first the countdown, then the verdict, always the five groups."""
    commands.source = Script().run(12.1).source()
    outcome = commands.run("watch")
    lines = outcome.output.splitlines()
    assert outcome.status == 0
    assert outcome.errors == ""
    assert len(lines) == 12
    assert "Measuring… first result in 7" in lines[0]
    assert "The computer itself had no hiccup for" in lines[-1]
    for group in ("Memory clear", "Storage clear", "CPU clear", "GPU not measured"):
        assert group in lines[-1]
    assert commands.source.is_closed


def test_less_than_a_second_is_not_silent(commands):
    """Where not one line was due, that is said."""
    commands.source = Script().run(0.5).source()
    outcome = commands.run("watch", "--seconds", "0.5")
    assert (outcome.status, outcome.output) == (1, "")
    assert outcome.complaint == "nothing was shown: it ended within the first second"


def test_json_is_one_object_for_every_tick(commands):
    """Metrics by id and instance, the probe's beside the sampler's, absent values as null."""
    script = Script().set("vmstat.pgscan_direct", None).run(3, {"vmstat.pgsteal_kswapd": 700.0})
    commands.source = script.hiccup(33.0).run(0.2).source()
    ticks = [json.loads(line) for line in commands.run("watch", "--json").output.splitlines()]
    assert len(ticks) == 33
    assert [tick["time_s"] for tick in ticks[:3]] == [0.0, 0.1, 0.2]
    assert ticks[20]["metrics"]["memory.kswapd_reclaim_per_s"] == 700.0
    assert ticks[20]["metrics"]["memory.direct_scan_per_s"] is None
    assert ticks[20]["instances"]["disk.reads_per_s"] == {"nvme0n1": 0.0, "sda": 0.0}
    assert max(tick["metrics"].get("wakeup.worst_ms") or 0 for tick in ticks) == 33.0
    assert ticks[20]["verdict"]["kind"] == "measuring"
    assert set(ticks[20]["groups"]) == {"memory", "storage", "cpu", "gpu", "power"}


def test_the_options_reach_the_sampler(commands, tmp_path):
    """Root, duration and the wake-up probe; the game is searched for when none is named."""
    (tmp_path / "proc").mkdir()
    commands.source = Script().run(2).source()
    commands.run("watch", "--seconds", "2.5", "--root", tmp_path)
    assert commands.options.seconds == 2.5
    assert commands.options.root == str(tmp_path)
    assert commands.options.probes == ("wakeup",)
    assert commands.options.pid is None


def test_ctrl_c_ends_it_cleanly(commands):
    """An interrupt is how watching ends: status 0, nothing on standard error."""
    commands.source = BreakingSource(Script().run(2).messages, KeyboardInterrupt())
    outcome = commands.run("watch")
    assert (outcome.status, outcome.errors) == (0, "")
    assert commands.source.is_closed


def test_a_sampler_that_fails_is_one_line(commands):
    """Its last words, status 1."""
    error = LiveSourceError(told("it ran out of memory"))
    commands.source = BreakingSource(Script().run(2).messages, error)
    outcome = commands.run("watch")
    assert (outcome.status, outcome.complaint) == (1, "it ran out of memory")


def test_a_process_that_is_not_there(commands):
    """Told before anything is measured."""
    outcome = commands.run("watch", "--pid", "4194304")
    assert (outcome.status, outcome.complaint) == (1, "there is no process 4194304")


def test_a_process_that_ends(commands):
    """The named process was there and has gone: one line, status 1."""
    script = Script().fact(game__pid="1", game__name="init").run(2).fact(game__pid="").run(2)
    commands.source = script.source()
    outcome = commands.run("watch", "--pid", "1")
    assert (outcome.status, outcome.complaint) == (1, "process 1 has ended")
    assert commands.source.is_closed


def test_nothing_to_measure_is_not_a_silent_success(commands):
    """A stream without a single value ends with status 1."""
    commands.source = Script(()).trouble("vmstat", "this kernel has no /proc/vmstat").source()
    outcome = commands.run("watch")
    assert (outcome.status, outcome.complaint) == (1, "nothing can be measured below /")


def test_damaged_files_of_a_captured_tree_are_named_at_the_end(commands, tmp_path):
    """One line each, the same reason once; what recovered and what is merely absent is not."""
    (tmp_path / "proc").mkdir()
    reason = KernelFileError("/proc/stat", 2, "is cut off").statement
    script = Script(("vmstat",)).trouble("stat", reason).trouble("cpu", reason)
    script.trouble("disk", KernelFileError("/proc/diskstats", 1, "odd").statement)
    script.trouble("gpu", "no graphics card").trouble("swap", "/proc/swaps: words of a person")
    commands.source = script.run(2).trouble("disk", "").source()
    outcome = commands.run("watch", "--root", tmp_path)
    assert (outcome.status, outcome.complaint) == (
        1,
        f"{tmp_path}: /proc/stat, line 2: is cut off",
    )


def test_on_the_running_computer_a_broken_file_is_only_not_measured(commands):
    """The rest is measured as well as ever."""
    reason = KernelFileError("/proc/stat", 2, "is cut off").statement
    commands.source = Script(("vmstat",)).trouble("stat", reason).run(2).source()
    assert commands.run("watch").status == 0


def test_what_was_measured_of_a_process_that_ends_is_told(commands):
    """The verdict of what there was, then one line that it has ended, status 1."""
    script = Script().fact(game__pid="1", game__name="init").run(15).fact(game__pid="").run(2)
    commands.source = script.source()
    outcome = commands.run("diagnose", "--pid", "1")
    assert (outcome.status, outcome.complaint) == (1, "process 1 has ended")
    assert "for 14\N{NO-BREAK SPACE}seconds" in outcome.output
