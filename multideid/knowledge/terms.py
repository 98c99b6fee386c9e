"""Names of organisations, regions and holidays, clinical terms, and terms of other languages.

Packed tables, made by ``scripts/lexicons``; `docs/reference/lexicons.md` says from what.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from multideid.arrays import UIntArray
from multideid.text.phrases import PhraseSet
from multideid.text.table import TokenTable


class TermTable(NamedTuple):
    """Terms of several kinds.

    Parameters
    ----------
    name : str
        Also the name of its file.
    kinds : tuple of str
    """

    name: str
    kinds: tuple[str, ...]

    @property
    def path(self) -> Path:
        """The file with the packed terms."""
        return Path(__file__).parent / "data" / f"{self.name}.npz"

    def match(self, table: TokenTable) -> UIntArray:
        """Return the kinds of terms that contain each token, as bits, once per table.

        Case and white space are ignored, as by `multideid.knowledge.lexicons.match_lists`.

        Parameters
        ----------
        table : TokenTable

        Returns
        -------
        uint32 array, shape (n_tokens,)
            Bit ``k`` is set for a term of one word of ``kinds[k]``, bit ``k + len(kinds)``
            for one of several words, which is seldom anything else.
        """
        return table.cached(self.name, lambda table: _phrases(self.path).match(table))

    def build(self, terms: Mapping[str, Iterable[str]]) -> PhraseSet:
        """Return the phrases of the terms of each of the kinds."""
        listed = [list(terms[kind]) for kind in self.kinds]
        single = [[term for term in each if term.isalnum()] for each in listed]
        several = [[term for term in each if not term.isalnum()] for each in listed]
        return PhraseSet.build(*single, *several)


@cache
def _phrases(path: Path) -> PhraseSet:
    return PhraseSet.load(path)


ORGANIZATIONS = TermTable(
    "organizations",
    (
        "hospital",
        "hospital acronym",
        "pharmacy",
        "insurer",
        "company",
        "public safety",
        "school",
        "association",
        "region",
        "holiday",
        "initials",
    ),
)
"""Real organisations, regions and holidays of English-speaking countries.

"hospital" holds all places and services of care, "initials" those of the words of
hospitals and of public safety.
"""

CLINICAL_TERMS = TermTable(
    "clinical_terms",
    (
        "eponym",
        "drug",
        "product",
        "test",
        "abbreviation",
        "role",
        "people",
        "scheme",
    ),
)
"""Words of notes that are no PHI, though they are capitalised or in capitals.

"role" holds titles, credentials, ranks, jobs and words for kin, "people" nationalities,
languages and faiths, "scheme" public bodies and software.
"""

OTHER_LANGUAGES = TermTable(
    "other_languages",
    (
        "country",
        "people",
        "region",
        "city",
        "first name",
        "last name",
        "kin",
        "trait",
        "job",
        "number",
        "street",
        "hospital",
        "school",
        "company",
        "time",
    ),
)
"""Words and names that notes in Spanish and French use for PHI.

"people" holds nationalities, languages and faiths, "trait" marital status, birth order and other
properties of a person, "street" parts of addresses, "company" also insurers, public bodies and
associations, "time" months, weekdays and holidays.
"""
