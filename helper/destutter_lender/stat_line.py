# SPDX-License-Identifier: GPL-3.0-or-later
"""The line of /proc/PID/stat without the addresses in it.

The kernel shows where code, data, heap, stack and arguments lie to whoever might look into the
process, as this lender might: to a sandbox it would tell the layout of every program outside.
"""

# Of what stands behind the name, which is fields 3 to 52 (proc_pid_stat(5)): startcode to
# kstkeip, wchan, start_data to env_end, and the exit code, which the kernel treats alike.
_HIDDEN = (*range(26 - 3, 31 - 3), 35 - 3, *range(45 - 3, 53 - 3))


def without_addresses(line: str) -> str:
    """As the kernel tells it to strangers, with 0 in their places."""
    start, mark, behind = line.rpartition(") ")
    fields = behind.rstrip("\n").split(" ")
    for place in _HIDDEN:
        if place < len(fields):
            fields[place] = "0"
    return f"{start}{mark}{' '.join(fields)}\n"
