/* What g++ 12 and glibc 2.36 take for granted, for glibc 2.27, which does not have it (app/package/wheel/portable.cmake). Hidden: only
   what is linked with it sees it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define OURS __attribute__((visibility("hidden")))

/* 2.32: shared pointers may leave out locks where there is one thread. There may always be several. */
OURS char __libc_single_threaded = 0;

/* 2.33: before, these were in each program, and called __xstat. The kernel's structure is glibc's on x86-64. */
OURS int fstat(int file, struct stat* result) { return (int)syscall(SYS_fstat, file, result); }
OURS int stat(const char* path, struct stat* result) { return (int)syscall(SYS_stat, path, result); }
OURS int lstat(const char* path, struct stat* result) { return (int)syscall(SYS_lstat, path, result); }
OURS int fstat64(int file, struct stat64* result) { return (int)syscall(SYS_fstat, file, result); }
OURS int stat64(const char* path, struct stat64* result) { return (int)syscall(SYS_stat, path, result); }
OURS int lstat64(const char* path, struct stat64* result) { return (int)syscall(SYS_lstat, path, result); }

/* 2.30: waiting by the monotonic clock. The condition's own clock is that of the day, moved by what is left to wait. */
OURS int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const struct timespec* until) {
    const int64_t billion = 1000000000;
    struct timespec now, day;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &day);
    const int64_t left = (until->tv_sec - now.tv_sec) * billion + until->tv_nsec - now.tv_nsec;
    const int64_t end = day.tv_sec * billion + day.tv_nsec + (left > 0 ? left : 0);
    day.tv_sec = end / billion;
    day.tv_nsec = end % billion;
    return pthread_cond_timedwait(condition, mutex, &day);
}

/* 2.36 */
OURS uint32_t arc4random(void) {
    uint32_t value = 0;
    while (syscall(SYS_getrandom, &value, sizeof value, 0) != sizeof value) {
    }
    return value;
}

/* 2.35: where the unwinder finds the tables of the code at an address. */
struct search {
    uintptr_t address;
    struct dl_find_object* result;
};

static int look_at(struct dl_phdr_info* info, size_t size, void* data) {
    (void)size;
    struct search* search = data;
    uintptr_t start = UINTPTR_MAX, end = 0, tables = 0;
    int is_here = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr)* part = &info->dlpi_phdr[i];
        const uintptr_t first = info->dlpi_addr + part->p_vaddr, last = first + part->p_memsz;
        if (part->p_type == PT_LOAD) {
            start = first < start ? first : start;
            end = last > end ? last : end;
            is_here |= search->address >= first && search->address < last;
        } else if (part->p_type == PT_GNU_EH_FRAME) {
            tables = first;
        }
    }
    if (!is_here || tables == 0) {
        return 0;
    }
    memset(search->result, 0, sizeof *search->result);
    search->result->dlfo_map_start = (void*)start;
    search->result->dlfo_map_end = (void*)end;
    search->result->dlfo_eh_frame = (void*)tables;
    return 1;
}

OURS int _dl_find_object(void* address, struct dl_find_object* result) {
    struct search search = {(uintptr_t)address, result};
    return dl_iterate_phdr(look_at, &search) ? 0 : -1;
}
