"""Each document is rewritten, or fails alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from multideid.deid.run import Redaction
from multideid.document import Document, Span
from multideid.redact import Key, VaultWriter, mask, read_vault

KEY = Key.from_secret(b"0123456789abcdef")


class Finder:
    """Finds the first character of every text."""

    def predict_each(self, documents: Iterable[Document]) -> Iterator[Document]:
        return (document.with_spans([Span(0, 1, "ID")]) for document in documents)


@pytest.mark.parametrize("text", ["a\ud83d\ude00", "\udce9 b"])
def test_half_a_character_fails_where_there_is_a_vault(tmp_path: Path, text: str) -> None:
    documents = [Document("whole", "a \U0001f600"), Document("half", text)]
    with VaultWriter(tmp_path / "v", KEY) as vault:
        run = Redaction(predictor=Finder(), replacer=mask, vault=vault)  # type: ignore[arg-type]
        written = dict(run.rewrite_each(documents))
        for new in filter(None, written.values()):
            run.count(new)
    assert written["half"] is None
    assert [failure.name for failure in run.failures] == ["half"]
    assert "half of a character at offset" in run.failures[0].problem
    assert set(read_vault(tmp_path / "v", KEY)) == {"whole"}
