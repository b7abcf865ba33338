/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the wake-up probe is measured against: the same loop, without an interpreter.
 *
 * wake INTERVAL_US SECONDS CPU: stays on the CPU, sleeps until absolute deadlines, skips those
 * that were missed, and prints a line every 100 ms:
 * wakes, worst lateness (us), moment of the worst (ns), CPU time of this process (us).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t SECOND = 1000000000, SAMPLE = 100000000;

static void die(const char *what, int error)
{
	fprintf(stderr, "wake: %s: %s\n", what, strerror(error));
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

int main(int argc, char **argv)
{
	if (argc != 4)
		die("INTERVAL_US SECONDS CPU", EINVAL);
	int64_t interval = atoll(argv[1]) * 1000;
	int64_t deadline = read_clock(CLOCK_MONOTONIC) + interval;
	int64_t end = deadline + atoll(argv[2]) * SECOND, due = deadline + SAMPLE;
	int64_t wakes = 0, worst = -1, worst_at = 0;
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[3]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus))
		die("sched_setaffinity", errno);
	setlinebuf(stdout);
	while (deadline < end) {
		sleep_until(deadline);
		int64_t now = read_clock(CLOCK_MONOTONIC), late = now - deadline;
		wakes++;
		if (late > worst) {
			worst = late;
			worst_at = now;
		}
		if (now >= due) {
			printf("%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n", wakes,
			       worst / 1000, worst_at,
			       read_clock(CLOCK_PROCESS_CPUTIME_ID) / 1000);
			wakes = 0;
			worst = -1;
			due += SAMPLE * ((now - due) / SAMPLE + 1);
			now = read_clock(CLOCK_MONOTONIC);
		}
		deadline += interval;
		if (deadline <= now)
			deadline += interval * ((now - deadline) / interval + 1);
	}
	return 0;
}
