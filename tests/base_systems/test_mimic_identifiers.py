from __future__ import annotations

from collections.abc import Callable

import pytest

TABLE_2_4 = [
    "SSN [123-45-6789]",
    "he is [123-456789] there",
    "he is [12345-6789] there",
    "he is [123456789] there",
]
LABELLED = [
    "MRN: [12345]",
    "MRN [1234567]",
    "MR #[12345]",
    "Medical Record Number: [AB-12345]",
    "medical record number is [12345]",
    "Unit No: [123-45-67]",
    "Account #: [A12345]",
    "Acct [998877]",
    "Batch : [BK23] Index No. [A6448110]",
    "Job #: [G33588]",
    "M.R. No. [TT75]",
    "TR: [539498]",
    "Health plan number: [XZ99812]",
    "Policy # [88-1234]",
    "Specimen [W18700] was sent",
    "license no. [D1234567]",
    "JANE DOE , M.D. [56164/d030]",
    "[1234567]\nABCD\n[7654321]\n[TK58]\n3/4/2005",
]
NEGATIVES = [
    "unit 4, case 2",
    "platelets 1500000 cells",
    "heparin 5000000 units",
    "room 12, bed 3",
    "serial films",
    "Grade 3 of 4",
    "a group: 2 men",
    "T4, B12 1234",
    "5-FU 1200 mg",
    "Visit: 3-14-2005",
]


@pytest.mark.parametrize("expected", TABLE_2_4 + LABELLED + NEGATIVES)
def test_identifying_numbers(expected: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, "ID") == expected
