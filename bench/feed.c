// A sensor that never rests: rewrites fake sysfs attributes with changing numbers, so that each sample is worth a message.
//
// feed HZ FILE:MIDDLE:SPREAD...    each file holds MIDDLE +- SPREAD; all its numbers must have the same length
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct axis { int file, middle, spread; };

static unsigned next_random(void) {
    static unsigned state = 1;
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    struct axis axes[16];
    int count = 0;
    for (int i = 2; i < argc && count < 16; i++, count++) {
        char *middle = strchr(argv[i], '\0');
        for (int colons = 0; colons < 2; ) if (*--middle == ':') colons++;
        *middle = 0;
        sscanf(middle + 1, "%d:%d", &axes[count].middle, &axes[count].spread);
        axes[count].file = open(argv[i], O_WRONLY);
    }
    long long step = 1e9 / atof(argv[1]);
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    for (;;) {
        for (int i = 0; i < count; i++) {
            char text[16];
            int value = axes[i].middle + (int)(next_random() % (2 * axes[i].spread + 1)) - axes[i].spread;
            int length = snprintf(text, sizeof text, "%d\n", value);
            if (pwrite(axes[i].file, text, length, 0) != length) return 1;
        }
        due.tv_nsec += step;
        while (due.tv_nsec >= 1000000000) due.tv_nsec -= 1000000000, due.tv_sec++;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
    }
}
