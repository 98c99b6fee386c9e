"""The desk from the command line: its addresses are printed, and it runs until it is stopped."""

from __future__ import annotations

import getpass
from collections.abc import Callable, Sequence
from threading import Event, Thread
from typing import TYPE_CHECKING

from multideid.cli.error_handler import print_notice
from multideid.cli.output import counted

if TYPE_CHECKING:
    from multideid.review import Store

_PAUSE = 1.0


def open_desk(
    store: Store, reviewers: Sequence[str], port: int, notice: Callable[[], str] | None = None
) -> None:
    """Serve a review until the process is told to end.

    Parameters
    ----------
    store : Store
    reviewers : sequence of str
    port : int
        0 for any free one.
    notice : callable, optional
        Asked once a second; what it returns first besides "" is printed.
    """
    from multideid.review.web.desk import Desk
    from multideid.review.web.server import serve_desk

    desk, ended = Desk.of(store, reviewers), Event()

    def tell(addresses: dict[str, str]) -> None:
        print_notice(f"{counted(len(store.numbers()), 'note')}; decisions are kept in {store.path}")
        for name, address in addresses.items():
            print_notice(f"{name}: {address}" if len(addresses) > 1 else f"open {address}")
        if notice is not None:
            Thread(target=_print_when, args=(notice, ended), daemon=True).start()

    try:
        serve_desk(desk, port, tell)
    finally:
        ended.set()


def _print_when(notice: Callable[[], str], ended: Event) -> None:
    while not ended.wait(_PAUSE):
        if said := notice():
            print_notice(said)
            return


def user_name() -> str:
    """Return the name of the user, who reviews if nobody else is named."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "reviewer"
