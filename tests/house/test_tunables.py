# SPDX-License-Identifier: GPL-3.0-or-later
"""A setting of the registry is known wherever settings are listed: what follows from its entry
is derived, and what does not is asked for here."""

from fnmatch import fnmatchcase

import pytest

from destutter.sampling.capturing.capture_paths import PATTERNS
from destutter.sampling.capturing.setting_files import only_settings
from destutter.tuning import other_settings
from destutter.tuning.current import CurrentValue
from destutter.tuning.defaults import kernel_default
from destutter.ui.changes.tunable_words import group_of
from destutter.ui.words import setting_words
from destutter_helper.api.tunables import BY_ID, HOLD, SYSCTLS, TUNABLES

OF_THE_COMPUTER = ("block.", "thp.", "sata.", "cpu.", "vm.min_free_kbytes")
"""What the kernel starts these with depends on the computer or on how the kernel was built."""

WITH_PATH = [each for each in TUNABLES if each.path and each.kind != HOLD]


def test_every_setting_has_a_group():
    """In the list of all settings (``tunable_words``)."""
    for tunable in TUNABLES:
        value = CurrentValue(tunable.id, "sda", tunable.label, tunable.unit, "0")
        assert group_of(value, is_known=True), tunable.id


def test_a_setting_of_0_and_1_is_on_or_off():
    """And is written so (``setting_words``)."""
    switches = {each.id for each in TUNABLES if (each.low, each.high) == (0, 1)}
    assert switches == setting_words._SWITCHES


def test_what_the_kernel_starts_with_is_known():
    """``defaults.py``, or it depends on the computer: else it would count as set by somebody."""
    unknown = [
        each.id
        for each in TUNABLES
        if kernel_default(each.id) is None and not each.id.startswith(OF_THE_COMPUTER)
    ]
    assert unknown == []


@pytest.mark.parametrize("tunable", WITH_PATH, ids=lambda each: each.id)
def test_a_capture_has_its_file(tunable):
    """And the lines of configuration files that are about it."""
    path = tunable.path_on("x")
    assert any(fnmatchcase(path, pattern) for pattern in PATTERNS)
    line = f"w {path} - - - - 1\n".encode()
    assert only_settings("/etc/tmpfiles.d/a.conf", line) == line
    if path.startswith(SYSCTLS):
        name = path.removeprefix(SYSCTLS)
        for word in (name, name.replace("/", ".")):
            line = f"{word} = 1\n".encode()
            assert only_settings("/etc/sysctl.d/a.conf", line) == line


def test_a_capture_has_what_other_tools_call_it():
    """Parameters of the start and of modules, keys of tuned and of TLP (``other_settings``)."""
    parameters = [each for names in other_settings._PARAMETERS.values() for each in names]
    for name in parameters:
        word, line = f"{name}=1", f"options {name.replace('.', ' ')}=1\n".encode()
        assert only_settings("/proc/cmdline", f"quiet {word}\n".encode()) == f"{word}\n".encode()
        assert only_settings("/etc/modprobe.d/a.conf", line) == line
    for (_, key), tunable in other_settings._TUNED_KEYS.items():
        line = f"{key}=1\n".encode()
        assert only_settings("/etc/tuned/x/tuned.conf", line) == line, tunable
    for key in other_settings._TLP_KEYS:
        line = f"{key}=1\n".encode()
        assert only_settings("/etc/tlp.conf", line) == line


def test_other_tools_are_told_of_settings_that_there_are():
    """An id that was misspelt would say of nobody that it sets something."""
    told = {
        *other_settings._PARAMETERS,
        *other_settings._TUNED_KEYS.values(),
        *other_settings._TLP_KEYS.values(),
        *(id_ for _, ids in other_settings._TOOLS.values() for id_ in ids),
    }
    assert told <= BY_ID.keys()
