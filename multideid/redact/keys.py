"""The secret that replacements follow from, and draws by lot that it decides."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

from multideid.errors import UsageError, reason

KEY_VARIABLE = "MULTIDEID_KEY"
"""The environment variable that may hold the secret."""

_SHORTEST = 16
# Slow on purpose: a passphrase must not be guessed by trial.
_COST = 2**14
_ADVICE = "make one with: openssl rand -hex 32"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Key:
    """A secret of 32 bytes; what is drawn with it cannot be told without it.

    Made by `from_secret`, `read`, `from_environment` or `random`.
    """

    _bytes: bytes = field(repr=False)

    @classmethod
    def from_secret(cls, secret: bytes) -> Key:
        """Make a key of a passphrase or of random bytes, by scrypt.

        Raises
        ------
        UsageError
            If the secret is shorter than 16 bytes.
        """
        if len(secret) < _SHORTEST:
            raise UsageError(f"the key is shorter than {_SHORTEST} bytes; {_ADVICE}")
        return cls(_stretched(secret, b"multideid key"))

    @classmethod
    def read(cls, path: str | Path) -> Key:
        """Make a key of a file's bytes, without the line end at their end.

        Raises
        ------
        UsageError
            If the file cannot be read, or holds fewer than 16 bytes.
        """
        try:
            secret = Path(path).read_bytes()
        except OSError as error:
            raise UsageError(f"the key file {path} cannot be read: {reason(error)}") from None
        return cls.from_secret(secret.rstrip(b"\r\n"))

    @classmethod
    def from_environment(cls) -> Key | None:
        """Make a key of the variable MULTIDEID_KEY; None if it is not set.

        Raises
        ------
        UsageError
            If it holds fewer than 16 bytes.
        """
        secret = os.environ.get(KEY_VARIABLE)
        return cls.from_secret(os.fsencode(secret)) if secret else None

    @classmethod
    def random(cls) -> Key:
        """Make a key that no other run will have."""
        return cls(secrets.token_bytes(32))

    def draw(self, *names: str) -> Draw:
        """Return the draws that belong to these names."""
        return Draw(self._bytes, json.dumps(names).encode("ascii"))

    def pseudonym(self, length: int, *names: str) -> str:
        """Return that many hexadecimal digits, up to 64, for these names."""
        return hmac.new(self._bytes, json.dumps(names).encode("ascii"), "sha256").hexdigest()[
            :length
        ]

    def derive(self, salt: bytes) -> bytes:
        """Return another secret of 32 bytes, for another use."""
        return _stretched(self._bytes, salt)


class Draw:
    """Draws by lot that a key decides: HMAC-SHA256 of the names and a count.

    The same key and names give the same draws, in this run and any other.
    """

    def __init__(self, secret: bytes, names: bytes) -> None:
        self._secret = secret
        self._names = names
        self._count = 0

    def below(self, n: int) -> int:
        """Return a whole number from 0 to ``n - 1``."""
        self._count += 1
        message = self._names + self._count.to_bytes(4, "big")
        return int.from_bytes(hmac.digest(self._secret, message, "sha256"), "big") % n

    def choose(self, items: Sequence[T]) -> T:
        """Return one of the items."""
        return items[self.below(len(items))]


@cache
def run_key() -> Key:
    """Return the key of this run, which is random and never written anywhere."""
    return Key.random()


def _stretched(secret: bytes, salt: bytes) -> bytes:
    return hashlib.scrypt(secret, salt=salt, n=_COST, r=8, p=1, maxmem=2**26, dklen=32)
