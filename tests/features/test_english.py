"""Documents in English are told from others."""

from __future__ import annotations

import pytest

from multideid.document import Document
from multideid.features.english import english_documents
from multideid.features.terms import OTHER_LANGUAGE_TERM
from multideid.text.table import TokenTable

ENGLISH = "Seen today with his mother, who lives in Toledo and works as a nurse."
SPANISH = "Acude hoy con su madre, que vive en Toledo y trabaja de enfermera."
FRENCH = "Vu aujourd'hui avec sa mère, qui habite à Lyon et travaille comme infirmière."


@pytest.mark.parametrize(
    ("text", "is_english"),
    [(ENGLISH, True), (SPANISH, False), (FRENCH, False), (SPANISH.upper(), False), ("3/4", True)],
)
def test_a_document_is_in_english_or_not(text: str, is_english: bool) -> None:
    assert english_documents(TokenTable.from_documents([Document("d", text)])) == [is_english]


def test_terms_of_other_languages_are_seen_in_their_documents_only() -> None:
    documents = [Document("en", ENGLISH), Document("es", SPANISH), Document("none", "")]
    table = TokenTable.from_documents(documents)
    column = OTHER_LANGUAGE_TERM.column(table)
    values = [column.names[code] for code in column.codes]
    of_toledo = [v for v, kind in zip(values, table.type, strict=True)
                 if table.vocabulary[kind] == "Toledo"]  # fmt: skip
    assert [bool(value) for value in of_toledo] == [False, True]
