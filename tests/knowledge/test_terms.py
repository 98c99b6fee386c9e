"""Terms are matched by kind, and the packed tables are those of their sources."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from term_lists import initials_of, read_terms, sources

from multideid.document import Document
from multideid.features.templates import Template
from multideid.features.terms import (
    ORGANIZATION,
    OTHER_LANGUAGE_KINDS,
    organization_templates,
    other_language_templates,
    other_language_templates_of_word_alone,
)
from multideid.knowledge.terms import CLINICAL_TERMS, ORGANIZATIONS, OTHER_LANGUAGES, TermTable
from multideid.text.table import TokenTable

TABLES = pytest.mark.parametrize(
    "terms", [ORGANIZATIONS, CLINICAL_TERMS, OTHER_LANGUAGES], ids=lambda t: t.name
)


def kinds(text: str, terms: TermTable = ORGANIZATIONS) -> list[set[str]]:
    """Return the kinds of each token; those of terms of several words end in "..."."""
    bits = terms.match(TokenTable.from_documents([Document("d", text)]))
    names = [*terms.kinds, *(f"{kind}..." for kind in terms.kinds)]
    return [{name for k, name in enumerate(names) if b >> k & 1} for b in bits.tolist()]


def test_names_of_several_words_are_told_apart_from_those_of_one() -> None:
    assert kinds("Walmart") == [{"company"}]
    assert [*map(sorted, kinds("American Red Cross"))] == [["association..."]] * 3


@pytest.mark.parametrize("text", ["red cross", "RED  CROSS", "Red Cross"])
def test_case_and_white_space_are_ignored(text: str) -> None:
    assert all("association..." in found for found in kinds(text))


def test_names_do_not_cross_lines() -> None:
    assert not any("association..." in found for found in kinds("Red\nCross"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Zithromax", "drug"),
        ("Punjabi", "people"),
        ("EMTALA", "scheme"),
        ("Swan-Ganz", "eponym..."),
    ],
)
def test_clinical_terms_have_their_kind(text: str, kind: str) -> None:
    assert all(kind in found for found in kinds(text, CLINICAL_TERMS))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Ucrania", "country"),
        ("ucraniana", "people"),
        ("sesenta", "number"),
        ("maçon", "job"),
        ("abuela materna", "kin..."),
        ("Donostia", "city"),
        ("Pitié-Salpêtrière", "hospital..."),
    ],
)
def test_spanish_and_french_terms_have_their_kind(text: str, kind: str) -> None:
    assert all(kind in found for found in kinds(text, OTHER_LANGUAGES))


def test_initials_of_hospitals_are_known() -> None:
    assert "initials" in kinds("RSH")[0]  # Royal Shrewsbury Hospital


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Royal Shrewsbury Hospital", {"RSH"}),
        ("Hospital for Sick Children", {"HSC", "HFSC"}),
        ("St. Mary's", {"SMS"}),
        ("Mercy Hospital", set()),
        ("24 Hour Surgery Christchurch", set()),
    ],
)
def test_initials_are_of_all_words_or_of_the_large_ones(name: str, initials: set[str]) -> None:
    assert initials_of(name) == initials


def test_initials_are_of_the_names_in_the_first_file(tmp_path: Path) -> None:
    best_known, more = tmp_path / "best_known.txt", tmp_path / "more.txt"
    best_known.write_text("# hospital\nRoyal Shrewsbury Hospital\n")
    more.write_text("# hospital\nMount Olive Infirmary\n")
    found = read_terms(ORGANIZATIONS, best_known, more)
    assert found["hospital"] == ["Royal Shrewsbury Hospital", "Mount Olive Infirmary"]
    assert found["initials"] == ["RSH"]


def test_the_view_has_one_value_for_each_set_of_kinds() -> None:
    table = TokenTable.from_documents([Document("d", "seen at Walmart by Red Cross")])
    column = ORGANIZATION.column(table)
    found = [column.names[code] for code in column.codes]
    assert found[:2] == ["", ""]
    single, several = ORGANIZATIONS.kinds, len(ORGANIZATIONS.kinds)
    assert found[2] == format(1 << single.index("company"), "x")
    assert int(found[-1], 16) >> several & 1 << single.index("association")


def test_the_view_of_kinds_has_each_kind_of_a_token() -> None:
    table = TokenTable.from_documents([Document("d", "es natural de Costa Rica o Ucrania")])
    column = OTHER_LANGUAGE_KINDS.column(table)
    bounds = zip(column.indptr[:-1], column.indptr[1:], strict=True)
    sets = [{column.names[n] for n in column.indices[low:high]} for low, high in bounds]
    found = [sets[row] for row in column.rows]
    assert "in country" in found[3] & found[4]
    assert "country" in found[6]
    assert not found[5]


@pytest.mark.parametrize(
    "templates",
    [
        organization_templates,
        other_language_templates,
        other_language_templates_of_word_alone,
    ],
)
def test_template_names_are_distinct(templates: Callable[[], list[Template]]) -> None:
    names = [template.name for template in templates()]
    assert len(set(names)) == len(names)


@TABLES
def test_packed_terms_are_those_of_the_source(terms: TermTable) -> None:
    expected = terms.build(read_terms(terms)).arrays()
    with np.load(terms.path, allow_pickle=False) as packed:
        assert sorted(packed) == sorted(expected)
        for name, column in expected.items():
            assert np.array_equal(packed[name], column), "python scripts/lexicons packs them again"


@TABLES
def test_the_source_is_tidy(terms: TermTable) -> None:
    assert all(read_terms(terms).values())
    for listed in (names for path in sources(terms) for names in read_terms(terms, path).values()):
        assert all(name == " ".join(name.split()) for name in listed)
        assert all(name == unicodedata.normalize("NFC", name) for name in listed)
        assert all(any(map(str.isalnum, name)) and len(name) > 1 for name in listed)
        assert len({name.lower() for name in listed}) == len(listed)


@pytest.mark.parametrize(
    ("text", "line"), [("# company\nWalmart\n# comapny\nTesco\n", 3), ("Tesco\n# company\n", 1)]
)
def test_unknown_and_missing_kinds_are_refused_with_their_line(
    text: str, line: int, tmp_path: Path
) -> None:
    path = tmp_path / "names.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"names\.txt:{line}: no kind of term"):
        read_terms(ORGANIZATIONS, path)
