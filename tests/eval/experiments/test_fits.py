"""Fits are made once and kept without text, and interrupted runs resume."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from pickle import dumps, loads
from types import MappingProxyType

import pytest
from compared_systems import compare_systems

from multideid import parallel as processes
from multideid.document import Span
from multideid.errors import UsageError
from multideid.eval.experiments import FolderStore, MemoryStore, Setup
from multideid.eval.experiments.corpora import Data
from multideid.eval.experiments.fits import run_fits
from multideid.eval.experiments.kernels import KernelSpec
from multideid.eval.experiments.plan import JobPlan
from multideid.eval.experiments.setup import ENSEMBLES
from multideid.eval.experiments.specs import MegaSpec, TaggerSpec
from multideid.eval.experiments.store import digest_of
from multideid.eval.experiments.system_costs import SpeedSpec
from multideid.taggers.registry import make_system

NAMES = ("dates", "titles", *ENSEMBLES)
CHEAP = ("titles", "small")
FITS_OF_ALL = 7
"""Two systems on everything and without each of two folds, and Mega."""


class Threads(ThreadPoolExecutor):
    """Replaces processes, which take seconds to start."""

    def shutdown(self, *, kill_workers: bool = False) -> None:  # type: ignore[override]
        super().shutdown(wait=not kill_workers)


def _plan(corpus, setup) -> JobPlan:
    return JobPlan.of(Data.of(corpus.train, corpus.test), setup)


def test_predictions_are_those_of_the_deidentifiers(corpus) -> None:
    setup = Setup(CHEAP, folds=2, n_jobs=1)
    names = (*CHEAP, *ENSEMBLES)
    alone = compare_systems(corpus.train, corpus.test, CHEAP)
    assert _plan(corpus, setup).predictions(names) == {name: alone[name] for name in names}


def test_what_is_learned_does_not_depend_on_what_it_is_measured_on(corpus, other) -> None:
    setup = Setup(CHEAP, folds=2, n_jobs=1)
    both = Data.of(corpus.train, other.test, corpus.test)
    last = both.test[len(other.test) :]
    with_others = JobPlan(both, both.train, last, setup).predictions(["small"])
    assert with_others == _plan(corpus, setup).predictions(["small"])


def test_each_fit_is_made_once_whoever_needs_it(corpus, setup, fitted) -> None:
    plan = _plan(corpus, setup)
    run_fits(plan.fits(NAMES), setup)
    assert len(fitted) == FITS_OF_ALL
    plan.predictions(NAMES)
    run_fits(plan.fits(NAMES), setup)
    assert len(fitted) == FITS_OF_ALL


def test_interrupted_run_resumes(corpus, setup, fitted, tmp_path) -> None:
    def stop(done: int, total: int, what: str) -> None:
        if done == 3:
            raise KeyboardInterrupt

    killed = replace(setup, store=FolderStore(tmp_path), progress=stop)
    with pytest.raises(KeyboardInterrupt):
        run_fits(_plan(corpus, killed).fits(NAMES), killed)
    assert len(fitted) == 3
    again = replace(setup, store=FolderStore(tmp_path))
    run_fits(_plan(corpus, again).fits(NAMES), again)
    assert len(fitted) == FITS_OF_ALL
    kept = _plan(corpus, again).predictions(NAMES)
    assert kept == _plan(corpus, setup).predictions(NAMES)


def test_several_fits_at_once_give_what_one_after_another_gives(corpus, setup, monkeypatch) -> None:
    two = replace(setup, n_jobs=2, store=MemoryStore())
    monkeypatch.setattr(processes, "_clean_executor", Threads)
    run_fits(_plan(corpus, two).fits(["multi"]), two)
    assert _plan(corpus, two).predictions(["multi"]) == _plan(corpus, setup).predictions(["multi"])


def test_fit_is_made_again_where_anything_differs_that_it_depends_on(corpus, other, setup) -> None:
    plan = _plan(corpus, setup)
    fewer = JobPlan(plan.data, plan.train[1:], plan.held, setup)
    relabelled = replace(corpus, train=(corpus.train[0].with_spans([]), *corpus.train[1:]))
    keys = [
        plan.base("dates").key,
        plan.base("titles").key,
        plan.folds_of("dates")[0].key,
        fewer.base("dates").key,
        _plan(relabelled, setup).base("dates").key,
        _plan(replace(corpus, test=other.test), setup).base("dates").key,
    ]
    assert len(set(keys)) == len(keys)
    assert _plan(corpus, setup).base("dates").key == keys[0]


def test_other_parameters_are_other_fits_and_defaults_are_the_same(corpus, setup) -> None:
    data = Data.of(corpus.train, corpus.test)
    bare, default, other = (
        JobPlan.of(data, Setup(CHEAP, folds=2, params={"small": params}))
        for params in ({}, {"min_count": 2}, {"min_count": 1})
    )
    for name in ("small", "mega", "multi"):
        keys, same, changed = ([fit.key for fit in p.fits([name])] for p in (bare, default, other))
        assert keys == same
        assert (keys[-1] != changed[-1], len(keys)) == (True, len(changed))
    assert bare.base("titles").key == other.base("titles").key


SPECS = (
    TaggerSpec,
    lambda tagger: MegaSpec({tagger.name: tagger.get_params()}),
    SpeedSpec,
    lambda tagger: KernelSpec(tagger, "linear", 1.0),
)


@pytest.mark.parametrize("spec", SPECS)
def test_other_versions_of_knowledge_are_other_fits(add_mesh, spec) -> None:
    tagger = make_system("stat-deid", mesh=True)
    keys = []
    for heading in ("Heart Failure", "Cardiac Failure", "Heart Failure"):
        add_mesh((heading, "C14.280"))
        keys.append(digest_of(spec=spec(tagger).key()))
    assert keys[0] != keys[1]
    assert keys[0] == keys[2]


def test_ensembles_of_systems_with_parameters_are_those_of_the_deidentifiers(corpus) -> None:
    params = {"small": {"min_count": 4}}
    setup = Setup(CHEAP, folds=2, n_jobs=1, params=params)
    systems = {"titles": {}, **params}
    alone = compare_systems(corpus.train, corpus.test, systems)
    names = (*CHEAP, *ENSEMBLES)
    assert _plan(corpus, setup).predictions(names) == {name: alone[name] for name in names}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"smal": {}}, "no system 'smal'"),
        ({"small": {"size": 1}}, "no parameter 'size'"),
        ({"small": {"c": "much"}}, "c must be a number"),
    ],
)
def test_parameters_are_checked_before_anything_is_fitted(params, message) -> None:
    with pytest.raises(UsageError, match=message):
        Setup(CHEAP, params=params)


def test_parameters_of_any_mapping_can_be_sent_to_processes() -> None:
    setup = Setup(CHEAP, params=MappingProxyType({"small": MappingProxyType({"c": 1.0})}))
    spec = MegaSpec(setup.with_params(CHEAP))
    assert loads(dumps(spec)) == spec


def test_setup_with_parameters_can_be_hashed() -> None:
    one = Setup(CHEAP, params={"small": {"c": 1.0}})
    assert {one, replace(one)} == {one}


def test_fit_is_made_again_after_its_file_was_damaged(corpus, setup, fitted, tmp_path) -> None:
    stored = replace(setup, store=FolderStore(tmp_path))
    run_fits(_plan(corpus, stored).fits(["dates"]), stored)
    (file,) = tmp_path.glob("*.npz")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    run_fits(_plan(corpus, stored).fits(["dates"]), stored)
    assert fitted == ["dates", "dates"]


def test_what_is_kept_holds_no_text(corpus, setup, tmp_path: Path) -> None:
    stored = replace(setup, store=FolderStore(tmp_path))
    _plan(corpus, stored).predictions(NAMES)
    kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    texts = {d.span_text(s) for d in corpus.test for s in d.spans if _is_long(s)}
    assert texts
    assert [t for t in texts if t.encode() in kept] == []
    assert b"pickle" not in kept


def _is_long(span: Span) -> bool:
    return span.end - span.start > 5


def test_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="file"):
        FolderStore(tmp_path / "file" / "fits")


def test_tagger_of_the_spec_learns_nothing_that_would_stay(corpus, setup) -> None:
    data = Data.of(corpus.train, corpus.test)
    spec = TaggerSpec(make_system("dates"))
    spec.run(*data.part(data.train), data.tokens.select(data.test))
    assert not hasattr(spec.tagger, "labels_")


def test_fit_depends_on_the_code_of_a_plugin(corpus, setup, monkeypatch, tmp_path) -> None:
    before = _plan(corpus, setup).base("dates").key
    changed = tmp_path / "plugins.py"
    changed.write_text("# another version\n")
    monkeypatch.setattr("inspect.getsourcefile", lambda _: str(changed))
    assert _plan(corpus, setup).base("dates").key != before
