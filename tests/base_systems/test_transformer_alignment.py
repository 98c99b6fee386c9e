"""Offsets of a tokenizer are those of our tokens, exactly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from multideid.base_systems.transformer.alignment import Piece, leading, pieces, shared
from multideid.base_systems.transformer.native import bio_tags
from multideid.base_systems.transformer.network import _kept
from multideid.document import Document
from multideid.text.table import TokenTable

TEXTS = st.text(st.sampled_from("aB1 .\t\r\n\u00e9\u6c49\U0001f600\ud800"), max_size=30)


@given(st.lists(TEXTS, max_size=3))
def test_every_token_has_its_place_in_the_text(texts: list[str]) -> None:
    table = TokenTable.from_documents([Document(str(n), t) for n, t in enumerate(texts)])
    words, seen = table.words(), 0
    for piece in pieces(table):
        piece.text.encode()
        for row, start, end in zip(
            range(piece.rows.start, piece.rows.stop), piece.start, piece.end, strict=True
        ):
            assert piece.text[start:end] == words[row].replace("\ud800", "?")
            assert (start > 0 and piece.text[start - 1] == " ") >= table.space[row]
            seen += 1
    assert seen == len(table)


def piece(*bounds: tuple[int, int]) -> Piece:
    start, end = np.array(bounds, dtype=np.int64).T
    return Piece(slice(0, len(bounds)), "", start, end)


@pytest.mark.parametrize(
    ("tokens", "subtokens", "lead", "same"),
    [
        ([(0, 4), (5, 7)], [(0, 2), (2, 4), (5, 7)], [0, 2], [False, False]),
        ([(0, 1), (1, 2), (2, 4)], [(0, 2), (2, 4)], [0, 0, 1], [False, True, False]),
        ([(0, 3), (3, 4), (4, 6)], [(0, 3), (4, 6)], [0, -1, 1], [False, False, False]),
        # Byte-level tokenizers count the space before a word, and split characters.
        ([(0, 3), (4, 7)], [(0, 3), (3, 7)], [0, 1], [False, False]),
        ([(0, 1), (2, 3)], [(0, 1), (0, 1), (2, 3)], [0, 2], [False, False]),
        ([(0, 2)], [], [-1], [False]),
    ],
)
def test_a_token_is_read_at_the_first_subtoken_that_overlaps_it(
    tokens: list[tuple[int, int]],
    subtokens: list[tuple[int, int]],
    lead: list[int],
    same: list[bool],
) -> None:
    found = leading(piece(*tokens), np.array(subtokens, dtype=np.int64).reshape(-1, 2))
    assert found.tolist() == lead
    assert shared(found).tolist() == same


@given(st.integers(0, 9), st.lists(st.integers(0, 9), max_size=4))
def test_of_windows_that_overlap_every_subtoken_is_kept_once(stride: int, more: list[int]) -> None:
    start, windows = 0, []
    for extra in more or [0]:
        windows.append(list(range(start, start + stride + 1 + extra)))
        start = windows[-1][-1] + 1 - stride
    kept = _kept([len(window) for window in windows], stride)
    seen = [n for window, rows in zip(windows, kept, strict=True) for n in window[rows]]
    assert seen == list(range(windows[-1][-1] + 1))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        ("O B-PER I-PER O", "O B-PER I-PER O"),
        ("I-PER I-PER B-PER", "B-PER I-PER B-PER"),
        ("S-LOC B-PER E-PER", "B-LOC B-PER I-PER"),
        ("PER PER O PER LOC", "B-PER I-PER O B-PER B-LOC"),
    ],
)
def test_labels_of_a_network_become_bio_tags(labels: str, expected: str) -> None:
    names = sorted({*labels.split(), "O"})
    codes = np.array([names.index(n) for n in labels.split()], dtype=np.int32)
    found = bio_tags(codes, names, np.zeros(len(codes), dtype=np.bool_))
    assert [found.names[n] for n in found.ids] == expected.split()


def test_no_span_begins_within_a_subtoken() -> None:
    inner = np.array([False, False, True, True, False])
    found = bio_tags(np.array([0, 1, 1, 1, 1], dtype=np.int32), ["O", "B-TIME"], inner)
    assert [found.names[n] for n in found.ids] == ["O", "B-TIME", "I-TIME", "I-TIME", "B-TIME"]
