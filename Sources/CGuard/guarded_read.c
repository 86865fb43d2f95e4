#include "guarded_read.h"

#include <mosquitto.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/// Where an assertion goes that fails on this thread.
struct guard {
    jmp_buf back;
    const char *assertion;
};

static _Thread_local struct guard *current;

int guarded_mosquitto_loop_read(struct mosquitto *client, int most, const char **assertion)
{
    struct guard guard = {.assertion = NULL};
    int code = -1;
    current = &guard;
    if (_setjmp(guard.back) == 0)
        code = mosquitto_loop_read(client, most);
    current = NULL;
    *assertion = guard.assertion;
    return guard.assertion ? -1 : code;
}

/// What assert() calls. As a program's own symbols come first, the library's assertions come here.
__attribute__((noreturn)) void __assert_fail(
    const char *assertion, const char *file, unsigned int line, const char *function)
{
    if (current) {
        current->assertion = assertion;
        _longjmp(current->back, 1);
    }
    fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, function ? function : "", assertion);
    abort();
}
