/* A library that is loaded in front of the C library (LD_PRELOAD) and plays a system at fault. A fixture of tests/faults.
 *
 * FAULT_WRITE="KIND N TEXT"  from the N-th write (from 1) to files whose path contains TEXT:
 *     eio      fails, with "Input/output error", for good
 *     once     fails in the same way, once
 *     full     writes half of the bytes, then fails with "No space left on device", for good
 *     short    writes one byte at a time, for good, and is interrupted by a signal each second time
 * FAULT_CLOCK="KIND SECONDS"
 *     wall     the wall clock jumps by so many seconds, forth and back, each time it is read
 *     forward  the monotonic clock jumps forward by so many seconds, once, after some readings
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char write_kind[16], write_text[256], clock_kind[16];
static long first_write, clock_seconds;
static atomic_long writes, readings;

__attribute__((constructor)) static void set_up(void) {
    const char *text = getenv("FAULT_WRITE");
    if (text == NULL || sscanf(text, "%15s %ld %255s", write_kind, &first_write, write_text) != 3) write_kind[0] = 0;
    text = getenv("FAULT_CLOCK");
    if (text == NULL || sscanf(text, "%15s %ld", clock_kind, &clock_seconds) != 2) clock_kind[0] = 0;
}

/* The number of this write to the file at fault, from 1; 0 for any other file. */
static long number_of_write(int file) {
    if (!write_kind[0]) return 0;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return strstr(path, write_text) ? atomic_fetch_add(&writes, 1) + 1 : 0;
}

/* How many of so many bytes are written now; -1 with `errno` for a failure. */
static ssize_t allowed(long number, size_t bytes) {
    if (number < first_write || number == 0 || bytes == 0) return bytes;
    if (!strcmp(write_kind, "once") && number > first_write) return bytes;
    if (!strcmp(write_kind, "short")) {
        if (number % 2) return 1;
        errno = EINTR;
        return -1;
    }
    if (!strcmp(write_kind, "full")) {
        if (number == first_write && bytes > 1) return bytes / 2;
        errno = ENOSPC;
        return -1;
    }
    errno = EIO;
    return -1;
}

ssize_t write(int file, const void *from, size_t bytes) {
    static ssize_t (*next)(int, const void *, size_t);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "write");
    ssize_t now = allowed(number_of_write(file), bytes);
    return now < 0 ? now : next(file, from, now);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
    static ssize_t (*next)(int, const struct iovec *, int);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "writev");
    size_t bytes = 0;
    for (int part = 0; part < count; part++) bytes += parts[part].iov_len;
    ssize_t now = allowed(number_of_write(file), bytes);
    if (now < 0 || (size_t)now == bytes) return now < 0 ? now : next(file, parts, count);
    struct iovec first = parts[0];
    if (first.iov_len > (size_t)now) first.iov_len = now;
    return next(file, &first, 1);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*next)(clockid_t, struct timespec *);
    if (!next) *(void **)&next = dlsym(RTLD_NEXT, "clock_gettime");
    int result = next(clock, now);
    if (!strcmp(clock_kind, "wall") && clock == CLOCK_REALTIME)
        now->tv_sec += atomic_fetch_add(&readings, 1) % 2 ? clock_seconds : -clock_seconds;
    if (!strcmp(clock_kind, "forward") && clock == CLOCK_MONOTONIC && atomic_fetch_add(&readings, 1) >= 200)
        now->tv_sec += clock_seconds;
    return result;
}
