"""The tutorial shows the corpus that its first command writes."""

from __future__ import annotations

from pathlib import Path

from multideid import write_corpus
from multideid.cli.output import count_labels, count_misaligned, labels_table
from multideid.samples import sample_corpus

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial" / "index.md"


def test_the_first_step_shows_the_corpus_that_the_command_writes(tmp_path: Path) -> None:
    page = TUTORIAL.read_text(encoding="utf-8")
    corpus = sample_corpus(60)
    write_corpus(corpus, tmp_path / "corpus", "brat")
    assert labels_table(count_labels(corpus)) in page
    total = sum(len(document.spans) for document in corpus)
    assert f"{count_misaligned(corpus, tmp_path)} of {total} gold spans" in page
    for command, lines, suffix in (("head -3", 3, "txt"), ("head -4", 4, "ann")):
        shown = page.partition(f"$ {command} ")[2].partition("\n$ ")[0].partition("\n```")[0]
        name, _, text = shown.partition("\n")
        written = (tmp_path / name).read_text(encoding="utf-8").split("\n")[:lines]
        assert name.endswith(suffix)
        assert text.split("\n") == [line.rstrip() for line in written]
