"""Headless Firefox, driven over its own protocol (Marionette): full-page pictures as the official driver takes them."""

import base64
import json
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

START_S = 60.0


class Firefox:
    """A Firefox without network, else as it is by default; use it as a context manager."""

    def __init__(self, program):
        self._program = program
        self._number = 0

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        proxies = "".join(
            f'user_pref("network.proxy.{kind}", "127.0.0.1"); user_pref("network.proxy.{kind}_port", 9);\n'
            for kind in ("http", "ssl")
        )
        settings = f'user_pref("marionette.port", {port});\nuser_pref("network.proxy.type", 1);\n{proxies}'
        Path(self._folder.name, "user.js").write_text(settings)
        self._process = subprocess.Popen(
            [self._program, "--marionette", "--headless", "--no-remote", "--profile", self._folder.name],
            env={**os.environ, "HOME": self._folder.name}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        end = time.monotonic() + START_S
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                if time.monotonic() > end or self._process.poll() is not None:
                    raise
                time.sleep(0.2)
        self._read()
        self._call("WebDriver:NewSession", {"capabilities": {}})
        return self

    def picture(self, html):
        """The whole page as PNG."""
        page = Path(self._folder.name, "page.html")
        page.write_text(html, encoding="utf-8")
        self._call("WebDriver:Navigate", {"url": page.as_uri()})
        return base64.b64decode(self._call("WebDriver:TakeScreenshot", {"full": True, "hash": False})["value"])

    def _call(self, name, parameters):
        self._number += 1
        message = json.dumps([0, self._number, name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        assert error is None, error
        return result

    def _read(self):
        size = b""
        while (byte := self._socket.recv(1)) != b":":
            assert byte, "Firefox ended"
            size += byte
        data = b""
        while len(data) < int(size):
            data += self._socket.recv(int(size) - len(data))
        return json.loads(data)

    def __exit__(self, *_):
        self._socket.close()
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()
