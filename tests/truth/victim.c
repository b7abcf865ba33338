// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small game for measurements whose main thread does everything itself, as old engines do.
// Options and what it does in a frame: game.h.
//
// A frame begins at a multiple of the refresh period. A frame that takes longer misses refreshes,
// and the next begins at the following one, as with vertical sync.
//
// The log belongs on a tmpfs: a line is written at the end of each frame, and must not wait.

#define _GNU_SOURCE
#include "game.h"
#include <errno.h>
#include <time.h>

int main(int count, char **words) {
    struct options o = begin_game(count, words);
    FILE *log = open_log(&o);
    int schedstat = open_waited();
    int64_t period = (int64_t)(1e9 / o.hz), start = now_ns(), previous = start, due = start;
    int64_t waited = waited_ns(schedstat);
    while (now_ns() - start < (int64_t)(o.seconds * 1e9)) {
        due += ((now_ns() - due) / period + 1) * period;
        struct timespec t = {due / 1000000000, due % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
        compute(o.work_ms);
        compute_heavily(&o);
        doze(&o);
        stream(&o);
        wait_for_shaders();
        int64_t present = now_ns(), waited_now = waited_ns(schedstat);
        log_frame(log, previous, present, start, waited_now - waited);
        waited = waited_now;
        previous = present;
    }
    return fclose(log) ? 1 : 0;
}
