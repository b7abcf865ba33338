// SPDX-License-Identifier: GPL-3.0-or-later

#define _GNU_SOURCE
#include "game.h"
#include "meeting.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, MAP_SIZE = 128 << 10, HOT_PIECES = 96 };

int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

void fail(const char *what) {
    fprintf(stderr, "victim: %s: %s\n", what, strerror(errno));
    exit(1);
}

void name_thread(const char *name) { prctl(PR_SET_NAME, name); }

static double number(const char *text) {
    char *end;
    double value = strtod(text, &end);
    if (*text == 0 || *end != 0 || value < 0) {
        fprintf(stderr, "victim: %s is not a number\n", text);
        exit(2);
    }
    return value;
}

static void split_names(struct options *o, const char *text) {
    char *rest = strdup(text), *name;
    for (int i = 0; i < NAMES && (name = strsep(&rest, ",")); i++) o->names[i] = name;
}

static int set_text(struct options *o, const char *name, const char *value) {
    if (!strcmp(name, "--log")) o->log = value;
    else if (!strcmp(name, "--assets")) o->assets = value;
    else if (!strcmp(name, "--save")) o->save = value;
    else if (!strcmp(name, "--map")) o->map = value;
    else if (!strcmp(name, "--server")) o->server = value;
    else if (!strcmp(name, "--compositor")) o->compositor = value;
    else if (!strcmp(name, "--names")) split_names(o, value);
    else return 0;
    return 1;
}

static void set_number(struct options *o, const char *name, double value) {
    struct { const char *name; double *to; } reals[] = {
        {"--seconds", &o->seconds}, {"--hz", &o->hz}, {"--work-ms", &o->work_ms},
        {"--heavy-every", &o->heavy_every}, {"--heavy-ms", &o->heavy_ms},
        {"--doze-every", &o->doze_every}, {"--doze-ms", &o->doze_ms},
        {"--load-every", &o->load_every}, {"--read-every", &o->read_every},
        {"--shaders", &o->shader_ms}, {"--holder-every", &o->holder_every},
        {"--holder-ms", &o->holder_ms}};
    struct { const char *name; size_t *to; int shift; } sizes[] = {
        {"--alloc-kib", &o->alloc, 10}, {"--heap-mib", &o->heap, 20}, {"--read-kib", &o->read, 10},
        {"--write-kib", &o->write, 10}, {"--look-kib", &o->look, 10},
        {"--load-mib", &o->load, 20}};
    struct { const char *name; int *to; } counts[] = {
        {"--huge", &o->is_huge}, {"--cached", &o->is_cached}, {"--reads", &o->reads},
        {"--sync-every", &o->sync_every}, {"--map-pages", &o->map_pages}, {"--maps", &o->maps},
        {"--remaps", &o->remaps}, {"--helpers", &o->helpers}, {"--ahead", &o->ahead},
        {"--need-every", &o->need_every}, {"--sim-nice", &o->nice},
        {"--heavy-streamer", &o->is_heavy_streamer}, {"--presenter", &o->has_presenter},
        {"--spins", &o->spins}, {"--dozing-streamer", &o->is_dozing_streamer},
        {"--holder-nice", &o->holder_nice}};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (!strcmp(name, reals[i].name)) { *reals[i].to = value; return; }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!strcmp(name, sizes[i].name)) { *sizes[i].to = (size_t)value << sizes[i].shift; return; }
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!strcmp(name, counts[i].name)) { *counts[i].to = (int)value; return; }
    fprintf(stderr, "victim: unknown option %s\n", name);
    exit(2);
}

static struct options parse(int count, char **words) {
    struct options o = {.names = {"victim-main", "streamer", "simulation", "helper"},
                        .hz = 60, .work_ms = 4, .alloc = 256 << 10, .heap = 256 << 20,
                        .read = 64 << 10, .write = 4 << 10, .reads = 1, .map_pages = 8,
                        .helpers = 8, .need_every = 1};
    for (int i = 1; i + 1 < count; i += 2)
        if (!set_text(&o, words[i], words[i + 1])) set_number(&o, words[i], number(words[i + 1]));
    if (!o.log || o.seconds <= 0 || o.hz <= 0 || o.need_every <= 0) {
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

void compute(double milliseconds) { rounds(milliseconds * rounds_per_ms); }

static uint64_t seed;

static uint64_t chance(void) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return seed >> 33;
}

static int is_time(int64_t *next, double every_s) {
    if (every_s <= 0) return 0;
    if (!*next) *next = now_ns() + (int64_t)(every_s * 1e9);
    if (now_ns() < *next) return 0;
    *next += (int64_t)(every_s * 1e9 * (0.5 + (double)chance() / (1u << 31)));
    return 1;
}

void doze(const struct options *o) {
    static int64_t next;
    if (!is_time(&next, o->doze_every)) return;
    struct timespec pause = {0, (long)(o->doze_ms * 1e6)};
    nanosleep(&pause, NULL);
}

void compute_heavily(const struct options *o) {
    static int64_t next;
    if (is_time(&next, o->heavy_every)) compute(o->heavy_ms);
}

static char **blocks;
static size_t block_count, next_block;

// Fresh pages each frame, so that the kernel has to find memory; the oldest go back.
static void allocate(size_t size, int is_huge) {
    if (!size) return;
    if (blocks[next_block]) munmap(blocks[next_block], size);
    char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) fail("mmap");
    madvise(block, size, is_huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    for (size_t at = 0; at < size; at += PAGE) block[at] = 1;
    blocks[next_block] = block;
    next_block = (next_block + 1) % block_count;
}

// A new place: much fresh memory in one frame, instead of that of the last place.
static void load_level(const struct options *o) {
    static int64_t next;
    static char *level;
    if (!is_time(&next, o->load_every)) return;
    if (level) munmap(level, o->load);
    level = mmap(NULL, o->load, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (level == MAP_FAILED) fail("mmap of a level");
    madvise(level, o->load, MADV_NOHUGEPAGE);
    for (size_t at = 0; at < o->load; at += PAGE) level[at] = 1;
}

static volatile char seen;

// Pages of older blocks, in random order.
static void look_back(size_t size, size_t block_size) {
    for (size_t looked = 0; block_size && looked < size; looked += PAGE) {
        char *block = blocks[chance() % block_count];
        if (block) seen = block[(chance() % block_size) & ~(PAGE - 1ull)];
    }
}

static int assets = -1, save = -1, server = -1, answers = -1;
static off_t asset_size, map_size;
static int map_file = -1;
static char *buffer;

static off_t size_of(int fd, const char *path) {
    struct stat s;
    if (fd < 0 || fstat(fd, &s)) fail(path);
    return S_ISBLK(s.st_mode) ? lseek(fd, 0, SEEK_END) : s.st_size;
}

static void read_assets(const struct options *o) {
    static int64_t next;
    if (o->read_every > 0 && !is_time(&next, o->read_every)) return;
    for (int i = 0; i < o->reads && (size_t)asset_size > o->read; i++) {
        uint64_t pieces = (uint64_t)(asset_size - (off_t)o->read) / PAGE;
        uint64_t at = o->is_cached ? chance() % HOT_PIECES * o->read % (pieces * PAGE)
                                   : chance() % pieces * PAGE;
        if (pread(assets, buffer, o->read, (off_t)at) < 0) fail("read");
    }
}

// Mapped for a frame only, as what a loader unpacks: pages that nobody maps can be dropped.
static void touch_map(const struct options *o) {
    char *map = mmap(NULL, (size_t)map_size, PROT_READ, MAP_PRIVATE, map_file, 0);
    if (map == MAP_FAILED) fail("mmap of the file");
    madvise(map, (size_t)map_size, MADV_RANDOM);
    for (int i = 0; i < o->map_pages; i++) seen = map[chance() % ((uint64_t)map_size / PAGE) * PAGE];
    munmap(map, (size_t)map_size);
}

// Neighbours with other rights stay mappings of their own.
static void make_maps(int count) {
    size_t size = (size_t)count * MAP_SIZE;
    char *region = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (region == MAP_FAILED) fail("mmap of many");
    madvise(region, size, MADV_NOHUGEPAGE);
    memset(region, 1, size);
    for (int i = 0; i < count; i += 2)
        if (mprotect(region + (size_t)i * MAP_SIZE, MAP_SIZE, PROT_READ)) fail("mprotect");
}

static void remap(int count) {
    for (int i = 0; i < count; i++) {
        char *map = mmap(NULL, MAP_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (map == MAP_FAILED) fail("mmap");
        map[0] = 1;
        munmap(map, MAP_SIZE);
    }
}

// To itself, through the network: what is sent comes back when the kernel has taken it in.
static void reach_itself(void) {
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    int door = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), at_once = 1;
    if (door < 0 || bind(door, (struct sockaddr *)&here, size) || listen(door, 1)) fail("network");
    if (getsockname(door, (struct sockaddr *)&here, &size)) fail("network");
    server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(server, (struct sockaddr *)&here, size)) fail("network");
    answers = accept(door, NULL, NULL);
    if (setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof at_once)) fail("network");
    close(door);
}

static void reach_server(const char *path) {
    if (!strcmp(path, ":")) { reach_itself(); return; }
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    strncpy(to.sun_path, path, sizeof to.sun_path - 1);
    server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server < 0 || connect(server, (struct sockaddr *)&to, sizeof to)) fail(path);
    answers = server;
}

static void ask_server(void) {
    char byte = 1;
    if (send(server, &byte, 1, MSG_NOSIGNAL) != 1 || recv(answers, &byte, 1, 0) != 1) fail("server");
}

static struct meeting *meeting;

static void ask_compositor(void) {
    int asked = atomic_fetch_add(&meeting->asked, 1) + 1, done;
    wake_all(&meeting->asked);
    while ((done = atomic_load(&meeting->done)) != asked) sleep_until_other_than(&meeting->done, done);
}

static pthread_mutex_t cache = PTHREAD_MUTEX_INITIALIZER;

static void *hold_cache(void *options) {
    const struct options *o = options;
    name_thread("cache");
    // Of this thread alone: Linux has priorities of threads (sched(7)).
    if (o->holder_nice && setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), o->holder_nice))
        fail("priority");
    int64_t every = (int64_t)(o->holder_every * 1e9);
    for (;;) {
        struct timespec pause = {every / 1000000000, every % 1000000000};
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&cache);
        compute(o->holder_ms);
        pthread_mutex_unlock(&cache);
    }
    return NULL;
}

static void look_into_cache(void) {
    pthread_mutex_lock(&cache);
    pthread_mutex_unlock(&cache);
}

void stream(const struct options *o) {
    static int64_t saves;
    if (o->holder_every > 0) look_into_cache();
    allocate(o->alloc, o->is_huge);
    load_level(o);
    look_back(o->look, o->alloc);
    if (assets >= 0) read_assets(o);
    if (map_file >= 0) touch_map(o);
    if (o->remaps) remap(o->remaps);
    if (server >= 0) ask_server();
    if (meeting) ask_compositor();
    if (save >= 0 && write(save, buffer, o->write) < 0) fail("write");
    if (save >= 0 && o->sync_every > 0 && saves++ % o->sync_every == 0 && fsync(save))
        fail("fsync");
}

static volatile sig_atomic_t is_asked;
static pthread_barrier_t begin, end;
static double shader_ms;

static void ask(int signal) { (void)signal; is_asked = 6; }

static void *translate(void *name) {
    name_thread(name);
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

void wait_for_shaders(void) {
    if (!is_asked) return;
    is_asked--;
    pthread_barrier_wait(&begin);
    pthread_barrier_wait(&end);
}

struct options begin_game(int count, char **words) {
    struct options o = parse(count, words);
    name_thread(o.names[MAIN]);
    seed = (uint64_t)now_ns();
    if (o.assets) {
        assets = open(o.assets, O_RDONLY | O_CLOEXEC);
        asset_size = size_of(assets, o.assets);
        posix_fadvise(assets, 0, 0, POSIX_FADV_RANDOM);
    }
    if (o.map) {
        map_file = open(o.map, O_RDONLY | O_CLOEXEC);
        map_size = size_of(map_file, o.map);
    }
    if (o.save && (save = open(o.save, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)) < 0)
        fail(o.save);
    if (o.server) reach_server(o.server);
    if (o.compositor && !(meeting = meet_at(o.compositor))) fail(o.compositor);
    if (o.maps) make_maps(o.maps);
    block_count = o.alloc ? o.heap / o.alloc + 1 : 1;
    blocks = calloc(block_count, sizeof *blocks);
    buffer = aligned_alloc(PAGE, (o.read > o.write ? o.read : o.write) + PAGE);
    if (!blocks || !buffer) fail("memory");
    memset(buffer, 1, o.read > o.write ? o.read : o.write);
    calibrate();
    if (o.shader_ms > 0) start_translators(o.shader_ms);
    if (o.holder_every > 0) {
        static struct options kept;
        pthread_t thread;
        kept = o;
        if (pthread_create(&thread, NULL, hold_cache, &kept)) fail("thread");
    }
    return o;
}

FILE *open_log(const struct options *o) {
    FILE *log = fopen(o->log, "w");
    if (!log) fail(o->log);
    setvbuf(log, NULL, _IOLBF, PAGE);
    fprintf(log, "os,cpu,gpu,ram,kernel,driver,cpuscheduler\nvictim,none,none,0,none,none,none\n"
                 "fps,frametime,cpu_load,gpu_load,elapsed,waited_ms\n");
    return log;
}

void log_frame(FILE *log, int64_t previous, int64_t present, int64_t start, int64_t waited) {
    double ms = (double)(present - previous) / 1e6;
    fprintf(log, "%.1f,%.4f,0,0,%lld,%.3f\n", 1000 / ms, ms, (long long)(present - start),
            (double)waited / 1e6);
}

int open_waited(void) { return open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC); }

int64_t waited_ns(int schedstat) {
    char text[96] = {0};
    if (pread(schedstat, text, sizeof text - 1, 0) <= 0) return 0;
    char *second = strchr(text, ' ');
    return second ? strtoll(second, NULL, 10) : 0;
}
