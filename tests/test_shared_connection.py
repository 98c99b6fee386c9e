"""The connection of a process is closed once, and not while a thread waits at it."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pipe
from threading import Barrier

import pytest

from multideid.isolation.processes import Server
from multideid.isolation.shared_connection import SharedConnection


def test_a_connection_that_is_closed_while_it_is_used_closes_after_its_last_use() -> None:
    connection, other = Pipe()
    shared = SharedConnection(connection)
    with other, shared.use(), shared.use() as used:
        shared.close()
        other.send("answer")
        assert used.recv() == "answer"
    assert connection.closed
    with pytest.raises(EOFError), shared.use():
        pass


def test_threads_that_end_a_server_together_end_its_process_once() -> None:
    ended: list[str] = []

    def end() -> int:
        ended.append("once")
        time.sleep(0.05)
        return 9

    connection, other = Pipe()
    server, together = Server(SharedConnection(connection), end), Barrier(2)

    def stop() -> None:
        together.wait()
        server.end()

    with other, ThreadPoolExecutor(2) as threads:
        for stopped in [threads.submit(stop) for _ in range(2)]:
            stopped.result()
    assert ended == ["once"]
    assert connection.closed
