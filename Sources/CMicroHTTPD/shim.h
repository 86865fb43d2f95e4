// libmicrohttpd without being linked with it: what the dashboard needs of it is looked up when it is started
// (docs/decisions/0016-dashboard.md). The types come from its own header, so that a function that has changed
// does not compile. Its enumerations, and its functions with a variable number of arguments, stay in here.
#include <dlfcn.h>
#include <microhttpd.h>
#include <stdbool.h>
#include <strings.h>
#include <sys/socket.h>

struct MicroHTTPD {
    __typeof__(&MHD_start_daemon) start_daemon;
    __typeof__(&MHD_stop_daemon) stop_daemon;
    __typeof__(&MHD_get_daemon_info) get_daemon_info;
    __typeof__(&MHD_get_connection_info) get_connection_info;
    __typeof__(&MHD_get_timeout) get_timeout;
    __typeof__(&MHD_run) run;
    __typeof__(&MHD_suspend_connection) suspend_connection;
    __typeof__(&MHD_resume_connection) resume_connection;
    __typeof__(&MHD_lookup_connection_value) lookup_connection_value;
    __typeof__(&MHD_get_connection_values) get_connection_values;
    __typeof__(&MHD_create_response_from_buffer) create_response_from_buffer;
    __typeof__(&MHD_create_response_from_callback) create_response_from_callback;
    __typeof__(&MHD_add_response_header) add_response_header;
    __typeof__(&MHD_queue_response) queue_response;
    __typeof__(&MHD_destroy_response) destroy_response;
};

// False: it is not there, or without one of the functions.
static inline bool microhttpd_load(struct MicroHTTPD *library, const char *name) {
    void *handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return false;
#define FIND(function) (*(void **)&library->function = dlsym(handle, "MHD_" #function))
    return FIND(start_daemon) && FIND(stop_daemon) && FIND(get_daemon_info) && FIND(get_connection_info)
        && FIND(get_timeout) && FIND(run) && FIND(suspend_connection) && FIND(resume_connection)
        && FIND(lookup_connection_value) && FIND(get_connection_values) && FIND(create_response_from_buffer)
        && FIND(create_response_from_callback) && FIND(add_response_header) && FIND(queue_response)
        && FIND(destroy_response);
#undef FIND
}

// What is called for each request. To be kept for as long as the daemon runs.
struct MicroHTTPDCallbacks {
    void *context;
    // Called for the head, for each part of the body, and at the end with nothing; `slot` is the request's own.
    bool (*arrived)(
        void *context, struct MHD_Connection *connection, const char *path, const char *method,
        const char *part, size_t *part_size, void **slot);
    void (*ended)(void **slot);
    // Whether a connection from there is taken.
    bool (*admits)(void *context, const struct sockaddr *address);
    // A connection has been taken, and has ended; `slot` is the connection's own.
    void (*opened)(void *context, struct MHD_Connection *connection, void **slot);
    void (*closed)(void *context, void **slot);
};

static inline enum MHD_Result microhttpd_arrived(
    void *callbacks, struct MHD_Connection *connection, const char *path, const char *method,
    const char *version, const char *part, size_t *part_size, void **slot) {
    struct MicroHTTPDCallbacks *called = callbacks;
    return called->arrived(called->context, connection, path, method, part, part_size, slot) ? MHD_YES : MHD_NO;
}

static inline void microhttpd_ended(
    void *callbacks, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode code) {
    ((struct MicroHTTPDCallbacks *)callbacks)->ended(slot);
}

static inline enum MHD_Result microhttpd_admits(
    void *callbacks, const struct sockaddr *address, socklen_t size) {
    struct MicroHTTPDCallbacks *called = callbacks;
    return called->admits(called->context, address) ? MHD_YES : MHD_NO;
}

static inline void microhttpd_connection_changed(
    void *callbacks, struct MHD_Connection *connection, void **slot, enum MHD_ConnectionNotificationCode code) {
    struct MicroHTTPDCallbacks *called = callbacks;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) called->opened(called->context, connection, slot);
    else called->closed(called->context, slot);
}

struct MicroHTTPDLimits {
    unsigned connections;
    // Seconds without a byte.
    unsigned idle;
    size_t memory;
};

// Takes the socket over. `key` and `certificate`: PEM texts to be kept, or both NULL. NULL: it does not start.
static inline struct MHD_Daemon *microhttpd_start(
    const struct MicroHTTPD *library, int socket, struct MicroHTTPDLimits limits,
    struct MicroHTTPDCallbacks *callbacks, const char *key, const char *certificate) {
    struct MHD_OptionItem encryption[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificate},
        {MHD_OPTION_END, 0, NULL},
    };
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    return library->start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (key ? MHD_USE_TLS : 0), 0, microhttpd_admits, callbacks,
        microhttpd_arrived, callbacks, MHD_OPTION_LISTEN_SOCKET, socket, MHD_OPTION_CONNECTION_LIMIT, limits.connections,
        MHD_OPTION_CONNECTION_TIMEOUT, limits.idle, MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.memory,
        MHD_OPTION_NOTIFY_COMPLETED, microhttpd_ended, callbacks, MHD_OPTION_NOTIFY_CONNECTION,
        microhttpd_connection_changed, callbacks, MHD_OPTION_ARRAY, key ? encryption : none, MHD_OPTION_END);
}

// -1: there is none.
static inline int microhttpd_epoll(const struct MicroHTTPD *library, struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = library->get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

// Milliseconds until it has something to do; -1: not before something comes.
static inline long long microhttpd_timeout(const struct MicroHTTPD *library, struct MHD_Daemon *daemon) {
    MHD_UNSIGNED_LONG_LONG milliseconds = 0;
    return library->get_timeout(daemon, &milliseconds) == MHD_YES ? (long long)milliseconds : -1;
}

static inline int microhttpd_socket(const struct MicroHTTPD *library, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        library->get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

static inline const char *microhttpd_header(
    const struct MicroHTTPD *library, struct MHD_Connection *connection, const char *name) {
    return library->lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct MicroHTTPDSearch {
    const char *name;
    void *context;
    void (*found)(void *context, const char *value);
};

static inline enum MHD_Result microhttpd_compare(
    void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    struct MicroHTTPDSearch *search = context;
    if (value && strcasecmp(name, search->name) == 0) search->found(search->context, value);
    return MHD_YES;
}

// Each line of a header, in the order in which they came.
static inline void microhttpd_each_header(
    const struct MicroHTTPD *library, struct MHD_Connection *connection, struct MicroHTTPDSearch search) {
    library->get_connection_values(connection, MHD_HEADER_KIND, microhttpd_compare, &search);
}

static inline const char *microhttpd_argument(
    const struct MicroHTTPD *library, struct MHD_Connection *connection, const char *name) {
    return library->lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
}

// The bytes are copied.
static inline struct MHD_Response *microhttpd_bytes(
    const struct MicroHTTPD *library, const void *bytes, size_t size) {
    return library->create_response_from_buffer(size, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline struct MHD_Response *microhttpd_stream(
    const struct MicroHTTPD *library, size_t block, MHD_ContentReaderCallback read, void *context) {
    return library->create_response_from_callback(MHD_SIZE_UNKNOWN, block, read, context, NULL);
}

static inline void microhttpd_add_header(
    const struct MicroHTTPD *library, struct MHD_Response *response, const char *name, const char *value) {
    library->add_response_header(response, name, value);
}

// Gives the response out of hand.
static inline bool microhttpd_answer(
    const struct MicroHTTPD *library, struct MHD_Connection *connection, unsigned status,
    struct MHD_Response *response) {
    bool is_queued = library->queue_response(connection, status, response) == MHD_YES;
    library->destroy_response(response);
    return is_queued;
}
