"""What the tests of deploy/mosquitto share: a broker that runs those very files, and its users."""
import pathlib
import subprocess

from support import PROJECT, Broker, Subscriber

DEPLOY = PROJECT / "deploy/mosquitto"
PASSWORD = "correct-horse"
USERS = ["boat", "other", "home-assistant", "dashboard", "viewer", "auditor"]
# Sees and may do all, which nobody may by the files themselves.
AUDITOR = "\nuser auditor\ntopic readwrite #\n"


class ConfiguredBroker(Broker):
    """Runs deploy/mosquitto's compass.conf and compass.acl, which lie in a folder of its own instead of /etc/mosquitto, on
    another port; with one user more, the auditor. `change` is done to the config's text."""

    def __init__(self, port=None, change=lambda text: text, lines=()):
        super().__init__(lines, port)
        self.change = change

    def start(self):
        self.write_users(USERS)
        (self.folder / "compass.acl").write_text((DEPLOY / "compass.acl").read_text() + AUDITOR)
        text = self.change((DEPLOY / "compass.conf").read_text())
        text = text.replace("/etc/mosquitto", str(self.folder)).replace("1883", f"{self.port} 127.0.0.1")
        # As root mosquitto would become a user that may not read the tests' folders; its files stay its own.
        (self.folder / "own.conf").write_text("\n".join(["user root", "log_dest stderr", text, *self.lines]) + "\n")
        self.launch(["/usr/sbin/mosquitto", "-c", str(self.folder / "own.conf")])
        self.wait_until_it_listens()

    def write_users(self, names):
        passwords = self.folder / "compass.passwd"
        passwords.touch(mode=0o600)
        for name in names:
            subprocess.run(["mosquitto_passwd", "-b", str(passwords), name, PASSWORD], check=True, capture_output=True)

    def publish(self, user, topic, payload, *options, version="5"):
        """As that user, or anonymously where `user` is empty; the client's complaint, if any."""
        login = ["-u", user, "-P", PASSWORD] if user else []
        done = subprocess.run(
            ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-V", MOSQUITTO_VERSION[version], *login,
             "-t", topic, "-m", payload, *options], capture_output=True, text=True, timeout=20)
        return done.stderr

    def subscriber(self, user="auditor", topics=("#",), base=""):
        return Subscriber(self, topics, base, (user, PASSWORD))


MOSQUITTO_VERSION = {"5": "mqttv5", "3.1.1": "mqttv311"}


def login(process, user):
    """Gives an agent or a dashboard its name and password at the broker."""
    file = pathlib.Path(process.folder) / "password"
    file.write_text(PASSWORD)
    file.chmod(0o600)
    process.settings["mqtt"].update({"username": user, "password_file": str(file)})
    return process
