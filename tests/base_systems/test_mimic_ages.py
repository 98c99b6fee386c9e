from __future__ import annotations

from collections.abc import Callable

import pytest

TABLE_2_5 = [
    "age [92], lives alone",
    "Age: [101]",
    "he is [93].",
    "she is [90] now",
    "The patient is [125].",
]
TABLE_2_6 = [
    "[92] years old",
    "a [92] year-old",
    "a [92]-year-old",
    "[92]-years-old",
    "[104] years-old man",
    "[92] years of age",
    "[92]yo, [95] y.o., [97] y/o",
    "a [ninety-two]-year-old",
]
WITH_PLUS = [
    "a [90+] year old man",
    "a [90+]-year-old",
    "a [90+]yo, a [95+] y/o, a [92+] yr old",
    "[100+] years of age",
    "a [90+] F from home",
    "age [90+], lives alone",
    "Age: [90+]",
    "aged [90+]",
    "patients of ages [90+]",
    "she is [90+] now",
]
SHORT_FORMS = ["a [95] y/o", "a [95] yo F", "a [95]y/o", "[95] yr old", "[95]F", "> [90] y.o."]
NEGATIVES = [
    "89+ years old",
    "age 45+",
    "he is 90+% on room air",
    "he is 90+ percent",
    "she is 95+ kg",
    "saturation of 90+",
    "pulses 2+",
    "a 126+ year old",
    "an 89-year-old",
    "age 45",
    "a 126-year-old",
    "he is 98% on room air",
    "she is 98 percent",
    "he is 95 kg",
    "age 90-95 mg",
    "she is 92.5",
    "heart rate 92",
    "190 years old",
    "95 years ago",
]


@pytest.mark.parametrize("expected", TABLE_2_5 + TABLE_2_6 + WITH_PLUS + SHORT_FORMS + NEGATIVES)
def test_ages_of_ninety_and_over(expected: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, "AGE") == expected
