"""Digests over the content of a report, so that a later change is seen.

Without a key, the digest proves that the content is the one whose digest was written down
elsewhere, as on a signed sheet of paper: whoever changes the file can make a new digest. With
a key, nobody without it can. Neither proves who read the notes, or how well.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any

from multideid.errors import UsageError

if TYPE_CHECKING:
    from multideid.redact import Key

FORMAT = 1
_SALT = b"multideid validation report"


def signed(content: dict[str, Any], key: Key | None = None) -> dict[str, Any]:
    """Return a report, the content with its digests.

    Parameters
    ----------
    content : dict
        Plain JSON values, as `Validation.to_dict` returns.
    key : Key, optional
        Adds an HMAC that only its holders can make and check.
    """
    report = {"format": FORMAT, "content": content, "sha256": _digest(content)}
    return report | ({} if key is None else {"hmac_sha256": _hmac(content, key)})


def check_report(report: Any, key: Key | None = None) -> str:
    """Check the digests of a report, and return its SHA-256.

    Parameters
    ----------
    report : plain JSON value
        As `signed` returned it.
    key : Key, optional

    Raises
    ------
    UsageError
        If it is no report, was changed, or the key is not the one it was made with.
    """
    if not isinstance(report, dict) or report.get("format") != FORMAT or "content" not in report:
        raise UsageError("this is not a report of this version of multideid validate")
    digest = _digest(report["content"])
    if not _equal(digest, report.get("sha256")):
        raise UsageError("the report was changed: its content does not have its digest")
    if key is not None:
        if "hmac_sha256" not in report:
            raise UsageError("the report was made without a key")
        if not _equal(_hmac(report["content"], key), report["hmac_sha256"]):
            raise UsageError("the report was changed, or made with another key")
    return digest


def _equal(digest: str, other: object) -> bool:
    return isinstance(other, str) and hmac.compare_digest(digest.encode(), other.encode())


def _canonical(content: Any) -> bytes:
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")


def _digest(content: Any) -> str:
    return hashlib.sha256(_canonical(content)).hexdigest()


def _hmac(content: Any, key: Key) -> str:
    return hmac.new(key.derive(_SALT), _canonical(content), "sha256").hexdigest()
