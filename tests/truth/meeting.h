// SPDX-License-Identifier: GPL-3.0-or-later
//
// The memory in which a game and its compositor meet, as programs for headsets do: the game counts
// up what it asks for and sleeps in a futex until the compositor has counted up what is done.

#ifndef MEETING_H
#define MEETING_H

#include <fcntl.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct meeting {
    atomic_int asked, done;
};

static inline void sleep_until_other_than(atomic_int *at, int value) {
    while (atomic_load(at) == value) syscall(SYS_futex, at, FUTEX_WAIT, value, NULL, NULL, 0);
}

static inline void wake_all(atomic_int *at) {
    syscall(SYS_futex, at, FUTEX_WAKE, 100, NULL, NULL, 0);
}

// NULL where it cannot be shared.
static inline struct meeting *meet_at(const char *path) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof(struct meeting))) return NULL;
    void *memory = mmap(NULL, sizeof(struct meeting), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return memory == MAP_FAILED ? NULL : memory;
}

#endif
