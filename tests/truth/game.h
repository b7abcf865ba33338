// SPDX-License-Identifier: GPL-3.0-or-later
//
// What both makes of victim do, whoever of their threads does it. Options of both:
//
//   --log FILE --seconds N [--hz 60] [--work-ms 4] [--alloc-kib 256] [--heap-mib 256]
//   [--look-kib 0] [--huge 0] [--assets FILE --read-kib 64 --reads 1 --read-every S --cached 0]
//   [--save FILE --write-kib 4 --sync-every 0] [--map FILE --map-pages 8]
//   [--maps 0 --remaps 0] [--server PATH] [--compositor PATH]
//   [--load-every S --load-mib M] [--heavy-every S --heavy-ms M] [--shaders 0]
//   [--doze-every S --doze-ms M --dozing-streamer 0]
//   [--holder-every S --holder-ms M --holder-nice 0]
//   [--names MAIN,STREAMER,SIMULATION,HELPER]
//
// In each frame the game computes for --work-ms, touches --alloc-kib of fresh memory (and gives the
// oldest back), looks at --look-kib of its older memory as a turn of the head does, reads random
// pieces of the assets (past readahead), touches pages of the mapped file, and appends to its save
// file. --cached 1 lets the pieces be small in number, so that the page cache soon has them all.
// --read-every reads the assets only now and then, so that the drive rests meanwhile.
// --sync-every N has each Nth frame wait until the save is on the drive. --maps N makes so many
// mappings first, --remaps N makes and removes so many in each frame. --server has each frame ask
// a local server and wait for its answer (":": itself, through the network), --compositor a process
// in shared memory (meeting.h).
// --load-* takes so much memory at once now and then, and
// gives back that of the time before. --heavy-* computes now and then: a game that is slow by
// itself. --doze-* sleeps now and then, on a timer of its own, in the main thread or in the one that
// streams. --holder-*: a thread takes now and then, for as long as some computing takes, a lock that
// each frame needs for a moment. --shaders M: after SIGUSR1 each of six frames waits for four threads, named as DXVK's, that
// compute M ms each. --huge 1 asks for huge pages.

#ifndef GAME_H
#define GAME_H

#include <stdint.h>
#include <stdio.h>
#include <stddef.h>

enum { MAIN, STREAMER, SIMULATION, HELPER, NAMES };

struct options {
    const char *log, *assets, *save, *map, *server, *compositor;
    char *names[NAMES];
    double seconds, hz, work_ms, heavy_every, heavy_ms, doze_every, doze_ms, load_every, read_every;
    double shader_ms, holder_every, holder_ms;
    size_t alloc, heap, read, write, look, load;
    int is_huge, is_cached, reads, sync_every, map_pages, maps, remaps;
    // Of the make with workers alone: see engine.c.
    int helpers, ahead, need_every, nice, is_heavy_streamer, has_presenter, spins,
        is_dozing_streamer, holder_nice;
};

int64_t now_ns(void);
void fail(const char *what);
void name_thread(const char *name);

// An amount of work, not a span of time: who loses the processor meanwhile is late, as a game is.
void compute(double milliseconds);
// In a beat that wavers by half, so that no period is seen in it.
void compute_heavily(const struct options *o);

void doze(const struct options *o);

struct options begin_game(int count, char **words);
// Whatever of a frame asks the system for something: memory, files, the server.
void stream(const struct options *o);
// Where SIGUSR1 came: a frame of six that waits for its translators.
void wait_for_shaders(void);

FILE *open_log(const struct options *o);
void log_frame(FILE *log, int64_t previous, int64_t present, int64_t start, int64_t waited);
// How long a thread has stood in a run queue, in ns (the second number of schedstat): what of a
// long frame was waiting for a processor is then known, whoever asks.
int open_waited(void);
int64_t waited_ns(int schedstat);

#endif
