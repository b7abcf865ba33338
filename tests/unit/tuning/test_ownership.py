# SPDX-License-Identifier: GPL-3.0-or-later
"""Who set a value: files in the order in which they win, tools, and files full of rubbish."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from destutter.core.kernel_files import KernelFiles
from destutter.core.sandbox import INFO
from destutter.tuning.current import read_current
from destutter.tuning.ownership import chosen_keys, read_ownership
from destutter.tuning.sysctl_files import normalised
from destutter.tuning.udev_rules import parse_terms
from tests.support.fake_root import FakeRoot
from tests.support.flatpak_sandbox import flatpak_info
from tests.support.roots import ARCHIVES, name_of, unpacked

RULE = 'SUBSYSTEM=="block", KERNEL=="sd[a-z]", ATTR{queue/rotational}=="0", '


@pytest.fixture
def root(tmp_path):
    """A computer whose swappiness is 10 and whose drive sda has the scheduler kyber."""
    return FakeRoot(
        tmp_path,
        {
            "/proc/sys/vm/swappiness": "10\n",
            "/proc/sys/vm/page-cluster": "3\n",
            "/sys/block/sda/size": "8\n",
            "/sys/block/sda/queue/read_ahead_kb": "128\n",
            "/sys/block/sda/queue/rotational": "0\n",
            "/sys/block/sda/queue/scheduler": "none [kyber]\n",
        },
    )


def owners(root):
    """By id alone: there is one drive."""
    files = root.files
    return {id_: owner for (id_, _), owner in read_ownership(files, read_current(files)).items()}


def told(root, tunable="vm.swappiness"):
    """Who set it, whether it was chosen, and the next start."""
    owner = owners(root)[tunable]
    by = owner.next_boot_by
    return str(owner.set_by), owner.is_chosen, owner.next_boot, None if by is None else str(by)


def test_without_files(root):
    """The kernel's own value, and one that somebody wrote after the start."""
    assert told(root, "vm.page-cluster") == ("kernel default", False, "3", "kernel default")
    assert told(root) == ("unknown", True, "60", "kernel default")
    assert told(root, "block.scheduler") == ("no file sets it", False, None, None)
    found = read_ownership(root.files, read_current(root.files))
    assert chosen_keys(found.values()) == {"vm.swappiness"}


@pytest.mark.parametrize(
    ("lines", "winner"),
    [
        ({"/usr/lib/sysctl.d/10-a.conf": "vm.swappiness=10"}, "/usr/lib/sysctl.d/10-a.conf:1"),
        (
            {
                "/usr/lib/sysctl.d/50-a.conf": "vm.swappiness=10",
                "/etc/sysctl.d/10-a.conf": "vm.swappiness=20",
            },
            "/usr/lib/sysctl.d/50-a.conf:1",
        ),
        (
            {
                "/usr/lib/sysctl.d/50-a.conf": "vm.swappiness=20",
                "/etc/sysctl.d/50-a.conf": "# mine\n\n -vm/swappiness = 10",
            },
            "/etc/sysctl.d/50-a.conf:3",
        ),
        (
            {
                "/etc/sysctl.d/99-sysctl.conf": "vm.swappiness=20",
                "/run/sysctl.d/99-zz-other.conf": "vm.swappiness=10",
            },
            "/run/sysctl.d/99-zz-other.conf:1",
        ),
        (
            {
                "/etc/sysctl.d/10-a.conf": "vm.swappiness=20\nvm.swappiness=10",
                "/etc/sysctl.d/90-a.conf": "vm.swap*=30",
            },
            "/etc/sysctl.d/10-a.conf:2",
        ),
        (
            {
                "/proc/cmdline": "ro sysctl.vm.swappiness=30",
                "/usr/local/lib/sysctl.d/1.conf": "vm.swappi* = 10",
            },
            "/usr/local/lib/sysctl.d/1.conf:1",
        ),
        ({"/proc/cmdline": "ro sysctl.vm.swappiness=10"}, "/proc/cmdline:1"),
    ],
)
def test_the_file_that_wins(root, lines, winner):
    """Names decide across folders, an earlier folder hides a name, an exact name beats a star."""
    for path, text in lines.items():
        root.put(path, text + "\n")
    assert told(root) == (winner, True, "10", winner)


def test_the_helpers_own_file_ends_with_this_start(root):
    """What the next start brings only the helper knows; whoever has asked it looks at the rest."""
    ours = "/run/sysctl.d/99-zz-destutter.conf"
    root.put(ours, "vm.swappiness = 10\n")
    root.put("/etc/sysctl.d/90-a.conf", "vm.swappiness = 20\n")
    assert told(root) == (f"{ours}:1 (Destutter)", True, None, None)
    values = read_current(root.files)
    owner = read_ownership(root.files, values, is_helper_asked=True)["vm.swappiness", ""]
    assert (owner.next_boot, str(owner.next_boot_by)) == ("20", "/etc/sysctl.d/90-a.conf:1")


def test_a_file_that_brings_another_value_is_the_next_start(root):
    """It did not set the present value, but will win."""
    root.put("/etc/sysctl.d/a.conf", "vm.swappiness=80\nvm.page-cluster=0\n")
    assert told(root) == ("unknown", True, "80", "/etc/sysctl.d/a.conf:1")
    assert told(root, "vm.page-cluster") == (
        "kernel default",
        False,
        "0",
        "/etc/sysctl.d/a.conf:2",
    )


def test_an_empty_file_masks_a_name(root):
    """As a link to /dev/null does."""
    root.put("/usr/lib/sysctl.d/50-a.conf", "vm.swappiness=10\n")
    root.put("/etc/sysctl.d/50-a.conf", "")
    assert told(root)[0] == "unknown"


def test_sysctl_conf_counts_for_sure_only_where_it_is_linked(root):
    """Without the link only the command reads it."""
    root.put("/etc/sysctl.conf", "vm.swappiness=10\n")
    assert told(root) == ("may be set by /etc/sysctl.conf:1", True, None, None)


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        (RULE + 'ATTR{queue/scheduler}="kyber"', "/etc/udev/rules.d/60-ioschedulers.rules:1"),
        (RULE.replace('=="0"', '=="1"') + 'ATTR{queue/scheduler}="kyber"', None),
        (RULE.replace("sd[a-z]", "nvme*|vd*") + 'ATTR{queue/scheduler}="kyber"', None),
        (RULE.replace("KERNEL==", "KERNEL!=") + 'ATTR{queue/scheduler}="kyber"', None),
        (RULE + '\\\nATTR{queue/scheduler}="kyber"', "/etc/udev/rules.d/60-ioschedulers.rules:1"),
        (
            RULE + 'ENV{ID_SERIAL}=="x", ATTR{queue/scheduler}="kyber"',
            "may be set by /etc/udev/rules.d/60-ioschedulers.rules:1",
        ),
        (
            'PROGRAM=="x", GOTO="end"\n' + RULE + 'ATTR{queue/scheduler}="kyber"\nLABEL="end"',
            "may be set by /etc/udev/rules.d/60-ioschedulers.rules:2",
        ),
        (
            'PROGRAM=="x", GOTO="end"\nLABEL="end"\n' + RULE + 'ATTR{queue/scheduler}="kyber"',
            "/etc/udev/rules.d/60-ioschedulers.rules:3",
        ),
    ],
)
def test_rules_of_udev(root, text, owner):
    """Name and attributes of the drive decide; what cannot be decided may have set it.

    A jump leaves out what stands before its label: a rule behind that sets the value for sure.
    """
    root.put("/etc/udev/rules.d/60-ioschedulers.rules", text + "\n")
    wanted = "no file sets it" if owner is None else f"{owner} (CachyOS)"
    assert told(root, "block.scheduler")[0] == wanted


KEPT = "/run/udev/rules.d/99-zz-destutter.rules"
NVME = """ACTION=="add|change", SUBSYSTEM=="nvme", ATTR{serial}=="S4EWNX0R", \
ATTR{power/pm_qos_latency_tolerance_us}="0"
"""
DISK = """ACTION=="add|change", SUBSYSTEM=="block", ENV{DEVTYPE}=="disk", \
ATTRS{wwid}=="eui.0025", ATTR{queue/scheduler}="kyber"
"""


@pytest.mark.parametrize(
    ("serial", "pattern", "is_it"),
    [
        ("S4EWNX0R            ", "S4EWNX0R", True),
        ("S4EWNX0R", "S4EWNX0R", True),
        ("S4EWNX0R2           ", "S4EWNX0R", False),
        ("  S4EWNX0R", "S4EWNX0R", False),
        ("S4EWNX0R  ", "S4EWNX0R ", False),
    ],
)
def test_a_padded_serial_number_is_matched_as_udev_does(root, serial, pattern, is_it):
    """Blanks at the end do not count, unless the rule asks for them; those in front do."""
    root.put("/sys/class/nvme/nvme0/serial", serial + "\n")
    root.put("/sys/class/nvme/nvme0/power/pm_qos_latency_tolerance_us", "0\n")
    root.put(KEPT, NVME.replace('"S4EWNX0R"', f'"{pattern}"'))
    by_rule = (f"{KEPT}:1 (Destutter)", True, None, None)
    by_kernel = ("unknown", True, "100000", "kernel default")
    assert told(root, "nvme.latency_tolerance") == (by_rule if is_it else by_kernel)


@pytest.mark.parametrize("folder", ["/sys/block/sda", "/sys/block/sda/device"])
def test_a_rule_finds_a_drive_by_what_it_hangs_on(root, folder):
    """The drive's own attribute or that of the device below; others of its parents are unknown."""
    root.put(KEPT, DISK)
    assert told(root, "block.scheduler")[0] == f"may be set by {KEPT}:1 (Destutter)"
    root.put(f"{folder}/wwid", "eui.0025  \n")
    assert told(root, "block.scheduler")[0] == f"{KEPT}:1 (Destutter)"


def test_a_rule_may_set_a_sysctl(root):
    """When zram appears, as on CachyOS; the order to other files is not known."""
    root.put(
        "/usr/lib/udev/rules.d/30-zram.rules", 'KERNEL=="zram0", SYSCTL{vm.swappiness}="10"\n'
    )
    assert told(root)[0] == "may be set by /usr/lib/udev/rules.d/30-zram.rules:1"


def test_tmpfiles_tuned_modprobe_and_tlp(root):
    """Each in its own words."""
    thp = "/sys/kernel/mm/transparent_hugepage"
    root.put(f"{thp}/defrag", "always [madvise]\n")
    root.put(f"{thp}/enabled", "always [never]\n")
    root.put("/etc/tmpfiles.d/t.conf", f"d /x\nw! {thp}/defrag - - - - madvise\n")
    root.put("/etc/tuned/active_profile", "mine\n")
    root.put("/etc/tuned/profiles/mine/tuned.conf", "[main]\ninclude=base\n[vm]\nx=1\n")
    root.put(
        "/usr/lib/tuned/base/tuned.conf",
        "[sysctl]\nvm.swappiness=10\n[vm]\ntransparent_hugepages=never\n",
    )
    root.put("/sys/class/nvme/nvme0/serial", "s\n")
    root.put("/sys/class/nvme/nvme0/power/pm_qos_latency_tolerance_us", "0\n")
    root.put("/etc/modprobe.d/n.conf", "options nvme-core default_ps_max_latency_us=0\n")
    root.put("/etc/tlp.conf", '# x\nDISK_IOSCHED="kyber keep"\n')
    found = {id_: str(owner.set_by) for id_, owner in owners(root).items()}
    assert found["thp.defrag"] == "/etc/tmpfiles.d/t.conf:2"
    assert found["vm.swappiness"] == "/usr/lib/tuned/base/tuned.conf:2"
    assert found["thp.enabled"] == "may be set by /usr/lib/tuned/base/tuned.conf:4"
    assert found["nvme.latency_tolerance"] == "may be set by /etc/modprobe.d/n.conf:1"
    assert found["block.scheduler"] == "may be set by /etc/tlp.conf:2"


def test_tuned_does_not_win_over_sysctl_d(root):
    """It applies those files once more after its own values."""
    root.put("/etc/tuned/active_profile", "p\n")
    root.put("/etc/tuned/p/tuned.conf", "[main]\ninclude=p\n[sysctl]\nvm.swappiness=30\n")
    root.put("/etc/sysctl.d/a.conf", "vm.swappiness=10\n")
    assert told(root) == ("/etc/sysctl.d/a.conf:1", True, "10", "/etc/sysctl.d/a.conf:1")


def test_a_running_gamemode_may_have_set_what_it_sets(root):
    """While it plays, split locks are not slowed."""
    root.put("/proc/sys/kernel/split_lock_mitigate", "0\n")
    assert told(root, "kernel.split_lock_mitigate")[0] == "unknown"
    root.put_process(7, "gamemoded")
    words = told(root, "kernel.split_lock_mitigate")[0]
    assert words == "may be set by GameMode, which is running"


def test_the_passive_member_of_a_pair_belongs_to_whom_the_other_does(root):
    """Writing one member makes the other one 0."""
    root.put("/proc/sys/vm/dirty_ratio", "0\n")
    root.put("/proc/sys/vm/dirty_bytes", "268435456\n")
    root.put("/etc/sysctl.d/a.conf", "vm.dirty_bytes = 268435456\n")
    found = owners(root)
    assert found["vm.dirty_ratio"].set_by == found["vm.dirty_bytes"].set_by
    assert found["vm.dirty_ratio"].is_chosen
    assert found["vm.dirty_ratio"].next_boot is None


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("vm.page-cluster", "vm/page-cluster"),
        ("vm/page-cluster", "vm/page-cluster"),
        ("net/ipv4/conf/eth0.1/x", "net/ipv4/conf/eth0.1/x"),
        ("net.ipv4.conf.eth0/1.x", "net/ipv4/conf/eth0.1/x"),
        ("plain", "plain"),
    ],
)
def test_the_first_separator_decides(key, path):
    """Dots and slashes change places, or stay."""
    assert normalised(key) == path


FILES = (
    "/etc/sysctl.d/a.conf",
    "/etc/sysctl.conf",
    "/etc/udev/rules.d/a.rules",
    "/etc/tmpfiles.d/a.conf",
    "/etc/modprobe.d/a.conf",
    "/etc/tuned/active_profile",
    "/etc/tuned/x/tuned.conf",
    "/etc/tlp.conf",
    "/proc/cmdline",
)
WORDS = st.lists(
    st.sampled_from(
        ("vm.swappiness", "vm/swap*", "=", "10", "-", "w", "/", "[vm]", "[sysctl", "include", "x",
         "options", "\n", "\\\n", " ", '"', 'ATTR{queue/scheduler}="kyber"', 'GOTO="x"', "[", "*",
         'ATTR{/}=="\0"', "#")
    )
).map(lambda words: "".join(words).encode())  # fmt: skip


@given(st.dictionaries(st.sampled_from(FILES), st.binary() | WORDS))
def test_no_content_of_any_file_is_an_error(tmp_path_factory, contents):
    """Random bytes, and random pieces of what belongs there."""
    root = FakeRoot(tmp_path_factory.mktemp("rubbish"), contents)
    root.put("/proc/sys/vm/swappiness", "10\n")
    root.put("/sys/block/sda/size", "8\n")
    root.put("/sys/block/sda/queue/read_ahead_kb", "128\n")
    root.put("/sys/block/sda/queue/scheduler", "none [kyber]\n")
    for owner in owners(root).values():
        assert str(owner.set_by)


@given(st.text())
def test_terms_of_any_text(text):
    """What does not read as a rule has none."""
    for term in parse_terms(text):
        assert term.key.isascii()


def test_a_folder_in_the_place_of_a_file_is_skipped(root):
    """Also one that nobody may list."""
    root.put("/etc/sysctl.d/a.conf/b", "vm.swappiness=10\n")
    assert told(root)[0] == "unknown"


@pytest.mark.parametrize("archive", ARCHIVES, ids=name_of)
def test_every_value_of_known_computers_has_an_owner(archive):
    """Whatever the tree holds."""
    files = unpacked(archive)
    values = read_current(files)
    found = read_ownership(files, values)
    present = {(each.id, each.device) for each in values if each.value is not None}
    assert found.keys() == present


def test_this_computer_has_owners_too():
    """Its own files are read without rights."""
    files = KernelFiles("/")
    owners_here = read_ownership(files, read_current(files)).values()
    assert all(str(owner.set_by) for owner in owners_here)


def test_in_a_flatpak_only_the_value_tells(root):
    """Files are those of the runtime, and set nothing on this computer."""
    root.put("/etc/sysctl.d/10-runtime.conf", "vm.swappiness=10")
    root.put(INFO, flatpak_info())
    assert told(root, "vm.page-cluster") == ("kernel default", False, None, None)
    assert told(root) == ("unknown", True, None, None)
    assert told(root, "block.scheduler") == ("unknown", False, None, None)
