"""Who gets in: names, sites, tokens, and what each answer forbids the browser."""
import re
import signal
import socket
import ssl
import subprocess
import time
import unittest
import urllib.request

from support_dashboard import Dashboard, Vessel
from support import BINARY, PROJECT, Broker, Link, free_port, wait_until

TOKEN = "correct-horse-7"
COMMAND = '{"vessel":"compass/wanderer","command":"steer","value":95}'
JSON = "application/json"


class AccessTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.broker = Broker()
        cls.broker.start()
        cls.addClassCleanup(cls.broker.__exit__, None, None, None)

    def dashboard(self, **settings):
        return self.dashboard_at(self.broker.port, **settings)

    def dashboard_at(self, broker_port, **settings):
        dashboard = Dashboard(broker_port, **settings)
        dashboard.start()
        self.addCleanup(dashboard.__exit__, None, None, None)
        return dashboard

    def status(self, dashboard, *arguments, **headers):
        return dashboard.request(*arguments, **headers)[0]


class OwnMachineTests(AccessTests):
    def setUp(self):
        self.board = self.dashboard(commands="yes", hosts="boat.example")
        self.vessel = Vessel(self.broker)
        self.vessel.__enter__()
        self.addCleanup(self.vessel.__exit__, None, None, None)
        self.vessel.head(10)

    def test_listens_on_loopback_only_unless_told_otherwise(self):
        listening = subprocess.run(["ss", "-Hltn", f"sport = :{self.board.port}"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(re.findall(r"(\S+):\d+ ", listening)[0], "127.0.0.1")

    def test_every_answer_carries_the_policy(self):
        for path in "/", "/style.css", "/main.js", "/nothing", "/events":
            _, headers, _ = self.board.request(path=path)
            policy = headers["Content-Security-Policy"]
            for part in "default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'":
                self.assertIn(part, policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(headers["Cache-Control"], "no-store")

    def test_every_file_of_the_page_is_served_as_it_stands(self):
        for path in (PROJECT / "Sources/compass-mqtt/Dashboard/Page").iterdir():
            if path.suffix != ".html":
                status, headers, body = self.board.request(path=f"/{path.name}")
                self.assertEqual((status, body), (200, path.read_bytes()), path.name)
                self.assertNotIn("text/plain", headers["Content-Type"])
        self.assertEqual(self.board.request()[2], (PROJECT / "Sources/compass-mqtt/Dashboard/Page/index.html").read_bytes())

    def test_the_page_fetches_nothing_from_elsewhere(self):
        for path in "/", "/style.css", "/main.js", "/dial.js", "/app.webmanifest":
            _, _, body = self.board.request(path=path)
            self.assertNotRegex(body.decode(), r"(src|href|url|from|import)\W{0,3}https?://")

    def test_a_name_that_was_led_here_is_refused(self):
        """DNS rebinding: the attacker's own name, resolved to this machine."""
        for host in "evil.example", f"evil.example:{self.board.port}", "", "localhost.evil.example", "127.0.0.1.evil.example", "boat.example:x", "[evil]":
            for path in "/", "/events", "/style.css":
                self.assertEqual(self.status(self.board, path=path, Host=host), 403, (host, path))
        for host in "localhost", f"127.0.0.1:{self.board.port}", "[::1]:80", "boat.example", "BOAT.example:8443", "192.168.1.7":
            self.assertEqual(self.status(self.board, Host=host), 200, host)

    def test_another_site_reads_nothing(self):
        host = f"127.0.0.1:{self.board.port}"
        self.assertEqual(self.status(self.board, path="/events", Origin="http://evil.example"), 403)
        self.assertEqual(self.status(self.board, path="/events", Origin="null"), 403)
        self.assertEqual(self.status(self.board, path="/events", Sec_Fetch_Site="cross-site"), 403)
        self.assertEqual(self.status(self.board, path="/events", Sec_Fetch_Site="same-site"), 403)
        self.assertEqual(self.status(self.board, path="/events", Origin=f"http://{host}"), 200)
        # A link from elsewhere may open the page.
        self.assertEqual(self.status(self.board, Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate"), 200)

    def test_another_site_commands_nothing(self):
        wait_until(lambda: self.command(self.own()) == 202, 5, "the vessel is known")
        self.vessel.wait_for_command("steer/set", "95.0")
        self.vessel.commands.clear()
        for origin in "http://evil.example", "null", f"http://127.0.0.1:{self.board.port + 1}", f"http://127.0.0.1:{self.board.port}.evil.example", "file://":
            self.assertEqual(self.command(origin), 403, origin)
        # No browser leaves it out.
        self.assertEqual(self.status(self.board, "POST", "/command", COMMAND, Content_Type=JSON), 403)
        # What a form can send.
        for kind in "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x":
            self.assertEqual(self.command(self.own(), kind=kind), 415)
        self.assertEqual(self.vessel.commands, [])

    def own(self):
        return f"http://127.0.0.1:{self.board.port}"

    def command(self, origin, body=COMMAND, kind=JSON):
        return self.status(self.board, "POST", "/command", body, Origin=origin, Content_Type=kind)

    def test_commands_are_checked(self):
        wait_until(lambda: self.command(self.own()) == 202, 5, "the vessel is known")
        self.vessel.wait_for_command("steer/set", "95.0")
        base = '{"vessel":"compass/wanderer","command":"%s"%s}'
        good = [
            (base % ("steer", ',"value":null'), "steer/set", ""), (base % ("steer", ',"value":359.96'), "steer/set", "0.0"),
            (base % ("steer", ',"value":7,"reference":"magnetic"'), "steer/set", '{"value":7.0,"reference":"magnetic"}'),
            (base % ("steer", ',"value":-5'), "steer/set", "355.0"), (base % ("trip", ""), "trip/set", "reset"),
            (base % ("reference", ',"value":"true"'), "reference/set", "true"), (base % ("destination", ',"value":null'), "destination/set", ""),
            (base % ("destination", ',"name":"\\"}","latitude":50.1,"longitude":-4.25'), "destination/set",
             '{"name":"\\"}","latitude":50.1000000,"longitude":-4.2500000}'),
        ]
        for body, topic, payload in good:
            self.vessel.commands.clear()
            self.assertEqual(self.command(self.own(), body), 202, body)
            self.vessel.wait_for_command(topic, payload)
        self.vessel.commands.clear()
        bad = [
            "", "{", "[]", "{}", COMMAND * 2, base % ("steer", ""), base % ("steer", ',"value":"95"'), base % ("steer", ',"value":1e9'),
            base % ("steer", ',"value":9,"reference":"north"'),
            base % ("reboot", ',"value":1'), base % ("../status", ',"value":1'), base % ("reference", ',"value":"offline"'),
            base % ("destination", ',"latitude":91,"longitude":0'), base % ("destination", ',"latitude":1'), '{"vessel":5,"command":"trip"}',
            base % ("destination", ',"latitude":1,"longitude":1,"name":"%s"' % ("x" * 101)),
        ]
        for body in bad:
            self.assertEqual(self.command(self.own(), body), 400, body)
        self.assertEqual(self.command(self.own(), '{"vessel":"compass/nobody","command":"trip"}'), 409)
        self.assertEqual(self.command(self.own(), '{"vessel":"homeassistant/x","command":"trip"}'), 409)
        self.assertEqual(self.command(self.own(), " " * 100_000 + COMMAND), 413)
        self.assertEqual(self.vessel.commands, [])

    def test_a_command_that_cannot_be_sent_says_so(self):
        wait_until(lambda: self.command(self.own()) == 202, 5, "the vessel is known")
        self.broker.stop()
        self.addCleanup(self.broker.restart)
        wait_until(lambda: self.command(self.own()) == 503, 5, "it is said that the broker is away")

    def test_a_command_is_not_sent_late_where_the_connection_breaks_under_it(self):
        """The broker hangs, so that nothing is known of it yet when the command is given."""
        wait_until(lambda: self.command(self.own()) == 202, 5, "the vessel is known")
        self.vessel.wait_for_command("steer/set", "95.0")
        with Broker() as broker, Link(broker.port) as link:
            board = self.dashboard_at(link.port, commands="yes")
            vessel = Vessel(broker)
            vessel.__enter__()
            self.addCleanup(vessel.__exit__, None, None, None)

            def steer(course):
                body = COMMAND.replace("95", str(course))
                return board.request("POST", "/command", body, Origin=f"http://127.0.0.1:{board.port}", Content_Type=JSON)[0]
            wait_until(lambda: steer(10) == 202, 5, "the vessel is known")
            vessel.wait_for_command("steer/set", "10.0")
            link.hang()
            # So many that the last ones wait for the broker's answer to the first.
            taken = [course for course in range(100, 150) if steer(course) == 202]
            self.assertTrue(taken)
            link.cut()
            wait_until(lambda: steer(20) == 503, 5, "it is said that the broker is away")
            link.mend()
            wait_until(lambda: steer(30) == 202, 40, "the broker is back")
            vessel.wait_for_command("steer/set", "30.0")
            self.assertEqual({payload for _, payload in vessel.commands} - {"10.0", "30.0"}, set())

    def test_other_paths_and_methods_are_refused(self):
        for path in "/../etc/passwd", "/main.swift", "/%2e%2e/", "/events/", "/index.html":
            self.assertEqual(self.status(self.board, path=path), 404, path)
        for method in "PUT", "DELETE", "TRACE", "OPTIONS":
            self.assertIn(self.status(self.board, method, "/", Origin=self.own()), (405, 501), method)


class TokenTests(AccessTests):
    def setUp(self):
        self.board = self.dashboard(token=TOKEN)
        self.origin = f"http://127.0.0.1:{self.board.port}"

    def log_in(self, token, board=None, **more):
        board = board or self.board
        return board.request("POST", "/login", f"token={token}", Origin=f"http://127.0.0.1:{board.port}",
                             Content_Type="application/x-www-form-urlencoded", **more)

    def test_nothing_is_told_without_the_token(self):
        status, headers, body = self.board.request()
        self.assertEqual(status, 401)
        self.assertIn(b'type="password"', body)
        self.assertEqual(self.status(self.board, path="/events"), 401)
        self.assertEqual(self.status(self.board, "POST", "/command", COMMAND, Origin=self.origin, Content_Type=JSON), 401)
        for wrong in "", "correct-horse-8", "correct-horse-", "correct-horse-77", TOKEN.upper():
            self.assertEqual(self.status(self.board, path="/events", Cookie=f"compass_token={wrong}"), 401, wrong)

    def test_the_token_becomes_a_cookie_that_no_script_and_no_other_site_can_use(self):
        status, headers, _ = self.log_in(TOKEN)
        self.assertEqual((status, headers["Location"]), (303, "/"))
        cookie = headers["Set-Cookie"]
        # Lax: who follows a link from another page to this one stays logged in. Whatever does more asks for the page's own Origin.
        for part in "HttpOnly", "SameSite=Lax", "Path=/":
            self.assertIn(part, cookie)
        sent = cookie.split(";")[0]
        self.assertEqual(self.status(self.board, Cookie=sent), 200)
        self.assertEqual(self.status(self.board, path="/events", Cookie=f"a=b; {sent}; c=d"), 200)
        self.assertEqual(self.status(self.board, path="/events", Cookie=sent, Origin="http://evil.example"), 403)

    def test_logging_in_from_another_site_is_refused(self):
        self.assertEqual(self.status(self.board, "POST", "/login", f"token={TOKEN}", Origin="http://evil.example"), 403)

    def test_who_guesses_is_locked_out_for_a_while_and_nobody_else(self):
        answers = [self.log_in(f"wrong-guess-{n}")[0] for n in range(12)]
        self.assertEqual(answers, [401] * 10 + [429] * 2)
        self.assertEqual(self.log_in(TOKEN)[0], 429)
        self.assertEqual(self.status(self.board, path="/events", Cookie=f"compass_token={TOKEN}"), 429)
        # Whoever comes from elsewhere.
        self.assertEqual(self.log_in(TOKEN, sender="127.0.0.2")[0], 303)
        self.assertEqual(self.board.request(path="/events", Cookie=f"compass_token={TOKEN}", sender="127.0.0.2")[0], 200)
        time.sleep(6.5)
        self.assertEqual(self.log_in(TOKEN)[0], 303)

    def test_behind_a_proxy_only_who_guesses_is_locked_out(self):
        proxied = self.dashboard(token=TOKEN, proxies="127.0.0.1 ::1")

        def guess(token, client, board=proxied, sender=None):
            return self.log_in(token, board, sender=sender, X_Forwarded_For=client)[0]
        # What a client itself writes there stands before what the proxy adds.
        answers = [guess(f"wrong-guess-{n}", f"192.0.2.{n}, 198.51.100.7") for n in range(12)]
        self.assertEqual(answers, [401] * 10 + [429] * 2)
        self.assertEqual(guess(TOKEN, "192.0.2.1, 198.51.100.8"), 303)
        self.assertEqual(guess(TOKEN, "198.51.100.7"), 429)
        # Who is no proxy is not believed; nor is one that the settings do not name.
        self.assertEqual([guess(f"wrong-guess-{n}", f"192.0.2.{n}", sender="127.0.0.3") for n in range(11)], [401] * 10 + [429])
        self.assertEqual([guess(f"wrong-guess-{n}", f"192.0.2.{n}", self.board) for n in range(11)], [401] * 10 + [429])

    def test_a_cookie_is_taken_away_only_where_it_is_wrong(self):
        self.assertNotIn("Set-Cookie", self.board.request()[1])
        self.assertNotIn("Set-Cookie", self.board.request(Cookie="other=1")[1])
        self.assertNotIn("Set-Cookie", self.board.request(Cookie=f"compass_token={TOKEN}")[1])
        self.assertIn("Max-Age=0", self.board.request(Cookie="compass_token=an-old-token")[1]["Set-Cookie"])

    def test_guesses_by_cookie_count_too(self):
        answers = [self.status(self.board, path="/events", Cookie=f"compass_token=guess-number-{n}") for n in range(11)]
        self.assertEqual(answers, [401] * 10 + [429])

    def test_the_token_is_in_no_log_and_no_listing_of_the_settings(self):
        self.log_in("some-wrong-token")
        self.log_in(TOKEN)
        self.assertNotIn(TOKEN, self.board.log)
        self.assertNotIn("some-wrong-token", self.board.log)
        listing = subprocess.run([BINARY, "check", "--effective", str(self.board.folder / "compass-mqtt.conf")], capture_output=True, text=True).stdout
        self.assertIn("token = (set)", listing)
        self.assertNotIn(TOKEN, listing)

    def test_comes_from_a_file_that_is_its_owners_alone(self):
        path = self.board.folder / "token"
        path.write_text(TOKEN + "\n")
        path.chmod(0o600)
        board = self.dashboard(token_file=path)
        self.assertEqual(self.log_in(TOKEN, board)[0], 303)
        path.chmod(0o644)
        self.assertStartFails({"token_file": path}, "others can read")
        path.write_text("short\n")
        path.chmod(0o600)
        self.assertStartFails({"token_file": path}, "8 to 128")

    def assertStartFails(self, settings, reason, status=1):
        config = self.board.folder / "faulty.conf"
        config.write_text("[dashboard]\n" + "".join(f"{key} = {value}\n" for key, value in ({"port": free_port()} | settings).items()))
        result = subprocess.run([BINARY, "dashboard", "--config", str(config)], capture_output=True, text=True, timeout=10)
        self.assertEqual(result.returncode, status, result.stderr)
        self.assertIn(reason, result.stderr)

    def test_other_addresses_need_a_token_and_the_open_way_is_named(self):
        self.assertStartFails({"listen": "0.0.0.0"}, "dashboard.listen", status=2)
        board = self.dashboard(listen="0.0.0.0", token=TOKEN)
        self.assertIn("not encrypted", board.log)
        self.assertNotIn("not encrypted", self.board.log)

    def test_a_port_that_is_taken_is_said(self):
        self.assertStartFails({"port": self.board.port}, "Address already in use")


class EncryptedTests(AccessTests):
    def test_speaks_https_where_a_certificate_is_set(self):
        folder = Broker()
        self.addCleanup(folder.__exit__, None, None, None)
        key, certificate = folder.folder / "key.pem", folder.folder / "cert.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key, "-out", certificate,
                        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"], check=True, capture_output=True)
        key.chmod(0o644)
        config = folder.folder / "open.conf"
        config.write_text(f"[dashboard]\nport = {free_port()}\ntls_cert = {certificate}\ntls_key = {key}\n")
        for command in ["dashboard", "--config"], ["check"]:
            refused = subprocess.run([BINARY, *command, config], capture_output=True, text=True, timeout=10)
            self.assertNotEqual(refused.returncode, 0, command)
            self.assertRegex(refused.stdout + refused.stderr, r"dashboard\.tls_key.*others", command)
        key.chmod(0o600)
        board = self.dashboard(tls_cert=certificate, tls_key=key, token=TOKEN, listen="0.0.0.0")
        self.assertNotIn("not encrypted", board.log)
        context = ssl.create_default_context(cafile=str(certificate))
        request = urllib.request.Request(f"https://localhost:{board.port}/login", b"token=" + TOKEN.encode(), {"Origin": f"https://localhost:{board.port}"})

        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None
        opener = urllib.request.build_opener(Stay, urllib.request.HTTPSHandler(context=context))
        with self.assertRaises(urllib.error.HTTPError) as caught:
            opener.open(request, timeout=10)
        self.assertEqual(caught.exception.code, 303)
        self.assertIn("Secure", caught.exception.headers["Set-Cookie"])
        cookie = caught.exception.headers["Set-Cookie"].split(";")[0]
        stream = opener.open(urllib.request.Request(f"https://localhost:{board.port}/events", headers={"Cookie": cookie}), timeout=10)
        self.assertEqual(stream.readline(), b"retry: 1000\n")


class StreamTests(AccessTests):
    def test_a_new_viewer_gets_the_current_state_at_once(self):
        board = self.dashboard()
        with Vessel(self.broker) as vessel:
            vessel.under_way()
            with board.events() as first:
                first.wait_for(lambda event, data: event == "message" and data["topic"] == "trip")
            began = time.monotonic()
            with board.events() as stream:
                seen = set()
                stream.wait_for(lambda event, data: event == "message" and seen.add(data["topic"]) is None and data["topic"] == "trip")
            self.assertLess(time.monotonic() - began, 0.2)
            self.assertLessEqual({"status", "heading", "speed", "position", "destination", "steer"}, seen)

    def test_stops_at_once_with_viewers_on(self):
        board = self.dashboard()
        with board.events() as stream:
            stream.wait_for(lambda event, _: event == "welcome")
            began = time.monotonic()
            board.send(signal.SIGTERM)
            self.assertEqual(board.process.wait(5), 0)
            self.assertLess(time.monotonic() - began, 2)

    def test_is_no_client_of_the_agents_and_leaves_no_word_behind(self):
        board = self.dashboard()
        with Vessel(self.broker) as vessel, board.events() as stream:
            vessel.head(1)
            stream.wait_for(lambda event, data: event == "message" and data["topic"] == "heading")
            board.kill()
            time.sleep(0.5)
            with self.dashboard().events() as again:
                self.assertEqual(again.wait_for(lambda event, data: event == "message" and data["topic"] == "status")["payload"], "online")

    def test_at_most_as_many_viewers_as_allowed(self):
        board = self.dashboard(max_viewers=2)
        with board.events() as one, board.events() as two:
            one.wait_for(lambda event, _: event == "welcome")
            two.wait_for(lambda event, _: event == "welcome")
            self.assertEqual(board.request(path="/events")[0], 503)
            self.assertEqual(board.request()[0], 200)
        # Who has left does not count.
        for _ in range(20):
            with board.events() as viewer:
                viewer.wait_for(lambda event, _: event == "welcome")


class ShareTests(AccessTests):
    def setUp(self):
        self.address = own_address()
        if self.address is None:
            self.skipTest("this machine has no address on a network")
        self.board = self.dashboard(listen="0.0.0.0", token=TOKEN, max_viewers=10)

    def connect(self):
        connection = socket.create_connection((self.address, self.board.port), timeout=10, source_address=(self.address, 0))
        self.addCleanup(connection.close)
        return connection

    def test_one_address_does_not_get_all_connections(self):
        greedy = [self.connect() for _ in range(150)]
        wait_until(lambda: any(self.is_closed(one) for one in greedy), 5, "what is too much is closed")
        self.assertEqual(self.board.request()[0], 401)
        for one in greedy:
            one.close()
        # They have their places again.
        wait_until(lambda: not self.is_closed(self.connect(), 0.2), 5, "closed connections do not count")

    @staticmethod
    def is_closed(connection, seconds=0.01):
        connection.settimeout(seconds)
        try:
            return connection.recv(1) == b""
        except TimeoutError:
            return False
        except OSError:
            return True

    def test_one_address_does_not_get_all_viewers_places(self):
        request = f"GET /events HTTP/1.1\r\nHost: {self.address}\r\nCookie: compass_token={TOKEN}\r\n\r\n".encode()
        answers = []
        for _ in range(10):
            viewer = self.connect()
            viewer.sendall(request)
            answers.append(viewer.recv(12).decode())
        self.assertEqual(answers, ["HTTP/1.1 200"] * 8 + ["HTTP/1.1 503"] * 2)
        with self.board.events(Cookie=f"compass_token={TOKEN}") as other:
            other.wait_for(lambda event, _: event == "welcome")


def own_address():
    """An address of this machine on a network; None: it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = probe.getsockname()[0]
        return None if address.startswith("127.") else address


if __name__ == "__main__":
    unittest.main()
