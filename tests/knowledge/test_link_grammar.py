"""The Link Grammar parser: linkages, limits, and the child process."""

from __future__ import annotations

import gc
import os
import signal
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from multideid.errors import UsageError
from multideid.knowledge.link_grammar import Linkage, parse, parser, problem, version

FIGURE = "John, who had hernia, was admitted yesterday."
needs_library = pytest.mark.usefixtures("link_grammar")


@pytest.fixture
def forgotten() -> None:
    """Begin with nothing kept."""
    parser._answer.cache_clear()


@pytest.fixture
def isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the running process alone, and begin as if there were none."""
    monkeypatch.setattr(parser, "_CHILDREN", [])
    parser._answer.cache_clear()


def linked(linkage: Linkage) -> set[tuple[str, str, str]]:
    words = [word.text for word in linkage.words]
    return {(words[link.left], link.label, words[link.right]) for link in linkage.links}


@needs_library
def test_the_sentence_of_the_thesis_is_linked_as_in_its_figure() -> None:
    linkage = parse(FIGURE)
    assert linkage is not None
    found = linked(linkage)
    assert ("John.m", "Ss*s", "was.v-d") in found
    assert ("was.v-d", "Pvf", "admitted.v-d") in found


@needs_library
def test_links_do_not_cross() -> None:
    linkage = parse(FIGURE)
    assert linkage is not None
    spans = [(link.left, link.right) for link in linkage.links]
    assert [(a, b) for a in spans for b in spans if a[0] < b[0] < a[1] < b[1]] == []


@needs_library
def test_word_offsets_match_the_sentence() -> None:
    sentence = "Dr. Müller \U0001f600 saw\tZoë\x00 in São Paulo."
    linkage = parse(sentence)
    assert linkage is not None
    for start, end, text in linkage.words:
        written = sentence[start:end]
        assert text.endswith("-WALL") or written.lower() in text.lower()


@needs_library
def test_sentences_of_over_fifty_words_are_not_parsed() -> None:
    assert parse("He saw " + "dogs and " * 10 + "him.") is not None
    assert parse("He saw " + "dogs, cats and " * 12 + "him.") is None
    assert parse("word " * 51) is None


@needs_library
@pytest.mark.parametrize("sentence", ["", " ", "\n\t", "\x00", "a" * 5000])
def test_other_text_than_a_sentence_has_no_linkage(sentence: str) -> None:
    assert parse(sentence) is None


@needs_library
@settings(max_examples=60)
@given(
    st.text(st.sampled_from("ab A.,;:()[]'\"/-1\\\n\u00e9\u0301\U0001f600\ud800%&"), max_size=40)
)
def test_any_text_can_be_asked_for(text: str) -> None:
    linkage = parse(text)
    for start, end, _ in linkage.words if linkage else ():
        assert 0 <= start <= end <= len(text)


@needs_library
def test_the_same_sentence_is_parsed_once(forgotten: None) -> None:
    assert parse(FIGURE) == parse(FIGURE)
    assert parser._answer.cache_info().misses == 1
    assert parser._answer.cache_info().maxsize == parser._MAX_CACHED


@needs_library
def test_a_process_that_hangs_or_dies_costs_one_sentence(
    forgotten: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert parse("He was seen.") is not None
    os.kill(parser._CHILDREN[0]._process.pid, signal.SIGSTOP)
    monkeypatch.setattr(parser, "_TIMEOUT", 0.01)
    assert parse("She was seen.") is None
    monkeypatch.undo()
    assert parse("It was seen.") is not None
    parser._CHILDREN[0]._process.kill()
    assert parse("We were seen.") is None
    assert parse("They were seen.") is not None


@needs_library
def test_threads_get_the_answers_to_their_own_sentences(forgotten: None) -> None:
    sentences = [f"He was seen {n} times." for n in range(20)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(parse, sentences))
    assert all(linkage is not None for linkage in found)
    numbers = [{w.text for w in linkage.words} for linkage in found if linkage]
    assert [str(n) in words for n, words in enumerate(numbers)] == [True] * 20


@needs_library
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_starts_its_own_parser(forgotten: None) -> None:
    assert parse("He was seen.") is not None
    with warnings.catch_warnings():
        # Newer Pythons warn of forks where there are threads.
        warnings.simplefilter("ignore")
        forked = os.fork()
    if not forked:
        right = not parser._CHILDREN and parse("It was seen.") is not None
        parser._end_all()
        os._exit(0 if right else 1)
    assert os.waitpid(forked, 0)[1] == 0
    assert parse("She was seen.") is not None


@needs_library
def test_nothing_is_printed_and_nothing_left_open(
    forgotten: None, capfd: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        parse("Quoth [[ ''he )) :: unparseable ~~ ~~ the the the the.")
        parser._end_all()
        gc.collect()
    assert capfd.readouterr() == ("", "")
    assert [w for w in caught if w.category is ResourceWarning] == []


@needs_library
def test_the_version_is_reported() -> None:
    assert version().startswith("5.")
    assert problem() is None


def test_the_error_without_the_library_says_how_to_install_it(
    isolated: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    without = tmp_path / "child.py"
    without.write_text('print(\'{"problem": "the library is not installed"}\')', "ascii")
    monkeypatch.setattr(parser, "_CHILD", without)
    message = problem()
    assert message is not None
    assert "not installed" in message
    assert "apt install link-grammar" in message
    assert "\n" not in message
    with pytest.raises(UsageError, match="apt install"):
        parse("This sentence is not parsed.")


def test_a_failing_start_of_the_process_is_reported(
    isolated: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(parser, "_CHILD", tmp_path / "not there.py")
    assert "ends at once" in (problem() or "")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "no python"))
    assert "Link Grammar cannot be used" in (problem() or "")
