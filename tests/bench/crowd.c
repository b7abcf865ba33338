// SPDX-License-Identifier: GPL-3.0-or-later
//
// A game at work for the sampler's benchmark: crowd THREADS
//
// One thread in eight wakes up with every frame of 60 Hz and computes for 0.3 ms, as the main thread
// does for 2 ms; the others rest. It says a line when all are there, and ends with its input.

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void *frames(void *work_ns) {
    int64_t due = now_ns();
    for (;;) {
        due += 16666667;
        struct timespec t = {due / 1000000000, due % 1000000000};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
        int64_t end = now_ns() + (intptr_t)work_ns;
        while (now_ns() < end) {}
    }
    return NULL;
}

static void *rest(void *unused) {
    (void)unused;
    for (;;) pause();
    return NULL;
}

int main(int count, char **words) {
    int threads = count > 1 ? atoi(words[1]) : 64;
    pthread_t thread;
    for (int i = 1; i < threads; i++)
        if (pthread_create(&thread, NULL, i % 8 ? rest : frames, (void *)(intptr_t)300000)) return 1;
    if (pthread_create(&thread, NULL, (void *(*)(void *))getchar, NULL)) return 1;
    puts("begun");
    fflush(stdout);
    frames((void *)(intptr_t)2000000);
    return 0;
}
