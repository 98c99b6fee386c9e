"""Changes of values reach the file, and everything outside them stays as it is."""

from __future__ import annotations

import re
import time

from hypothesis import given
from hypothesis import strategies as st

from multideid.corpora.structure import Record, Value, labelled
from multideid.corpora.structured.slots import (
    Change,
    Embedded,
    EscapeRule,
    Slot,
    Source,
)
from multideid.document import Span

ESCAPES = EscapeRule(
    re.compile(r"&(amp|lt|two|no);"), lambda m: {"amp": "&", "lt": "<", "no": ""}.get(m[1], "12")
)
PARTS = ["a", "b", " ", "&amp;", "&lt;", "&two;", "&no;", "é", "😀"]
RAW = st.lists(st.sampled_from(PARTS), max_size=12)


def _encode(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def _record(source: Source, *values: Value) -> Record:
    return Record(values, lambda changes: source.rendered(changes).encode())


@given(RAW, st.data())
def test_only_changed_characters_differ_whatever_escapes_are_around(parts, data) -> None:
    raw = "".join(parts)
    source = Source(f"<{raw}>")
    slot = source.slot(1, 1 + len(raw), ESCAPES, _encode)
    start = data.draw(st.integers(0, len(slot.text)))
    end = data.draw(st.integers(start, len(slot.text)))
    if start == end:
        return
    new = source.rendered({slot: [Change(start, end, "[<&]")]})
    again = Source(new).slot(1, len(new) - 1, ESCAPES, _encode)
    assert again.text == slot.text[:start] + "[<&]" + slot.text[end:]
    assert new.startswith("<" + raw[: _raw_length(parts, start)])
    assert new.count("&no;") == raw.count("&no;")


def test_escapes_without_characters_stay_around_and_behind_new_text() -> None:
    source = Source("&no;Al&no;der&no; x")
    slot = source.slot(0, len(source.text), ESCAPES, _encode)
    assert slot.text == "Alder x"
    assert source.rendered({slot: [Change(0, 5, "B")]}) == "&no;B&no;&no; x"


def _raw_length(parts: list[str], length: int) -> int:
    """Return how many characters of the source hold a text's first ones."""
    raw = text = 0
    for part in parts:
        text += len(ESCAPES.decoded(part, 0, len(part))[0])
        if text > length:
            break
        raw += len(part)
    return raw


def test_unchanged_source_is_rendered_as_it_is() -> None:
    source = Source("a&amp;b&lt;c")
    source.slot(0, 7, ESCAPES, _encode)
    assert source.rendered({}) == "a&amp;b&lt;c"


def test_changes_inside_of_one_escape_keep_its_other_characters() -> None:
    source = Source("x&two;y")
    slot = source.slot(0, 7, ESCAPES)
    assert source.rendered({slot: [Change(2, 3, "?")]}) == "x1?y"
    changes = [Change(0, 2, "A"), Change(2, 3, "B")]
    assert source.rendered({slot: changes}) == "ABy"
    longer = source.slot(0, 7, EscapeRule(ESCAPES.pattern, lambda match: "12345"))
    changes = [Change(0, 2, "A"), Change(3, 4, "B"), Change(5, 7, "C")]
    assert source.rendered({longer: changes}) == "A2B4C"


def test_change_over_several_slots_goes_to_the_first() -> None:
    source = Source("<b>John</b> <i>Smith</i>")
    slots = [source.slot(3, 7), source.slot(11, 12), source.slot(15, 20)]
    record = _record(source, Value(tuple(slots)))
    assert record.rendered([[Change(2, 8, "X")]]) == b"<b>JoX</b><i>th</i>"


def test_virtual_characters_stay_and_split_the_text() -> None:
    source = Source("John<br/>Smith")
    value = Value((source.slot(0, 4), "\n", source.slot(9, 14)))
    assert value.text == "John\nSmith"
    assert list(value.extents()) == [(0, 4), (5, 10)]


def test_embedded_source_is_encoded_as_a_whole_and_only_if_it_changes() -> None:
    inner = Source("by Lee")
    slot = inner.slot(3, 6)
    outer = Source("{by Lee}", [Embedded(1, 7, inner, str.upper)])
    assert outer.rendered({}) == "{by Lee}"
    assert outer.rendered({slot: [Change(0, 3, "x")]}) == "{BY X}"


def test_slot_without_a_map_of_escapes_is_encoded_as_a_whole() -> None:
    source = Source("eel")
    slot = Slot(0, 3, "lee", None, lambda text: text[::-1])
    source.parts.append(slot)
    assert source.rendered({slot: [Change(0, 1, "bb")]}) == "eebb"


def test_labelled_field_is_phi_as_a_whole_and_not_free() -> None:
    source = Source("Lee")
    value = labelled(source.slot(0, 3), "DOCTOR", "PID-5")
    assert (value.known, value.free, value.place) == ((Span(0, 3, "DOCTOR"),), False, "PID-5")
    assert labelled(source.slot(3, 3), "DOCTOR").known == ()


def test_text_that_replaces_nothing_is_inserted_at_either_end_of_a_value() -> None:
    source = Source("ab")
    value = Value((source.slot(0, 2),))
    changes: dict[Slot, list[Change]] = {}
    for slot, change in value.slot_changes(
        [Change(0, 0, "<"), Change(1, 1, "-"), Change(2, 2, ">")]
    ):
        changes.setdefault(slot, []).append(change)
    assert source.rendered(changes) == "<a-b>"


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 3)), max_size=8),
    st.lists(st.integers(0, 20), max_size=8, unique=True),
)
def test_changes_reach_all_slots_that_they_touch(pieces, cuts) -> None:
    source, texts = Source("abcdefghijklmnopqrstuvwxyz"), []
    place = 0
    for is_slot, length in pieces:
        texts.append(source.slot(place, place + length) if is_slot else "|" * length)
        place += length
    value = Value(tuple(texts))
    cuts = sorted(cut for cut in cuts if cut <= len(value.text))
    changes = [Change(*pair, "X") for pair in zip(cuts[::2], cuts[1::2], strict=False)]
    expected = []
    for start, end, text in changes:
        for slot, low, high in value._placed():
            if low < end and start < high:
                expected.append((slot, Change(max(start, low) - low, min(end, high) - low, text)))
                text = ""  # noqa: PLW2901 (the first slot has the text)
    assert list(value.slot_changes(changes)) == expected


def test_changes_of_many_slots_take_linear_time() -> None:
    value = Value(tuple(Slot(4 * n, 4 * n + 4, "abc ") for n in range(20_000)))
    start = time.thread_time()
    found = list(value.slot_changes([Change(8 * n, 8 * n + 3, "X") for n in range(10_000)]))
    assert len(found) == 10_000
    assert time.thread_time() - start < 2
