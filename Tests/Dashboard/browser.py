"""A real browser: Debian's chromium, driven by chromedriver through the W3C WebDriver protocol.

    with Browser() as browser:
        browser.open("http://127.0.0.1:8360/")
        browser.click("#reference [data-value=magnetic]")
        browser.screenshot("day")
"""
import base64
import json
import pathlib
import shutil
import urllib.error
import urllib.request

from support import PROJECT, Process, accepts_connections, free_port, wait_until

CHROMEDRIVER = shutil.which("chromedriver")
SCREENSHOTS = PROJECT / ".build" / "screenshots"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
PHONE, TABLET, CHART_TABLE = (390, 844), (820, 1180), (1600, 900)


class BrowserError(Exception):
    pass


class Browser(Process):
    def __init__(self, size=CHART_TABLE, arguments=()):
        super().__init__("browser")
        self.size = size
        self.arguments = list(arguments)

    def start(self):
        self.port = free_port()
        self.launch([CHROMEDRIVER, f"--port={self.port}", "--allowed-ips=127.0.0.1"])
        wait_until(lambda: accepts_connections(self.port), 20, "chromedriver listens")
        # As root there is no sandbox; /dev/shm is small in containers.
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--hide-scrollbars",
                     "--no-first-run", "--lang=en-GB", f"--user-data-dir={self.folder / 'profile'}", *self.arguments]
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments, "binary": shutil.which("chromium")}}}})
        self.session = f"/session/{answer['sessionId']}"
        self.resize(*self.size)

    def __exit__(self, *error):
        if self.is_running and hasattr(self, "session"):
            if error[0]:
                self.screenshot(f"failure-{id(self):x}")
            self.call("DELETE", self.session)
        super().__exit__(*error)

    def call(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise BrowserError(json.load(error)["value"]["message"].splitlines()[0]) from None

    def command(self, path, **body):
        return self.call("POST", self.session + path, body)

    def cdp(self, name, **parameters):
        return self.command("/goog/cdp/execute", cmd=name, params=parameters)

    # The window.

    def resize(self, width, height, scale=1):
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                 mobile=width < 700)

    def prefer(self, **features):
        """Media features of the system: prefers_color_scheme="dark"."""
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def open(self, url):
        self.command("/url", url=url)

    def screenshot(self, name):
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        path.write_bytes(base64.b64decode(self.cdp("Page.captureScreenshot", format="png")["data"]))
        return path

    def whole_page(self, name):
        """Also what lies below the window's edge."""
        size = self.script("return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        path = SCREENSHOTS / f"{name}.png"
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        shot = self.cdp("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": size[0], "height": size[1], "scale": 1})
        path.write_bytes(base64.b64decode(shot["data"]))
        return path

    # What is in it.

    def script(self, code, *arguments):
        return self.command("/execute/sync", script=code, args=list(arguments))

    def wait_for_script(self, code, *arguments):
        """The value of a promise."""
        body = "const done = arguments[arguments.length - 1]; (async () => {%s})().then(done, (fault) => done('fault: ' + fault));" % code
        return self.command("/execute/async", script=body, args=list(arguments))

    def text(self, selector):
        return self.script("return document.querySelector(arguments[0])?.textContent ?? null", selector)

    def attribute(self, selector, name):
        return self.script("return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? null", selector, name)

    def is_shown(self, selector):
        return self.script("const e = document.querySelector(arguments[0]); return !!e && e.getClientRects().length > 0", selector)

    def find(self, selector):
        return self.command("/element", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        self.command(f"/element/{self.find(selector)}/click")

    def type(self, selector, text):
        element = self.find(selector)
        self.command(f"/element/{element}/clear")
        self.command(f"/element/{element}/value", text=text)

    def press(self, *keys):
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.command("/actions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def pointer(self, *actions, kind="mouse"):
        """("move", x, y), ("down",), ("up",), ("pause", milliseconds)"""
        made = []
        for name, *values in actions:
            made.append({
                "move": lambda: {"type": "pointerMove", "duration": 20, "x": round(values[0]), "y": round(values[1])},
                "down": lambda: {"type": "pointerDown", "button": 0},
                "up": lambda: {"type": "pointerUp", "button": 0},
                "pause": lambda: {"type": "pause", "duration": values[0]},
            }[name]())
        self.command("/actions", actions=[
            {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": made}])

    def wait_text(self, selector, accept, seconds=10):
        if isinstance(accept, str):
            wanted, accept = accept, lambda text: text == wanted
        def text_if_accepted():
            text = self.text(selector)
            return (text,) if text is not None and accept(text) else None
        return wait_until(text_if_accepted, seconds, lambda: f"{selector} says {self.text(selector)!r}")[0]

    def complaints(self):
        """What the console says since the last call: scripts that fail, what the Content-Security-Policy stopped."""
        return [entry["message"] for entry in self.command("/se/log", type="browser") if entry["level"] in ("SEVERE", "WARNING")]


def is_installed():
    return bool(CHROMEDRIVER and shutil.which("chromium"))
