# SPDX-License-Identifier: GPL-3.0-or-later
"""The helper's texts in English, by id, with named places.

The log, the text console and the text of an error on the bus are written from these; the
application has the same ids in its catalogue, in each of its languages.
"""

TEXTS = {
    "helper.told": "{text}",
    "helper.file": "{path}: {reason}",
    "helper.entry": "{name}: {reason}",
    "helper.entry_on": "{name} on {device}: {reason}",
    "helper.request.invalid": "{where}: {reason}",
    "helper.request.text_too_long": "the text is longer than {limit} bytes",
    "helper.request.argument_too_long": "a text is longer than {limit} bytes",
    "helper.request.answer_too_long": "the settings of this computer are too many for one answer",
    "helper.request.not_json": "is not valid JSON: {error}",
    "helper.request.count": "there must be 1 to {most}, not {count}",
    "helper.request.form": "{text} has a wrong form or length",
    "helper.request.twice": "is there twice",
    "helper.request.unknown_setting": "is no setting of ours",
    "helper.request.not_of_type": "is not of type {type}",
    "helper.request.not_list": "is not a list",
    "helper.request.not_object": "is not an object",
    "helper.request.not_said": "says nothing that can be read: it {error}",
    "helper.request.unknown_key": "the key {key} is not known",
    "helper.request.missing_key": "the key {key} is missing",
    "helper.request.no_method": "there is no such method here",
    "helper.request.arguments": "the arguments must be {types}",
    "helper.request.no_property": "there is no such property",
    "helper.request.until": 'how long must be "restart" or "always"',
    "helper.request.trial_length": "a trial lasts {shortest} to {longest} seconds, not {seconds}",
    "helper.request.incident": "incident {number}, see the system's log",
    "helper.request.waiting": "too many calls of this connection wait",
    "helper.request.overdrawn": "this user has asked for too much; wait a little",
    "helper.request.caller_left": "the caller has left the bus",
    "helper.right.waiting": "too many requests wait for an answer",
    "helper.right.dialog_open": "another password dialog is open",
    "helper.right.polkit_failed": "the authorisation service (polkit) failed",
    "helper.right.unanswered": "the password dialog got no answer",
    "helper.right.dismissed": "the password dialog was closed",
    "helper.right.no_dialog": "a password is needed, but no dialog may open",
    "helper.right.denied": "no right to do this, or a wrong password",
    "helper.right.nobody": "nobody may do this",
    "helper.right.too_late": "the trial was over before the answer",
    "helper.value.not_offered": "must be one of {choices}",
    "helper.value.not_policy": "must be other, fifo:N or rr:N",
    "helper.value.out_of_range": "{value} is not a whole number from {low} to {high}",
    "helper.value.not_kernels": "{value} is not a value that the kernel takes",
    "helper.value.no_way_back": "its value of now, {value}, could not be written back",
    "helper.value.without_device": "belongs to no device",
    "helper.value.needs_device": "needs a device",
    "helper.value.contradicts": "contradicts {name} in this set",
    "helper.absent.setting_of_scheduler": (
        "exists only while the I/O scheduler of the drive is {scheduler}"
    ),
    "helper.absent.setting_of_device": "this device has no such setting",
    "helper.absent.setting_of_kernel": "this kernel has no such setting",
    "helper.absent.setting_of_later_kernel": (
        "this kernel has no such setting (Linux {version} and later may)"
    ),
    "helper.absent.kind_of_device": "this computer has no such device",
    "helper.absent.device": "there is no such device",
    "helper.absent.hold": "this helper cannot hold it",
    "helper.absent.power_daemon": "no power-profiles-daemon runs on this computer",
    "helper.absent.throttling": "bfq switches write-back throttling off by itself",
    "helper.kernel.unreadable": "cannot be read: {error}",
    "helper.kernel.not_understood": "is not understood: {error}",
    "helper.kernel.not_changeable": "cannot be changed here: {error}",
    "helper.kernel.not_taken": "the kernel does not take {value}: {error}",
    "helper.kernel.made": "the kernel made {present} of {value}",
    "helper.kernel.became": "it became {settings} instead of {wanted_settings}",
    "helper.kernel.again": "it is {value} again after the other changes",
    "helper.kernel.no_boot_id": "boot_id: {error}",
    "helper.kernel.no_memory_size": "the size of the memory is not known",
    "helper.kernel.only_a_part": "only a part was taken",
    "helper.kernel.no_device_node": "is not a device",
    "helper.kernel.mounted_over": "something is mounted over it",
    "helper.kernel.not_of_registry": "is not a path of the registry",
    "helper.kernel.another_device": "another device has this name now",
    "helper.kernel.power_daemon": "the power daemon said {error}",
    "helper.kernel.drive_silent": "it has not answered yet",
    "helper.kernel.drive_not_asked": (
        "only Linux 6.2 and newer let a helper without all rights ask it"
    ),
    "helper.trial.busy": "somebody has a trial for another {seconds} s",
    "helper.trial.busy_game": "somebody has a trial for as long as a game runs",
    "helper.trial.no_game": "the game that the trial was for is not there any more",
    "helper.trial.not_your_game": "this game is somebody else's",
    "helper.trial.over": "there is no such trial; it may have ended",
    "helper.trial.not_owner": "this trial was begun by somebody else",
    "helper.trial.too_many": "{count} trials a minute at most",
    "helper.trial.partly_foreign": (
        "somebody else changed a part of it; undo what is kept there first"
    ),
    "helper.trial.not_all_back": "{reason}. Not everything could be taken back: {left}",
    "helper.trial.more_left": "{count} more",
    "helper.keep.hold": (
        "lasts only as long as it is held, so it can be kept until the restart at most"
    ),
    "helper.keep.no_serial": (
        "this drive has no serial number by which it is recognised after a restart"
    ),
    "helper.keep.no_directory": "the state directory cannot be written here",
    "helper.game.none": "there is no such set of this user's",
    "helper.game.too_many": (
        "{most} games of one user have a set of their own at most, and {most_in_all} of all users"
    ),
    "helper.game.too_large": "what is kept for games takes too much room already",
    "helper.game.damaged": (
        "what was kept for games is damaged, so that nothing of it is set; keep it anew"
    ),
    "helper.game.newer": "what is kept for games is of a newer helper",
    "helper.game.unreadable": "what is kept for games cannot be read: {error}",
    "helper.game.not_written": "what is kept for games cannot be written: {error}",
    "helper.journal.not_written": "the journal cannot be written: {error}",
    "helper.journal.not_read": "the journal cannot be read: {error}",
    "helper.history.unreadable": "the history cannot be read: {error}",
    "helper.journal.nothing_known": (
        "the journal was damaged or removed: undo everything, a restart ends what is not known"
    ),
    "helper.journal.older_in_use": "the journal was damaged; its previous generation is in use",
    "helper.journal.copy_in_use": (
        "the journal was damaged or removed; the copy in /run of this start is in use"
    ),
    "helper.journal.newer_saved": "the journal is a newer helper's; only it can change it",
    "helper.journal.newer_undo": "the journal is a newer helper's; it must undo it",
    "helper.journal.newer": "the journal is a newer helper's",
    "helper.journal.damaged": (
        "the journal was damaged; restart the computer, or undo everything first"
    ),
    "helper.journal.damaged_undo": "the journal was damaged; undo everything",
    "helper.journal.damaged_unknown": (
        "the journal was damaged, so it is not known what was changed, and nothing was taken "
        "back; a restart of the computer does"
    ),
    "helper.journal.read_only": (
        "the state directory cannot be written: what is kept for every start stays as it is"
    ),
    "helper.journal.another_helper": "another destutter-helper is at work",
    "helper.start.not_in_order": "what is kept was not set, because the journal is not in order",
    "helper.start.switched_off": "what is kept was not set, because of {word} at the start",
    "helper.start.unfinished": (
        "what is kept was not set, because the last two starts with it were not finished"
    ),
    "helper.start.not_counted": (
        "what is kept was not set, because the state directory cannot be written, and whether "
        "the start went well could not be known"
    ),
    "helper.start.failed": "what is kept was not set: {reason}",
    "helper.note.device_left": "the device left; it starts anew when it returns",
    "helper.note.not_here": "not here",
    "helper.note.somebody_else": "somebody else changed it to {settings}",
    "helper.note.setting_gone": "{name} is gone",
    "helper.note.origin_again": "it has its value from before Destutter again",
    "helper.note.resurrected": "our old value is back: another program took it for the original",
    "helper.note.interrupted": "was {settings} after the interrupted change",
    "helper.note.overwritten": "somebody else had set {settings}",
    "helper.note.lost": "{settings}, set by somebody else, went with it",
    "helper.note.stays": "{settings}, set by somebody else, stays",
    "helper.note.tied": (
        "goes with the other settings of its queue or of memory, to which the kernel ties it"
    ),
    "helper.note.no_longer_kept": "is no longer set at every start",
    "helper.note.by_rule": (
        "was set by our rule when the drive came; gone with the drive or a restart"
    ),
    "helper.note.comes_back": (
        "is restored now, but the next start sets it again: the state directory cannot be written"
    ),
    "helper.note.stale_file": "is back now, but {path} cannot be written and would set it again",
    "helper.note.both": "{first}; {second}",
    "helper.plan.set_by_administrator": (
        "{name} is also set in /etc/sysctl.conf, which some tools apply again"
    ),
    "helper.plan.foreign": (
        "somebody else changed {name} since; its value of now counts as the original"
    ),
    "helper.plan.ends": "{name}, which is kept, ends with the scheduler that it belongs to",
    "helper.plan.moves": "{name} also moves {names}; they are recorded and restored",
    "helper.watch.record_lost": "the helper has lost its record of it",
    "helper.watch.silent": "the helper does not answer and has not taken it back",
    "helper.watch.let_go": "it ended with whoever held it",
    "helper.watch.unreadable": "its value cannot be read",
    "helper.trace.no_tasks": "none of these programs runs, or they are hidden from the helper",
    "helper.trace.not_yours": "process {pid} belongs to somebody else",
    "helper.trace.too_many_tasks": "these programs have more than {most} threads",
    "helper.trace.no_game": "this trace was begun without the game's threads",
    "helper.trace.no_paths": "this trace tells no call paths, or the kernel records none",
    "helper.trace.no_path": "the kernel does not have the call path of this wait any more",
    "helper.trace.paths_often": "{most} call paths in a trace at most",
    "helper.trace.one_each": "this user watches already what programs wait for",
    "helper.trace.busy": "{count} users watch already what programs wait for",
    "helper.trace.descriptors_kept": (
        "programs still keep open too much of what they watched before"
    ),
    "helper.trace.over": "there is no such trace; it may have ended",
    "helper.trace.not_owner": "this trace was begun by somebody else",
    "helper.trace.lent_often": "the descriptors of this trace were lent too often",
    "helper.trace.too_many": "{count} traces a minute at most",
    "helper.trace.locked": "the kernel is locked (lockdown=confidentiality) and lets nobody watch",
    "helper.trace.no_tracefs": (
        "this kernel cannot be watched: nothing is mounted at /sys/kernel/tracing; systemd does "
        "that at each start, and 'sudo mount -t tracefs tracefs /sys/kernel/tracing' now"
    ),
    "helper.trace.refused": "the kernel did not let it be set up: {error}",
    "helper.residue.reserve": (
        "the kernel no longer adapts vm.min_free_kbytes by itself until the next restart"
    ),
    "helper.residue.throttling": (
        "bfq no longer switches write-back throttling off by itself on this drive until the "
        "next restart"
    ),
}
