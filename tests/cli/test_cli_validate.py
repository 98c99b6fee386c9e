"""``multideid validate`` as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.review import ADJUDICATED, Change, Store

Invoke = Callable[..., Result]


def badge_corpus(n: int) -> list[Document]:
    """Return notes with two badge numbers each."""
    texts = [f"Seen by nurse B-{1000 + i} at noon.\nBadge: B-{2000 + i}\n" for i in range(n)]
    spans = (Span(14, 20, "ID"), Span(36, 42, "ID"))
    return [Document(f"n{i}", text, spans) for i, text in enumerate(texts)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder with notes that have been marked, and a blind sample of them."""
    write_corpus(badge_corpus(12), tmp_path / "notes.jsonl", "jsonl")
    return tmp_path


def _sample(invoke: Invoke, place: Path, *more: str) -> Path:
    drawn = invoke(
        "validate", "sample", place / "notes.jsonl", "--out", place / "s.jsonl", "--notes", 6, *more
    )
    assert drawn.exit_code == 0, drawn.output
    return place / "s.jsonl.plan.json"


def _read(place: Path, name: str, missing: int = 0) -> Path:
    marked = {d.text: d.spans for d in badge_corpus(12)}
    sample = read_corpus(place / "s.jsonl")
    spans = [marked[d.text][missing if n == 0 else 0 :] for n, d in enumerate(sample)]
    documents = [d.with_spans(s) for d, s in zip(sample, spans, strict=True)]
    write_corpus(documents, place / name, "jsonl")
    return place / name


def test_a_model_is_validated_on_what_a_reader_marked(
    invoke: Invoke, place: Path, model: Path
) -> None:
    plan = _sample(invoke, place)
    assert not any(d.spans for d in read_corpus(place / "s.jsonl"))
    anna, page, out = _read(place, "anna.jsonl"), place / "page.html", place / "r.json"
    options = ("--model", model, "--out", out, "--report", page, "--language-check", "off")
    done = invoke("validate", "report", plan, anna, *options)
    assert done.exit_code == 0, done.output
    assert "0 of 6 notes leak" in done.output
    report = json.loads(out.read_text())
    assert report["content"]["recall"][0]["recall"] == 1
    assert report["content"]["model"]["fingerprint"]
    assert report["sha256"] in page.read_text()
    for written in (done.output, page.read_text(), out.read_text()):
        assert "B-10" not in written
        assert "nurse" not in written
    assert invoke("validate", "check", out).exit_code == 0
    out.write_text(out.read_text().replace('"leaking": 0', '"leaking": 1'))
    changed = invoke("validate", "check", out)
    assert (changed.exit_code, "was changed" in changed.output) == (2, True)


def test_predictions_of_any_tool_are_validated(invoke: Invoke, place: Path) -> None:
    plan = _sample(invoke, place)
    anna, ben = _read(place, "anna.jsonl"), _read(place, "ben.jsonl", missing=1)
    tool = _read(place, "tool.jsonl", missing=2)
    done = invoke("validate", "report", plan, anna, ben, "--predicted", tool, "--json")
    assert done.exit_code == 0, done.output
    content = json.loads(done.stdout)["content"]
    assert content["notes"]["leaking"] == 1
    assert content["readers"] == 2
    assert content["unmarked"]["seen"] == 12
    again = invoke("validate", "report", plan, anna, "--predicted", tool)
    assert "one reader" in again.output


def test_the_file_of_a_review_is_read(invoke: Invoke, place: Path) -> None:
    plan = _sample(invoke, place)
    marked = {d.text: d.spans for d in badge_corpus(12)}
    store = Store.create(place / "s.review", ["ID"])
    store.add(read_corpus(place / "s.jsonl"))
    for name in ("anna", "ben", ADJUDICATED):
        for note in store.notes():
            spans = marked[note.document.text][1 if name == "ben" else 0 :]
            before = store.layers.get(note.number, name).spans
            store.layers.change(note.number, name, Change(before, spans, accepted=True))
    store.close()
    tool = _read(place, "tool.jsonl")
    done = invoke("validate", "report", plan, place / "s.review", "--predicted", tool, "--json")
    assert done.exit_code == 0, done.output
    content = json.loads(done.stdout)["content"]
    assert (content["readers"], content["unmarked"]["seen"]) == (2, 12)
    one = ("--reviewer", "ben", "--json")
    alone = invoke("validate", "report", plan, place / "s.review", "--predicted", tool, *one)
    assert json.loads(alone.stdout)["content"]["recall"][0]["spans"] == 6


def test_a_review_that_showed_proposals_is_refused(invoke: Invoke, place: Path) -> None:
    from multideid.review import Proposal

    plan = _sample(invoke, place)
    store = Store.create(place / "s.review", ["ID"])
    store.add(read_corpus(place / "s.jsonl"))
    first = next(iter(store.notes()))
    store.propose([(first.number, Proposal(badge_corpus(1)[0].spans, (None, None)))])
    for note in store.notes():
        store.layers.accept(note.number, "anna")
    store.close()
    tool = _read(place, "tool.jsonl")
    done = invoke("validate", "report", plan, place / "s.review", "--predicted", tool)
    assert (done.exit_code, "without a model" in done.output) == (2, True)


def test_nothing_is_overwritten_unasked(invoke: Invoke, place: Path) -> None:
    plan = _sample(invoke, place)
    anna = _read(place, "anna.jsonl")
    for path in (plan, anna):
        done = invoke("validate", "report", plan, anna, "--predicted", anna, "--out", path)
        assert done.exit_code == 2
    again = ("validate", "sample", place / "notes.jsonl", "--out", place / "s.jsonl")
    assert "already exists" in invoke(*again).output


def test_a_model_or_predictions_are_needed(invoke: Invoke, place: Path) -> None:
    plan = _sample(invoke, place)
    done = invoke("validate", "report", plan, _read(place, "anna.jsonl"))
    assert (done.exit_code, "--predicted" in done.output) == (2, True)


@pytest.mark.parametrize(
    "option", [("--recall", "maximum"), ("--pass-through",), ("--language-check", "off")]
)
def test_options_of_a_model_are_refused_with_predictions(
    invoke: Invoke, place: Path, option: tuple[str, ...]
) -> None:
    plan = _sample(invoke, place)
    anna = _read(place, "anna.jsonl")
    done = invoke("validate", "report", plan, anna, "--predicted", anna, *option)
    assert done.exit_code == 2
    assert f"{option[0]} has no effect with --predicted" in done.output


def test_a_negative_seed_is_refused(invoke: Invoke, place: Path) -> None:
    gold = place / "notes.jsonl"
    done = invoke("validate", "simulate", gold, "--predicted", gold, "--seed", -1)
    assert (done.exit_code, "--seed" in done.output) == (2, True)


def test_sizes_and_simulations_are_printed(invoke: Invoke, place: Path) -> None:
    assert json.loads(invoke("validate", "size", "--json").stdout)["notes"]["0.01"]["0"] == 299
    gold = place / "notes.jsonl"
    options = ("--notes", 5, "--samples", 20, "--json")
    done = invoke("validate", "simulate", gold, "--predicted", gold, *options)
    assert done.exit_code == 0, done.output
    assert all(row["held"] == 20 for row in json.loads(done.stdout)["coverage"])
