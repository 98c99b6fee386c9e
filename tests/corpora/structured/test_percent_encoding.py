"""Text in percent-encoding is found, and percentages and web addresses are no such text."""

from __future__ import annotations

import pytest

from multideid.corpora.structured.coded_text import coded
from multideid.corpora.structured.percent_encoding import percent_encoded
from multideid.samples import SPLITS, sample_corpus


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("name=Martha%20Alder&mrn=%234458812", 5),
        ("Martha%20Alder%20%284458812%29", 0),
        ("Seen by Dr.%20Henry today", 8),
        ("seen%20by%20martha", 4),
        ("Alder%2CMartha", 5),
        ("on 3%2F14%2F2007", 4),
        ("name=Martha+Alder&on=3%2f14%2f2007", 22),
        ("Martha%2520Alder", 6),
        ("Al%u0064er", 2),
        ("back=https://x.org/a> name=Martha%20Alder", 27),
        ("mailto:lee@x.org?subject=Martha%20Alder", 25),
        ("file:///C:/scans/Martha%20Alder.pdf", 17),
        ("x=https%3A%2F%2Fx.org%2FMartha", 13),
    ],
)
def test_encoded_text_is_found(text: str, place: int) -> None:
    assert percent_encoded(text) == place


@pytest.mark.parametrize(
    "text",
    [
        "Hct 100%20 bands",
        "50% of 20, 20%/30%, FiO2 40%2L NC",
        "segs%60lymph%20mono%5",
        "sat%95, EF 55%2D echo, 50%3D recon",
        "a scan%20report alone",
        "https://x.org/find?name=Martha%20Alder&on=3%2F14%2F2007",
        "www.x.org/Martha%20Alder, then 20%",
        "see portal.x.org/Martha%20Alder%20x for it",
        "(https://x.org/Martha%20Alder)",
        "%",
        "",
    ],
)
def test_percentages_and_addresses_are_no_encoded_text(text: str) -> None:
    assert percent_encoded(text) is None


@pytest.mark.parametrize("split", SPLITS)
def test_no_sample_note_is_encoded(split: str) -> None:
    assert not [d.id for d in sample_corpus(split=split) if coded(d.text) is not None]


def test_one_long_word_of_escapes_is_read_in_linear_time() -> None:
    assert percent_encoded("https://x.org/" + "a%20b" * 200_000) is None
    assert percent_encoded("x" * 1_000_000 + "%20" * 100_000) is not None
