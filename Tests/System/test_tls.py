"""TLS to the broker: who is trusted, what is said of who is not, and that those get no credentials."""
import contextlib
import os
import pathlib
import socket
import ssl
import tempfile
import threading
import types
import unittest

from certificates import Authority, self_signed
from support import Agent, Broker, wait_until

SECRET = "hunter2-swordfish"


class TLSListener(contextlib.AbstractContextManager):
    """Does the handshake and notes the name that was asked for and what came after it. It is no broker."""

    def __init__(self, certificate, key):
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(certificate, key)
        self.context.sni_callback = lambda connection, name, context: self.names.append(name)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.names = []
        self.received = b""
        self.handshakes = 0
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client, contextlib.suppress(OSError):
                self.handshakes += 1
                with self.context.wrap_socket(client, server_side=True) as secured:
                    self.received += secured.recv(1000)

    def __exit__(self, *error):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class TLS(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="compass-tls-")
        os.chmod(cls.folder.name, 0o755)
        cls.authority = Authority(cls.folder.name, "Harbour CA")
        cls.other_authority = Authority(cls.folder.name, "Other CA")
        cls.good = cls.authority.issue("localhost")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def agent(self, broker, **settings):
        agent = Agent(broker, {"mqtt": {
            "host": "localhost", "tls": "yes", "tls_ca": str(self.authority.certificate), "username": "boat",
            **settings}})
        password = agent.folder / "password"
        password.touch(mode=0o600)
        password.write_text(SECRET)
        agent.settings["mqtt"]["password_file"] = str(password)
        return agent

    def broker(self, pair=None, *lines):
        certificate, key = pair or self.good
        return Broker([f"certfile {certificate}", f"keyfile {key}", "allow_anonymous true", *lines])

    def connects(self, broker, **settings):
        with broker, self.agent(broker, **settings) as agent:
            wait_until(lambda: ": connected" in agent.log, 5, lambda: agent.log)
            return agent.log

    def refuses(self, pair, sign, **settings):
        """The log's line on a listener with that certificate, which must hold `sign` and get not one byte."""
        with TLSListener(*pair) as listener, self.agent(listener, **settings) as agent:
            wait_until(lambda: sign in agent.log, 5, lambda: agent.log)
            self.assertEqual(listener.received, b"")
            self.assertEqual(listener.handshakes, 1)
            return [line for line in agent.log.splitlines() if sign in line]

    def test_good_certificate_of_a_private_authority(self):
        self.connects(self.broker())

    def test_client_certificate(self):
        certificate, key = self.authority.issue("boat")
        ask = [f"cafile {self.authority.certificate}", "require_certificate true"]
        self.connects(self.broker(None, *ask), tls_cert=str(certificate), tls_key=str(key))
        with self.broker(None, *ask) as broker, self.agent(broker) as agent:
            wait_until(lambda: "login refused: TLS tlsv13 alert certificate required (mqtt.tls_cert)" in agent.log, 20,
                       lambda: agent.log)

    def test_server_name_is_checked_and_asked_for_instead_of_the_host(self):
        pair = self.authority.issue("broker.harbour.example")
        self.connects(self.broker(pair), tls_server_name="broker.harbour.example")
        self.refuses(pair, "is not for localhost")
        self.refuses(self.good, "is not for broker.harbour.example", tls_server_name="broker.harbour.example")
        for settings, name in ({}, "localhost"), ({"tls_server_name": "a.example", "tls_insecure": "yes"}, "a.example"):
            with TLSListener(*self.good) as listener, self.agent(listener, **settings):
                wait_until(lambda: listener.received, 5, "the agent trusts the listener")
                self.assertEqual(listener.names[0], name)

    def test_certificate_for_an_address(self):
        pair = self.authority.issue("address", "IP:127.0.0.1")
        self.connects(self.broker(pair), host="127.0.0.1")
        self.refuses(self.good, "is not for 127.0.0.1", host="127.0.0.1")
        with TLSListener(*pair) as listener, self.agent(listener, host="127.0.0.1"):
            wait_until(lambda: listener.received, 5, "the agent trusts the listener")
            self.assertEqual(listener.names, [None])

    def test_bad_certificates_have_each_its_own_message_and_get_no_credentials(self):
        expired = self.authority.issue("expired", "DNS:localhost", end="20210203000000Z")
        future = self.authority.issue("future", "DNS:localhost", start="20800203000000Z")
        alone = self_signed(self.folder.name, "localhost")
        foreign = self.other_authority.issue("localhost")
        stranger = self.authority.issue("stranger")
        lines = [
            *self.refuses(expired, "expired on 2021-02-03"),
            *self.refuses(future, "valid from 2080-02-03 only: is this machine's clock right?"),
            *self.refuses(alone, "is self-signed"),
            *self.refuses(foreign, "authority that is not trusted (mqtt.tls_ca): /CN=Other CA"),
            *self.refuses(stranger, "is not for localhost (mqtt.tls_server_name) but for /CN=stranger"),
        ]
        # One line each, though the agent keeps trying.
        self.assertEqual(len(lines), 5)

    def test_system_authorities_do_not_know_ours(self):
        self.refuses(self.good, "authority that is not trusted", tls_ca=None)

    def test_system_authorities_are_those_of_openssl(self):
        with self.broker() as broker, self.agent(broker, tls_ca=None) as agent:
            agent.stop()
            agent.environment = {"SSL_CERT_FILE": str(self.authority.certificate)}
            agent.start()
            wait_until(lambda: ": connected" in agent.log, 5, lambda: agent.log)

    def test_insecure_takes_any_certificate_and_only_the_setting_does(self):
        alone = self_signed(self.folder.name, "anything")
        self.assertIn("any certificate is accepted", self.connects(self.broker(alone), tls_insecure="yes"))
        self.refuses(alone, "is self-signed", tls_insecure="no")

    def test_files_that_cannot_be_used_are_named_and_nothing_connects(self):
        nonsense = pathlib.Path(self.folder.name) / "nonsense"
        nonsense.write_text("no certificate\n")
        certificate, key = self.authority.issue("mismatch")
        cases = [
            ({"tls_ca": str(nonsense)}, "mqtt.tls_ca"),
            ({"tls_cert": str(nonsense), "tls_key": str(key)}, "mqtt.tls_cert"),
            ({"tls_cert": str(certificate), "tls_key": str(self.good[1])}, "mqtt.tls_key"),
        ]
        for settings, sign in cases:
            with self.subTest(sign=sign), TLSListener(*self.good) as listener, \
                    self.agent(listener, **settings) as agent:
                wait_until(lambda: sign in agent.log, 5, lambda: agent.log)
                self.assertEqual(listener.handshakes, 0)

    def test_tls_to_a_port_without_it_fails_and_sends_nothing_readable(self):
        with Broker() as broker, self.agent(broker) as agent:
            # Closed or reset: whichever of the two is faster.
            wait_until(lambda: "<4>broker localhost:" in agent.log, 5, lambda: agent.log)
            self.assertNotIn(": connected", agent.log)
            self.assertNotIn("as compass-test", broker.log)

    def test_broker_that_hangs_in_the_handshake_costs_no_cpu(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            with self.agent(types.SimpleNamespace(port=listener.getsockname()[1])) as agent:
                wait_until(lambda: "topics below" in agent.log, 5, "started")
                threading.Event().wait(1)
                before = cpu_seconds(agent.pid)
                threading.Event().wait(2)
                self.assertLess(cpu_seconds(agent.pid) - before, 0.1)


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    unittest.main()
