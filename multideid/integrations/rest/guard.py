"""Bounds on every request, before anything reads it, and logs without text."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOG = logging.getLogger("multideid.rest")
OPEN = "/health"
"""The path that needs no token."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Parameters
    ----------
    max_bytes : int
        Size of the body of a request.
    timeout : float
        Seconds until the body must have arrived.
    tokens : collection of str
        Tokens of which requests must send one, as ``Authorization: Bearer TOKEN``. Default:
        none is needed.
    hosts : collection of str, optional
        Names of this host that requests may use, against web pages that resolve a name
        of theirs to 127.0.0.1. Default: any.
    open_paths : collection of str
        Paths that need no token.
    """

    max_bytes: int
    timeout: float
    tokens: Collection[str] = ()
    hosts: Collection[str] | None = None
    open_paths: Collection[str] = (OPEN,)


class _Refused(Exception):  # noqa: N818
    def __init__(self, status: int, problem: str, *headers: tuple[str, str]) -> None:
        super().__init__(problem)
        self.status, self.problem, self.headers = status, problem, headers


class Guard:
    """Wraps an application so that requests outside the bounds do not reach it.

    Errors of the application become a response with the error's type alone. One line a
    request is logged: method, path, status and time.

    Parameters
    ----------
    app : ASGI application
    bounds : Bounds
    paths : collection of str
        Paths that may be logged; others could hold anything.
    """

    def __init__(self, app: App, bounds: Bounds, paths: Collection[str]) -> None:
        self._app = app
        self._bounds = bounds
        self._paths = frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        start, answer = perf_counter(), _Answer(send)
        try:
            headers = {k.decode("latin-1"): v.decode("latin-1") for k, v in scope["headers"]}
            self._check(scope["path"], headers)
            body = await self._read(headers, receive)
            await self._app(scope, _replay(body, receive), answer)
        except _Refused as refused:
            await answer.refuse(refused)
        except Exception as error:
            LOG.error("internal error: %s", type(error).__name__)
            await answer.refuse(_Refused(500, f"internal error: {type(error).__name__}"))
        path = scope["path"] if scope["path"] in self._paths else "(unknown path)"
        seconds = perf_counter() - start
        LOG.info("%s %s %s %.0f ms", scope["method"], path, answer.status, 1000 * seconds)

    def _check(self, path: str, headers: dict[str, str]) -> None:
        bounds = self._bounds
        if bounds.hosts is not None and _host(headers.get("host", "")) not in bounds.hosts:
            raise _Refused(421, "this host is known under other names")
        given = headers.get("authorization", "").encode()
        if bounds.tokens and path not in bounds.open_paths:
            expected = [f"Bearer {token}".encode() for token in bounds.tokens]
            if not any(hmac.compare_digest(given, one) for one in expected):
                challenge = ("www-authenticate", "Bearer")
                raise _Refused(401, "a token is needed: Authorization: Bearer TOKEN", challenge)
        if headers.get("content-encoding", "identity") != "identity":
            raise _Refused(415, "compressed bodies are not read")

    async def _read(self, headers: dict[str, str], receive: Receive) -> bytes:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._bounds.max_bytes:
            raise self._too_large()
        try:
            return await asyncio.wait_for(self._body(receive), self._bounds.timeout)
        except TimeoutError:
            raise _Refused(408, "the body did not arrive in time") from None

    async def _body(self, receive: Receive) -> bytes:
        body, more = bytearray(), True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._bounds.max_bytes:
                raise self._too_large()
        return bytes(body)

    def _too_large(self) -> _Refused:
        return _Refused(413, f"the body may have {self._bounds.max_bytes} bytes at most")


class _Answer:
    """Sends a response, with headers that keep it out of caches, and keeps its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.status = 0

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            message["headers"] = [*message.get("headers", ()), (b"cache-control", b"no-store")]
        await self._send(message)

    async def refuse(self, refused: _Refused) -> None:
        if self.status:
            return  # The response has begun; the connection ends without the rest of it.
        body = json.dumps({"error": refused.problem}).encode()
        headers: Iterable[tuple[str, str]] = [
            ("content-type", "application/json"),
            ("content-length", str(len(body))),
            *refused.headers,
        ]
        encoded = [(k.encode(), v.encode()) for k, v in headers]
        await self({"type": "http.response.start", "status": refused.status, "headers": encoded})
        await self({"type": "http.response.body", "body": body})


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a function that gives the whole body first."""
    given = False

    async def replayed() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def _host(header: str) -> str:
    """Return the name in a Host header, without the port."""
    if header.startswith("["):
        return header.partition("]")[0][1:]
    return header.partition(":")[0].lower()
