// SPDX-License-Identifier: GPL-3.0-or-later
//
// What makes a game wait, one trouble per call; each ends when its standard input closes.
//
//   stall hold MIB          locks so much memory (the first to go when memory runs out)
//   stall holes MIB         the same, but every second page is given back: memory in small pieces
//   stall blocks MIB        as hold, but in huge pages: none of the small pieces is taken
//   stall cold MIB          takes so much memory that compresses to a quarter, and leaves it alone
//   stall keep MIB          takes so much fresh memory as fast as it can, and keeps it
//   stall huge MIB          takes so much memory in huge pages, and keeps it
//   stall burst MIB THREADS takes so much fresh memory as fast as it can, and gives it back
//   stall spin THREADS      computes
//   stall fifo PRIORITY     under SCHED_FIFO: computes from a line "1" on its input to a line "0"
//   stall pulse MS          under SCHED_FIFO, a thread on each processor: computes for so long
//                           after each line on its input
//   stall packets PORT THREADS  sends small datagrams over loopback to ports that nobody reads
//   stall copy FILE THREADS  reads a file past the page cache, 4 MiB at a time, as fast as it can
//   stall save FOLDER THREADS  each thread writes a file of 1 MiB and waits until it is safe, again
//                           and again
//   stall write FILE MIB    writes so much past the page cache, 4 MiB at a time, over and over
//   stall answer PATH MS    answers each byte on a local socket; after a line on its input, late
//   stall pageout PID       pages the private memory of a process out, now and again
//   stall watch PID MS      reads the smaps of a process every so often
//
// It writes one line when it has begun (hold, holes, blocks, cold: when it is done). A copy of the
// program under another name is another program to whoever looks.

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
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
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

static void hold(size_t size, int with_holes, int advice) {
    char *memory = fresh(size);
    madvise(memory, size, advice);
    for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
    if (with_holes)
        for (size_t at = 0; at < size; at += 2 * 4096) madvise(memory + at, 4096, MADV_DONTNEED);
    else if (mlock(memory, size))
        fail("mlock");
    begun();
    wait_for_end();
}

static void cold(size_t size) {
    char *memory = fresh(size);
    madvise(memory, size, MADV_NOHUGEPAGE);
    unsigned long seed = 88172645463325252ul;
    for (size_t at = 0; at < size; at += 4096)
        for (size_t word = 0; word < 1024; word += sizeof seed) {
            seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17;
            *(unsigned long *)(memory + at + word) = seed;
        }
    begun();
    wait_for_end();
}

static void keep(size_t size, int advice) {
    char *memory = fresh(size);
    madvise(memory, size, advice);
    begun();
    for (size_t at = 0; at < size; at += 4096) memory[at] = 1;
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

static atomic_int next_port;

// The kernel's work of receiving them is done where receive packet steering puts it.
static void *packets(void *unused) {
    int in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in to = {.sin_family = AF_INET};
    to.sin_port = htons((uint16_t)atomic_fetch_add(&next_port, 1));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char data[64] = {0};
    if (bind(in, (struct sockaddr *)&to, sizeof to)) fail("bind");
    while (!atomic_load(&is_over)) sendto(out, data, 64, 0, (struct sockaddr *)&to, sizeof to);
    return unused;
}

// One thread, which looks at its input now and then: the end must be heard.
static void real_time(int priority) {
    struct sched_param p = {.sched_priority = priority};
    if (sched_setscheduler(0, SCHED_FIFO, &p)) fail("SCHED_FIFO");
    begun();
    volatile unsigned long x = 1;
    for (int is_busy = 0;;) {
        struct pollfd in = {.fd = 0, .events = POLLIN};
        char byte = '\n';
        if (poll(&in, 1, is_busy ? 0 : -1) > 0 && read(0, &byte, 1) <= 0) return;
        if (byte != '\n') is_busy = byte == '1';
        if (is_busy) for (int i = 0; i < 1000000; i++) x = x * 3 + 1;
    }
}

static pthread_barrier_t pulse;
static double pulse_s;

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void pause_ms(double ms) {
    struct timespec t = {(time_t)(ms / 1000), (long)(ms * 1e6) % 1000000000};
    nanosleep(&t, NULL);
}

static void be_real_time(int priority) {
    struct sched_param p = {.sched_priority = priority};
    if (sched_setscheduler(0, SCHED_FIFO, &p)) fail("SCHED_FIFO");
}

static void *hold_processor(void *number) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)number, &one);
    if (sched_setaffinity(0, sizeof one, &one)) fail("affinity");
    be_real_time(50);
    for (;;) {
        pthread_barrier_wait(&pulse);
        volatile unsigned long x = 1;
        for (double until = now_s() + pulse_s; now_s() < until;)
            for (int i = 0; i < 100000; i++) x = x * 3 + 1;
    }
    return NULL;
}

// All begin together and end by themselves: meanwhile nobody else runs who could end them.
static void pulses(double ms) {
    cpu_set_t all;
    pthread_t thread;
    if (sched_getaffinity(0, sizeof all, &all)) fail("affinity");
    pulse_s = ms / 1000;
    pthread_barrier_init(&pulse, NULL, 1 + (unsigned)CPU_COUNT(&all));
    for (size_t i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &all) && pthread_create(&thread, NULL, hold_processor, (void *)i))
            fail("thread");
    be_real_time(60);
    begun();
    char byte;
    while (read(0, &byte, 1) > 0)
        if (byte == '\n') pthread_barrier_wait(&pulse);
}

static const char *path;
enum { CHUNK = 4 << 20 };

static void *chunk(void) {
    void *memory = aligned_alloc(4096, CHUNK);
    if (!memory) fail("memory");
    return memset(memory, 7, CHUNK);
}

static void *copy(void *unused) {
    int fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    struct stat s;
    if (fd < 0 || fstat(fd, &s)) fail(path);
    char *data = chunk();
    static atomic_long next;
    while (!atomic_load(&is_over)) {
        long at = atomic_fetch_add(&next, 1) % (s.st_size / CHUNK);
        if (pread(fd, data, CHUNK, (off_t)at * CHUNK) < 0) fail("read");
    }
    return unused;
}

static void *save(void *unused) {
    static atomic_int next;
    char name[4096];
    snprintf(name, sizeof name, "%s/save-%d", path, atomic_fetch_add(&next, 1));
    int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) fail(name);
    char *data = chunk();
    while (!atomic_load(&is_over))
        if (pwrite(fd, data, 1 << 20, 0) < 0 || fdatasync(fd)) fail("save");
    return unused;
}

static long written_mib;

static void *overwrite(void *unused) {
    int fd = open(path, O_WRONLY | O_CREAT | O_DIRECT | O_CLOEXEC, 0600);
    if (fd < 0) fail(path);
    char *data = chunk();
    for (long at = 0; !atomic_load(&is_over); at = (at + 4) % written_mib)
        if (pwrite(fd, data, CHUNK, at << 20) < 0) fail("write");
    return unused;
}

// Late from a line "1" on its input to a line "0".
static void answer(double ms) {
    struct sockaddr_un here = {.sun_family = AF_UNIX};
    strncpy(here.sun_path, path, sizeof here.sun_path - 1);
    int door = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (door < 0 || bind(door, (struct sockaddr *)&here, sizeof here) || listen(door, 4)) fail(path);
    begun();
    int guest = -1, is_late = 0;
    for (;;) {
        struct pollfd in[] = {{0, POLLIN, 0}, {door, POLLIN, 0}, {guest, POLLIN, 0}};
        char byte;
        if (poll(in, 3, -1) < 0) fail("poll");
        if (in[0].revents) {
            if (read(0, &byte, 1) <= 0) return;
            if (byte != '\n') is_late = byte == '1';
        }
        if (in[1].revents) guest = accept(door, NULL, NULL);
        if (guest >= 0 && in[2].revents) {
            if (read(guest, &byte, 1) <= 0) { close(guest); guest = -1; continue; }
            if (is_late) pause_ms(ms);
            send(guest, &byte, 1, MSG_NOSIGNAL);
        }
    }
}

static void *watch(void *every_ms) {
    static char text[1 << 20];
    while (!atomic_load(&is_over)) {
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd < 0) fail(path);
        while (read(fd, text, sizeof text) > 0) {}
        close(fd);
        pause_ms((double)(size_t)every_ms);
    }
    return NULL;
}

static void watch_process(size_t pid, size_t every_ms) {
    static char file[64];
    pthread_t thread;
    snprintf(file, sizeof file, "/proc/%zu/smaps", pid);
    path = file;
    if (pthread_create(&thread, NULL, watch, (void *)every_ms)) fail("thread");
    begun();
    wait_for_end();
}

// Small pieces: whoever pages out has the memory map meanwhile, which is a trouble of its own.
enum { PIECE = 1 << 20 };

static void page_out_mappings(FILE *maps, int process) {
    char line[512], rights[8];
    unsigned long from, to, inode;
    while (!atomic_load(&is_over) && fgets(line, sizeof line, maps)) {
        if (sscanf(line, "%lx-%lx %7s %*s %*s %lu", &from, &to, rights, &inode) != 4) continue;
        for (; !inode && rights[1] == 'w' && from < to; from += PIECE) {
            struct iovec piece = {(void *)from, to - from < PIECE ? to - from : PIECE};
            syscall(SYS_process_madvise, process, &piece, 1, MADV_PAGEOUT, 0);
        }
    }
}

static void *page_out(void *pid) {
    static char file[64];
    int process = (int)syscall(SYS_pidfd_open, (pid_t)(size_t)pid, 0);
    if (process < 0) fail("pidfd_open");
    snprintf(file, sizeof file, "/proc/%zu/maps", (size_t)pid);
    while (!atomic_load(&is_over)) {
        FILE *maps = fopen(file, "r");
        if (!maps) break;
        page_out_mappings(maps, process);
        fclose(maps);
        pause_ms(400);
    }
    return NULL;
}

static void page_process_out(size_t pid) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, page_out, (void *)pid)) fail("thread");
    begun();
    wait_for_end();
}

int main(int count, char **words) {
    if (count < 3) { fprintf(stderr, "stall: what and how much?\n"); return 2; }
    const char *what = words[1];
    size_t amount = strtoul(words[2], NULL, 10);
    int threads = count > 3 ? atoi(words[3]) : 1;
    first_to_go();
    if (!strcmp(what, "hold")) hold(amount << 20, 0, MADV_NORMAL);
    else if (!strcmp(what, "holes")) hold(amount << 20, 1, MADV_NOHUGEPAGE);
    else if (!strcmp(what, "blocks")) hold(amount << 20, 0, MADV_HUGEPAGE);
    else if (!strcmp(what, "huge")) keep(amount << 20, MADV_HUGEPAGE);
    else if (!strcmp(what, "keep")) keep(amount << 20, MADV_NOHUGEPAGE);
    else if (!strcmp(what, "cold")) cold(amount << 20);
    else if (!strcmp(what, "burst")) { share = (amount << 20) / (size_t)threads; many(burst, threads); }
    else if (!strcmp(what, "spin")) many(spin, (int)amount);
    else if (!strcmp(what, "packets")) { atomic_store(&next_port, (int)amount); many(packets, threads); }
    else if (!strcmp(what, "fifo")) real_time((int)amount);
    else if (!strcmp(what, "pulse")) pulses((double)amount);
    else if (!strcmp(what, "copy")) { path = words[2]; many(copy, threads); }
    else if (!strcmp(what, "save")) { path = words[2]; many(save, threads); }
    else if (!strcmp(what, "write")) { path = words[2]; written_mib = threads; many(overwrite, 1); }
    else if (!strcmp(what, "answer")) { path = words[2]; answer(threads); }
    else if (!strcmp(what, "pageout")) page_process_out(amount);
    else if (!strcmp(what, "watch")) watch_process(amount, (size_t)threads);
    else { fprintf(stderr, "stall: unknown trouble %s\n", what); return 2; }
    return 0;
}
