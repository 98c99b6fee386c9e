"""The desk as a process."""

from __future__ import annotations

from collections.abc import Callable

from multideid.integrations.rest.server import run
from multideid.review.web.app import TIMEOUT, make_app
from multideid.review.web.desk import Desk

HOST = "127.0.0.1"


def serve_desk(desk: Desk, port: int, on_start: Callable[[dict[str, str]], None]) -> None:
    """Serve a desk on this machine until the process is told to end.

    Parameters
    ----------
    desk : Desk
    port : int
        0 for any free one.
    on_start : callable
        Called with the address of each reviewer, by name. Behind the ``#`` it has the
        token, which browsers neither send nor log.

    Raises
    ------
    UsageError
        If the port cannot be used.
    """

    def tell(url: str) -> None:
        on_start({name: f"{url}/#{token}" for token, name in desk.reviewers.items()})

    run(lambda: make_app(desk), HOST, port, timeout=TIMEOUT, on_start=tell)
