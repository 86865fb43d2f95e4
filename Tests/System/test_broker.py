"""The agent and a real broker: what is retained, and what happens when the broker stops, hangs, refuses or lies."""
import contextlib
import os
import pathlib
import signal
import socket
import subprocess
import threading
import time
import unittest

from support import BASE, Agent, Broker, Subscriber, wait_until

STATUSES = {"status", "magnetometer/status", "accelerometer/status", "gyroscope/status", "gps/status"}
SECRET = "hunter2-swordfish"


def connected(agent, times=1):
    wait_until(lambda: agent.log.count(": connected") >= times, 10, lambda: f"connected {times} times\n{agent.log}")


def broker_lines(agent):
    return [line for line in agent.log.splitlines() if "broker " in line]


def retained(broker, topics=(BASE + "/#",)):
    """What a subscriber that comes now is told at once: {topic: payload}."""
    with Subscriber(broker, topics) as late:
        time.sleep(0.2)
        return {message.topic: message.payload.decode() for message in late.messages if message.retained}


class RetainedTopics(unittest.TestCase):
    def test_statuses_are_retained_and_come_in_order(self):
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(broker) as agent:
            subscriber.wait_for("diagnostics")
            order = [message.topic for message in subscriber.messages]
            self.assertEqual(order[0], "status")
            self.assertEqual(set(order[:5]), STATUSES)
            self.assertNotIn(order[5], STATUSES)
            kept = retained(broker)
            self.assertEqual({topic: kept[topic] for topic in STATUSES},
                             {topic: "online" if topic == "status" else "offline" for topic in STATUSES})

    def test_values_expire_with_mqtt_5_only(self):
        for version, limit in ("5", 1), ("3.1.1", 0):
            with self.subTest(version=version), Broker() as broker, \
                    Agent(broker, {"mqtt": {"version": version}, "publish": {"heartbeat": "20"}}) as agent:
                connected(agent)
                wait_until(lambda: "diagnostics" in retained(broker), 5, "diagnostics are retained")
                sub = subprocess.run(
                    ["mosquitto_sub", "-V", "5", "-p", str(broker.port), "-t", BASE + "/diagnostics", "-C", "1",
                     "-F", "%E", "-W", "3"], capture_output=True, text=True)
                expiry = sub.stdout.strip()
                if limit:
                    self.assertTrue(50 <= int(expiry) <= 60, expiry)
                else:
                    self.assertIn(expiry, ("", "0"))

    def test_broker_that_lost_its_memory_is_told_everything_within_5_seconds(self):
        with Broker() as broker, Agent(broker) as agent:
            connected(agent)
            wait_until(lambda: "diagnostics" in retained(broker), 5, "diagnostics are retained")
            before = set(retained(broker))
            self.assertLess(STATUSES, before)
            broker.kill()
            broker.restart()
            wait_until(lambda: set(retained(broker)) >= before, 5, "every topic is retained again")
            self.assertEqual(retained(broker)["status"], "online")


class Ending(unittest.TestCase):
    def test_killed_the_will_comes_at_once_where_the_kernel_closes_the_connection(self):
        with Broker() as broker, Subscriber(broker) as subscriber, Agent(broker) as agent:
            subscriber.wait_for("status", lambda payload: payload == "online")
            agent.kill()
            subscriber.wait_for("status", lambda payload: payload == "offline", seconds=2)
            self.assertEqual(retained(broker)["status"], "offline")

    def test_hung_the_will_comes_within_one_and_a_half_keepalives(self):
        with Broker() as broker, Subscriber(broker) as subscriber, \
                Agent(broker, {"mqtt": {"keepalive": "5"}}) as agent:
            subscriber.wait_for("status", lambda payload: payload == "online")
            agent.pause()
            # mosquitto looks for silent clients every few seconds.
            subscriber.wait_for("status", lambda payload: payload == "offline", seconds=5 * 1.5 + 6)
            agent.resume()
            subscriber.forget()
            subscriber.wait_for("status", lambda payload: payload == "online", seconds=5)

    def test_terminated_offline_is_acknowledged_before_the_agent_is_gone(self):
        for number in signal.SIGTERM, signal.SIGINT:
            with self.subTest(signal=number), Broker() as broker, Agent(broker) as agent:
                connected(agent)
                start = time.monotonic()
                agent.send(number)
                self.assertEqual(agent.process.wait(3), 0)
                self.assertLess(time.monotonic() - start, 3)
                self.assertEqual(retained(broker)["status"], "offline")
                # A clean end: the broker has no reason to send the will.
                self.assertIn("disconnected.", broker.log)
                self.assertNotIn("did not confirm", agent.log)

    def test_ends_within_3_seconds_whatever_the_broker_does(self):
        def hang(broker):
            broker.pause()

        def die(broker):
            broker.kill()

        for fault in hang, die:
            with self.subTest(fault=fault.__name__), Broker() as broker, Agent(broker) as agent:
                connected(agent)
                fault(broker)
                time.sleep(0.3)
                start = time.monotonic()
                agent.send(signal.SIGTERM)
                self.assertEqual(agent.process.wait(5), 0)
                self.assertLess(time.monotonic() - start, 3)

    def test_ends_within_3_seconds_while_it_connects_to_nowhere(self):
        # 240.0.0.1 is reserved: packets to it vanish or find no route.
        with Agent(None, {"mqtt": {"host": "240.0.0.1"}}) as agent:
            wait_until(lambda: "topics below" in agent.log, 5, "started")
            time.sleep(0.5)
            start = time.monotonic()
            agent.send(signal.SIGTERM)
            self.assertEqual(agent.process.wait(5), 0)
            self.assertLess(time.monotonic() - start, 3)


class Outages(unittest.TestCase):
    def test_starts_without_a_broker_and_gets_it_when_it_comes(self):
        broker = Broker()
        with Agent(broker) as agent:
            wait_until(lambda: "Connection refused" in agent.log, 5, "the refusal is logged")
            with broker:
                connected(agent)
            self.assertEqual(len([line for line in broker_lines(agent) if "refused" in line]), 1)

    def test_broker_that_hangs_is_noticed_by_the_keepalive_and_found_again(self):
        with Broker() as broker, Agent(broker, {"mqtt": {"keepalive": "5"}}) as agent:
            connected(agent)
            broker.pause()
            wait_until(lambda: "keepalive" in agent.log, 5 * 2 + 4, lambda: f"the hang is noticed\n{agent.log}")
            broker.resume()
            wait_until(lambda: retained(broker).get("status") == "online", 20, "back after the hang")

    def test_broker_that_accepts_and_closes_is_not_pestered(self):
        """The policy's arithmetic for a whole minute is a unit test; here the first 20 seconds are real."""
        for answer in b"", ACCEPTED:
            with self.subTest(answer=answer), ClosingBroker(answer) as broker, Agent(broker) as agent:
                time.sleep(20)
                # 0, 1, 3, 7, 15 s, each +-20 %.
                self.assertIn(len(broker.connects), range(3, 7))
                self.assertLessEqual(len(broker_lines(agent)), 3, agent.log)

    def test_two_agents_with_one_client_id_say_so_and_back_off(self):
        # mosquitto 2.0 closes without a word, with MQTT 5 as well.
        for version in "5", "3.1.1":
            sign = "does another client use the id twin?"
            settings = {"mqtt": {"version": version, "client_id": "twin"}}
            with self.subTest(version=version), Broker() as broker, \
                    Agent(broker, settings) as one, Agent(broker, settings) as other:
                wait_until(lambda: sign in one.log or sign in other.log, 20, lambda: f"{one.log}\n{other.log}")
                time.sleep(5)
                connects = broker.log.count("New client connected")
                self.assertLessEqual(connects, 12)
                for agent in one, other:
                    self.assertLessEqual(len(broker_lines(agent)), 4, agent.log)


    def test_broker_that_says_why_it_closes_is_quoted_and_left_alone_for_long(self):
        for code, sign in (0x8E, "another client uses the same client id"), (0x98, "administrator"):
            with self.subTest(code=hex(code)), ClosingBroker(ACCEPTED, bytes([0xE0, 1, code])) as broker, \
                    Agent(broker) as agent:
                wait_until(lambda: sign in agent.log, 5, lambda: agent.log)
                time.sleep(4)
                self.assertEqual(len(broker.connects), 1 if code == 0x8E else 3)

    def test_broker_that_breaks_mqtt_does_not_end_it(self):
        """0xFE is no property of MQTT 5 (section 2.2.2.2): in a CONNACK, in a SUBACK, in a DISCONNECT."""
        unknown = b"\x03\xfe\x01\x00"
        for answer, farewell in (b"\x20\x06\x00\x00" + unknown, b""), \
                (ACCEPTED, b"\x90\x07\x00\x01" + unknown + b"\x00"), (ACCEPTED, b"\xe0\x05\x00" + unknown):
            with self.subTest(answer=answer, farewell=farewell), ClosingBroker(answer, farewell) as broker, \
                    Agent(broker, {"commands": {"enabled": "yes"}}) as agent:
                wait_until(lambda: "the broker breaks MQTT" in agent.log, 5, lambda: agent.log)
                broker.close()
                with Broker(port=broker.port) as good:
                    wait_until(lambda: retained(good).get("status") == "online", 40, lambda: agent.log)


# A CONNACK of MQTT 5 (section 3.2).
ACCEPTED = b"\x20\x03\x00\x00\x00"


class ClosingBroker(contextlib.AbstractContextManager):
    """Accepts, answers CONNECT with `answer`, says `farewell` and closes after 50 ms."""

    def __init__(self, answer, farewell=b""):
        self.answer = answer
        self.farewell = farewell
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connects = []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                with client:
                    self.connects.append(time.monotonic())
                    client.recv(1000)
                    client.sendall(self.answer)
                    time.sleep(0.05)
                    client.sendall(self.farewell)

    def close(self):
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def __exit__(self, *error):
        self.close()


class Access(unittest.TestCase):
    def secure_broker(self, folder):
        passwords = pathlib.Path(folder) / "passwords"
        passwords.touch(mode=0o600)
        subprocess.run(["mosquitto_passwd", "-b", str(passwords), "boat", SECRET], check=True, capture_output=True)
        passwords.chmod(0o644)
        return Broker([f"password_file {passwords}"])

    def agent(self, broker, password, mode=0o600):
        agent = Agent(broker, {"mqtt": {"username": "boat"}})
        file = agent.folder / "password"
        file.write_text(password)
        file.chmod(mode)
        agent.settings["mqtt"]["password_file"] = str(file)
        return agent

    def run_with(self, password, mode=0o600):
        stack = contextlib.ExitStack()
        broker = Broker()
        broker.lines = self.secure_broker(broker.folder).lines
        stack.enter_context(broker)
        return stack, broker, stack.enter_context(self.agent(broker, password, mode))

    def test_password_from_a_file_with_a_newline_logs_in_and_is_seen_nowhere(self):
        stack, broker, agent = self.run_with(SECRET + "\n")
        with stack:
            connected(agent)
            command = pathlib.Path(f"/proc/{agent.pid}/cmdline").read_bytes()
            environment = pathlib.Path(f"/proc/{agent.pid}/environ").read_bytes()
            topics = subprocess.run(
                ["mosquitto_sub", "-p", str(broker.port), "-u", "boat", "-P", SECRET, "-t", "#", "-v", "-W", "1"],
                capture_output=True).stdout
            self.assertIn(b"status", topics)
            for place in command, environment, topics, agent.log.encode():
                self.assertNotIn(SECRET.encode(), place)

    def test_wrong_password_is_one_line_and_a_new_file_mends_it(self):
        stack, broker, agent = self.run_with("wrong-password")
        with stack:
            wait_until(lambda: "login refused" in agent.log, 5, lambda: agent.log)
            time.sleep(3)
            self.assertEqual(broker.log.count("not authorised"), 1, broker.log)
            self.assertNotIn("wrong-password", agent.log)
            (agent.folder / "password").write_text(SECRET)
            # The longest interval is 30 s.
            wait_until(lambda: ": connected" in agent.log, 31, lambda: agent.log)
            self.assertEqual(len([line for line in broker_lines(agent) if "login refused" in line]), 1)

    def test_password_that_systemd_hands_over_logs_in(self):
        stack = contextlib.ExitStack()
        with stack:
            broker = Broker()
            broker.lines = self.secure_broker(broker.folder).lines
            stack.enter_context(broker)
            agent = self.agent(broker, SECRET)
            agent.environment["CREDENTIALS_DIRECTORY"] = str(agent.folder)
            agent.settings["mqtt"]["password_file"] = "credential:password"
            stack.enter_context(agent)
            connected(agent)

    def test_password_file_that_others_can_read_is_refused_with_the_cure(self):
        for mode in 0o644, 0o640, 0o604:
            with self.subTest(mode=oct(mode)):
                stack, broker, agent = self.run_with(SECRET, mode)
                with stack:
                    wait_until(lambda: "chmod 600" in agent.log, 5, lambda: agent.log)
                    self.assertNotIn("New connection from 127.0.0.1", "".join(
                        line for line in broker.log.splitlines() if "boat" in line))

    def test_unix_socket(self):
        with Broker() as broker:
            path = broker.folder / "mqtt.sock"
            broker.lines = [f"listener 0 {path}", "allow_anonymous true"]
            broker.stop()
            broker.start()
            wait_until(path.exists, 5, "the socket is there")
            with Agent(broker, {"mqtt": {"socket": str(path), "port": None}}) as agent:
                connected(agent)
                wait_until(lambda: retained(broker).get("status") == "online", 5, "online")
                agent.stop()
                self.assertEqual(retained(broker)["status"], "offline")


if __name__ == "__main__":
    unittest.main()
