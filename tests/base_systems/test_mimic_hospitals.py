from __future__ import annotations

from collections.abc import Callable

import pytest

FOUND = [
    "seen at [Penrith Hospital] today",
    "The [Lopez Memorial Hospital] called",
    "at [New Bern Regional Medical Center].",
    "at [Good Samaritan Hospital].",
    "at [St. Mary's Hospital], then",
    "lives at [Xqztv Nursing Home].",
    "at [Greenwood Rehab Center]",
    "at the [Hospital of Xqztv]",
    "went to [St. Hilary's] again",
    "transferred from [Xqztvan] for care",
    "Records were obtained from [Allard].",
    "seen at [Massachusetts General] first",
    "in the [St. Xqztv's] clinic",
    "Dispo: to [Xqztvan] when ready",
    "Location: [Xqztvan], Boston\n",
    "Dr. Lee at [Xqztvan] called",
    "[Xqztvan Lopez]\nDischarge Summary\n",
    "1234567\n[ABCD]\n7654321",
]
NEGATIVES = [
    "HOSPITAL COURSE: He did well.",
    "Brief Hospital Course",
    "seen in Pain Clinic and Eye Clinic",
    "the Emergency Department",
    "at an outside hospital",
    "the Medical Center",
    "transferred to Recovery",
    "transferred to the ICU",
    "admitted to Labor and Delivery",
    "Headache Clinic",
    "St. John's wort",
]


@pytest.mark.parametrize("expected", FOUND + NEGATIVES)
def test_hospitals(expected: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, "HOSPITAL") == expected
