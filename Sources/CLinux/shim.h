// Linux calls that Swift's Glibc module does not show.
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <time.h>

// Declared by <poll.h> under _GNU_SOURCE only.
int ppoll(struct pollfd *entries, nfds_t count, const struct timespec *limit, const sigset_t *mask);
// Declared by <semaphore.h> under _GNU_SOURCE only.
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
// Declared by <pthread.h> under _GNU_SOURCE only.
int pthread_setname_np(pthread_t thread, const char *name);

// One pool of memory for all threads: they allocate seldom, and a pool of its own costs each tens of kilobytes.
static inline void limit_malloc_arenas(void) { mallopt(M_ARENA_MAX, 1); }

