"""Settings for all tests."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from chromium import chromium
from hypothesis import settings

from multideid import samples, stacking
from multideid.document import Document, Span
from multideid.knowledge.link_grammar import problem as link_grammar_problem
from multideid.knowledge.resources import DATA_FOLDER, add_resource
from multideid.models import bundled_models
from multideid.samples import DATA as SHIPPED_NOTES
from multideid.scoring import scorer
from multideid.stacking import Deidentifier, parallel_prediction

# A slow moment of a shared machine is not a failure. Locally each run draws the same examples; CI
# draws other ones, and prints how to repeat a failure. `make thorough` draws many more.
settings.register_profile("steady", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("ci", deadline=None, derandomize=False, max_examples=40, print_blob=True)
settings.register_profile("thorough", deadline=None, derandomize=False, max_examples=1000)
settings.load_profile("ci" if os.environ.get("CI") else "steady")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage in half a million objects of modules and tests, which all stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name bytes by their argument: archives hold the time, so each worker would name its own."""
    return argname if isinstance(val, bytes) else None


@pytest.fixture(scope="session", autouse=True)
def _loops_are_not_compiled_yet() -> Iterator[None]:
    """Let no test depend on whether numba's cache is filled already."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scorer, "_is_compiled", lambda: False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _one_processor() -> Iterator[None]:
    """Let one process be the default, since several take seconds to start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "sched_getaffinity", lambda _: {0}, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _bundled_models_are_loaded_once() -> Iterator[None]:
    """Load each bundled model once in a process, which takes seconds; no test changes one."""
    load_folder, load_once = stacking.load_folder, cache(stacking.load_folder)
    folders = {bundled.folder for bundled in bundled_models()}

    def load(path: Path) -> Deidentifier:
        return load_once(path) if path in folders else load_folder(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stacking, "load_folder", load)
        yield


@pytest.fixture(scope="session", autouse=True)
def _sample_notes_are_read_once() -> Iterator[None]:
    """Read each split of the sample notes once in a process; no test changes a document."""
    read, read_once = samples.read_notes, cache(samples.read_notes)

    def notes(path: Path) -> list[Document]:
        return list(read_once(path)) if path.parent == SHIPPED_NOTES else read(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(samples, "read_notes", notes)
        yield


@pytest.fixture(autouse=True)
def in_this_process(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Predict single batches here, except in tests marked `isolated`: processes take time."""
    if request.node.get_closest_marker("isolated") is None:
        monkeypatch.setattr(parallel_prediction, "_may_have_processes", lambda: False)


@pytest.fixture(scope="session")
def link_grammar() -> None:
    """Skip where the Link Grammar library is not installed; fail where it must be."""
    problem = link_grammar_problem()
    if problem and os.environ.get("MULTIDEID_TEST_LINK_GRAMMAR") == "required":
        pytest.fail(problem)
    if problem:
        pytest.skip(problem)


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the folder of the knowledge sources be an empty one."""
    folder = tmp_path / "data"
    monkeypatch.setenv(DATA_FOLDER, str(folder))
    return folder


@pytest.fixture
def add_mesh(data_folder: Path) -> Callable[..., str]:
    """Return what makes MeSH these headings, each with its tree number; it gives a fingerprint."""

    def add(*headings: tuple[str, str]) -> str:
        rows = [f"D{n}\t{name}\t{tree}\n" for n, (name, tree) in enumerate(headings, 900_001)]
        path = data_folder.with_name("mesh.tsv")
        path.write_text("".join(["mesh_id\tmesh_name\tmesh_tree_number\n", *rows]))
        return add_resource("mesh", [path]).fingerprint

    return add


@pytest.fixture(scope="session")
def notes() -> list[Document]:
    """Return six notes of two lines, each with a name of its own in both."""
    documents = []
    for n, name in enumerate(("Abel", "Baker", "Carter", "Dalton", "Ewing", "Foster")):
        text = f"{name} has heart failure.\nHe was seen by {name} today.\n"
        starts = (0, text.rindex(name))
        spans = tuple(Span(start, start + len(name), "NAME") for start in starts)
        documents.append(Document(f"n{n}", text, spans))
    return documents


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start Chromium without a screen."""
    yield from chromium(tmp_path_factory.mktemp("profile"))
