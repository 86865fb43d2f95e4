// sim: keeps the registers of the plugged chips as a turning hull in the Earth's field would.
//
//   sim daemon /dev/i2c-N    serves commands from /run/sim.fifo
//   sim WORDS...             sends one command; returns when it is done
//
//   fill CHIP                writes what /etc/chips/CHIP/registers has for a chip that was just switched on
//   plug CHIP | unplug CHIP  keeps its data registers up to date; leaves them alone
//   heading D | pitch D | roll D    magnetic heading clockwise, bow up, starboard down; degrees
//   slew R                   degrees a second in which these are reached, the short way; 0: at once, which no gyroscope can follow
//   spin S                   360 degrees clockwise in S seconds (negative: the other way)
//   offset X Y Z             hard iron, gauss, chip axes
//   field H V                the Earth's, horizontal and down, gauss
//   mounted CHIP D           the chip's x arrow points D degrees to starboard of the bow
//   noise N                  counts, uniform
//   rate HZ                  of the updates
//   log 1 | log 0            appends each truth to /run/sim.log
//
// /run/sim.truth: monotonic_s heading pitch roll mx my mz (gauss) ax ay az (g); /run/sim.log: realtime_s heading pitch roll rate
// (degrees a second to starboard).
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <math.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIFO "/run/sim.fifo"
#define TRUTH "/run/sim.truth"
#define LOG "/run/sim.log"
#define DEGREE (M_PI / 180)

struct output {
    char chip[32];
    int quantity, address, reg, size, order[3], little, shift[3], bias, mirrored, mixed;
    double counts[3], mounted;
};

static struct output outputs[16];
static int count, bus = -1;
struct attitude { double heading, pitch, roll; };
static struct attitude now_at, wanted, speed;     // speed: degrees a second
static double slew, spin, horizontal = 0.20, vertical = 0.45, offset[3], noise, rate = 50;
static FILE *log_file;

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}

// One locked transfer: a driver's block read sees all of it or nothing.
static int write_registers(int address, int reg, const uint8_t *bytes, int n)
{
    union i2c_smbus_data data = { .block = { 0 } };
    struct i2c_smbus_ioctl_data request = { I2C_SMBUS_WRITE, reg, I2C_SMBUS_I2C_BLOCK_DATA, &data };
    data.block[0] = n;
    memcpy(data.block + 1, bytes, n);
    if (ioctl(bus, I2C_SLAVE_FORCE, (long)address) || ioctl(bus, I2C_SMBUS, &request)) {
        fprintf(stderr, "sim: 0x%02x register 0x%02x: %s\n", address, reg, strerror(errno));
        return -1;
    }
    return 0;
}

static int initial_registers(const char *line)
{
    int address, mirrored, reg, at, value, step, n = 0;
    uint8_t bytes[32];
    if (sscanf(line, "reg %i %i %i%n", &address, &mirrored, &reg, &at) != 3) return -1;
    for (const char *p = line + at; n < 32 && sscanf(p, " %i%n", &value, &step) == 1; p += step) bytes[n++] = value;
    if (write_registers(address, reg, bytes, n)) return -1;
    return mirrored ? write_registers(address, reg | 0x80, bytes, n) : 0;
}

static int parse_output(const char *line, struct output *o)
{
    char order[8];
    int fields = sscanf(line, "out %i %i %i %i %3s %i %i %i %i %i %i %i %lf %lf %lf", &o->quantity, &o->address, &o->reg,
                        &o->size, order, &o->little, &o->shift[0], &o->shift[1], &o->shift[2], &o->bias, &o->mirrored,
                        &o->mixed, &o->counts[0], &o->counts[1], &o->counts[2]);
    for (int i = 0; i < 3 && fields == 15; i++) o->order[i] = order[i] - 'x';
    return fields == 15 ? 0 : -1;
}

static int unplug(const char *chip)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (strcmp(outputs[i].chip, chip)) outputs[kept++] = outputs[i];
    count = kept;
    return 0;
}

static int add_output(const char *chip, const char *line)
{
    struct output o = { 0 };
    if (count == sizeof outputs / sizeof *outputs || parse_output(line, &o)) return -1;
    snprintf(o.chip, sizeof o.chip, "%s", chip);
    outputs[count++] = o;
    return 0;
}

static int read_description(const char *chip, int filling)
{
    char path[96], line[256];
    int failed = 0;
    snprintf(path, sizeof path, "/etc/chips/%s/registers", chip);
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    while (fgets(line, sizeof line, file)) {
        int initial = !strncmp(line, "reg", 3);
        if (initial && filling) failed |= initial_registers(line);
        if (!initial && !filling) failed |= add_output(chip, line);
    }
    fclose(file);
    return failed;
}

static int plug(const char *chip)
{
    unplug(chip);
    return read_description(chip, 0);
}

static int mount(const char *chip, double degrees)
{
    int found = -1;
    for (int i = 0; i < count; i++)
        if (!strcmp(outputs[i].chip, chip)) { outputs[i].mounted = degrees; found = 0; }
    return found;
}

// North, east, down -> forward, starboard, down.
static void to_body(const double n[3], double b[3])
{
    double ch = cos(now_at.heading * DEGREE), sh = sin(now_at.heading * DEGREE);
    double cp = cos(now_at.pitch * DEGREE), sp = sin(now_at.pitch * DEGREE);
    double cr = cos(now_at.roll * DEGREE), sr = sin(now_at.roll * DEGREE);
    double x1 = ch * n[0] + sh * n[1], y1 = -sh * n[0] + ch * n[1];
    double x2 = cp * x1 - sp * n[2], z2 = sp * x1 + cp * n[2];
    b[0] = x2;
    b[1] = cr * y1 + sr * z2;
    b[2] = -sr * y1 + cr * z2;
}

// How fast the hull turns about its own axes, forward, starboard, down, degrees a second.
static void rotation(double b[3])
{
    double cp = cos(now_at.pitch * DEGREE), sp = sin(now_at.pitch * DEGREE);
    double cr = cos(now_at.roll * DEGREE), sr = sin(now_at.roll * DEGREE);
    b[0] = speed.roll - speed.heading * sp;
    b[1] = speed.pitch * cr + speed.heading * sr * cp;
    b[2] = -speed.pitch * sr + speed.heading * cr * cp;
}

// What a chip whose x arrow points `mounted` to starboard of the bow would show, forward, port, up.
static void measured(const struct output *o, double b[3])
{
    const double north_east_down[2][3] = { { horizontal, 0, vertical }, { 0, 0, -1 } };
    double body[3], cy = cos(o->mounted * DEGREE), sy = sin(o->mounted * DEGREE);
    if (o->quantity == 2) rotation(body);
    else to_body(north_east_down[o->quantity], body);
    b[0] = cy * body[0] + sy * body[1];
    b[1] = sy * body[0] - cy * body[1];
    b[2] = -body[2];
    for (int i = 0; i < 3 && o->quantity == 0; i++) b[i] += offset[i];
    if (o->mixed) {
        double y = (b[2] / 1.35 + b[1]) / 2, z = (b[2] / 1.35 - b[1]) / 2;
        b[1] = y;
        b[2] = z;
    }
}

static uint32_t register_value(const struct output *o, int axis, double value)
{
    int limit = o->size == 1 ? 31 : (1 << (8 * o->size - 1 - o->shift[axis])) - 1;
    long q = lround(value * o->counts[axis] + noise * (2 * (rand() / (double)RAND_MAX) - 1));
    if (!o->bias && q > limit) q = limit;
    if (!o->bias && q < -limit - 1) q = -limit - 1;
    return (uint32_t)((q + o->bias) * (1 << o->shift[axis]));
}

static void update(const struct output *o)
{
    double b[3];
    uint8_t bytes[12];
    int n = 0;
    measured(o, b);
    for (int i = 0; i < 3; i++) {
        uint32_t value = register_value(o, o->order[i], b[o->order[i]]);
        for (int j = 0; j < o->size; j++) bytes[n++] = value >> (8 * (o->little ? j : o->size - 1 - j));
    }
    write_registers(o->address, o->reg, bytes, n);
    if (o->mirrored) write_registers(o->address, o->reg | 0x80, bytes, n);
}

static void tell_truth(void)
{
    struct output field = { .quantity = 0 }, force = { .quantity = 1 };
    double m[3], a[3];
    measured(&field, m);
    measured(&force, a);
    FILE *file = fopen(TRUTH ".new", "w");
    if (file) {
        fprintf(file, "%.3f %.3f %.3f %.3f %.5f %.5f %.5f %.5f %.5f %.5f\n", seconds(CLOCK_MONOTONIC),
                now_at.heading, now_at.pitch, now_at.roll, m[0], m[1], m[2], a[0], a[1], a[2]);
        fclose(file);
        rename(TRUTH ".new", TRUTH);
    }
    if (log_file) {
        fprintf(log_file, "%.4f %.3f %.3f %.3f %.3f\n", seconds(CLOCK_REALTIME), now_at.heading, now_at.pitch, now_at.roll,
                speed.heading);
        fflush(log_file);
    }
}

static double folded(double angle) { return fmod(fmod(angle, 360) + 360, 360); }

// Moves one angle towards where it is wanted for `elapsed` seconds; its speed afterwards.
static double approach(double *angle, double left, double elapsed)
{
    if (!slew || fabs(left) <= slew * elapsed) {
        *angle += left;
        return 0;
    }
    *angle += copysign(slew * elapsed, left);
    return copysign(slew, left);
}

static void move(double elapsed)
{
    speed.pitch = approach(&now_at.pitch, wanted.pitch - now_at.pitch, elapsed);
    speed.roll = approach(&now_at.roll, wanted.roll - now_at.roll, elapsed);
    if (spin) {
        speed.heading = 360 / spin;
        now_at.heading += speed.heading * elapsed;
    } else {
        speed.heading = approach(&now_at.heading, fmod(wanted.heading - now_at.heading + 540, 360) - 180, elapsed);
    }
    now_at.heading = folded(now_at.heading);
}

static void update_all(void)
{
    for (int i = 0; i < count; i++) update(&outputs[i]);
    tell_truth();
}

static int switch_log(int on)
{
    if (log_file) fclose(log_file);
    log_file = on ? fopen(LOG, "w") : NULL;
    return on && !log_file ? -1 : 0;
}

static int obey(const char *line)
{
    double v;
    char chip[32];
    int on;
    if (sscanf(line, "unplug %31s", chip) == 1) return unplug(chip);
    if (sscanf(line, "plug %31s", chip) == 1) return plug(chip);
    if (sscanf(line, "fill %31s", chip) == 1) return read_description(chip, 1);
    if (sscanf(line, "mounted %31s %lf", chip, &v) == 2) return mount(chip, v);
    if (sscanf(line, "heading %lf", &v) == 1) { wanted.heading = folded(v); spin = 0; return 0; }
    if (sscanf(line, "spin %lf", &v) == 1) { spin = v; return 0; }
    if (sscanf(line, "pitch %lf", &v) == 1) { wanted.pitch = v; return 0; }
    if (sscanf(line, "roll %lf", &v) == 1) { wanted.roll = v; return 0; }
    if (sscanf(line, "slew %lf", &v) == 1) { slew = v; return 0; }
    if (sscanf(line, "noise %lf", &v) == 1) { noise = v; return 0; }
    if (sscanf(line, "rate %lf", &v) == 1 && v > 0) { rate = v; return 0; }
    if (sscanf(line, "offset %lf %lf %lf", offset, offset + 1, offset + 2) == 3) return 0;
    if (sscanf(line, "field %lf %lf", &horizontal, &vertical) == 2) return 0;
    if (sscanf(line, "log %d", &on) == 1) return switch_log(on);
    return -1;
}

// A line ends with #ID; the answer is the file /run/sim.answer.ID.
static void answer(char *line)
{
    char *id = strchr(line, '#'), path[64];
    if (!id) return;
    *id++ = 0;
    int status = obey(line);
    move(0);
    update_all();
    snprintf(path, sizeof path, "/run/sim.answer.%d", atoi(id));
    FILE *file = fopen(strcat(path, ".new"), "w");
    if (!file) return;
    fprintf(file, "%d\n", status);
    fclose(file);
    char final[64];
    snprintf(final, sizeof final, "/run/sim.answer.%d", atoi(id));
    rename(path, final);
}

static int serve(const char *bus_node)
{
    char buffer[1024];
    int have = 0;
    if ((bus = open(bus_node, O_RDWR)) < 0) { perror(bus_node); return 1; }
    mkfifo(FIFO, 0666);
    int fifo = open(FIFO, O_RDWR | O_NONBLOCK);
    for (double last = seconds(CLOCK_MONOTONIC);;) {
        double now = seconds(CLOCK_MONOTONIC);
        move(now - last);
        last = now;
        update_all();
        struct pollfd waiting = { fifo, POLLIN, 0 };
        if (poll(&waiting, 1, (int)(1000 / rate)) <= 0) continue;
        int n = read(fifo, buffer + have, sizeof buffer - 1 - have);
        if (n <= 0) continue;
        buffer[have += n] = 0;
        for (char *end; (end = strchr(buffer, '\n'));) {
            *end = 0;
            answer(buffer);
            have -= end + 1 - buffer;
            memmove(buffer, end + 1, have + 1);
        }
        if (have == sizeof buffer - 1) have = 0;
    }
}

static int ask(int words, char **word)
{
    char line[256] = "", path[64];
    struct timespec pause = { 0, 5000000 };
    for (int i = 0; i < words; i++) snprintf(line + strlen(line), 200 - strlen(line), "%.60s ", word[i]);
    snprintf(line + strlen(line), 40, "#%d\n", getpid());
    snprintf(path, sizeof path, "/run/sim.answer.%d", getpid());
    int fifo = open(FIFO, O_WRONLY | O_NONBLOCK), status = 1;
    if (fifo < 0 || write(fifo, line, strlen(line)) < 0) { perror(FIFO); return 1; }
    for (int i = 0; i < 1000; i++, nanosleep(&pause, 0)) {
        FILE *file = fopen(path, "r");
        if (!file) continue;
        if (fscanf(file, "%d", &status) != 1) status = 1;
        fclose(file);
        unlink(path);
        if (status) fprintf(stderr, "sim: cannot do: %s", line);
        return status != 0;
    }
    fprintf(stderr, "sim: no answer\n");
    return 1;
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "daemon")) return serve(argv[2]);
    return argc < 2 ? 2 : ask(argc - 1, argv + 1);
}
