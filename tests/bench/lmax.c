/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the write probe is measured against: the same loop, without an interpreter.
 *
 * lmax FOLDER INTERVAL_US SECONDS: appends 220 bytes at each deadline to a file without a name,
 * makes up for deadlines that a slow write covered, and prints a line every 100 ms:
 * writes, worst write (us), worst wake (us), worst corrected (us), CPU time of this process (us).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int64_t SECOND = 1000000000, SAMPLE = 100000000;
static char record[220];

static void die(const char *what, int error)
{
	fprintf(stderr, "lmax: %s: %s\n", what, strerror(error));
	exit(1);
}

static int64_t read_clock(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * SECOND + now.tv_nsec;
}

static void sleep_until(int64_t moment)
{
	struct timespec at = { moment / SECOND, moment % SECOND };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

static void keep_worst(int64_t *worst, int64_t value)
{
	if (value > *worst)
		*worst = value;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		die("FOLDER INTERVAL_US SECONDS", EINVAL);
	int file = open(argv[1], O_WRONLY | O_TMPFILE, 0600);
	if (file < 0)
		die(argv[1], errno);
	int64_t interval = atoll(argv[2]) * 1000;
	int64_t deadline = read_clock(CLOCK_MONOTONIC) + interval;
	int64_t end = deadline + atoll(argv[3]) * SECOND, due = deadline + SAMPLE;
	int64_t writes = 0, worst_write = 0, worst_wake = 0, worst_corrected = 0;

	setlinebuf(stdout);
	while (deadline < end) {
		int64_t begun = read_clock(CLOCK_MONOTONIC);
		if (deadline > begun) {
			sleep_until(deadline);
			begun = read_clock(CLOCK_MONOTONIC);
			keep_worst(&worst_wake, begun - deadline);
		}
		if (write(file, record, sizeof(record)) != sizeof(record))
			die("write", errno);
		int64_t done = read_clock(CLOCK_MONOTONIC);
		keep_worst(&worst_write, done - begun);
		keep_worst(&worst_corrected, done - deadline);
		writes++;
		deadline += interval;
		if (done - deadline > SECOND)
			deadline = done;
		if (done >= due) {
			printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", writes,
			       worst_write / 1000, worst_wake / 1000, worst_corrected / 1000,
			       read_clock(CLOCK_PROCESS_CPUTIME_ID) / 1000);
			writes = worst_write = worst_wake = worst_corrected = 0;
			due += SAMPLE * ((done - due) / SAMPLE + 1);
			deadline += read_clock(CLOCK_MONOTONIC) - done;
		}
	}
	return 0;
}
