"""A real HTTP server on loopback that speaks the OpenAI chat protocol, and misbehaves when it is told to."""

import json
import socket
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Behaviour = Callable[[BaseHTTPRequestHandler], None]


@dataclass(frozen=True)
class Request:
    """One request as it arrived."""

    path: str
    authorization: str
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All its messages in one string."""
        return "\n".join(str(message["content"]) for message in self.body["messages"])


def say(text: object, prompt_tokens: int = 7, completion_tokens: int = 3, finish_reason: str = "stop") -> Behaviour:
    choice = {"index": 0, "finish_reason": finish_reason, "message": {"role": "assistant", "content": text}}
    usage = {"prompt_tokens": prompt_tokens, "completion_tokens": completion_tokens}
    usage["total_tokens"] = prompt_tokens + completion_tokens
    head = {"id": "x", "object": "chat.completion", "created": 0, "model": "m"}
    return answer({**head, "choices": [choice], "usage": usage})


def answer(body: object) -> Behaviour:
    return raw(json.dumps(body).encode())


def raw(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Behaviour:
    def behave(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    return behave


def refuse(status: int, message: str = "no", retry_after: str = "0.01", **fields: object) -> Behaviour:
    """An error of the protocol. Retry-After keeps tests quick; real servers send it with 429 and 503."""
    body = json.dumps({"error": {"message": message, "type": "error", **fields}}).encode()
    return raw(body, status, {"Retry-After": retry_after} if retry_after else {})


MALFORMED = raw(b'{"choices": [{"message": {"content": "half of')
EMPTY = say("")


def cut(handler: BaseHTTPRequestHandler) -> None:
    """Promise a long answer, send a piece of it and drop the connection."""
    handler.send_response(200)
    handler.send_header("Content-Type", "application/json")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b'{"choices"')
    handler.wfile.flush()
    handler.connection.shutdown(socket.SHUT_RDWR)
    handler.close_connection = True


class OpenAIServer:
    """Serves until the ``with`` block ends.

    ``script`` is a list of behaviours, the last of which repeats for ever, or a function from the request to one.
    """

    def __init__(self, script: Sequence[Behaviour] | Callable[[Request], Behaviour]) -> None:
        self.requests: list[Request] = []
        self.closing = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True  # head and body are two writes; the second need not wait for an echo

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                owner._next(Request(self.path, self.headers.get("Authorization", ""), body))(self)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def hang(self, handler: BaseHTTPRequestHandler) -> None:
        """Send nothing until the server closes."""
        self.closing.wait()
        handler.close_connection = True

    def _next(self, request: Request) -> Behaviour:
        with self._lock:
            at = len(self.requests)
            self.requests.append(request)
        if callable(self._script):
            return self._script(request)
        return self._script[min(at, len(self._script) - 1)]

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
