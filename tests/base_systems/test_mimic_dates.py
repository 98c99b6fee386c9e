from __future__ import annotations

from collections.abc import Callable

import pytest

TABLE_2_2 = [
    "Seen [03/14/2005] in clinic.",
    "Seen [3/14/05] in clinic.",
    "Seen [14/03/2005] in clinic.",
    "Seen [2005/14/03] in clinic.",
    "Seen [2005/03/14] in clinic.",
    "Seen [05/03/14] in clinic.",
    "Seen [2005-03-14] in clinic.",
    "Seen [3-14-05] in clinic.",
    "Seen [14 March, 2005] in clinic.",
    "Seen [14 Mar 05] in clinic.",
    "Seen [March 14] in clinic.",
    "Seen [Jan. 14, 2005] in clinic.",
    "CABG in [1998] and well since.",
    "Stroke, [1987].",
    "Diagnosed in [2003].",
    "Seen [99/14/03] in clinic.",
    "[1998] CABG, then well.",
    "In [1987]: stroke.",
    "in [2003] she had a stroke",
    "[2005] s/p appendectomy",
]
SURROGATE_YEARS = [
    "Seen [03/14/2150] in clinic.",
    "Seen [14-3-2150] in clinic.",
    "Seen [2150-03-14] in clinic.",
    "Seen [2731/14/03] in clinic.",
    "Seen [14 March, 2150] in clinic.",
    "Seen [14 March 2150] in clinic.",
    "Seen [March 14, 2150] in clinic.",
    "Seen [Mar 14 2150] in clinic.",
    "Seen [March 14, 2731] in clinic.",
    "Seen [14-Mar-2150] in clinic.",
    "in [March 2150] and [3/2150]",
    "the [fall of 2150]",
    "CABG in [2131] and well since.",
    "[2131] CABG and well since.",
]
WRITTEN = [
    "on the [4th of March] she fell",
    "on [4th of March, 2005] she fell",
    "[March 2005] and [March of 2006]",
    "[March 4th], then [MARCH 5TH, 2005]",
    "[12-Mar-2005]: seen",
    "the [fall of 2004], [Spring 2005]",
    "until [Sept 3] or so",
    "Echo [July 28]: EF 55%",
    "worse since [January].",
    "[March 3,\n2005]",
]
SHORT = [
    "seen on [3/4] for cough",
    "from [3/4] to [3/9]",
    "Admitted: [3/4]",
    "D: [3/4]",
    "[3/4] 12:00",
    "HISTORY\n[3/4]\nSeen",
    "Tuesday, [3/4]",
    "given [10/28] again",
]
DAYS_OF_ONE_MONTH = [
    "away from [6] to [13 February]",
    "between [3] and [5 May] at home",
    "admitted [6]-[13 February 2019] with sepsis",
    "on the [3rd], [4th] and [5th of June]",
    "chemo on [3], [10] and [17 March 2021]",
    "[Feb 6] to [13] she was in Spain",
    "[July 10] through [12], then home",
    "[Jan 5]\u2013[9]: away",
    "[3rd] or [4th May]",
]
OTHER_SIGNS = [
    "seen [3\u00a0March\u00a02004] and [March\u202f5,\u00a02005]",
    "seen [3\u20114\u20112005] and [2005\u201003\u201014]",
    "seen [3\u20134\u20132005] and [2005\u201303\u201314]",
    "away [3/4/2005]\u2013[3/8/2005], well",
    "away [3-4-2005]\u2013[3-8-2005], well",
    "away [3 March 2005]\u2013[8 March 2005], well",
    "CABG in [2004]\u20132005",
    "pain 4\u20135 of 10, L4\u20115",
]
NEGATIVES = [
    "weight 61, 62 kg; 5 to 10 days",
    "5 to 10 days in summer",
    "1 or 2 tablets",
    "on 3 to 5 L oxygen",
    "INR 2-3",
    "strength is 5/5 in both arms",
    "power of 4/5 throughout",
    "a 3/6 systolic murmur",
    "II/VI murmur",
    "BP 120/80",
    "took 1/2 tablet",
    "on 1/2 normal saline",
    "pain is 7/10",
    "C. difficile, T4 1.2, L4-5",
    "the patient may walk 10 feet",
    "ranges 10-12-14.5",
    "ejection fraction 2005",
    "dose 500 mg 4-6 hours",
    "She will march on",
    "version 1.2.3",
    "at 13/40/2005",
    "surgery, 2000 mL of blood lost",
    "she may 2000 mg",
    "2000 mL after surgery",
    "$2000 surgery",
    "pager 4-2217",
]


@pytest.mark.parametrize(
    "expected", TABLE_2_2 + SURROGATE_YEARS + WRITTEN + SHORT + DAYS_OF_ONE_MONTH + OTHER_SIGNS
)
def test_dates_are_found_whole(expected: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, "DATE") == expected


@pytest.mark.parametrize(
    "text",
    ["[March 3] to 5 weeks later", "[June 3] to 10 mg", "[May 3]-10:30", "glucose 9, [12 March]"],
)
def test_a_quantity_after_a_date_is_no_second_day(
    text: str, marked: Callable[[str, str], str]
) -> None:
    assert marked(text, "DATE") == text


@pytest.mark.parametrize("text", NEGATIVES)
def test_ratios_doses_and_words_are_no_dates(text: str, marked: Callable[[str, str], str]) -> None:
    assert marked(text, "DATE") == text
