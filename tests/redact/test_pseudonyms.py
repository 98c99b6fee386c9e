"""Keyed hashes in the place of PHI."""

from __future__ import annotations

import re

import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact import Key, Pseudonyms, redact

KEY = Key.from_secret(b"the key of these tests")


def hashed(text: str, key: Key = KEY, label: str = "DOCTOR", name: str = "d") -> str:
    return redact(Document(name, text, (Span(0, len(text), label),)), Pseudonyms(key))


def test_pseudonym_is_the_label_and_a_hash() -> None:
    assert re.fullmatch(r"\[DOCTOR-[0-9a-f]{8}\]", hashed("Alder"))


def test_same_text_has_the_same_pseudonym_in_all_documents_and_runs() -> None:
    again = Key.from_secret(b"the key of these tests")
    assert hashed("Alder", again, name="e") == hashed("Alder")


def test_case_white_space_accents_and_possessive_make_no_difference() -> None:
    one = {hashed(text) for text in ("José Alder", "JOSE  ALDER", "jose\nalder's", "José Alder\u2019s")}  # noqa: E501  # fmt: skip
    assert len(one) == 1


def test_other_text_label_or_key_has_another_pseudonym() -> None:
    other = Key.from_secret(b"some other key, as long")
    found = [hashed("Alder"), hashed("Beech"), hashed("Alder", other), hashed("Alder", label="ID")]
    assert len({text.rpartition("-")[2] for text in found}) == 4


def test_without_a_key_pseudonyms_agree_within_the_run() -> None:
    document = Document("d", "Alder", (Span(0, 5, "DOCTOR"),))
    assert redact(document, "hash") == redact(document, "hash")
    assert redact(document, "hash") != hashed("Alder")


@pytest.mark.parametrize("digits", [0, -1, 65, 2.5, True, "8"])
def test_a_number_of_digits_that_no_hash_has_is_refused(digits: object) -> None:
    with pytest.raises(UsageError, match="digits must be a whole number from 1 to 64"):
        Pseudonyms(KEY, digits)
