"""The socket of the service and of the desk."""

from __future__ import annotations

import socket

import pytest

from multideid.errors import UsageError
from multideid.integrations.rest.server import listen_at


def test_answers_do_not_wait_for_the_confirmation_of_their_beginning() -> None:
    with listen_at("127.0.0.1", 0) as listening:
        client = socket.create_connection(listening.getsockname())
        connection, _ = listening.accept()
        with client, connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_in_use_is_told() -> None:
    with listen_at("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen at 127.0.0.1 port {port}"):
            listen_at("127.0.0.1", port)
