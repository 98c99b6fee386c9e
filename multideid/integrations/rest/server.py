"""The service as a process: a socket, and uvicorn."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_address
from typing import TextIO

from multideid.errors import MissingPackageError, UsageError, reason
from multideid.integrations.rest.app import Settings, make_app
from multideid.integrations.rest.guard import LOG, App

LOOPBACK = ("127.0.0.1", "::1", "localhost")
_CONNECTIONS = 256


def serve(
    settings: Settings,
    host: str = "127.0.0.1",
    port: int = 8000,
    *,
    on_start: Callable[[str], None] | None = None,
    log: TextIO | None = None,
) -> None:
    """Serve until the process is told to end.

    Parameters
    ----------
    settings : Settings
        On a loopback address, requests must name it: a web page in a browser of this
        machine cannot reach the service under another name.
    host : str
    port : int
        0 for any free one.
    on_start : callable, optional
        Called with the address when it is listened to.
    log : text file, optional
        Where the service's own lines go, which hold no text. Default: standard error.

    Raises
    ------
    UsageError
        If the address cannot be used.
    MissingPackageError
        If uvicorn is not installed.
    """
    if is_loopback(host) and settings.hosts is None:
        settings = replace(settings, hosts=(*LOOPBACK, host.lower()))
    _log_to(sys.stderr if log is None else log)
    run(lambda: make_app(settings), host, port, timeout=settings.timeout, on_start=on_start)


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches an address: ``localhost``, ``127.0.0.2``, ``::1``.

    Parameters
    ----------
    host : str
    """
    try:
        return host.lower() in LOOPBACK or ip_address(host).is_loopback
    except ValueError:
        return False


def run(
    make: Callable[[], App],
    host: str,
    port: int,
    *,
    timeout: float,
    on_start: Callable[[str], None] | None = None,
) -> None:
    """Serve an application until the process is told to end.

    Parameters
    ----------
    make : callable
        Makes the application, when it is known that the address can be used.
    host : str
    port : int
        0 for any free one.
    timeout : float
        Seconds that requests in progress have at the end.
    on_start : callable, optional
        Called with the address when it is listened to.

    Raises
    ------
    UsageError, MissingPackageError
        As for `serve`.
    """
    try:
        import uvicorn
    except ImportError:
        raise MissingPackageError("uvicorn", "serve", "multideid serve") from None
    listening = listen_at(host, port)
    try:
        config = uvicorn.Config(
            make(),
            log_config=None,
            access_log=False,
            server_header=False,
            limit_concurrency=_CONNECTIONS,
            timeout_graceful_shutdown=int(timeout) + 1,
        )
        _silence_uvicorn()
        if on_start is not None:
            on_start(_address(host, listening))
        uvicorn.Server(config).run(sockets=[listening])
    finally:
        listening.close()


def listen_at(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; port 0 is any that is free.

    Raises
    ------
    UsageError
        If the address is taken or is none.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=_CONNECTIONS)
    except (OSError, OverflowError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise UsageError(f"cannot listen at {host} port {port}: {why}") from None
    # Connections inherit it. asyncio sets it only where it knows the protocol, which it does not
    # of this socket; without, the end of each answer waits 40 ms for the client's confirmation.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def _address(host: str, listening: socket.socket) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{listening.getsockname()[1]}"


def _log_to(file: TextIO) -> None:
    handler = logging.StreamHandler(file)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)


def _silence_uvicorn() -> None:
    logging.getLogger("uvicorn.error").addHandler(logging.NullHandler())
    logging.getLogger("uvicorn.error").propagate = False
