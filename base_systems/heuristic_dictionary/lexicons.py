"""The three kinds of dictionaries of the system: PHI, common words, and indicators of PHI.

Apart from the lists of `multideid.knowledge.lexicons`, they were written by hand.
"""

from __future__ import annotations

from functools import cache

from multideid.knowledge.lexicons import lexicon

DOCTOR_TITLES = frozenset("dr drs doctor prof professor".split())
TITLES = frozenset("mr mrs ms miss mister madam mme sir rev reverend sgt capt".split())
CREDENTIALS = frozenset("md phd dds dmd dpm rn np crna cnm aprn arnp fnp msw lcsw rph".split())
NAME_INDICATORS = frozenset(
    """name patient proxy daughter son wife husband spouse mother father sister brother mom dad aunt
    uncle niece nephew cousin grandmother grandfather grandson granddaughter fiance fiancee
    girlfriend boyfriend partner friend guardian caregiver contact named called re dear
    """.split()
)
DOCTOR_INDICATORS = frozenset(
    """attending physician surgeon anesthesiologist assistant dictated dictator cardiologist
    pathologist radiologist oncologist urologist neurologist provider pcp signed by
    """.split()
)
LOCATION_INDICATORS = frozenset(
    "lives live lived living resides resided residing resident moved native born".split()
)
LOCATION_PREPOSITIONS = frozenset("in at near to of from".split())
NAME_PREFIXES = frozenset("van von de del della di da dos der den la le el al mc mac st".split())
ID_INDICATORS = frozenset(
    "mrn mr record account acct number no id ssn job chart case unit batch specimen index".split()
)
PHONE_INDICATORS = frozenset(
    "phone telephone tel fax pager beeper page paged ext extension call cell mobile x".split()
)
AGE_WORDS = frozenset("year years yr yrs yo y".split())
ARTICLES = frozenset("a an the this that these using".split())
ORDINALS = frozenset("st nd rd th".split())
STREETS = frozenset(
    "street st avenue ave road rd drive dr lane ln boulevard blvd court ct place pl way".split()
)
HOSPITAL_HEADS = frozenset(
    """hospital hospitals hosp infirmary clinic clinics center centre hospice institute pavilion
    sanatorium sanitarium home system healthcare rehabilitation rehab
    """.split()
)

_SHORTEST_NAME = 3


@cache
def _first_names() -> frozenset[str]:
    return lexicon("first_names_female") | lexicon("first_names_male")


def is_first_name(word: str) -> bool:
    """Return whether a lower-case word is in the lookup table of first names."""
    return len(word) >= _SHORTEST_NAME and word in _first_names()


def is_last_name(word: str) -> bool:
    """Return whether a lower-case word is in the lookup table of last names."""
    return len(word) >= _SHORTEST_NAME and word in lexicon("last_names")


def is_common(word: str) -> bool:
    """Return whether a lower-case word is a common word, which is never PHI by itself."""
    return word in lexicon("common_words") or word in lexicon("medical_words")
