from __future__ import annotations

from collections.abc import Callable

import pytest

PATIENTS = [
    "Mr. [Lopez] tolerated it.",
    "Mrs. [Anna Lopez] came",
    "Ms [Xqztv] came",
    "Mr.\n[Lopez] came",
    "mr. [gonzalez] came",
    "Mr. [O'Brien] and Ms. [McAllister]",
    "Mr. [van der Berg] came",
    "Mrs. [de la Cruz] came",
    "Mrs. [Garcia-Lopez]'s pain",
    "Mr. [J. R. Smith] came",
    "Mr. [Foley] has a Foley catheter.",
    "Patient Name: [SMITH, JOHN]",
    "Name: [Simon, Lynne]    Unit No",
    "PATIENT NAME: [BLOOD MAY]\nMRN",
    "Re: [Maria K. Lopez]\nDear",
    "Her daughter [Maria] is here.",
    "His wife, [Susan Smith], called.",
    "Wife, [Stone Rich], called.",
    "[Maria Lopez] denies pain.",
    "[A. Conway] is a pleasant man.",
    "with daughter [Hope] and son [Hunt]",
    "[Xqztv] was accompanied by his mother.",
    "[Xqztv R. Yzabv] has also been ill.",
    "NOTE\n[Lopez, Maria]\nSeen",
    "Pain. [Xqztv] was counselled on smoking.",
    "Mr. [Zabrowski] came. Later [Zabrowski] left.",
    "His wife, [Ștefania Popescu], called.",
    "Mr.\u00a0[Lopez] and Ms.\u202f[Anna\u00a0Young] came",
]
DOCTORS = [
    "Seen by Dr. [Smith].",
    "Drs. [Hilton], [Young] and [Xqztv] agreed",
    "Dr [J. Smith-Jones] called",
    "Dr [J. Smith\u2011Jones] called",
    "Dr. [Łukasz Nowak], Dr. [ŠIMIĆ] and Dr. [Ş. Öztürk] called",
    "Dr. [Nguyễn Ước Ẩn] called",
    "Doctor [Smith] called",
    "[John Smith], M.D.",
    "Signed, [JOHN Q. SMITH] , MD",
    "[Mary Jones], RN, called",
    "[Mary Jones], Ph.D.",
    "Attending: [Brown, James]",
    "ATTENDING PHYSICIAN:, [A. Brown]",
    "PCP: [Lopez]",
    "Dictated by [John Smith] today",
    "Dictated By : [JOHN SMITH] , M.D.",
    "cc: [Mary Jones]",
    "Discussed w/ attending ([Swan]).",
    "Per [Xqztv], hold it",
    "Electronically signed by: [K. Lane] June 14",
]
NEGATIVES = [
    "Wound healing well. Foley was removed.",
    "history of Crohn disease and Parkinson's disease",
    "a Swan-Ganz catheter and a Jackson-Pratt drain",
    "CC: Chest pain",
    "REVIEW OF SYSTEMS: Negative.",
    "HISTORY OF PRESENT ILLNESS: The patient",
    "Mother: Deceased",
    "Her mother Died of cancer",
    "The doctor. She came",
    "E. Coli and C. Difficile grew",
    "MS Contin 15 mg",
    "A LEEP is reasonable.",
    "Per Neurology, hold it",
    "Chest, Abdomen\nSeen",
    "Attending: None",
    "Incision was made. Hemostasis was found.",
    "followed by Steri-Strips",
    "The Patient Denies pain.",
]


@pytest.mark.parametrize("expected", PATIENTS + NEGATIVES)
def test_names_of_patients_and_relatives(expected: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, "PATIENT") == expected


@pytest.mark.parametrize("expected", DOCTORS + NEGATIVES)
def test_names_of_staff(expected: str, marked: Callable[[str, str], str]) -> None:
    assert marked(expected, "DOCTOR") == expected
