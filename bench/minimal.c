// The least possible program for the agent's work: reads the same files, atan2, snprintf, publishes. One thread, no checks
// beyond what keeps the figures true. What the agent costs is measured against this.
//
// minimal --port N [--samples N] [--in HZ] [--out HZ] [--ca FILE] --files FILE... --topics TOPIC=BYTES...
//   BYTES      length of the payload on that topic
//   --samples  ends after so many; without it runs until it is killed
//   --in       samples a second; 0: as fast as it goes
//   --out      messages a second on each topic; 0: one for each sample
#include <fcntl.h>
#include <math.h>
#include <mosquitto.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16 };

static long long now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static double read_number(int file) {
    char text[32];
    ssize_t length = pread(file, text, sizeof text - 1, 0);
    if (length < 1) exit(3);
    text[length] = 0;
    return strtod(text, NULL);
}

// RFC 3339 with milliseconds; the part down to the second is made once a second.
static const char *time_text(void) {
    static char text[64];
    static long long made_for = -1;
    long long t = now(CLOCK_REALTIME), second = t / 1000000000;
    if (second != made_for) {
        time_t seconds = second;
        struct tm parts;
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.000Z", gmtime_r(&seconds, &parts));
        made_for = second;
    }
    int ms = t / 1000000 % 1000;
    text[20] = '0' + ms / 100, text[21] = '0' + ms / 10 % 10, text[22] = '0' + ms % 10;
    return text;
}

static void serve(struct mosquitto *broker, int timeout) {
    if (mosquitto_loop(broker, timeout, 1) != MOSQ_ERR_SUCCESS) exit(4);
}

static void accepted(struct mosquitto *broker, void *is_connected, int code) {
    (void)broker;
    if (code) exit(5);
    *(bool *)is_connected = true;
}

int main(int argc, char **argv) {
    int port = 1883, bytes[MOST], files[MOST], file_count = 0, topic_count = 0;
    long samples = -1;
    double in = 0, out = 0;
    const char *ca = NULL, *topics[MOST];
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--port")) port = atoi(argv[++i]);
        else if (!strcmp(argv[i], "--samples")) samples = atol(argv[++i]);
        else if (!strcmp(argv[i], "--in")) in = atof(argv[++i]);
        else if (!strcmp(argv[i], "--out")) out = atof(argv[++i]);
        else if (!strcmp(argv[i], "--ca")) ca = argv[++i];
        else if (!strcmp(argv[i], "--files"))
            while (i + 1 < argc && argv[i + 1][0] != '-') files[file_count++] = open(argv[++i], O_RDONLY);
        else if (!strcmp(argv[i], "--topics"))
            while (i + 1 < argc && argv[i + 1][0] != '-') {
                topics[topic_count] = strtok(argv[++i], "=");
                bytes[topic_count++] = atoi(strtok(NULL, "="));
            }
    }

    mosquitto_lib_init();
    bool is_connected = false;
    struct mosquitto *broker = mosquitto_new(NULL, true, &is_connected);
    mosquitto_connect_callback_set(broker, accepted);
    if (ca && mosquitto_tls_set(broker, ca, NULL, NULL, NULL, NULL)) return 5;
    if (mosquitto_connect(broker, "127.0.0.1", port, 30)) return 5;
    while (!is_connected) serve(broker, -1);

    char payload[1024];
    long long start = now(CLOCK_MONOTONIC), due = start, served = start;
    for (long sample = 0; sample != samples; sample++) {
        double axes[MOST];
        for (int i = 0; i < file_count; i++) axes[i] = read_number(files[i]);
        double heading = atan2(-axes[1], axes[0]) * (180 / M_PI);
        if (heading < 0) heading += 360;
        long long t = now(CLOCK_MONOTONIC);
        if (t >= due) {
            if (out > 0) due += 1e9 / out;
            for (int i = 0; i < topic_count; i++) {
                int length = snprintf(payload, sizeof payload, "{\"value\":%.1f,\"unit\":\"°\",\"accuracy\":%.1f,\"time\":\"%s\"",
                                      heading, 2.5, time_text());
                length += snprintf(payload + length, sizeof payload - length, "%*s", bytes[i] - length, "}");
                mosquitto_publish(broker, NULL, topics[i], length, payload, 0, true);
            }
        }
        while (mosquitto_want_write(broker)) serve(broker, -1);
        if (t - served > 1000000000) {
            serve(broker, 0);
            served = t;
        }
        if (in > 0) {
            long long next = start + (long long)((sample + 1) * (1e9 / in));
            struct timespec until = {next / 1000000000, next % 1000000000};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        }
    }
    mosquitto_disconnect(broker);
    mosquitto_destroy(broker);
    return 0;
}
