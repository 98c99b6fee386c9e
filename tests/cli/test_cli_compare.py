"""``multideid compare`` on several corpora."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from multideid.cli.corpus_pairs import corpus_names, corpus_pairs
from multideid.corpora import read_corpus, write_corpus
from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.eval.experiments.specs import MegaSpec, TaggerSpec

OPTIONS = ("--systems", "badge", "--folds", 2, "--jobs", 1)


@pytest.fixture(scope="module")
def pairs(corpus, tmp_path_factory):
    """Return the arguments for two corpora, `ward` and `clinic`, each in two parts."""
    place = tmp_path_factory.mktemp("several")
    arguments = []
    for name in ("ward", "clinic"):
        for option, part in (("--train", "train"), ("--test", "dev")):
            write_corpus(read_corpus(corpus), place / name / f"{part}.jsonl", "jsonl")
            arguments += [option, place / name / f"{part}.jsonl"]
    return arguments


def test_test_documents_that_were_learned_from_are_noted(invoke, corpus, tmp_path) -> None:
    other = [d for d in read_corpus(corpus) if d.id < "n2"]
    new = [Document("m", "Seen by nurse B-7777.", (Span(14, 20, "ID"),))]
    write_corpus([*other, *new], tmp_path / "test.jsonl", "jsonl")
    pair = ("--train", corpus, "--test", tmp_path / "test.jsonl", "--name", "ward")
    figures = json.loads(invoke("compare", *pair, *OPTIONS, "--json").stdout)
    note = "ward: 2 of 3 test documents have the text of a training document, so that"
    assert figures["notes"][0].startswith(note)
    whole = invoke("compare", "--folds-of", corpus, *OPTIONS, "--json").stdout
    assert "text of a training document" not in whole


def test_one_table_shows_every_corpus_and_system_with_details_below(invoke, pairs) -> None:
    result = invoke("compare", *pairs, *OPTIONS)
    assert result.exit_code == 0, result.output
    table, *details = result.stdout.split("\n\n\n")
    assert [row.split()[:2] for row in table.splitlines()[5:] if row] == [
        [name, system]
        for name in ("ward", "clinic")
        for system in ("badge", "vote", "mega", "multi")
    ]
    assert [part.splitlines()[0] for part in details] == ["ward", "clinic"]


def test_json_of_several_corpora_is_that_of_each_by_name(invoke, pairs, tmp_path) -> None:
    kept = ("--save-predictions", tmp_path / "kept")
    asked = ("--tokenization", "whitespace", "--beta", 2, "--json")
    several = json.loads(invoke("compare", *pairs, *OPTIONS, *kept, *asked).stdout)
    alone = json.loads(invoke("compare", *pairs[:4], *OPTIONS, *asked).stdout)
    assert list(several["corpora"]) == ["ward", "clinic"]
    assert several["corpora"]["ward"] == alone
    assert (alone["signature"]["tokenization"], alone["signature"]["beta"]) == ("whitespace", 2)
    assert (tmp_path / "kept" / "clinic" / "multi.jsonl").exists()


def test_predictions_of_corpora_with_like_names_do_not_meet(invoke, pairs, tmp_path) -> None:
    names = ("--name", "v1.0", "--name", "v1_0", "--save-predictions", tmp_path)
    result = invoke("compare", *pairs, *OPTIONS, *names)
    assert result.exit_code == 0, result.output
    assert sorted(p.name for p in tmp_path.iterdir()) == ["1 v1_0", "2 v1_0"]
    assert all((folder / "multi.jsonl").exists() for folder in tmp_path.iterdir())


def test_parameters_reach_the_systems_and_the_signature(invoke, pairs) -> None:
    asked = ("compare", *pairs[:4], "--systems", "majority,badge", *OPTIONS[2:])
    params = ("--param", "majority.min_count=99", "--json")
    bare, other = (json.loads(invoke(*asked, *more).stdout) for more in (("--json",), params))
    assert other["signature"]["params"] == {"majority": {"min_count": 99}}
    assert "parameters majority.min_count=99; " in other["signature"]["line"]
    assert bare["signature"]["params"] == {}
    spans = [x["systems"]["majority"]["spans"] for x in (bare, other)]
    assert spans[0] != spans[1]


def test_version_of_mesh_is_reported(invoke, pairs, add_mesh) -> None:
    fingerprint = add_mesh(("Heart Failure", "C14.280"))
    asked = ("--systems", "stat-deid", *OPTIONS[2:], "--param", "mesh=true", "--json")
    signature = json.loads(invoke("compare", *pairs[:4], *asked).stdout)["signature"]
    assert signature["knowledge"] == {"mesh": fingerprint}
    assert f"; knowledge mesh {fingerprint}; " in signature["line"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--train", "third"), "--train is given 3 times and --test 2 times"),
        (("--name", "one"), "--name is given 1 times for 2 corpora"),
        (("--name", "one", "--name", "one"), "names of --name must not be empty"),
        (("--beta", "0"), "beta is 0.0"),
        (("--tokenization", "words"), "choose from multideid, whitespace"),
        (("--param", "mist.learning_rate=1"), "system 'mist' is not used; used are badge"),
        (("--param", "size=1"), "system 'badge' has no parameter 'size'"),
    ],
)
def test_invalid_options_are_refused_before_training(invoke, pairs, more, message) -> None:
    result = invoke("compare", *pairs, *OPTIONS, *more)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_names_come_in_the_order_of_the_pairs() -> None:
    paths = [Path("a.xml"), Path("b.xml")]
    assert [p.name for p in corpus_pairs(paths, paths, ["x", "y"])] == ["x", "y"]
    with pytest.raises(UsageError, match="must not be empty"):
        corpus_pairs(paths, paths, ["x", " "])


@pytest.mark.parametrize(
    ("train", "test", "names"),
    [
        ("a/train b/train", "a/dev b/dev", ["a", "b"]),
        ("c/a c/b", "c/x.xml c/y.xml", ["x", "y"]),
        ("c/a c/b", "c/x.csv c/x.jsonl", ["x.csv", "x.jsonl"]),
        ("c/a c/b", "c/en-1.0 c/en-1.1", ["en-1.0", "en-1.1"]),
        ("c/a c/b", "c/x c/x", ["a to x", "b to x"]),
        ("c/a c/a", "c/x c/x", ["a to x (1)", "a to x (2)"]),
    ],
)
def test_corpora_are_named_by_the_differing_part_of_their_paths(
    train: str, test: str, names: list[str]
) -> None:
    assert corpus_names(*([Path(p) for p in part.split()] for part in (train, test))) == names


def test_comparison_resumes_and_experiments_share_its_fits(
    invoke, pairs, tmp_path, monkeypatch
) -> None:
    asked = (*pairs[:4], *OPTIONS, "--out", tmp_path / "out")
    first = invoke("compare", *asked)
    assert first.exit_code == 0, first.output
    assert (tmp_path / "out" / "compare.txt").read_text() == first.stdout
    assert json.loads((tmp_path / "out" / "compare.json").read_text())["candidate"] == "multi"
    for spec in (TaggerSpec, MegaSpec):
        monkeypatch.setattr(spec, "run", lambda *_: pytest.fail("fitted again"))
    again = invoke("compare", *asked, "--report", tmp_path / "page.html")
    assert again.stdout == first.stdout
    assert invoke("experiment", "ambiguity", *asked).exit_code == 0
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert ">Trust</h2>" in page
    assert "Multi&#39;s precision over recall: ward" in page


def test_results_are_not_saved_inside_a_corpus(invoke, pairs, corpus) -> None:
    ran = invoke("compare", "--train", corpus, "--test", corpus, *OPTIONS, "--out", corpus / "out")
    assert (ran.exit_code, (corpus / "out").exists()) == (2, False)


def test_a_corpus_without_test_documents_is_cross_validated(invoke, pairs, tmp_path) -> None:
    kept = ("--save-predictions", tmp_path / "kept", "--report", tmp_path / "r.html")
    result = invoke("compare", "--folds-of", pairs[1], *OPTIONS, *kept, "--json")
    assert result.exit_code == 0, result.output
    figures = json.loads(result.stdout)
    assert figures["signature"]["documents"] == 6
    assert list(figures["systems"]) == ["badge", "vote", "mega", "multi"]
    assert list(figures["misaligned_spans"]) == ["train"]
    assert len(read_corpus(tmp_path / "kept" / "multi.jsonl")) == 6


@pytest.mark.parametrize("more", [(), ("--train", "a", "--folds-of", "b")])
def test_corpora_are_given_in_one_way(invoke, more) -> None:
    result = invoke("compare", *more)
    assert result.exit_code == 2
    assert "by --train and --test, or by --folds-of" in result.stderr


def test_groups_must_be_in_meta(invoke, pairs) -> None:
    result = invoke("compare", *pairs[:4], *OPTIONS, "--groups", "ward")
    assert result.exit_code == 2
    assert "has no 'ward' in meta" in result.stderr
