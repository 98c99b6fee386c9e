"""Keys are read from files and the environment, and determine random draws."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from multideid.errors import UsageError
from multideid.redact.keys import KEY_VARIABLE, Key, run_key

SECRET = b"a secret of more than sixteen bytes"
KEY = Key.from_secret(SECRET)


def _draws(key: Key, *names: str) -> list[int]:
    draw = key.draw(*names)
    return [draw.below(1000) for _ in range(20)]


def test_same_key_and_names_give_the_same_draws() -> None:
    assert _draws(KEY, "a", "b") == _draws(Key.from_secret(SECRET), "a", "b")


@pytest.mark.parametrize("names", [("a", "c"), ("ab",), ("a", "b", ""), ('a","b',)])
def test_other_names_give_other_draws(names: tuple[str, ...]) -> None:
    assert _draws(KEY, *names) != _draws(KEY, "a", "b")


def test_another_key_gives_other_draws() -> None:
    assert _draws(Key.from_secret(SECRET + b"!"), "a") != _draws(KEY, "a")


def test_draws_are_spread_evenly() -> None:
    draw = KEY.draw("many")
    counts = Counter(draw.below(5) for _ in range(2000))
    assert set(counts) == set(range(5))
    assert all(320 < n < 480 for n in counts.values())


def test_draws_are_the_same_as_in_earlier_versions() -> None:
    # Surrogates of a running study must not change with an update.
    assert _draws(KEY, "pinned")[:4] == [737, 2, 518, 178]
    assert KEY.pseudonym(6, "pinned") == "d9b88a"


def test_key_file_is_read_without_its_line_end(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(SECRET + b"\r\n")
    assert Key.read(tmp_path / "key") == KEY


def test_key_comes_from_the_environment_if_it_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    assert Key.from_environment() is None
    monkeypatch.setenv(KEY_VARIABLE, SECRET.decode())
    assert Key.from_environment() == KEY


def test_short_key_is_refused_and_not_quoted(tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(b"hunter2\n")
    with pytest.raises(UsageError, match="shorter than 16 bytes") as caught:
        Key.read(tmp_path / "key")
    assert "hunter2" not in str(caught.value)


def test_missing_key_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere cannot be read: No such file"):
        Key.read(tmp_path / "nowhere")


def test_key_is_not_shown() -> None:
    assert "secret" not in repr(KEY)
    assert repr(KEY) == "Key()"


def test_key_of_the_run_is_random_and_constant() -> None:
    assert run_key() is run_key()
    assert Key.random() != Key.random()
