// SPDX-License-Identifier: GPL-3.0-or-later
//
//   compositor PATH MS   computes MS for each frame that a game asks for in the shared file PATH
//
// A line on its input is what a frame costs from then on, in ms. It writes one line when it has
// begun, and ends when its input closes.

#define _GNU_SOURCE
#include "meeting.h"
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_int cost_us;

static int64_t worked_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void *compose(void *memory) {
    struct meeting *at = memory;
    int done = atomic_load(&at->done);
    for (;;) {
        sleep_until_other_than(&at->asked, done);
        done = atomic_load(&at->asked);
        int64_t end = worked_us() + atomic_load(&cost_us);
        while (worked_us() < end) {}
        atomic_store(&at->done, done);
        wake_all(&at->done);
    }
    return NULL;
}

int main(int count, char **words) {
    if (count != 3) { fprintf(stderr, "compositor: where, and how long?\n"); return 2; }
    struct meeting *at = meet_at(words[1]);
    if (!at) { perror(words[1]); return 1; }
    atomic_store(&cost_us, (int)(1000 * atof(words[2])));
    pthread_t thread;
    if (pthread_create(&thread, NULL, compose, at)) { perror("thread"); return 1; }
    puts("begun");
    fflush(stdout);
    char line[32];
    while (fgets(line, sizeof line, stdin)) atomic_store(&cost_us, (int)(1000 * atof(line)));
    return 0;
}
