"""Documents as HTML with their spans in colour."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from multideid.document import Document, Span
from multideid.highlight import highlighted, label_colour
from multideid.labels import PHI_CLASSES


def test_spans_are_marked_as_displacy_marks_them() -> None:
    from spacy import displacy

    note = Document("n1", "Dr. <Lee> & co", (Span(5, 8, "DOCTOR"),))
    ours = note._repr_html_()
    theirs = displacy.render(note.to_displacy(), style="ent", manual=True, jupyter=False)
    pattern = r'<(mark|div|span) (?:class="(\w+)")?'
    assert re.findall(pattern, ours) == re.findall(pattern, str(theirs))
    assert "Dr. &lt;<mark" in ours
    assert "</mark>&gt; &amp; co" in ours


def test_repr_has_no_text_and_html_has_all_of_it() -> None:
    note = Document("n1", "Dr. Lee", (Span(4, 7, "DOCTOR"),))
    assert "Lee" not in repr(note)
    assert "Lee" in note._repr_html_()


class _Text(HTMLParser):
    """Collects the text outside labels, and the names of tags."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text, self.tags, self._in_label = "", set[str](), False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        self._in_label = tag == "span"

    def handle_endtag(self, tag: str) -> None:
        self._in_label = False

    def handle_data(self, data: str) -> None:
        self.text += "" if self._in_label else data


@given(
    text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\0"), max_size=30),
    cuts=st.lists(st.integers(0, 30), max_size=6, unique=True),
    label=st.text(min_size=1, max_size=5),
)
def test_any_text_is_shown_as_it_is_and_adds_no_markup(
    text: str, cuts: list[int], label: str
) -> None:
    places = sorted(cut for cut in cuts if cut <= len(text))
    spans = [(a, b, label) for a, b in zip(places[::2], places[1::2], strict=False)]
    page = highlighted(text, spans)
    reader = _Text()
    reader.feed(page)
    assert reader.text == text
    assert reader.tags <= {"div", "mark", "span"}


def test_frequent_labels_have_different_colours() -> None:
    labels = ["PATIENT", "DOCTOR", "HOSPITAL", "LOCATION", "DATE", "ID", "PHONE", "AGE", "EMAIL"]
    assert len({label_colour(label) for label in labels}) == len(labels)
    assert all(re.fullmatch("#[0-9a-f]{6}", label_colour(row.label)) for row in PHI_CLASSES)
