"""Words are counted by class, as PHI here and no PHI there, and as in no word list."""

from __future__ import annotations

from multideid.document import Document, Span
from multideid.eval.metrics.distribution import distribution, format_distribution

NOTE = Document(
    "n",
    "Mr. Swan-Ymfgk's Swan catheter on 3/4/05, Ymfgk's. Catheter!",
    [Span(4, 14, "PATIENT"), Span(34, 40, "DATE"), Span(42, 47, "PATIENT")],
)


def test_words_are_counted_as_the_paper_counts_them() -> None:
    assert distribution([NOTE]).to_dict() == {
        "non-PHI": {"words": 5, "ambiguous": 1, "unlisted": None},
        "PATIENT": {"words": 3, "ambiguous": 1, "unlisted": 2},
        "DATE": {"words": 1, "ambiguous": 0, "unlisted": 0},
    }


def test_words_that_are_phi_in_another_document_are_ambiguous_in_both() -> None:
    other = Document("o", "Dr. SWAN", [Span(4, 8, "DOCTOR")])
    counts = distribution([NOTE, other]).to_dict()
    assert counts["DOCTOR"] == {"words": 1, "ambiguous": 1, "unlisted": 0}
    assert distribution([other]).to_dict()["DOCTOR"]["ambiguous"] == 0


def test_initials_are_no_words() -> None:
    counts = distribution([Document("n", "a note of A. Swan", [Span(10, 17, "PATIENT")])]).to_dict()
    assert counts["PATIENT"] == {"words": 1, "ambiguous": 0, "unlisted": 0}
    assert counts["non-PHI"]["words"] == 2


def test_classes_stand_in_the_order_of_the_paper() -> None:
    text = "aa bb cc dd"
    spans = [Span(3 * n, 3 * n + 2, x) for n, x in enumerate(["WARD", "DATE", "DOCTOR", "PATIENT"])]
    classes = [c.label for c in distribution([Document("n", text, spans)]).classes]
    assert classes == ["non-PHI", "PATIENT", "DOCTOR", "DATE", "WARD"]


def test_the_tables_have_the_papers_rows() -> None:
    after = distribution([NOTE])
    text = format_distribution(after, distribution([Document("n", "Mr. Swan")]))
    _, first, _, second, _, third = text.split("\n\n")
    assert "words before" in first
    assert first.splitlines()[1].split() == ["non-PHI", "2", "5"]
    assert second.splitlines()[-1].split() == ["DATE", "1", "0"]
    assert [line.split()[0] for line in third.splitlines()[1:]] == ["PATIENT", "DATE"]
