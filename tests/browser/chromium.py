"""One headless Chromium, driven through its debugging pipe: no driver, no socket, no network."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-extensions", "--disable-dev-shm-usage", "--hide-scrollbars",
         "--force-color-profile=srgb", "--remote-debugging-pipe"]


def find():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Chromium:
    def __init__(self, path, timeout=300):
        self.timeout = timeout  # of an answer: a first start on a busy machine takes a minute
        self.profile = tempfile.mkdtemp(prefix="blkmatrix-chromium.")
        read_end, self.out = os.pipe()
        self.inp, write_end = os.pipe()
        # the browser reads commands on descriptor 3 and answers on 4
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec 3<&%d 4>&%d; shift; exec "$0" "$@"' % (read_end, write_end), path,
             "-", *FLAGS, "--user-data-dir=" + self.profile, "about:blank"],
            pass_fds=(read_end, write_end), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read_end)
        os.close(write_end)
        self.buffer = b""
        self.number = 0
        self.events = []

    def close(self):
        try:
            self.call("Browser.close")
        except (OSError, RuntimeError):
            pass
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _read(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.inp], [], [], left)[0]:
                raise RuntimeError("the browser does not answer")
            more = os.read(self.inp, 1 << 20)
            if not more:
                raise RuntimeError("the browser is gone")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        deadline = time.monotonic() + self.timeout
        while True:
            got = self._read(deadline)
            if got.get("id") == self.number:
                if "error" in got:
                    raise RuntimeError("%s: %s" % (method, got["error"]))
                return got["result"]
            if "method" in got:
                self.events.append(got)

    def wait_for(self, session, method):
        deadline = time.monotonic() + self.timeout
        while True:
            for i, e in enumerate(self.events):
                if e["method"] == method and e.get("sessionId") == session:
                    return self.events.pop(i)
            got = self._read(deadline)
            if "method" in got:
                self.events.append(got)


class Page:
    """A tab with one document from disk; collects what the console and the network saw."""

    def __init__(self, browser, path, fragment="", script=True, width=1000, scheme="light"):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.target = target
        self.session = browser.call("Target.attachToTarget", targetId=target,
                                    flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        browser.wait_for(self.session, "Page.loadEventFired")
        # the empty page of before may have told of its end only now
        deadline = time.monotonic() + browser.timeout
        while not self.run("document.readyState == 'complete' && location.protocol == 'file:'"):
            if time.monotonic() > deadline:
                raise RuntimeError(path + " is not loaded")
            time.sleep(0.02)

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def run(self, expression):
        """The value of a JavaScript expression (evaluated by the debugger, not by the page)."""
        got = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                        awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError("%s: %s" % (expression, got["exceptionDetails"]))
        return got["result"].get("value")

    def key(self, name):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name)

    def outer_html(self):
        root = self.call("DOM.getDocument")["root"]["nodeId"]
        return self.call("DOM.getOuterHTML", nodeId=root)["outerHTML"]

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True)["data"])

    def screenshot(self, whole=True):
        got = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        return base64.b64decode(got["data"])

    def _mine(self, *methods):
        self.run("0")  # lets what is on its way arrive
        return [e["params"] for e in self.browser.events
                if e.get("sessionId") == self.session and e["method"] in methods]

    def console(self):
        lines = []
        for p in self._mine("Log.entryAdded", "Runtime.consoleAPICalled",
                            "Runtime.exceptionThrown"):
            lines.append(json.dumps(p)[:400])
        return lines

    def requests(self):
        return [p["request"]["url"] for p in self._mine("Network.requestWillBeSent")]

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
