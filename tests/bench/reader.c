/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limit that the sampler is measured against: reads the same files at the same rate through
 * descriptors that stay open, finds every number in them, and does nothing else.
 *
 * reader INTERVAL_MS TICKS LIST: LIST has lines "tick PATH", "second TURN PATH" or "processes",
 * which stands for the line "stat" of every process, opened and read every three seconds.
 * Prints the CPU time per tick in nanoseconds.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 4096, PROCESS_PERIOD_S = 3, PIECE = 1 << 14 };

struct file {
	int descriptor;
	int turn; /* -1: every tick */
};

static struct file files[MOST_FILES];
static int file_count;
static int reads_processes;
static char buffer[1 << 20];
static volatile uint64_t kept; /* so that no compiler leaves the parsing out */

static void die(const char *what)
{
	fprintf(stderr, "reader: %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t nanoseconds(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void parse(size_t size)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < size; i++) {
		uint64_t number = 0;

		if (!isdigit((unsigned char)buffer[i]))
			continue;
		while (i < size && isdigit((unsigned char)buffer[i]))
			number = number * 10 + (uint64_t)(buffer[i++] - '0');
		sum += number;
	}
	kept += sum;
}

static void read_whole(int descriptor)
{
	size_t size = 0;

	while (size + PIECE <= sizeof(buffer)) {
		/* A larger piece is no gain: some files make the kernel clear as much memory. */
		ssize_t more = pread(descriptor, buffer + size, PIECE, (off_t)size);

		if (more <= 0)
			break;
		size += (size_t)more;
		if (more < 1024)
			break; /* the end: the kernel hands out pages of whole lines */
	}
	parse(size);
}

static void read_processes(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	char path[300];

	if (!proc)
		die("/proc");
	while ((entry = readdir(proc))) {
		int descriptor;

		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		descriptor = open(path, O_RDONLY | O_CLOEXEC);
		if (descriptor < 0)
			continue;
		read_whole(descriptor);
		close(descriptor);
	}
	closedir(proc);
}

static void load(const char *list)
{
	char line[1024], path[1024];
	int turn;
	FILE *input = fopen(list, "re");

	if (!input)
		die(list);
	while (fgets(line, sizeof(line), input)) {
		line[strcspn(line, "\n")] = 0;
		if (!strcmp(line, "processes")) {
			reads_processes = 1;
			continue;
		}
		if (sscanf(line, "second %d %1023[^\n]", &turn, path) != 2) {
			turn = -1;
			if (sscanf(line, "tick %1023[^\n]", path) != 1)
				die(line);
		}
		if (file_count == MOST_FILES)
			die("too many files");
		files[file_count].descriptor = open(path, O_RDONLY | O_CLOEXEC);
		files[file_count].turn = turn;
		if (files[file_count].descriptor >= 0)
			file_count++;
	}
	fclose(input);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	uint64_t step = strtoull(argv[1], NULL, 10) * 1000000u;
	long ticks = strtol(argv[2], NULL, 10);
	long turns = 1000000000u / step ? (long)(1000000000u / step) : 1;

	load(argv[3]);
	uint64_t deadline = nanoseconds(CLOCK_MONOTONIC);
	uint64_t begun = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);

	for (long tick = 0; tick < ticks; tick++) {
		struct timespec until;

		for (int i = 0; i < file_count; i++)
			if (files[i].turn < 0 || files[i].turn == tick % turns)
				read_whole(files[i].descriptor);
		if (reads_processes && tick % (turns * PROCESS_PERIOD_S) == turns - 1)
			read_processes();
		deadline += step;
		until.tv_sec = (time_t)(deadline / 1000000000u);
		until.tv_nsec = (long)(deadline % 1000000000u);
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
			continue;
	}
	printf("%llu\n",
	       (unsigned long long)((nanoseconds(CLOCK_PROCESS_CPUTIME_ID) - begun) / (uint64_t)ticks));
	return 0;
}
