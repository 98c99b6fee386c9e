"""``multideid validate read``: from the notes to the report by one command."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from typer.testing import Result

from multideid.corpora import write_corpus
from multideid.document import Document, Span
from multideid.review import Change, Proposal, Store
from multideid.review.reading import MODEL

Invoke = Callable[..., Result]
DESK = "multideid.cli.validation_read.open_desk"


def badges(n: int) -> Document:
    """Return a note with two badge numbers."""
    text = f"Seen by nurse B-{1000 + n} at noon.\nBadge: B-{2000 + n}\n"
    return Document(f"n{n}", text, (Span(14, 20, "ID"), Span(36, 42, "ID")))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    write_corpus([badges(n) for n in range(12)], tmp_path / "notes.jsonl", "jsonl")
    return tmp_path / "notes.jsonl"


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], list[list[str]]]:
    """Let somebody read so many notes, in place of a page, and close the desk by Ctrl + C."""

    def let(most: int) -> list[list[str]]:
        seen: list[list[str]] = []

        def desk(
            store: Store, readers: Sequence[str], port: int, notice: Callable[[], str]
        ) -> None:
            assert store.fact(MODEL) is None
            assert all(note.proposal is None for note in store.notes())
            assert not notice()
            seen.append([note.document.id for note in store.notes()])
            for reader in readers:
                for note in list(store.notes())[:most]:
                    if not store.layers.get(note.number, reader).accepted:
                        spans = badges(int(note.document.id[1:])).spans
                        store.layers.change(note.number, reader, Change((), spans, True))
            assert bool(notice()) == (most >= 6)
            raise KeyboardInterrupt

        monkeypatch.setattr(DESK, desk)
        return seen

    return let


def test_one_command_draws_has_notes_read_and_reports(
    invoke: Invoke, notes: Path, model: Path, reading: Callable[[int], list[list[str]]]
) -> None:
    page, out = notes.with_name("page.html"), notes.with_name("r.json")
    command = ("validate", "read", notes, "--notes", 6, "--reviewer", "anna", "--reviewer", "ben")
    options = ("--model", model, "--report", page, "--out", out, "--language-check", "off")
    seen = reading(2)
    stopped = invoke(*command, *options)
    assert (stopped.exit_code, out.exists()) == (0, False)
    assert "anna has accepted 2 of 6 notes, ben has accepted 2 of 6 notes" in stopped.output
    more = reading(6)
    done = invoke(*command, *options)
    assert done.exit_code == 0, done.output
    assert more == seen
    assert "0 of 6 notes leak" in done.output
    content = json.loads(out.read_text())["content"]
    assert (content["readers"], content["unmarked"]["seen"]) == (2, 12)
    assert json.loads(out.read_text())["sha256"] in page.read_text()
    assert "B-10" not in done.output + stopped.output + page.read_text() + out.read_text()


def test_the_sample_is_drawn_once(
    invoke: Invoke, notes: Path, model: Path, reading: Callable[[int], list[list[str]]]
) -> None:
    reading(0)
    command = ("validate", "read", notes, "--model", model)
    assert invoke(*command, "--notes", 6).exit_code == 0
    other = invoke(*command, "--notes", 7)
    assert (other.exit_code, "is drawn, with --notes 6" in other.output) == (2, True)
    place = notes.with_name("notes.jsonl.validation")
    for path in (place, place.with_name(f"{place.name}.plan.json")):
        assert path.stat().st_mode & 0o77 == 0
    # The review can be made again from the plan, unless notes have changed.
    place.unlink()
    assert invoke(*command).exit_code == 0
    place.unlink()
    write_corpus([Document("n0", "other")], notes, "jsonl", overwrite=True)
    changed = invoke(*command)
    assert (changed.exit_code, "missing or were changed" in changed.output) == (2, True)


def test_readers_who_saw_a_model_are_refused(
    invoke: Invoke, notes: Path, model: Path, reading: Callable[[int], list[list[str]]]
) -> None:
    reading(0)
    command = ("validate", "read", notes, "--model", model, "--notes", 6)
    assert invoke(*command).exit_code == 0
    store = Store(notes.with_name("notes.jsonl.validation"))
    store.propose([(1, Proposal(badges(1).spans, (None, None)))])
    store.close()
    refused = invoke(*command)
    assert (refused.exit_code, "without a model" in refused.output) == (2, True)


def test_wrong_use_is_told_before_anything_is_drawn(
    invoke: Invoke, notes: Path, model: Path
) -> None:
    three = [value for name in "abc" for value in ("--reviewer", name)]
    for wrong, problem in (
        (("--model", model, *three), "one or two readers"),
        ((), "--predicted"),
        (("--model", model, "--out", notes), "notes"),
    ):
        done = invoke("validate", "read", notes, *wrong)
        assert (done.exit_code, problem in done.output) == (2, True)
    assert not notes.with_name("notes.jsonl.validation.plan.json").exists()
