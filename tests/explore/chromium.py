"""Chromium driven over a pipe, with nothing but the standard library."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
)  # fmt: skip


def found() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """One window of a new browser; `errors` has what its console complains about."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="chromium-")
        reading, writing = os.pipe(), os.pipe()
        fast = os.dup2(reading[0], 63), os.dup2(writing[1], 62)

        def ends() -> None:  # the browser reads from 3 and writes to 4
            os.dup2(63, 3)
            os.dup2(62, 4)

        command = [str(found()), *FLAGS, f"--user-data-dir={self.folder}", "about:blank"]
        self.process = subprocess.Popen(
            command, preexec_fn=ends, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for end in (reading[0], writing[1], *fast):
            os.close(end)
        self.to, self.back = os.fdopen(reading[1], "wb", 0), os.fdopen(writing[0], "rb")
        self.number, self.session, self.errors = 0, None, []
        self.rest = b""
        page = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> Any:
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def read(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            more = os.read(self.back.fileno(), 1 << 20)
            assert more, "the browser is gone"
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\0")
        answer: dict[str, Any] = json.loads(line)
        said, params = answer.get("method"), answer.get("params", {})
        if said == "Runtime.exceptionThrown":
            self.errors.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
        if said == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        if said == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(str(params["args"]))
        return answer

    def size(self, width: int, height: int, *, dark: bool = False) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)

    def open(self, path: Path, ready: str = "window.graphens.ready") -> None:
        self.call("Page.navigate", url=path.resolve().as_uri())
        while self.run("location.href === 'about:blank' || document.readyState !== 'complete'"):
            pass
        self.run(ready)

    def run(self, script: str) -> Any:
        """What an expression is in the page; a promise is waited for."""
        done = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in done, done["exceptionDetails"]
        return done["result"].get("value")

    def picture(self, path: Path, *, full: bool = True) -> None:
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300))))")
        data = self.call("Page.captureScreenshot", captureBeyondViewport=full)["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.to.close()
        self.back.close()
        shutil.rmtree(self.folder, ignore_errors=True)
