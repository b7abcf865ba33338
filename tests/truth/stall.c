// SPDX-License-Identifier: GPL-3.0-or-later
//
// What makes a game wait, one trouble per call; each ends when its standard input closes.
//
//   stall hold MIB          locks so much memory (the first to go when memory runs out)
//   stall holes MIB         the same, but every other page is given back: memory in small pieces
//   stall burst MIB THREADS takes so much fresh memory as fast as it can, and gives it back
//   stall spin THREADS      computes
//   stall fifo PRIORITY     computes under SCHED_FIFO on the processor it was put on
//   stall packets PORT      sends small datagrams to itself over loopback
//
// It writes one line when it has begun (hold, holes: when it is done).

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_bool is_over;

static void fail(const char *what) {
    fprintf(stderr, "stall: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void begun(void) {
    puts("begun");
    fflush(stdout);
}

static void wait_for_end(void) {
    char byte;
    while (read(0, &byte, 1) > 0) {}
    atomic_store(&is_over, 1);
}

static void first_to_go(void) {
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, "1000", 4) != 4) fail("oom_score_adj");
    close(fd);
}

static char *fresh(size_t size) {
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("mmap");
    return memory;
}

static void hold(size_t size, int with_holes) {
    char *memory = fresh(size);
    if (with_holes) madvise(memory, size, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
    if (with_holes)
        for (size_t at = 0; at < size; at += 8192) madvise(memory + at, 4096, MADV_DONTNEED);
    else if (mlock(memory, size))
        fail("mlock");
    begun();
    wait_for_end();
}

static size_t share;

static void *take(void *unused) {
    char *memory = fresh(share);
    madvise(memory, share, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < share && !atomic_load(&is_over); at += 4096) memory[at] = 1;
    munmap(memory, share);
    return unused;
}

static void *burst(void *unused) {
    while (!atomic_load(&is_over)) take(NULL);
    return unused;
}

static void *spin(void *unused) {
    volatile unsigned long x = 1;
    while (!atomic_load(&is_over)) for (int i = 0; i < 10000; i++) x = x * 3 + 1;
    return unused;
}

static void many(void *(*work)(void *), int threads) {
    pthread_t thread;
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread, NULL, work, NULL)) fail("thread");
    begun();
    wait_for_end();
}

static int own_port;

static void *packets(void *unused) {
    int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)own_port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char data[64] = {0};
    if (bind(in, (struct sockaddr *)&to, sizeof to)) fail("bind");
    while (!atomic_load(&is_over)) {
        for (int i = 0; i < 64; i++) sendto(out, data, 64, 0, (struct sockaddr *)&to, sizeof to);
        while (recv(in, data, 64, MSG_DONTWAIT) > 0) {}
    }
    return unused;
}

int main(int count, char **words) {
    if (count < 3) { fprintf(stderr, "stall: what and how much?\n"); return 2; }
    const char *what = words[1];
    size_t amount = strtoul(words[2], NULL, 10);
    int threads = count > 3 ? atoi(words[3]) : 1;
    first_to_go();
    if (!strcmp(what, "hold")) hold(amount << 20, 0);
    else if (!strcmp(what, "holes")) hold(amount << 20, 1);
    else if (!strcmp(what, "burst")) { share = (amount << 20) / (size_t)threads; many(burst, threads); }
    else if (!strcmp(what, "spin")) many(spin, (int)amount);
    else if (!strcmp(what, "packets")) { own_port = (int)amount; many(packets, 1); }
    else if (!strcmp(what, "fifo")) {
        // Real time only for what computes: the end must be heard.
        pthread_t thread;
        struct sched_param p = {.sched_priority = (int)amount};
        if (pthread_create(&thread, NULL, spin, NULL)) fail("thread");
        struct sched_param above = {.sched_priority = (int)amount + 1};
        if (sched_setscheduler(0, SCHED_FIFO, &above)) fail("SCHED_FIFO");
        if (pthread_setschedparam(thread, SCHED_FIFO, &p)) fail("SCHED_FIFO");
        begun();
        wait_for_end();
    } else { fprintf(stderr, "stall: unknown trouble %s\n", what); return 2; }
    return 0;
}
