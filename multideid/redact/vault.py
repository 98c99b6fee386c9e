"""Encrypted files of replaced PHI, from which the original text can be restored."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self

from multideid.document import Document
from multideid.errors import MissingPackageError, MultideidError, reason
from multideid.files import atomic_path
from multideid.redact.keys import Key
from multideid.redact.redaction import replacement_offsets, spliced
from multideid.spans import splice

if TYPE_CHECKING:
    from cryptography.fernet import Fernet

_FORMAT = "multideid vault 1"
_RECORDS_AT_ONCE = 200
_SALT = 16


class VaultError(MultideidError):
    """A vault cannot be read or written.

    Parameters
    ----------
    path : str or Path
        The file of the vault.
    problem : str
        The problem and a remedy, without any document text.
    """

    def __init__(self, path: str | Path, problem: str) -> None:
        self.path = str(path)
        self.problem = problem
        super().__init__(f"{path}: {problem}")

    def __reduce__(self) -> tuple[type[VaultError], tuple[str, str]]:
        return type(self), (self.path, self.problem)


@dataclass(frozen=True, slots=True)
class Record:
    """The replaced PHI of one document.

    Parameters
    ----------
    digest : str
        SHA-256 of the text with the PHI replaced.
    replaced : tuple of (int, int, str)
        Half-open offsets in that text, and the original PHI.
    """

    digest: str
    replaced: tuple[tuple[int, int, str], ...] = field(repr=False)

    def restored(self, text: str) -> str | None:
        """Return the original of a text; None if the text was changed since it was redacted."""
        return splice(text, self.replaced) if _digest(text) == self.digest else None


class VaultWriter:
    """Writes a vault atomically; a context manager.

    The file is readable by its owner only. A temporary file is written, which is
    renamed if the context ends without an error.

    Parameters
    ----------
    path : str or Path
    key : Key
    overwrite : bool, default False
        Whether an existing vault may be replaced. Its content is lost.

    Raises
    ------
    VaultError
        If the file exists and may not be overwritten, or cannot be written.
    UsageError
        If the package cryptography is missing.
    """

    def __init__(self, path: str | Path, key: Key, overwrite: bool = False) -> None:
        self._path = Path(path)
        if os.path.lexists(self._path) and not overwrite:
            raise VaultError(
                path,
                "exists, and overwriting it would lose the PHI in it; choose another file",
            )
        self._salt = secrets.token_bytes(_SALT)
        self._cipher = _cipher(key, self._salt)
        self._names: set[str] = set()
        self._pending: list[Any] = []
        self._blocks = 0

    def __enter__(self) -> Self:
        with ExitStack() as opening:
            try:
                path = opening.enter_context(atomic_path(self._path))
                self._file = opening.enter_context(path.open("wb"))
            except OSError as error:
                raise _unwritable(self._path, error) from None
            self._open = opening.pop_all()
        header = {"format": _FORMAT, "salt": base64.b64encode(self._salt).decode("ascii")}
        self._file.write(json.dumps(header).encode("ascii") + b"\n")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._finish()
            self._open.__exit__(kind, error, trace)
        except OSError as problem:
            raise _unwritable(self._path, problem) from None
        finally:
            # The file is not renamed if finishing failed.
            self._open.__exit__(VaultError, VaultError(self._path, "was not finished"), None)

    def _finish(self) -> None:
        self._flush()
        self._write({"end": True})
        self._file.flush()
        os.fsync(self._file.fileno())

    def __contains__(self, name: str) -> bool:
        return name in self._names

    def add(self, name: str, document: Document, new: Sequence[str]) -> None:
        """Store the replaced PHI of a document.

        Parameters
        ----------
        name : str
            The key of the document in the vault.
        document : Document
            The original, with its spans.
        new : sequence of str
            The replacement of each span.

        Raises
        ------
        VaultError
            If the name was added before, the text holds half of a character, which
            could join with another half, or the file cannot be written.
        """
        if (place := half_character(document.text)) is not None:
            problem = f"document {name!r} holds half of a character at offset {place}"
            raise VaultError(self._path, f"{problem}, which cannot be restored; mend the text")
        if name in self._names:
            raise VaultError(self._path, f"two documents cannot both be named {name!r} in it")
        self._names.add(name)
        places = replacement_offsets(document, new)
        replaced = [
            (start, end, document.span_text(span))
            for span, (start, end) in zip(document.spans, places, strict=True)
        ]
        self._pending.append((name, _digest(spliced(document, new)), replaced))
        if len(self._pending) >= _RECORDS_AT_ONCE:
            self._flush()

    def add_names(self, names: Mapping[str, str]) -> None:
        """Store the names that files had before, by their new names."""
        if names:
            self._write({"names": dict(names)})

    def _flush(self) -> None:
        if self._pending:
            self._write({"records": self._pending})
            self._pending = []

    def _write(self, block: Mapping[str, Any]) -> None:
        # Numbers reveal missing and reordered blocks.
        numbered = json.dumps({"block": self._blocks, **block}).encode("ascii")
        self._blocks += 1
        try:
            self._file.write(self._cipher.encrypt(numbered) + b"\n")
        except OSError as error:
            raise _unwritable(self._path, error) from None


class Records(dict[str, Record]):
    """The records of a vault, by the names of the documents.

    Attributes
    ----------
    names : dict of str to str
        The names that files had before, by their new names.
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, str] = {}


def read_vault(path: str | Path, key: Key) -> Records:
    """Return the records of a vault, by the names of the documents.

    Raises
    ------
    VaultError
        If the file cannot be read, is not a vault, is damaged or incomplete, or
        was written with another key.
    UsageError
        If the package cryptography is missing.
    """
    _require_cryptography()
    from cryptography.fernet import InvalidToken

    found = Records()
    try:
        with Path(path).open("rb") as file:
            cipher = _cipher(key, _salt_of(path, file.readline()))
            for block in _blocks(path, file, cipher):
                found.names.update(block.get("names", {}))
                for name, digest, replaced in block.get("records", ()):
                    found[name] = Record(digest, tuple((a, b, text) for a, b, text in replaced))
    except OSError as error:
        raise VaultError(path, f"cannot be read: {reason(error)}") from None
    except InvalidToken:
        problem = "does not open with this key: it was written with another key, or was changed"
        raise VaultError(path, problem) from None
    return found


def _blocks(path: str | Path, file: IO[bytes], cipher: Fernet) -> Iterator[dict[str, Any]]:
    number = -1
    for number, line in enumerate(file):
        block = json.loads(cipher.decrypt(line.rstrip(b"\n")))
        if block["block"] != number:
            raise VaultError(path, "is damaged: its blocks are not in order")
        if block.get("end"):
            if file.read(1):
                raise VaultError(path, "was changed: it holds bytes behind its end")
            return
        yield block
    raise VaultError(path, f"is incomplete: it ends after block {number + 1}")


def _salt_of(path: str | Path, line: bytes) -> bytes:
    try:
        header = json.loads(line)
        if header["format"] == _FORMAT:
            return base64.b64decode(header["salt"], validate=True)
    except (ValueError, KeyError, TypeError):
        pass
    raise VaultError(path, "is not a multideid vault, or of a newer version")


def _cipher(key: Key, salt: bytes) -> Fernet:
    _require_cryptography()
    from cryptography.fernet import Fernet

    return Fernet(base64.urlsafe_b64encode(key.derive(salt)))


def _require_cryptography() -> None:
    if find_spec("cryptography") is None:
        raise MissingPackageError("cryptography", "vault", "a vault")


def half_character(text: str) -> int | None:
    """Return the offset of the first lone surrogate in a text; None if there is none."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        return error.start
    return None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _unwritable(path: Path, error: OSError) -> VaultError:
    return VaultError(path, f"cannot be written: {reason(error)}")
