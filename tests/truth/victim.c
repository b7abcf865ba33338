// SPDX-License-Identifier: GPL-3.0-or-later
//
// A small game for measurements: draws at a fixed rate, allocates, reads assets and writes a log,
// and writes its frame times as MangoHud does.
//
//   victim --log FILE --seconds N [--hz 60] [--work-ms 4] [--alloc-kib 256] [--heap-mib 256]
//          [--assets FILE --read-kib 64] [--save FILE --write-kib 4] [--heavy-every S --heavy-ms M]
//          [--look-kib 0] [--huge 0] [--reads 1] [--sync-every 0] [--shaders 0]
//
// A frame begins at a multiple of the refresh period. In it the main thread computes, touches
// fresh memory (and gives the oldest back), reads random pieces of the asset file past the page
// cache's readahead, and appends to its save file. A frame that takes longer misses refreshes,
// and the next begins at the following one, as with vertical sync. --heavy-* burns the CPU inside
// the main thread now and then: a game that is slow by itself. --look-kib touches so much of its
// older memory in each frame, as a turn of the head does; --huge 1 asks for huge pages.
// --sync-every N has each Nth frame wait until its save file is on the drive. --shaders M: after
// SIGUSR1 each of six frames waits for four threads, named as DXVK's, that compute M ms each.
//
// The log belongs on a tmpfs: a line is written at the end of each frame, and must not wait.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "victim: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double number(const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (*text == 0 || *end != 0 || value < 0) {
        fprintf(stderr, "victim: %s is not a number\n", text);
        exit(2);
    }
    return value;
}

struct options {
    const char *log, *assets, *save;
    double seconds, hz, work_ms, heavy_every, heavy_ms;
    size_t alloc, heap, read, write, look;
    int is_huge, reads, sync_every;
    double shader_ms;
};

static struct options parse(int count, char **words) {
    struct options o = {.hz = 60, .work_ms = 4, .alloc = 256 << 10, .heap = 256 << 20,
                        .read = 64 << 10, .write = 4 << 10, .reads = 1};
    for (int i = 1; i + 1 < count; i += 2) {
        const char *name = words[i], *value = words[i + 1];
        if (!strcmp(name, "--log")) o.log = value;
        else if (!strcmp(name, "--assets")) o.assets = value;
        else if (!strcmp(name, "--save")) o.save = value;
        else if (!strcmp(name, "--seconds")) o.seconds = number(value);
        else if (!strcmp(name, "--hz")) o.hz = number(value);
        else if (!strcmp(name, "--work-ms")) o.work_ms = number(value);
        else if (!strcmp(name, "--heavy-every")) o.heavy_every = number(value);
        else if (!strcmp(name, "--heavy-ms")) o.heavy_ms = number(value);
        else if (!strcmp(name, "--alloc-kib")) o.alloc = (size_t)number(value) << 10;
        else if (!strcmp(name, "--heap-mib")) o.heap = (size_t)number(value) << 20;
        else if (!strcmp(name, "--read-kib")) o.read = (size_t)number(value) << 10;
        else if (!strcmp(name, "--write-kib")) o.write = (size_t)number(value) << 10;
        else if (!strcmp(name, "--look-kib")) o.look = (size_t)number(value) << 10;
        else if (!strcmp(name, "--reads")) o.reads = (int)number(value);
        else if (!strcmp(name, "--sync-every")) o.sync_every = (int)number(value);
        else if (!strcmp(name, "--shaders")) o.shader_ms = number(value);
        else if (!strcmp(name, "--huge")) o.is_huge = number(value) > 0;
        else { fprintf(stderr, "victim: unknown option %s\n", name); exit(2); }
    }
    if (!o.log || o.seconds <= 0 || o.hz <= 0) {
        fprintf(stderr, "victim: --log and --seconds are needed\n");
        exit(2);
    }
    return o;
}

static void rounds(double count) {
    volatile uint64_t x = 88172645463325252ull;
    for (int64_t i = 0; i < (int64_t)count; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
}

static double rounds_per_ms;

// How much this processor does in a millisecond when nobody takes it away: the best of many tries.
static void calibrate(void) {
    for (int i = 0; i < 200; i++) {
        int64_t start = now_ns();
        rounds(50000);
        double speed = 50000 / ((double)(now_ns() - start) / 1e6);
        if (speed > rounds_per_ms) rounds_per_ms = speed;
    }
}

// An amount of work, not a span of time: who loses the processor meanwhile is late, as a game is.
static void compute(double milliseconds) { rounds(milliseconds * rounds_per_ms); }

static char **blocks;
static size_t block_count, next_block;

// Fresh pages each frame, so that the kernel has to find memory; the oldest go back.
static void allocate(size_t size, int is_huge) {
    if (!size) return;
    if (blocks[next_block]) munmap(blocks[next_block], size);
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) fail("mmap");
    madvise(block, size, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += 4096) block[at] = 1;
    blocks[next_block] = block;
    next_block = (next_block + 1) % block_count;
}

static volatile char seen;

// Pages of older blocks, in random order.
static void look_back(size_t size, size_t block_size, uint64_t seed) {
    for (size_t looked = 0; block_size && looked < size; looked += 4096) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        char *block = blocks[(seed >> 33) % block_count];
        if (block) seen = block[((seed >> 13) % block_size) & ~4095ull];
    }
}

static volatile sig_atomic_t is_asked;
static pthread_barrier_t begin, end;
static double shader_ms;

static void ask(int signal) { (void)signal; is_asked = 6; }

static void *translate(void *name) {
    prctl(PR_SET_NAME, name);
    for (;;) {
        pthread_barrier_wait(&begin);
        compute(shader_ms);
        pthread_barrier_wait(&end);
    }
    return NULL;
}

static void start_translators(double milliseconds) {
    static char *names[] = {"dxvk-shader-0", "dxvk-shader-1", "dxvk-shader-2", "dxvk-shader-3"};
    pthread_t thread;
    struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};
    shader_ms = milliseconds;
    if (sigaction(SIGUSR1, &action, NULL)) fail("SIGUSR1");
    pthread_barrier_init(&begin, NULL, 5);
    pthread_barrier_init(&end, NULL, 5);
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread, NULL, translate, names[i])) fail("thread");
}

// How long this thread has stood in a run queue, in ns (the second number of schedstat): what of
// a long frame was waiting for a processor is then known, whoever asks.
static int64_t waited_ns(int schedstat) {
    char text[96] = {0};
    if (pread(schedstat, text, sizeof text - 1, 0) <= 0) return 0;
    char *second = strchr(text, ' ');
    return second ? strtoll(second, NULL, 10) : 0;
}

int main(int count, char **words) {
    struct options o = parse(count, words);
    prctl(PR_SET_NAME, "victim-main");
    FILE *log = fopen(o.log, "w");
    if (!log) fail(o.log);
    setvbuf(log, NULL, _IOLBF, 4096);
    fprintf(log, "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nvictim,none,none,0,none,none,none\n"
                 "fps,frametime,cpu_load,gpu_load,elapsed,waited_ms\n");
    int schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    int assets = -1, save = -1;
    off_t asset_size = 0;
    if (o.assets) {
        assets = open(o.assets, O_RDONLY | O_CLOEXEC);
        struct stat s;
        if (assets < 0 || fstat(assets, &s)) fail(o.assets);
        posix_fadvise(assets, 0, 0, POSIX_FADV_RANDOM);
        asset_size = S_ISBLK(s.st_mode) ? lseek(assets, 0, SEEK_END) : s.st_size;
    }
    if (o.save && (save = open(o.save, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) < 0)
        fail(o.save);
    block_count = o.alloc ? o.heap / o.alloc + 1 : 1;
    blocks = calloc(block_count, sizeof *blocks);
    char *buffer = aligned_alloc(4096, (o.read > o.write ? o.read : o.write) + 4096);
    if (!blocks || !buffer) fail("memory");
    memset(buffer, 1, o.read > o.write ? o.read : o.write);

    calibrate();
    if (o.shader_ms > 0) start_translators(o.shader_ms);
    int64_t frame = 0;
    int64_t period = (int64_t)(1e9 / o.hz), start = now_ns(), previous = start;
    int64_t next_heavy = start + (int64_t)(o.heavy_every * 1e9), due = start;
    int64_t waited = waited_ns(schedstat);
    uint64_t seed = (uint64_t)start;
    while (now_ns() - start < (int64_t)(o.seconds * 1e9)) {
        due += ((now_ns() - due) / period + 1) * period;
        struct timespec t = {due / 1000000000, due % 1000000000};
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
        compute(o.work_ms);
        if (o.heavy_every > 0 && now_ns() >= next_heavy) {
            compute(o.heavy_ms);
            // Not in a beat: half to one and a half of the time.
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            next_heavy += (int64_t)(o.heavy_every * 1e9 * (0.5 + (double)(seed >> 40) / (1 << 24)));
        }
        allocate(o.alloc, o.is_huge);
        look_back(o.look, o.alloc, (uint64_t)now_ns());
        for (int i = 0; i < o.reads && assets >= 0 && (size_t)asset_size > o.read; i++) {
            seed = seed * 6364136223846793005ull + 1442695040888963407ull;
            off_t at = (off_t)((seed >> 16) % (uint64_t)(asset_size - (off_t)o.read)) & ~4095ll;
            if (pread(assets, buffer, o.read, at) < 0) fail("read");
        }
        if (save >= 0 && write(save, buffer, o.write) < 0) fail("write");
        if (save >= 0 && o.sync_every > 0 && frame++ % o.sync_every == 0 && fsync(save))
            fail("fsync");
        if (is_asked) {
            is_asked--;
            pthread_barrier_wait(&begin);
            pthread_barrier_wait(&end);
        }
        int64_t present = now_ns();
        double ms = (double)(present - previous) / 1e6;
        int64_t waited_now = waited_ns(schedstat);
        fprintf(log, "%.1f,%.4f,0,0,%lld,%.3f\n", 1000 / ms, ms, (long long)(present - start),
                (double)(waited_now - waited) / 1e6);
        waited = waited_now;
        previous = present;
    }
    return fclose(log) ? 1 : 0;
}
