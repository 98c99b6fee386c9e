"""Every experiment as a command: pairs of corpora, results that are kept, runs gone on with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import pytest

from multideid.eval.experiments import (
    EXPERIMENTS,
    Corpus,
    Option,
    Record,
    Result,
    Setup,
    experiment,
)
from multideid.eval.experiments.specs import TaggerSpec
from multideid.tables import Column, Table

COMMANDS = list(EXPERIMENTS)
OWN = {
    "ablation": ["--of", "multi"],
    "active-learning": ["--start", 2, "--steps", 2, "--draws", 1],
    "cross-validation": ["--resamples", 10],
    "features": ["--top", 1],
    "greedy-features": ["--of", "majority"],
    "iterative-learning": ["--param", "szarvas.rounds=1"],
    "kernels": ["--documents", 1],
    "learning-curve": ["--of", "badge", "--draws", 1],
    "systems": ["--add", "majority", "--resamples", 10],
}
DEFAULT_OF = {"features": "stat-deid", "iterative-learning": "szarvas,tree", "kernels": "stat-deid"}


def _run(invoke, corpus: Path, name: str, *more: object, times: int = 1):
    pairs = ["--train", corpus, "--test", corpus] * times
    # What a test gives is instead of the same option here.
    own = [*([] if {*more} & {*OWN.get(name, [])} else OWN.get(name, [])), *more]
    # Where --of names base systems alone, --systems would be refused.
    chosen = own[own.index("--of") + 1] if "--of" in own else DEFAULT_OF.get(name, "multi")
    systems = ["--systems", "badge"] if chosen in ("mega", "multi") else []
    return invoke("experiment", name, *pairs, *systems, "--folds", 2, "--jobs", 1, *own)


def test_there_is_a_command_for_every_experiment(invoke) -> None:
    listed = invoke("experiment", "--help").output
    assert [name for name in COMMANDS if f" {name} " not in listed] == []


def test_registered_experiment_becomes_a_command(invoke, corpus) -> None:
    def counts(
        corpora: Sequence[Corpus],
        setup: Setup,
        *,
        labels: Annotated[Sequence[str], Option("Labels to count.", "LIST", "--of")] = ("ID",),
        times: Annotated[int, Option("A factor.")] = 1,
    ) -> Result:
        """Count spans.

        In the test documents.
        """
        spans = [span for c in corpora for d in c.test for span in d.spans]
        n = times * sum(span.label in labels for span in spans)
        table = Table.of(
            "Spans",
            [Column("labels", "labels"), Column("n", "n")],
            rows := [Record(labels="+".join(labels), n=n)],
        )
        return Result("counts", {"rows": rows}, [table], [])

    experiment("counts", topic="corpora")(counts)
    try:
        ran = _run(invoke, corpus, "counts", "--of", "ID,X", "--times", 10)
        shown = invoke("experiment", "counts", "--help").output
    finally:
        del EXPERIMENTS["counts"]
    assert ran.stdout == "Spans\n\nlabels    n\nID+X    120\n\n\n"
    assert "Count spans." in shown
    assert "--times" in shown


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_the_experiments_own_options_and_the_shared_ones(invoke, name) -> None:
    shown = invoke("experiment", name, "--help").output
    assert f"multideid experiment {name} --train" in shown
    wanted = ["--train", "--test", "--systems", "--out", "--json", "--seed", "--jobs"]
    own = [option for option in OWN.get(name, []) if str(option).startswith("--")]
    assert [option for option in [*wanted, *own] if option not in shown] == []


def test_an_option_of_an_experiment_that_is_given_twice_is_refused(invoke, corpus) -> None:
    result = _run(invoke, corpus, "ambiguity", "--seed", 1, "--seed", 2)
    assert result.exit_code == 2
    assert "--seed is given 2 times" in result.stderr


def test_a_negative_seed_is_refused(invoke, corpus) -> None:
    result = _run(invoke, corpus, "ambiguity", "--seed", -1)
    assert result.exit_code == 2
    assert "--seed" in result.stderr


@pytest.mark.end_to_end
@pytest.mark.parametrize("name", COMMANDS)
def test_experiment_prints_json_and_keeps_it(invoke, corpus, tmp_path, name) -> None:
    ran = _run(invoke, corpus, name, "--json", "--out", tmp_path / "out")
    assert ran.exit_code == 0, ran.output
    figures = json.loads(ran.stdout)
    assert figures["experiment"] == name
    assert json.loads((tmp_path / "out" / f"{name}.json").read_text()) == figures
    assert figures["sources"][0]["line"] in (tmp_path / "out" / f"{name}.txt").read_text()


def test_run_is_gone_on_with_and_fits_are_shared(invoke, corpus, tmp_path, monkeypatch) -> None:
    first = _run(invoke, corpus, "ambiguity", "--out", tmp_path / "out")
    monkeypatch.setattr(TaggerSpec, "run", lambda *_: pytest.fail("fitted again"))
    again = _run(invoke, corpus, "ambiguity", "--out", tmp_path / "out")
    assert again.stdout == first.stdout
    other = _run(invoke, corpus, "out-of-dictionary", "--out", tmp_path / "out")
    assert other.exit_code == 0, other.output


def test_parameters_are_reported_and_changed_ones_are_refitted(invoke, corpus, tmp_path) -> None:
    options = ("--of", "majority", "--json", "--out", tmp_path)
    bare, default, other = (
        json.loads(_run(invoke, corpus, "learning-curve", *options, *more).stdout)
        for more in ((), ("--param", "min_count=1"), ("--param", "majority.min_count=99"))
    )
    (source,) = other["sources"]
    assert source["signature"]["params"] == {"majority": {"min_count": 99}}
    assert "; parameters majority.min_count=99; " in source["line"]
    assert default["points"] == bare["points"]
    whole, without = (x["points"][-1]["scores"]["token_f"]["estimate"] for x in (bare, other))
    assert (whole > 0.5, without) == (True, 0)


@pytest.mark.parametrize("name", COMMANDS)
def test_parameters_are_of_systems_that_the_experiment_uses(invoke, corpus, tmp_path, name) -> None:
    out = tmp_path / "out"
    ran = _run(invoke, corpus, name, "--param", "mist.learning_rate=1", "--out", out)
    used = {
        "features": "stat-deid",
        "greedy-features": "majority",
        "iterative-learning": "szarvas, tree",
        "kernels": "stat-deid",
        "systems": "badge, majority",
    }
    told = f"system 'mist' is not used; used are {used.get(name, 'badge')}"
    assert (ran.exit_code, ran.stdout, out.exists()) == (2, "", False)
    assert ran.stderr.strip().endswith(f"--param mist.learning_rate=1: {told}")


@pytest.mark.parametrize("name", ["features", "kernels"])
def test_parameter_without_a_part_in_the_figures_is_refused(invoke, corpus, name) -> None:
    ran = _run(invoke, corpus, name, "--param", "c=0.3")
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert "system 'stat-deid': c has no effect on these figures" in ran.stderr


@pytest.mark.parametrize(
    ("name", "more", "told"),
    [
        ("learning-curve", [], "learning-curve measures stat-deid; choose others with --of"),
        ("learning-curve", ["--of", "badge"], "learning-curve measures badge; choose"),
        ("greedy-features", [], "greedy-features measures szarvas; choose others with --of"),
        ("features", [], "features measures stat-deid; choose others with --of"),
        ("ambiguity", ["--of", "badge,majority"], "ambiguity measures badge, majority; choose"),
        ("iterative-learning", [], "iterative-learning measures szarvas, tree\n"),
        ("kernels", [], "kernels measures stat-deid\n"),
        ("kernels", ["--systems", "nobody"], "there is no system 'nobody'"),
        ("ambiguity", ["--of", "nobody"], "there is no system 'nobody'"),
    ],
)
def test_systems_without_a_part_in_the_figures_are_refused(
    invoke, corpus, name, more, told
) -> None:
    systems = [] if "--systems" in more else ["--systems", "badge,mimic"]
    ran = invoke("experiment", name, "--train", corpus, "--test", corpus, *systems, *more)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert told in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_systems_of_measured_ensembles_are_accepted(invoke, corpus) -> None:
    options = ["--of", "mimic,vote", "--systems", "badge", "--jobs", 1]
    ran = invoke("experiment", "ambiguity", "--train", corpus, "--test", corpus, *options)
    assert ran.exit_code == 0, ran.output


def test_several_corpora_share_one_table(invoke, corpus) -> None:
    ran = _run(invoke, corpus, "ambiguity", "--name", "one", "--name", "two", times=2)
    assert ran.exit_code == 0, ran.output
    assert "one     badge" in ran.stdout
    assert "two     badge" in ran.stdout


def test_values_of_features_are_printed_only_on_demand(invoke, corpus) -> None:
    assert "X-dddd" not in _run(invoke, corpus, "features", "--top", 40).stdout
    assert "X-dddd" in _run(invoke, corpus, "features", "--top", 40, "--show-phi").stdout


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (["--train", "elsewhere"], "--train is given 2 times"),
        (["--name", "a", "--name", "b"], "--name is given 2 times"),
        (["--of", "nobody"], "'nobody'"),
        (["--tokenization", "words"], "'words'"),
        (["--seed", 2**32], "seed"),
        (["--param", "size=1"], "system 'badge' has no parameter 'size'"),
        (["--of", "majority", "--param", "majority.min_count=x"], "must be a whole number"),
        (["--of", "majority", "--param", "badge.size=1"], "used are majority"),
    ],
)
def test_wrong_use_is_one_line(invoke, corpus, more, told) -> None:
    ran = _run(invoke, corpus, "ambiguity", *more)
    assert ran.exit_code == 2
    assert told in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_a_system_that_is_named_twice_is_refused(invoke, corpus) -> None:
    pairs = ("--train", corpus, "--test", corpus)
    ran = invoke("experiment", "ambiguity", *pairs, "--systems", "badge,badge")
    assert ran.exit_code == 2
    assert "twice: badge" in ran.stderr
    assert ran.stderr.count("\n") == 1


def test_results_are_not_kept_inside_a_corpus(invoke, corpus) -> None:
    ran = _run(invoke, corpus, "ambiguity", "--out", corpus / "out")
    assert ran.exit_code == 2
    assert not (corpus / "out").exists()


def test_shares_that_are_not_numbers_are_refused(invoke, corpus) -> None:
    ran = _run(invoke, corpus, "operating-points", "--recall", "high")
    assert (ran.exit_code, "0.9,0.99" in ran.stderr) == (2, True)
