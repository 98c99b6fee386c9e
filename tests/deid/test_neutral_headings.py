"""Names of columns that repeat PHI of their rows get neutral names."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

import multideid
from multideid import DeidOptions
from multideid.corpora.identifier_names import IdentifierWarning
from multideid.deid.neutral_headings import NeutralHeadings
from multideid.document import Document, Span
from multideid.redact import Key
from multideid.stacking import SingleDeidentifier
from multideid.taggers import registry

TEXT = "Ms. Martha Alder, MRN 4458812, was seen on 3/14/2007 by Dr. Ward of the IcuStepDown."
PHI = {
    "Martha Alder": "PATIENT",
    "4458812": "ID",
    "3/14/2007": "DATE",
    "Ward": "DOCTOR",
    "MRN": "HOSPITAL",
    "IcuStepDown": "HOSPITAL",
}
SPANS = tuple(
    Span(TEXT.index(phi), TEXT.index(phi) + len(phi), label) for phi, label in PHI.items()
)
OLD = "Ms. Martha Alder, MRN 4458812"
NEW = "Ms. [PATIENT], MRN [ID]"


@pytest.mark.parametrize(
    ("name", "is_neutral"),
    [
        ("Alder_4458812", True),
        ("4458812", True),
        ("445-8812", True),
        ("alder", True),
        ("ALDER_NOTES", True),
        ("MarthaAlder", True),
        ("Martha", True),
        ("seen_2007-03-14", True),
        ("2007", False),
        ("WARD", False),
        ("PAT_MRN_ID", False),
        ("NOTE_TEXT", False),
        ("4458813", False),
        ("Kowalczyk", False),
        ("", False),
    ],
)
def test_names_are_neutral_if_they_repeat_phi_and_no_ordinary_word(name, is_neutral) -> None:
    headings = NeutralHeadings(["text", name], ["text"])
    headings.look(TEXT, SPANS)
    assert headings.new_names() == ({name: "column-2"} if is_neutral else {})


def test_names_that_are_chosen_stay_and_new_ones_are_not_taken() -> None:
    names = ["Alder", "column-2", "column-3", "4458812", "Martha"]
    headings = NeutralHeadings(names, ["Alder"])
    for _ in range(2):
        headings.look(TEXT, SPANS)
    assert headings.new_names() == {"4458812": "column-4", "Martha": "column-5"}
    headings = NeutralHeadings(["Alder", "column-1"], [])
    headings.look(TEXT, SPANS)
    assert headings.new_names() == {"Alder": "column-1-2"}


@pytest.mark.parametrize(
    ("names", "chosen", "messages"),
    [
        (["Alder", "b"], [], ["names of 1 column repeat PHI; neutral ones replace them: column-1"]),
        (["b", "Alder"], ["Alder"], ["names of 1 column that were chosen repeat PHI, and stay"]),
        (["b", "SMITH_JOHN", "JANE_DOE"], [], ["names of 2 columns look like PHI", "is column 2"]),
        (["b", "NOTE_TEXT"], [], []),
    ],
)
def test_warnings_count_names_and_quote_none(names, chosen, messages) -> None:
    headings = NeutralHeadings(names, chosen)
    headings.look(TEXT, SPANS)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        headings.warn("t.csv")
    shown = " ".join(str(each.message) for each in caught)
    assert bool(shown) is bool(messages)
    assert all(message in shown for message in messages)
    assert not any(name in shown for name in names if len(name) > 1)


class Rule:
    name, summary = "rule-of-neutral-headings", "A name and a number."

    def tag(self, document: Document) -> list[Span]:
        found = [(document.text.find(phi), phi) for phi in ("Martha Alder", "4458812")]
        return [
            Span(start, start + len(phi), PHI[phi]) for start, phi in sorted(found) if start >= 0
        ]


@pytest.fixture
def options():
    registry.register(Rule)
    gold = (Span(4, 16, "PATIENT"), Span(22, 29, "ID"))
    model = SingleDeidentifier(Rule.name).fit([Document("n", OLD, gold)])
    yield DeidOptions(model=model, n_jobs=1)
    registry._SESSION.pop(Rule.name)


@pytest.mark.parametrize(
    ("header", "renamed"),
    [
        ("Alder_4458812,text,by", "column-1,text,by"),
        ('"text","Alder ""4458812""",by', '"text","column-2",by'),
        ("\r\n\r\nby,text,Alder\r\n", "\r\n\r\nby,text,column-3\r\n"),
        ("Alder,text,Alder", "column-1,text,column-1"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_only_the_heading_of_csv_changes(
    options, tmp_path: Path, header, renamed, encoding
) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    cells = [f'"{OLD}"' if "text" in name else "7" for name in header.strip().split(",")]
    rows = f"\n{','.join(cells)}\n\n"
    source.write_bytes((header + rows).encode(encoding))
    with pytest.warns(IdentifierWarning, match="names of 1 column repeat PHI"):
        multideid.deidentify_csv(source, target, replace(options, encoding=encoding))
    assert target.read_bytes() == (renamed + rows.replace(OLD, NEW)).encode(encoding)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"Alder_4458812": [1, 2], "text": [OLD, None]}),
        pd.DataFrame({"text": [OLD, "x"], "4458812": ["a", "b"]}).set_index("4458812"),
        pd.DataFrame({"text": [OLD]}).rename_axis(index="Martha Alder"),
        pd.DataFrame({"text": [OLD]}).rename_axis(columns="MRN 4458812"),
        pd.DataFrame({"text": [OLD], "a": [1]})
        .set_index("a", append=True)
        .rename_axis(["Alder", "a"]),
    ],
)
def test_names_in_parquet_and_data_frames_are_neutral(options, tmp_path: Path, frame) -> None:
    pytest.importorskip("pyarrow")
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    frame.to_parquet(source)
    with pytest.warns(IdentifierWarning, match="names of 1 column repeat PHI"):
        multideid.deidentify_parquet(source, target, options)
    with pytest.warns(IdentifierWarning, match="names of 1 column repeat PHI"):
        new = multideid.deidentify_frame(frame, "text", options).frame
    assert b"4458812" not in target.read_bytes()
    assert b"Alder" not in target.read_bytes()
    for found in (new, pd.read_parquet(target)):
        assert found["text"].tolist()[0] == NEW
        assert "column-" in repr([*found.columns, *found.columns.names, *found.index.names])
        assert found.shape == frame.shape


def test_columns_of_several_levels_in_a_data_frame_are_neutral(options) -> None:
    frame = pd.DataFrame({("text", ""): [OLD], ("Alder", "n"): [1]})
    with pytest.warns(IdentifierWarning, match="names of 1 column repeat PHI"):
        new = multideid.deidentify_frame(frame, [("text", "")], options).frame
    assert list(new.columns) == [("text", ""), ("column-3", "n")]
    assert list(frame.columns) == [("text", ""), ("Alder", "n")]


def test_text_below_a_neutral_heading_is_restored(options, tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    from multideid.deid.files import plan_files
    from multideid.deid.restore import read_records, restore_files

    key, vault = Key(b"0123456789abcdef"), tmp_path / "vault"
    (tmp_path / "in.csv").write_text(f'Alder,text\n7,"{OLD}"\n')
    given = DeidOptions(model=options.model, n_jobs=1, vault=vault, key=key)
    with pytest.warns(IdentifierWarning, match="names of 1 column repeat PHI"):
        multideid.deidentify_folder(tmp_path / "in.csv", tmp_path / "out", given, column="text")
    plan = plan_files([tmp_path / "out"], tmp_path / "back", tables=True, overwrite=False)
    assert not restore_files(plan, read_records(vault, key)).failures
    assert (tmp_path / "back" / "in.csv").read_text() == f'column-1,text\n7,"{OLD}"\n'


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_kept_column_whose_name_looks_like_phi_is_shown_by_its_number(
    options, tmp_path: Path, suffix: str
) -> None:
    frame = pd.DataFrame({"text": ["x"], "SMITH_JOHN": ["a@b.org"]})
    source, target = tmp_path / f"in.{suffix}", tmp_path / f"out.{suffix}"
    if suffix == "csv":
        frame.to_csv(source, index=False)
        rewrite = multideid.deidentify_csv
    else:
        frame.to_parquet(source)
        rewrite = multideid.deidentify_parquet
    with pytest.warns(IdentifierWarning) as caught:
        rewrite(source, target, options)
    shown = " ".join(str(each.message) for each in caught)
    assert "this looks like identifiers: column 2; leave" in shown
    assert "names of 1 column look like PHI, and stay" in shown
    assert "SMITH" not in shown
