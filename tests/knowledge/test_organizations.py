"""Names of organisations are matched by kind, and the packed table is that of its source."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import numpy as np
import pytest
from organization_lists import read_organizations

from multideid.document import Document
from multideid.features.organizations import ORGANIZATION, organization_templates
from multideid.knowledge.organizations import KINDS, PATH, build_phrases, match_organizations
from multideid.text.table import TokenTable

SEVERAL = len(KINDS)


def kinds(text: str) -> list[set[str]]:
    """Return the kinds of each token; those of names of several words end in "..."."""
    bits = match_organizations(TokenTable.from_documents([Document("d", text)]))
    names = [*KINDS, *(f"{kind}..." for kind in KINDS)]
    return [{name for k, name in enumerate(names) if b >> k & 1} for b in bits.tolist()]


def test_names_of_several_words_are_told_apart_from_those_of_one() -> None:
    assert kinds("Walmart") == [{"company"}]
    assert [*map(sorted, kinds("American Red Cross"))] == [["association..."]] * 3


@pytest.mark.parametrize("text", ["red cross", "RED  CROSS", "Red Cross"])
def test_case_and_white_space_are_ignored(text: str) -> None:
    assert all("association..." in found for found in kinds(text))


def test_names_do_not_cross_lines() -> None:
    assert not any("association..." in found for found in kinds("Red\nCross"))


def test_the_view_has_one_value_for_each_set_of_kinds() -> None:
    table = TokenTable.from_documents([Document("d", "seen at Walmart by Red Cross")])
    column = ORGANIZATION.column(table)
    found = [column.names[code] for code in column.codes]
    assert found[:2] == ["", ""]
    assert found[2] == format(1 << KINDS.index("company"), "x")
    assert int(found[-1], 16) >> SEVERAL & 1 << KINDS.index("association")


def test_template_names_are_distinct() -> None:
    names = [template.name for template in organization_templates()]
    assert len(set(names)) == len(names)


def test_packed_organizations_are_those_of_the_source() -> None:
    expected = build_phrases(read_organizations()).arrays()
    with np.load(PATH, allow_pickle=False) as packed:
        assert sorted(packed) == sorted(expected)
        for name, column in expected.items():
            assert np.array_equal(packed[name], column), "python scripts/lexicons packs them again"


def test_the_source_is_tidy() -> None:
    for names in read_organizations().values():
        assert names
        assert all(name == " ".join(name.split()) for name in names)
        assert all(name == unicodedata.normalize("NFC", name) for name in names)
        assert all(any(map(str.isalpha, name)) and len(name) > 1 for name in names)
        assert len({name.lower() for name in names}) == len(names)


@pytest.mark.parametrize(
    ("text", "line"), [("# company\nWalmart\n# comapny\nTesco\n", 3), ("Tesco\n# company\n", 1)]
)
def test_unknown_and_missing_kinds_are_refused_with_their_line(
    text: str, line: int, tmp_path: Path
) -> None:
    path = tmp_path / "names.txt"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"names\.txt:{line}: no kind of name"):
        read_organizations(path)
