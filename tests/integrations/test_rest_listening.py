"""The socket of the service and of the desk."""

from __future__ import annotations

import socket

import pytest

from multideid.errors import UsageError
from multideid.integrations.rest import server
from multideid.integrations.rest.app import Settings
from multideid.integrations.rest.server import is_loopback, listen_at


def test_answers_do_not_wait_for_the_confirmation_of_their_beginning() -> None:
    with listen_at("127.0.0.1", 0) as listening:
        client = socket.create_connection(listening.getsockname())
        connection, _ = listening.accept()
        with client, connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_only_addresses_of_this_machine_are_loopback() -> None:
    own = ("localhost", "LocalHost", "127.0.0.1", "127.0.0.2", "::1")
    assert all(map(is_loopback, own))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.0.2.1", "127.example", "127.0.0.1.nip")))


def test_a_service_on_any_loopback_address_answers_to_its_own_names_only(monkeypatch) -> None:
    made: list[Settings] = []
    monkeypatch.setattr(server, "make_app", made.append)
    monkeypatch.setattr(server, "run", lambda make, *_, **__: make())
    for host in ("127.0.0.2", "0.0.0.0"):
        server.serve(Settings(), host)
    assert [settings.hosts for settings in made] == [(*server.LOOPBACK, "127.0.0.2"), None]


def test_a_port_in_use_is_told() -> None:
    with listen_at("127.0.0.1", 0) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(UsageError, match=f"cannot listen at 127.0.0.1 port {port}"):
            listen_at("127.0.0.1", port)
