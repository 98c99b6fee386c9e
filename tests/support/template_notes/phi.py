"""PHI of one hospital stay, and the ways in which notes write it.

Titles (``Dr.``, ``M.D.``) stand outside the spans of names; a full date is
one span with its year; a year alone is no PHI, nor is an age under 90.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from template_notes import formats, places
from template_notes.people import Person, make_person
from template_notes.pieces import Piece

_AGE_OF_PHI = 90
_RELATIONS = {
    True: ("daughter", "sister", "niece", "cousin", "aunt"),
    False: ("son", "brother", "nephew", "cousin", "uncle"),
}
_OLDEST_SHARE = 0.25
_LAST_NAME_ALONE = 0.75

_STATES = {
    "AZ": "Arizona", "CA": "California", "CO": "Colorado", "FL": "Florida", "GA": "Georgia",
    "IL": "Illinois", "MA": "Massachusetts", "ME": "Maine", "MI": "Michigan", "NH": "New Hampshire",
    "NY": "New York", "OH": "Ohio", "OR": "Oregon", "TX": "Texas", "VA": "Virginia",
    "VT": "Vermont",
}  # fmt: skip


@dataclass
class Stay:
    """A hospital stay: who, where and when, the same all through a document."""

    random: Random
    patient: Person = field(init=False)
    relative: Person = field(init=False)
    relation: str = field(init=False)
    attending: Person = field(init=False)
    resident: Person = field(init=False)
    pcp: Person = field(init=False)
    hospital: str = field(init=False)
    age: int = field(init=False)
    admitted: date = field(init=False)
    discharged: date = field(init=False)
    mrn: str = field(init=False)
    write_date: Callable[[date], str] = field(init=False)

    def __post_init__(self) -> None:
        random = self.random
        self.patient = make_person(random)
        same_name = random.random() < 0.5
        self.relative = make_person(random, self.patient.last if same_name else None)
        self.relation = random.choice(_RELATIONS[self.relative.female])
        self.attending, self.resident, self.pcp = (make_person(random) for _ in range(3))
        self.hospital = places.make_hospital(random)
        oldest = random.random() < _OLDEST_SHARE
        self.age = random.randint(90, 101) if oldest else random.randint(19, 89)
        self.admitted = date(1996, 1, 1) + timedelta(days=random.randrange(365 * 14))
        self.discharged = self.admitted + timedelta(days=random.randint(2, 21))
        self.mrn = formats.write_digits(random, formats.ID_STYLES)
        self.write_date = random.choice(formats.DATE_STYLES)

    def day(self, earliest: int, latest: int) -> date:
        """Return a day so many days after admission."""
        return self.admitted + timedelta(days=self.random.randint(earliest, latest))

    def stay_day(self) -> date:
        """Return a day between admission and discharge."""
        return self.day(0, (self.discharged - self.admitted).days)

    def later_day(self) -> date:
        """Return a day after discharge."""
        return self.discharged + timedelta(days=self.random.randint(3, 60))

    def birth_day(self) -> date:
        """Return a date of birth that fits the age."""
        return self.admitted - timedelta(days=365 * self.age + self.age // 4 + 100)


def _running_name(stay: Stay) -> list[Piece]:
    """Name the patient as running text does, with a title or without."""
    title = "Ms. " if stay.patient.female else "Mr. "
    if stay.random.random() < 0.25:
        return [Piece(stay.patient.full(stay.random), "PATIENT")]
    return [Piece(title), Piece(stay.patient.last, "PATIENT")]


def _past_month(stay: Stay) -> str:
    day = stay.day(-4000, -60)
    return stay.random.choice((f"{day:%B} {day.year}", f"{day:%B} of {day.year}", f"{day:%m/%Y}"))


def _age(age: int) -> Piece:
    return Piece(str(age), "AGE" if age >= _AGE_OF_PHI else None)


def _a_age(stay: Stay) -> list[Piece]:
    text = str(stay.age)
    article = "an " if text.startswith("8") or text in ("11", "18") else "a "
    return [Piece(article), _age(stay.age)]


def _hospital_short(stay: Stay) -> str:
    short = places.initials(stay.hospital)
    return short if len(short) > 2 and stay.random.random() < 0.5 else stay.hospital


def labelled(label: str, write: Callable[[Stay], str]) -> Callable[[Stay], list[Piece]]:
    """Return a filler that gives one piece with a label."""
    return lambda stay: [Piece(write(stay), label)]


def _other_doctor(stay: Stay) -> Person:
    return make_person(stay.random)


def _last_or_full(stay: Stay, person: Person) -> str:
    return person.last if stay.random.random() < _LAST_NAME_ALONE else person.full(stay.random)


_NAMES: dict[str, Callable[[Stay], str]] = {
    "doctor": lambda s: _last_or_full(s, _other_doctor(s)),
    "doctor_full": lambda s: _other_doctor(s).full(s.random),
    "attending": lambda s: _last_or_full(s, s.attending),
    "attending_full": lambda s: s.attending.full(s.random),
    "attending_listed": lambda s: s.attending.listed(s.random),
    "attending_first": lambda s: s.attending.first,
    "resident": lambda s: _last_or_full(s, s.resident),
    "resident_full": lambda s: s.resident.full(s.random),
    "pcp": lambda s: _last_or_full(s, s.pcp),
    "pcp_full": lambda s: s.pcp.full(s.random),
    "pcp_first": lambda s: s.pcp.first,
}


_PATIENTS: dict[str, Callable[[Stay], str]] = {
    "Patient_last": lambda s: s.patient.last,
    "patient_last": lambda s: s.patient.last,
    "patient_full": lambda s: s.patient.full(s.random),
    "patient_listed": lambda s: s.patient.listed(s.random),
    "relative": lambda s: (
        s.relative.full(s.random) if s.random.random() < 0.5 else s.relative.first
    ),
}

_HOSPITALS: dict[str, Callable[[Stay], str]] = {
    "hospital": lambda s: s.hospital,
    "hospital_upper": lambda s: s.hospital.upper(),
    "hospital_short": _hospital_short,
    "other_hospital": lambda s: places.make_hospital(s.random),
}

_LOCATIONS: dict[str, Callable[[Stay], str]] = {
    "city": lambda s: places.make_city(s.random).name,
    "state": lambda s: s.random.choice(sorted(_STATES)),
    "state_name": lambda s: s.random.choice(sorted(_STATES.values())),
    "street": lambda s: places.make_street(s.random),
    "zip": lambda s: places.make_zip(s.random),
    "nursing_home": lambda s: places.make_nursing_home(s.random),
}

_DATES: dict[str, Callable[[Stay], str]] = {
    "admit_date": lambda s: s.write_date(s.admitted),
    "discharge_date": lambda s: s.write_date(s.discharged),
    "dictated_date": lambda s: s.write_date(s.discharged + timedelta(days=1)),
    "birth_date": lambda s: s.write_date(s.birth_day()),
    "stay_date": lambda s: formats.write_date(s.random, s.stay_day()),
    "recent_date": lambda s: formats.write_date(s.random, s.day(-40, -1)),
    "past_date": lambda s: formats.write_date(s.random, s.day(-3000, -60)),
    "follow_date": lambda s: formats.write_date(s.random, s.later_day()),
    "past_month": _past_month,
}

_IDS: dict[str, Callable[[Stay], str]] = {
    "mrn": lambda s: s.mrn,
    "account": lambda s: formats.write_digits(s.random, formats.ACCOUNT_STYLES),
    "job_id": lambda s: formats.write_digits(s.random, formats.JOB_STYLES),
    "accession": lambda s: formats.write_digits(s.random, formats.ACCESSION_STYLES),
    "ssn": lambda s: formats.write_digits(s.random, ("000-99-9999",)),
}

_PHONES: dict[str, Callable[[Stay], str]] = {
    "phone": lambda s: formats.write_phone(s.random),
    "pager": lambda s: formats.write_digits(s.random, formats.PAGER_STYLES),
}

_WORDS: dict[str, tuple[str, str]] = {
    "he": ("he", "she"), "He": ("He", "She"), "him": ("him", "her"), "his": ("his", "her"),
    "His": ("His", "Her"), "man": ("man", "woman"), "sex": ("M", "F"),
}  # fmt: skip


def _by_sex(pair: tuple[str, str]) -> Callable[[Stay], list[Piece]]:
    return lambda stay: [Piece(pair[stay.patient.female])]


_BY_LABEL = {
    "DOCTOR": _NAMES, "PATIENT": _PATIENTS, "HOSPITAL": _HOSPITALS, "LOCATION": _LOCATIONS,
    "DATE": _DATES, "ID": _IDS, "PHONE": _PHONES,
}  # fmt: skip

FILLERS: Mapping[str, Callable[[Stay], list[Piece]]] = {
    **{
        name: labelled(label, write)
        for label, group in _BY_LABEL.items()
        for name, write in group.items()
    },
    **{name: _by_sex(pair) for name, pair in _WORDS.items()},
    "relation": lambda s: [Piece(s.relation)],
    "patient": _running_name,
    "age": lambda s: [_age(s.age)],
    "a_age": _a_age,
    "elder_age": lambda s: [_age(s.random.randint(86, 101))],
    "young_age": lambda s: [_age(s.random.randint(35, 79))],
}
"""What fills the braces that stand for PHI or depend on the patient."""
