// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small game for measurements whose main thread only waits for its workers, as today's engines'
// does: in a futex, whatever the workers wait for. Options and what is done in a frame: game.h; here
//
//   --helpers 8       threads that wake up now and then and do next to nothing
//   --ahead 0         frames that the streamer may have ready before they are wanted
//   --need-every 1    each Nth frame needs what was streamed for it; the others let it be late,
//                     up to four times as many frames
//   --sim-nice 0      priority of the worker that simulates
//   --heavy-streamer  1: what is slow by itself is the streamer's unpacking, not the simulation
//   --spins           1: the main thread does not sleep while it waits for the two
//   --presenter       1: the refresh is a thread of its own, which wakes the main thread
//
// The main thread hands out a frame and waits until the simulation has computed it, and for the
// streamer where it needs it. What a worker waits for makes the frame late; no state of the main
// thread ever shows it.

#define _GNU_SOURCE
#include "game.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static struct options o;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int64_t handed_out, simulated, streamed, refreshes;
static int waited_of[NAMES] = {-1, -1, -1, -1};

static void start(void *(*work)(void *), int which) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, (void *)(intptr_t)which)) fail("thread");
}

static void begin_worker(int which) {
    name_thread(o.names[which]);
    waited_of[which] = open_waited();
}

static void tell(int64_t *count) {
    pthread_mutex_lock(&lock);
    ++*count;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void await_work(const int64_t *done, int ahead) {
    pthread_mutex_lock(&lock);
    while (*done >= handed_out + ahead) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void *simulate(void *which) {
    begin_worker((int)(intptr_t)which);
    // Of this thread alone: Linux has priorities of threads (sched(7)).
    if (o.nice && setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), o.nice)) fail("priority");
    for (;;) {
        await_work(&simulated, 0);
        compute(o.work_ms);
        if (!o.is_heavy_streamer) compute_heavily(&o);
        wait_for_shaders();
        tell(&simulated);
    }
    return NULL;
}

static void *bring(void *which) {
    begin_worker((int)(intptr_t)which);
    for (;;) {
        await_work(&streamed, o.ahead);
        if (o.is_heavy_streamer) compute_heavily(&o);
        if (o.is_dozing_streamer) doze(&o);
        stream(&o);
        tell(&streamed);
    }
    return NULL;
}

static void *help(void *which) {
    name_thread(o.names[(intptr_t)which]);
    for (int64_t turn = 0;; turn++) {
        struct timespec pause = {0, 200000000 + turn % 7 * 50000000};
        nanosleep(&pause, NULL);
        compute(0.02);
    }
    return NULL;
}

static int64_t next_refresh(int64_t due) {
    int64_t period = (int64_t)(1e9 / o.hz);
    return due + ((now_ns() - due) / period + 1) * period;
}

static void *present(void *unused) {
    name_thread("present");
    for (int64_t due = now_ns();;) {
        due = next_refresh(due);
        struct timespec t = {due / 1000000000, due % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
        tell(&refreshes);
    }
    return unused;
}

static void wait_for_refresh(int64_t *due) {
    *due = next_refresh(*due);
    struct timespec t = {*due / 1000000000, *due % 1000000000};
    pthread_mutex_lock(&lock);
    int64_t before = refreshes;
    if (o.has_presenter) while (refreshes == before) pthread_cond_wait(&changed, &lock);
    else while (pthread_cond_timedwait(&changed, &lock, &t) != ETIMEDOUT) {}
    pthread_mutex_unlock(&lock);
}

static int is_done(int64_t frame, int64_t late) {
    return __atomic_load_n(&simulated, __ATOMIC_ACQUIRE) >= frame
        && __atomic_load_n(&streamed, __ATOMIC_ACQUIRE) >= frame - late;
}

static void play_frame(void) {
    if (!o.is_dozing_streamer) doze(&o);
    pthread_mutex_lock(&lock);
    int64_t frame = ++handed_out;
    pthread_cond_broadcast(&changed);
    int64_t late = frame % o.need_every ? 4 * o.need_every : 0;
    if (!o.spins) while (!is_done(frame, late)) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    while (!is_done(frame, late)) {}
}

// Of the main thread and of the worker that waited longest: the two work at the same time.
static int64_t waited_in_frame(void) {
    static int64_t before[NAMES];
    int64_t waited[NAMES] = {0};
    for (int i = MAIN; i <= SIMULATION; i++) {
        int64_t total = waited_ns(waited_of[i]);
        waited[i] = total - before[i];
        before[i] = total;
    }
    int worse = waited[STREAMER] > waited[SIMULATION] ? STREAMER : SIMULATION;
    return waited[MAIN] + waited[worse];
}

int main(int count, char **words) {
    o = begin_game(count, words);
    FILE *log = open_log(&o);
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &clock);
    waited_of[MAIN] = open_waited();
    start(simulate, SIMULATION);
    start(bring, STREAMER);
    for (int i = 0; i < o.helpers; i++) start(help, HELPER);
    if (o.has_presenter) start(present, MAIN);
    waited_in_frame();
    int64_t begin = now_ns(), previous = begin, due = begin;
    while (now_ns() - begin < (int64_t)(o.seconds * 1e9)) {
        wait_for_refresh(&due);
        play_frame();
        int64_t now = now_ns();
        log_frame(log, previous, now, begin, waited_in_frame());
        previous = now;
    }
    // The workers are in the middle of their work; the process ends with the main thread.
    return fclose(log) ? 1 : 0;
}
