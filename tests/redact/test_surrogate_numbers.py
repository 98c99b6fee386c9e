"""Ages, numbers, phones and addresses keep their shape."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.redact.invented.ages import changed_age
from multideid.redact.invented.numbers import network_address, phone, same_shape
from multideid.redact.keys import Key

KEY = Key.from_secret(b"the key of these tests")
STEPS = st.sampled_from([-2, -1, 1, 2])


def shape(text: str) -> str:
    """Return which characters are digits, capitals and small letters."""
    return re.sub("[A-Z]", "A", re.sub("[a-z]", "a", re.sub("[0-9]", "9", text)))


@given(st.text("0123456789ABCxyz -/.#()", max_size=20), st.integers(0, 10**6))
def test_numbers_keep_length_and_shape(text: str, n: int) -> None:
    new = same_shape(text, KEY.draw(str(n)))
    assert shape(new) == shape(text)
    first = re.search("[0-9A-Za-z]", text)
    assert first is None or (new[first.start()] == "0") == (first[0] == "0")


def test_punctuation_makes_no_difference_to_the_digits() -> None:
    plain, dashed = (same_shape(t, KEY.draw("id")) for t in ("123004567", "123-00-4567"))
    assert dashed.replace("-", "") == plain


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("617-555-0134", r"[2-9]\d\d-[2-9]\d\d-\d{4}"),
        ("6175550134", r"[2-9]\d\d[2-9]\d{6}"),
        ("1-617-555-0134", r"1-[2-9]\d\d-[2-9]\d\d-\d{4}"),
        ("(617) 555-0134 ext. 12", r"\([2-9]\d\d\) [2-9]\d\d-\d{4} ext\. \d\d"),
        ("x15984", r"x[1-9]\d{4}"),
        ("+34 91 555 01 34", r"\+34 [1-9]\d \d{3} \d\d \d\d"),
        ("555-CALL", r"[1-9]\d\d-[A-Z]{4}"),
    ],
)
def test_phone_keeps_its_form(text: str, form: str) -> None:
    for n in range(20):
        new = phone(text, KEY.draw("phone", str(n)))
        assert re.fullmatch(form, new)
        assert new != text
        assert "CALL" not in new


@pytest.mark.parametrize("text", ["192.168.7.31", "10.0.0.254", "8.8.8.8"])
def test_octets_of_an_address_stay_below_256(text: str) -> None:
    new = network_address(text, KEY.draw("ip"))
    assert [len(n) for n in new.split(".")] == [len(n) for n in text.split(".")]
    assert all(0 < int(n) < 256 for n in new.split("."))


def test_hardware_address_stays_hexadecimal() -> None:
    new = network_address("00:1B:44:11:3a:b7", KEY.draw("mac"))
    assert re.fullmatch("[0-9A-F]{2}(:[0-9A-F]{2}){3}:[0-9][a-f]:[a-f][0-9]", new)


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("90", "90+"),
        ("90+", "90+"),
        ("101", "90+"),
        ("92-year-old", "90+-year-old"),
        ("ninety-four", "90+"),
        ("in her 90s", "in her 90+"),
        ("noventa y dos años", "90+ años"),
        ("45", "47"),
        ("45 años", "47 años"),
        ("89", "87"),
        ("forty-five", "forty-seven"),
        ("cinco meses", "siete meses"),
        ("Five", "Seven"),
        ("70s", "80s"),
        ("80s", "70s"),
        ("96 hours", "98 hours"),
        ("3 years and 8 months", "5 years and 10 months"),
        ("ninety-\ntwo", "90+"),
        ("noventa  y\ndos", "90+"),
        ("one hundred\u2013two", "90+"),
        ("92 y 5 months", "90+ y 7 months"),
        ("92yo 5 months", "90+yo 7 months"),
        ("92y/o, 5 weeks", "90+y/o, 7 weeks"),
        ("2 meses y 5 días", "4 meses y 7 días"),
    ],
)
def test_ages_over_89_become_90_plus_and_others_change(text: str, new: str) -> None:
    assert changed_age(text, 2) == new


@pytest.mark.parametrize("text", ["adult", "recién nacido", "", "adult, 90+"])
def test_text_that_is_no_age_is_not_passed_through(text: str) -> None:
    assert changed_age(text, 2) is None


@given(st.integers(0, 130), STEPS)
def test_every_age_changes_and_stays_between_1_and_89(age: int, step: int) -> None:
    new = changed_age(str(age), step)
    if age > 89:
        assert new == "90+"
    else:
        assert new != str(age)
        assert 1 <= int(new or "0") <= 89


@pytest.mark.parametrize("step", [-2, -1, 1, 2])
def test_ages_in_words_and_parts_stay_possible(step: int) -> None:
    assert changed_age("eighty nine", step) in ("eighty seven", "eighty eight")
    months = 11 - abs(step)
    assert changed_age("5 years 11 months", step) == f"{5 + step} years {months} months"
    assert changed_age("89 and 11/12", step) in ("87 and 11/12", "88 and 11/12")
    assert changed_age("10", step) == str(10 + step)
    assert changed_age("1100 months", step) is None
