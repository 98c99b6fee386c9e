"""Secret keys, and the pseudo-random draws that they determine."""

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
# Slow on purpose, against guessing of passphrases.
_COST = 2**14
_ADVICE = "make one with: openssl rand -hex 32"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Key:
    """A secret of 32 bytes; without it, nothing drawn with it can be predicted.

    Created by `from_secret`, `read`, `from_environment` or `random`.
    """

    _bytes: bytes = field(repr=False)

    @classmethod
    def from_secret(cls, secret: bytes) -> Key:
        """Derive a key from a passphrase or random bytes, by scrypt.

        Raises
        ------
        UsageError
            If the secret is shorter than 16 bytes.
        """
        if len(secret) < _SHORTEST:
            raise UsageError(f"the key is shorter than {_SHORTEST} bytes; {_ADVICE}")
        return cls(_derived(secret, b"multideid key"))

    @classmethod
    def read(cls, path: str | Path) -> Key:
        """Derive a key from the bytes of a file, without a trailing line end.

        Raises
        ------
        UsageError
            If the file cannot be read, or has fewer than 16 bytes.
        """
        try:
            secret = Path(path).read_bytes()
        except OSError as error:
            raise UsageError(f"the key file {path} cannot be read: {reason(error)}") from None
        return cls.from_secret(secret.rstrip(b"\r\n"))

    @classmethod
    def from_environment(cls) -> Key | None:
        """Derive a key from the variable MULTIDEID_KEY; None if it is not set.

        Raises
        ------
        UsageError
            If it has fewer than 16 bytes.
        """
        secret = os.environ.get(KEY_VARIABLE)
        return cls.from_secret(os.fsencode(secret)) if secret else None

    @classmethod
    def random(cls) -> Key:
        """Create a random key."""
        return cls(secrets.token_bytes(32))

    def draw(self, *names: str) -> Draw:
        """Return the random draws for these names."""
        return Draw(self._bytes, json.dumps(names).encode("ascii"))

    def pseudonym(self, length: int, *names: str) -> str:
        """Return `length` hexadecimal digits, at most 64, for these names."""
        return hmac.new(self._bytes, json.dumps(names).encode("ascii"), "sha256").hexdigest()[
            :length
        ]

    def derive(self, salt: bytes) -> bytes:
        """Derive another secret of 32 bytes."""
        return _derived(self._bytes, salt)


class Draw:
    """Pseudo-random draws: HMAC-SHA256(key, names || counter).

    They are the same for the same key and names, in all runs.
    """

    def __init__(self, secret: bytes, names: bytes) -> None:
        self._secret = secret
        self._names = names
        self._count = 0

    def below(self, n: int) -> int:
        """Return a random integer from 0 to ``n - 1``."""
        self._count += 1
        message = self._names + self._count.to_bytes(4, "big")
        return int.from_bytes(hmac.digest(self._secret, message, "sha256"), "big") % n

    def choose(self, items: Sequence[T]) -> T:
        """Return a random item."""
        return items[self.below(len(items))]


@cache
def run_key() -> Key:
    """Return the key of this run, which is random and never stored."""
    return Key.random()


def _derived(secret: bytes, salt: bytes) -> bytes:
    return hashlib.scrypt(secret, salt=salt, n=_COST, r=8, p=1, maxmem=2**26, dklen=32)
