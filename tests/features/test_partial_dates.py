"""Days and months without a year are compared with the dates of their document."""

from __future__ import annotations

import pytest

from multideid.document import Document
from multideid.features.partial_dates import PARTIAL_DATE
from multideid.text.table import TokenTable


def found(*texts: str) -> list[dict[str, str]]:
    documents = [Document(str(n), text) for n, text in enumerate(texts)]
    table = TokenTable.from_documents(documents)
    column = PARTIAL_DATE.column(table)
    values: list[dict[str, str]] = [{} for _ in texts]
    for document, word, code in zip(table.document, table.words(), column.codes, strict=True):
        if column.names[code]:
            values[document].setdefault(word, column.names[code])
    return values


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6/17/2019 strength 6/5", "m:1"),
        ("17/6/2019 strength 5/6", "d:2"),
        ("seen 5.6.2019, again 6/8", ":1"),
        ("in June. again 6/8", ":1"),
        ("2019-06-17 again 6/8", ":1"),
        ("strength 4/5", ":"),
        ("she may come 4/5", ":"),
        ("seen 3/14 and 6/8", "m:"),
        ("mark decreased it, 3/12", ":"),
        ("17 Sept, again 9/5", ":1"),
        ("\u017feptember, again 9/5", ":"),
        ("MAY 4, 2011: (5/6)", ":1"),
    ],
)
def test_a_partial_date_has_the_order_and_months_of_its_document(text: str, value: str) -> None:
    assert [*found(text)[0].values()][-1] == value


@pytest.mark.parametrize("text", ["120/80", "49/51", "3/14/2020", "0/5", "12/40", "a/b", ""])
def test_other_numbers_have_none(text: str) -> None:
    assert found(text) == [{}]


def test_documents_do_not_see_each_other() -> None:
    assert found("6/17/2019", "strength 6/5")[1]["6"] == ":"
