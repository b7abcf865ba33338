/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first part of the AppImage: a static program that mounts the squashfs file system behind
 * itself, or unpacks it where that is not possible, and starts the AppRun in it (AppImage
 * specification, type 2). Built by packaging/appimage/build over libsquashfuse and libfuse3.
 *
 * Each start has a folder of its own, TMP/destutter-appimage-XXXXXX, with "lock" and "root". Who
 * uses the folder holds the lock; the next start removes folders whose lock is free, so that
 * nothing stays behind a kill.
 */

#define _GNU_SOURCE
#include "ll.h" /* first: its config.h defines what the headers of libc look at */

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <limits.h>
#include <linux/fuse.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FOLDER "destutter-appimage-"
#define WARM_BLOCK (128 * 1024) /* of the file system, and of the list (packaging/appimage/learn) */
#define YOUNG_S 60 /* a folder without a lock may be one that is just being made */

/* Filled in the finished file, where they are found by name (AppImage specification). Without
 * volatile the compiler takes the first for the empty text that it sees here. */
__attribute__((section(".upd_info"), used)) static volatile char update_information[1024] = {0};
__attribute__((section(".sha256_sig"), used)) static volatile char signature[1024] = {0};
__attribute__((section(".sig_key"), used)) static volatile char signature_key[8192] = {0};

static char self[PATH_MAX], base[PATH_MAX], root[PATH_MAX];
static off_t payload;
static int lock = -1;
static unsigned long long room; /* that unpacking needs, in bytes */

static bool unpacks; /* into a folder of its own, which is of no use when that fails */

static void remove_folder(const char *path);

static void fail(const char *format, ...)
{
	va_list values;
	va_start(values, format);
	fputs("Destutter: ", stderr);
	vfprintf(stderr, format, values);
	fputc('\n', stderr);
	va_end(values);
	if (unpacks)
		remove_folder(base);
	exit(127);
}

static void join(char *path, const char *folder, const char *name)
{
	if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		fail("a path is too long: %s", folder);
}

/* The file system begins where the ELF file ends: behind the table of its sections. */
static void find_payload(void)
{
	Elf64_Ehdr head;
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	int fd = length < 0 ? -1 : open(self, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread(fd, &head, sizeof head, 0) != sizeof head)
		fail("cannot read itself: %s", strerror(errno));
	close(fd);
	payload = (off_t)(head.e_shoff + (Elf64_Off)head.e_shentsize * head.e_shnum);
}

/* --- folders ------------------------------------------------------------------------------- */

/* Runs fusermount3, which may unmount for its user; root needs no help. */
static void unmount(const char *where)
{
	pid_t child;
	if (geteuid() == 0 && umount2(where, MNT_DETACH) == 0)
		return;
	child = fork();
	if (child == 0) {
		execlp("fusermount3", "fusermount3", "-u", "-q", "-z", "--", where, (char *)NULL);
		_exit(127);
	}
	if (child > 0)
		waitpid(child, NULL, 0);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *at)
{
	(void)status, (void)kind, (void)at;
	remove(path);
	return 0;
}

/* FTW_MOUNT: what is still mounted below is left alone. */
static void remove_folder(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static void sweep_one(const char *path)
{
	char file[PATH_MAX], below[PATH_MAX];
	struct stat status;
	int fd;

	if (lstat(path, &status) || !S_ISDIR(status.st_mode) || status.st_uid != geteuid())
		return;
	join(file, path, "lock");
	fd = open(file, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 ? time(NULL) - status.st_mtime < YOUNG_S : flock(fd, LOCK_EX | LOCK_NB) != 0) {
		if (fd >= 0)
			close(fd);
		return;
	}
	join(below, path, "root");
	if (lstat(below, &status) && errno == ENOTCONN)
		unmount(below);
	remove_folder(path);
	if (fd >= 0)
		close(fd);
}

/* Removes what starts before this one left behind when they were killed. */
static void sweep(const char *folder)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *listing = opendir(folder);
	if (!listing)
		return;
	while ((entry = readdir(listing))) {
		if (strncmp(entry->d_name, FOLDER, strlen(FOLDER)))
			continue;
		join(path, folder, entry->d_name);
		sweep_one(path);
	}
	closedir(listing);
}

/* Makes base, its lock and root below `folder`; false where that is not possible. */
static bool make_folder(const char *folder)
{
	char file[PATH_MAX];
	struct stat status;
	int tries;

	for (tries = 0; tries < 5; tries++) {
		join(base, folder, FOLDER "XXXXXX");
		if (!mkdtemp(base))
			return false;
		join(file, base, "lock");
		join(root, base, "root");
		lock = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		/* A sweep may have taken it before us: then it is unlinked, and a new one is needed. */
		if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0 && fstat(lock, &status) == 0 &&
		    status.st_nlink > 0 && mkdir(root, 0700) == 0)
			return true;
		if (lock >= 0)
			close(lock);
		remove_folder(base);
	}
	return false;
}

static bool takes_programs(const char *folder)
{
	struct statvfs status;
	return statvfs(folder, &status) == 0 && !(status.f_flag & ST_NOEXEC) &&
	       status.f_bavail * status.f_frsize >= room;
}

/* The first of TMPDIR, /tmp and ~/.cache in which a folder can be made. */
static void make_some_folder(bool for_programs)
{
	char cache[PATH_MAX];
	const char *home = getenv("HOME"), *places[] = {getenv("TMPDIR"), "/tmp", cache};
	size_t i;

	join(cache, home ? home : "/nonexistent", ".cache");
	for (i = 0; i < sizeof places / sizeof *places; i++) {
		if (!places[i] || places[i][0] != '/')
			continue;
		sweep(places[i]);
		if ((!for_programs || takes_programs(places[i])) && make_folder(places[i]))
			return;
	}
	if (for_programs)
		fail("no folder with %llu MB for temporary files: tried TMPDIR, /tmp and ~/.cache",
		     room >> 20);
	fail("no folder for temporary files: tried TMPDIR, /tmp and ~/.cache");
}

/* --- unpacking ----------------------------------------------------------------------------- */

static void unpack_file(sqfs *fs, sqfs_inode *inode, const char *path)
{
	static char piece[1 << 17];
	sqfs_off_t at = 0, size, end = (sqfs_off_t)inode->xtra.reg.file_size;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		fail("cannot write %s: %s", path, strerror(errno));
	for (; at < end; at += size) {
		size = sizeof piece;
		if (sqfs_read_range(fs, inode, at, &size, piece) || size <= 0)
			fail("this file is damaged; please download it again");
		errno = 0; /* a piece of it is no error */
		if (write(fd, piece, (size_t)size) != size)
			fail("cannot write %s: %s", path, strerror(errno ? errno : ENOSPC));
	}
	if (fchmod(fd, inode->base.mode & 0755) || close(fd))
		fail("cannot write %s: %s", path, strerror(errno));
}

static void unpack_link(sqfs *fs, sqfs_inode *inode, const char *path)
{
	char target[PATH_MAX];
	size_t size = sizeof target;
	if (sqfs_readlink(fs, inode, target, &size))
		fail("this file is damaged; please download it again");
	unlink(path);
	if (symlink(target, path))
		fail("cannot write %s: %s", path, strerror(errno));
}

static void unpack_parents(const char *folder, const char *name)
{
	char path[PATH_MAX], *slash;
	join(path, folder, name);
	for (slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = 0;
		mkdir(path, 0755);
		*slash = '/';
	}
}

static void begin_walk(sqfs *fs, sqfs_traverse *walk)
{
	if (sqfs_open_image(fs, self, (size_t)payload) ||
	    sqfs_traverse_open(walk, fs, sqfs_inode_root(fs)))
		fail("this file is damaged; please download it again");
}

/* Unpacks what fits the pattern (all of it: NULL) into a folder that exists. */
static void unpack(const char *folder, const char *pattern, bool is_told)
{
	char path[PATH_MAX];
	sqfs_traverse walk;
	sqfs_inode inode;
	sqfs_err error;
	sqfs fs;

	begin_walk(&fs, &walk);
	while (sqfs_traverse_next(&walk, &error)) {
		if (walk.dir_end || (pattern && fnmatch(pattern, walk.path, 0)))
			continue;
		if (sqfs_inode_get(&fs, &inode, sqfs_dentry_inode(&walk.entry)))
			fail("this file is damaged; please download it again");
		unpack_parents(folder, walk.path);
		join(path, folder, walk.path);
		if (S_ISDIR(inode.base.mode)) {
			if (mkdir(path, 0755) && errno != EEXIST)
				fail("cannot write %s: %s", path, strerror(errno));
		} else if (S_ISLNK(inode.base.mode))
			unpack_link(&fs, &inode, path);
		else if (S_ISREG(inode.base.mode))
			unpack_file(&fs, &inode, path);
		if (is_told)
			puts(path);
	}
	if (error)
		fail("this file is damaged; please download it again");
	sqfs_traverse_close(&walk);
	sqfs_destroy(&fs);
}

/* All files together, each in whole blocks of 4 KiB. */
static unsigned long long unpacked_size(void)
{
	unsigned long long size = 0;
	sqfs_traverse walk;
	sqfs_inode inode;
	sqfs_err error;
	sqfs fs;

	begin_walk(&fs, &walk);
	while (sqfs_traverse_next(&walk, &error))
		if (!walk.dir_end && !sqfs_inode_get(&fs, &inode, sqfs_dentry_inode(&walk.entry)) &&
		    S_ISREG(inode.base.mode))
			size += (inode.xtra.reg.file_size + 4095) & ~4095ULL;
	sqfs_traverse_close(&walk);
	sqfs_destroy(&fs);
	return size;
}

/* --- mounting ------------------------------------------------------------------------------ */

#define MOST_THREADS 4

static sqfs_ll *payload_handle;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static __thread sqfs *blocks; /* this thread's own handle for reading */

/* As sqfs_ll_op_read, on the handle of this thread. What sqfs_ll_op_open keeps is the inode. */
static void read_piece(fuse_req_t request, fuse_ino_t number, size_t size, off_t at,
		       struct fuse_file_info *file)
{
	sqfs_inode *inode = (sqfs_inode *)(intptr_t)file->fh;
	sqfs_off_t got = (sqfs_off_t)size;
	char *piece = malloc(size);

	(void)number;
	if (!piece)
		fuse_reply_err(request, ENOMEM);
	else if (sqfs_read_range(blocks, inode, at, &got, piece))
		fuse_reply_err(request, EIO);
	else
		fuse_reply_buf(request, piece, (size_t)got);
	free(piece);
}

static struct fuse_session *mount_payload(void)
{
	static const struct fuse_lowlevel_ops operations = {
		.lookup = sqfs_ll_op_lookup,
		.forget = sqfs_ll_op_forget,
		.getattr = sqfs_ll_op_getattr,
		.readlink = sqfs_ll_op_readlink,
		.open = sqfs_ll_op_open,
		.read = read_piece,
		.release = sqfs_ll_op_release,
		.opendir = sqfs_ll_op_opendir,
		.readdir = sqfs_ll_op_readdir,
		.releasedir = sqfs_ll_op_releasedir,
		.statfs = stfs_ll_op_statfs,
	};
	struct fuse_args arguments = FUSE_ARGS_INIT(0, NULL);
	struct fuse_session *session;

	fuse_opt_add_arg(&arguments, "destutter");
	fuse_opt_add_arg(&arguments, "-oro,nodev,nosuid,fsname=Destutter,subtype=appimage");
	session = fuse_session_new(&arguments, &operations, sizeof operations, payload_handle);
	fuse_opt_free_args(&arguments);
	if (session && fuse_session_mount(session, root)) {
		fuse_session_destroy(session);
		session = NULL;
	}
	return session;
}

/* Answers the kernel until nobody uses the mount any more: the kernel says ENODEV then.
 *
 * libsquashfuse locks nothing, and a handle keeps the blocks that it unpacked last: reads, which
 * take the time, have a handle for each thread, and all else takes turns on the first one. */
static void *answer(void *session)
{
	struct fuse_buf piece = {.mem = NULL};
	const struct fuse_in_header *head;
	int got;

	while (!fuse_session_exited(session)) {
		got = fuse_session_receive_buf(session, &piece);
		if (got == -EINTR || got == -EAGAIN)
			continue;
		if (got <= 0)
			break;
		head = piece.mem;
		if (head->opcode == FUSE_READ) {
			fuse_session_process_buf(session, &piece);
			continue;
		}
		pthread_mutex_lock(&turn);
		fuse_session_process_buf(session, &piece);
		pthread_mutex_unlock(&turn);
	}
	free(piece.mem);
	return NULL;
}

static void *answer_too(void *session)
{
	sqfs own;
	if (sqfs_open_image(&own, self, (size_t)payload))
		return NULL; /* the first thread answers all */
	blocks = &own;
	answer(session);
	sqfs_destroy(&own);
	return NULL;
}

static void *answer_first(void *session)
{
	blocks = &payload_handle->fs;
	return answer(session);
}

/* Serves the mount. When the program has ended it is detached at once, and its folder removed;
 * what its children have open is served on.
 *
 * A start waits for unpacking more than for anything else: one thread for each core, and four at
 * most, because each keeps 1 MB of unpacked blocks. */
static void serve(struct fuse_session *session, int program)
{
	struct pollfd end = {.fd = program, .events = POLLIN};
	long i, wanted = sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t threads[MOST_THREADS];
	long count = 0;

	for (i = 0; i < wanted && i < MOST_THREADS; i++)
		if (pthread_create(&threads[count], NULL, i ? answer_too : answer_first, session) == 0)
			count++;
	if (count == 0)
		return;
	while (poll(&end, 1, -1) < 0 && errno == EINTR)
		;
	unmount(root);
	remove_folder(base);
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

/* Reads ahead what a start needs, block by block in the order in which it does, into the kernel's
 * cache.
 *
 * A start asks for 470 blocks, one after the other, and waits for each to be unpacked. This asks
 * before it, so that unpacking runs on another core beside the start. Reading, which waits for each
 * piece, and not readahead: that would ask for all at once, and the start's own questions would
 * stand behind them. */
static void warm(void)
{
	static char piece[WARM_BLOCK];
	char line[PATH_MAX], path[PATH_MAX];
	FILE *list;
	int fd, at;
	long first, count;

	join(path, root, ".warm");
	if (!(list = fopen(path, "re")))
		return;
	while (fgets(line, sizeof line, list)) {
		line[strcspn(line, "\n")] = '\0';
		if (sscanf(line, "%ld %ld %n", &first, &count, &at) != 2)
			continue;
		join(path, root, line + at);
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		for (; count > 0; first++, count--)
			if (pread(fd, piece, sizeof piece, (off_t)first * WARM_BLOCK) <= 0)
				break;
		close(fd);
	}
	fclose(list);
}

/* The process that answers for the mount. It is nobody's child, so that the program gets no
 * foreign one, and has no terminal, so that Ctrl-C does not take the files from under it. */
static void run_server(int program, int ready)
{
	static const int ignored[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};
	struct fuse_session *session;
	size_t i;
	int null;

	setsid();
	if (fork() != 0)
		_exit(0);
	for (i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
	null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		_exit(1);
	dup2(null, STDIN_FILENO), dup2(null, STDOUT_FILENO), dup2(null, STDERR_FILENO);
	if (chdir("/") || !(payload_handle = sqfs_ll_open(self, (size_t)payload)) ||
	    !(session = mount_payload()))
		_exit(1);
	prctl(PR_SET_NAME, "destutter-mount");
	if (write(ready, "", 1) != 1)
		_exit(1);
	close(ready);
	signal(SIGCHLD, SIG_IGN); /* nobody waits for it */
	if (fork() == 0) {
		close(fuse_session_fd(session)); /* else the mount outlives its server */
		warm();
		_exit(0);
	}
	serve(session, program);
	_exit(0);
}

/* Mounts the payload on root; false where that is not possible. */
static bool start_server(void)
{
	char answer;
	int ready[2], program = (int)syscall(SYS_pidfd_open, getpid(), 0);
	bool is_mounted;
	pid_t child;

	if (program < 0 || access("/dev/fuse", R_OK | W_OK) || pipe2(ready, O_CLOEXEC))
		return false;
	child = fork();
	if (child == 0) {
		close(ready[0]);
		run_server(program, ready[1]);
	}
	close(ready[1]);
	close(program);
	if (child > 0)
		waitpid(child, NULL, 0);
	is_mounted = child > 0 && read(ready[0], &answer, 1) == 1;
	close(ready[0]);
	return is_mounted;
}

/* --- running ------------------------------------------------------------------------------- */

static pid_t running;

/* Ctrl-C of a terminal reaches the program by itself; twice would mean "at once". */
static void forward(int number, siginfo_t *from, void *context)
{
	(void)context;
	if (running > 0 && from->si_code != SI_KERNEL)
		kill(running, number);
}

static void set_environment(const char *name)
{
	char folder[PATH_MAX];
	setenv("APPIMAGE", self, 1);
	setenv("APPDIR", root, 1);
	setenv("ARGV0", name, 1);
	if (getcwd(folder, sizeof folder))
		setenv("OWD", folder, 1);
}

static void run(char **arguments)
{
	char program[PATH_MAX];
	join(program, root, "AppRun");
	execv(program, arguments);
	fprintf(stderr, "Destutter: cannot start %s: %s\n", program, strerror(errno));
}

/* Unpacks, runs, waits, and removes what was unpacked. Returns the exit status. */
static int run_unpacked(char **arguments)
{
	static const int passed_on[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGUSR1, SIGUSR2};
	struct sigaction action = {.sa_sigaction = forward, .sa_flags = SA_SIGINFO};
	sigset_t held, before;
	int status;
	size_t i;

	room = unpacked_size();
	make_some_folder(true);
	set_environment(arguments[0]);
	unpacks = true;
	unpack(root, NULL, false);
	unpacks = false;
	sigemptyset(&held);
	for (i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
		sigaddset(&held, passed_on[i]);
	/* A signal between fork and sigaction would end us, and the program would never know. */
	sigprocmask(SIG_BLOCK, &held, &before);
	running = fork();
	if (running < 0)
		fail("cannot start: %s", strerror(errno));
	if (running == 0) {
		sigprocmask(SIG_SETMASK, &before, NULL);
		/* The program holds the lock too: whoever kills us does not have its files removed. */
		fcntl(lock, F_SETFD, 0);
		run(arguments);
		_exit(127);
	}
	for (i = 0; i < sizeof passed_on / sizeof *passed_on; i++)
		sigaction(passed_on[i], &action, NULL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	while (waitpid(running, &status, 0) < 0 && errno == EINTR)
		;
	remove_folder(base);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run_mounted(char **arguments)
{
	make_some_folder(false);
	if (!start_server()) {
		remove_folder(base);
		close(lock);
		return run_unpacked(arguments);
	}
	set_environment(arguments[0]);
	run(arguments);
	return 127;
}

static _Noreturn void show_mount(void)
{
	make_some_folder(false);
	if (!start_server()) {
		remove_folder(base);
		fail("this computer does not let it be mounted (FUSE); --appimage-extract unpacks it");
	}
	puts(root);
	fflush(stdout);
	for (;;)
		pause(); /* until a signal ends it; the server sees that, and unmounts */
}

static int extract(const char *pattern)
{
	if (mkdir("squashfs-root", 0755) && errno != EEXIST)
		fail("cannot make squashfs-root here: %s", strerror(errno));
	unpack("squashfs-root", pattern, true);
	return 0;
}

static int help(void)
{
	puts("Options of the AppImage itself; all others are Destutter's (--help):\n"
	     "  --appimage-extract [PATTERN]  unpack into squashfs-root in this folder\n"
	     "  --appimage-extract-and-run    unpack to a temporary folder and run from there\n"
	     "  --appimage-mount              mount, print where, and wait for Ctrl-C\n"
	     "  --appimage-offset             print where the file system begins\n"
	     "  --appimage-updateinformation  print where newer versions are found");
	return 0;
}

int main(int count, char **arguments)
{
	const char *option = count > 1 ? arguments[1] : "", *always = getenv("APPIMAGE_EXTRACT_AND_RUN");

	find_payload();
	if (!strcmp(option, "--appimage-offset"))
		return printf("%lld\n", (long long)payload) < 0;
	if (!strcmp(option, "--appimage-updateinformation"))
		return puts((const char *)update_information) < 0;
	if (!strcmp(option, "--appimage-extract"))
		return extract(count > 2 ? arguments[2] : NULL);
	if (!strcmp(option, "--appimage-mount"))
		show_mount();
	if (!strcmp(option, "--appimage-extract-and-run")) {
		arguments[1] = arguments[0];
		return run_unpacked(arguments + 1);
	}
	if (!strncmp(option, "--appimage-", strlen("--appimage-")))
		return help(), strcmp(option, "--appimage-help") != 0;
	return always && !strcmp(always, "1") ? run_unpacked(arguments) : run_mounted(arguments);
}
