from __future__ import annotations

from collections.abc import Callable

import pytest

TABLE_2_3 = [
    "Tel [(617) 555-1234].",
    "Tel [617-555-1234].",
    "Tel [617 555 1234].",
    "Tel [555-1234].",
    "Please call [555 1234] with questions.",
]
PHONES = [
    "[617.555.1234] is his number",
    "[(617) 555\u20131234], [617\u2013555\u20131234], [+44\u202f20 7946\u20130999]",
    "[617\u2011555\u20111234], [(617)\u00a0555\u20101234], pager [555\u20131234]",
    "[+1 617-555-1234]",
    "[617-555-1234 ext. 22]",
    "pager [12345]",
    "Beeper #[12345]",
    "beeper: [4-5678]",
    "paged at [34567]",
    "call [x68222] or [x 4-5678]",
    "[ext. 123]",
    "fax: [617-555-1234]",
]
NEGATIVES = [
    "platelets in the range 150-1000",
    "platelets 150\u20131000",
    "1500 to 2000 mg",
    "range 100-2000",
    "4 x 4 gauze, 10 x 1000",
    "2 x 10000 cells",
    "called at 1200 mL",
    "sodium 140",
    "L4-5 and 4-0 Vicryl",
    "12345678 cells",
]
WEB = [
    ("write to [ann.lee+x@mail.example.org].", "EMAIL"),
    ("write to [o'brien@example.org], [ann.d\u2019arcy@example.org].", "EMAIL"),
    ("'[lee@example.org]' and \u2018[o\u2019brien@example.org]\u2019, his wife's", "EMAIL"),
    ("see [https://example.org/a?b=c], please", "URL"),
    ("see [www.example.org].", "URL"),
    ("see [example.org/help] now", "URL"),
    ("host [192.168.10.1]", "URL"),
    ("level 1.2.3 of b.i.d. and e.g. this", "URL"),
    ("a@b and @home", "EMAIL"),
]


@pytest.mark.parametrize("expected", TABLE_2_3 + PHONES + NEGATIVES)
def test_phone_pager_and_extension_numbers(
    expected: str, marked: Callable[[str, str], str]
) -> None:
    assert marked(expected, "PHONE") == expected


@pytest.mark.parametrize(("expected", "label"), WEB)
def test_addresses_of_the_web(expected: str, label: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, label) == expected
