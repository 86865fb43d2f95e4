#ifndef GUARDED_READ_H
#define GUARDED_READ_H

struct mosquitto;

/// mosquitto_loop_read, but an assertion of the library that fails meanwhile on this thread does not end the process: it is
/// then -1, *assertion says which one, and nothing but mosquitto_destroy may be called with the client any more.
///
/// libmosquitto 2.0 asserts on what a broker sends (a property that MQTT 5 does not know); see docs/decisions/0019-assertions.md.
int guarded_mosquitto_loop_read(struct mosquitto *client, int most, const char **assertion);

#endif
