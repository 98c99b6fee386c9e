"""Spark on a real standalone cluster: a master and two workers, processes of their own."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from spark_cluster import Cluster
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.models import load
from multideid.redact import Key
from multideid.stacking import Deidentifier, SingleDeidentifier

REQUIRED = os.environ.get("MULTIDEID_TEST_SPARK") == "required"
if not REQUIRED:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("no Java; MULTIDEID_TEST_SPARK=required demands it", allow_module_level=True)

from pyspark.sql import DataFrame, SparkSession  # noqa: E402

from multideid.integrations.spark import deidentify  # noqa: E402

pytestmark = pytest.mark.end_to_end

MANY = int(os.environ.get("MULTIDEID_TEST_NOTES", "100000"))
"""Notes whose time is measured."""
NOTE = "Seen by Dr. Alder on 3/14/2007."
CLEAN = "Seen by Dr. [DOCTOR] on [DATE]."


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("spark")) as running:
        yield running


@pytest.fixture(scope="module")
def workers(cluster: Cluster) -> list[subprocess.Popen[bytes]]:
    return [cluster.start_worker(), cluster.start_worker()]


@pytest.fixture(scope="module")
def spark(cluster: Cluster, workers: object) -> Iterator[SparkSession]:
    session = cluster.session(2)
    yield session
    session.stop()


@pytest.fixture(scope="module")
def model() -> Deidentifier:
    return SingleDeidentifier("mimic").fit(sample_corpus(6, seed=9))


@pytest.fixture
def frame(spark: SparkSession) -> DataFrame:
    rows = [(n, "p1" if n % 2 else "p2", NOTE if n % 3 else None) for n in range(12)]
    return spark.createDataFrame(rows, "n int, mrn string, note string").repartition(4)


def test_a_model_is_broadcast_and_every_note_comes_back_once(
    frame: DataFrame, model: Deidentifier, tmp_path: Path
) -> None:
    deidentify(frame, "note", model).write.parquet(str(tmp_path / "clean"))
    rows = frame.sparkSession.read.parquet(str(tmp_path / "clean")).orderBy("n").collect()
    assert [row.n for row in rows] == list(range(12))
    assert [row.note for row in rows] == [CLEAN if n % 3 else None for n in range(12)]
    assert [row.deid_spans for row in rows] == [2 if n % 3 else None for n in range(12)]
    assert {row.deid_failure for row in rows} == {None}
    assert {row.mrn for row in rows} == {"p1", "p2"}


def test_a_model_is_loaded_by_its_path(
    frame: DataFrame, model: Deidentifier, tmp_path: Path
) -> None:
    model.save(tmp_path / "model")
    new = deidentify(frame, "note", tmp_path / "model").collect()
    assert {row.note for row in new} == {CLEAN, None}


def test_surrogates_of_a_patient_agree_on_all_workers(frame: DataFrame, model: Any) -> None:
    key = Key.from_secret(b"sixteen bytes or more")
    rows = deidentify(frame, "note", model, mode="surrogate", key=key, patient="mrn").collect()
    notes = {(row.mrn, row.note) for row in rows if row.note}
    assert len(notes) == len({mrn for mrn, _ in notes}) == 2
    assert not any("Alder" in note for _, note in notes)


def test_without_patients_notes_of_one_row_in_two_batches_share_no_surrogate(
    spark: SparkSession, model: Any
) -> None:
    key = Key.from_secret(b"sixteen bytes or more")
    rows = [(f"Seen by Dr. Alder, case {n}.",) for n in range(8)]
    frame = spark.createDataFrame(rows, "note string").repartition(8)
    new = deidentify(frame, "note", model, mode="surrogate", key=key).collect()
    again = deidentify(frame.repartition(2), "note", model, mode="surrogate", key=key).collect()
    assert {row.note for row in new} == {row.note for row in again}
    assert len({row.note.partition(",")[0] for row in new}) > 4


@pytest.fixture
def tagged(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str], None]], Deidentifier]:
    """Return a function that makes a model that finds a gate, and calls a function of the text."""
    import cloudpickle

    from multideid.integrations import spark as door
    from multideid.taggers import registry

    def make(seen: Callable[[str], None]) -> Deidentifier:
        # A local class is sent by value; workers have no module of it.
        class Gates:
            # Worker processes are used again, and keep the plug-ins that they know.
            name, summary = f"gates-{seen.__name__}", "Gates."

            def tag(self, document: Document) -> list[Span]:
                seen(document.text)
                return [Span(0, 4, "ID")]

        monkeypatch.setattr(registry, "_SESSION", {})
        registry.register(Gates)
        note = Document("a", "Gate 7", (Span(0, 4, "ID"),))
        model = SingleDeidentifier(Gates.name).fit([note])
        packed = cloudpickle.dumps(model)
        monkeypatch.setattr(door, "_opener", lambda *_: lambda: cloudpickle.loads(packed))
        return model

    return make


def test_a_note_that_fails_is_named_and_has_no_text(spark: SparkSession, tagged: Any) -> None:
    def fail(text: str) -> None:
        if "fail" in text:
            raise RuntimeError(text)

    model = tagged(fail)
    frame = spark.createDataFrame([("Gate 7",), ("fail Alder",)], "note string")
    rows = {row.deid_failure: row.note for row in deidentify(frame, "note", model).collect()}
    assert rows.pop(None) == "[ID] 7"
    ((failure, text),) = rows.items()
    assert text is None
    assert "RuntimeError" in failure
    assert "Alder" not in failure


def test_a_worker_that_is_killed_loses_and_doubles_no_note(
    spark: SparkSession, cluster: Cluster, workers: list[Any], tagged: Any, tmp_path: Path
) -> None:
    readers, go_on = tmp_path / "readers", tmp_path / "go on"
    readers.mkdir()

    def pause(text: str) -> None:
        (readers / f"{os.getpid()} {text}").touch()
        while not go_on.exists():
            time.sleep(0.01)

    go_on.touch()
    rows = [(n, f"Gate {n}") for n in range(30)]
    frame = spark.createDataFrame(rows, "n int, note string").repartition(6)
    new = deidentify(frame, "note", tagged(pause))
    go_on.unlink()
    writing = Thread(target=new.write.parquet, args=[str(tmp_path / "clean")])
    writing.start()
    # Both workers are held in the middle of a note until one of them is known to be lost.
    _wait_until(lambda: len({process for process, _ in _read(readers)}) == 2)
    workers[0].kill()
    _wait_until(lambda: _executors(spark) == 1)
    go_on.touch()
    writing.join(120)
    cluster.start_worker()
    found = spark.read.parquet(str(tmp_path / "clean")).orderBy("n").collect()
    assert [(row.n, row.note) for row in found] == [(n, f"[ID] {n}") for n in range(30)]
    read = [note for _, note in _read(readers)]
    assert len(read) > len(set(read)), "the worker died, but at no work: no note was read twice"


def _read(readers: Path) -> list[tuple[str, str]]:
    """Return the process and the note of each reading by a worker."""
    read = [tuple(file.name.split(" ", 1)) for file in readers.iterdir()]
    return [(process, note) for process, note in read if process != str(os.getpid())]


def _executors(spark: SparkSession) -> int:
    """Return the number of executors; the driver counts as one of them in Spark's table."""
    return int(spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size()) - 1


def _wait_until(happened: Callable[[], bool]) -> None:
    for _ in range(600):
        if happened():
            return
        time.sleep(0.1)
    raise AssertionError("nothing happened in a minute")


@pytest.mark.skipif("MULTIDEID_TEST_SPEED" not in os.environ, reason="takes minutes")
def test_two_workers_are_faster_than_one(tmp_path: Path) -> None:
    model = load("en-default")
    with Cluster(tmp_path) as cluster:
        cluster.start_worker()
        cluster.start_worker()
        one, two = (_seconds(cluster, cores, model, tmp_path) for cores in (1, 2))
    print(f"{MANY} notes: {one:.1f} s with one worker, {two:.1f} s with two")
    assert one / two > 1.5


def _seconds(cluster: Cluster, cores: int, model: Deidentifier, folder: Path) -> float:
    """Return the seconds of a job, after one that starts processes and reads the notes once."""
    notes = [(n, note.text) for n, note in enumerate(sample_corpus(200, seed=1))]
    session, out = cluster.session(cores), str(folder / f"clean{cores}")
    try:
        own = session.createDataFrame(notes, "n int, note string")
        copies = session.range(MANY // len(notes)).repartition(16)
        deidentify(own.repartition(4), "note", model).write.parquet(f"{out}-first")
        start = time.perf_counter()
        deidentify(copies.crossJoin(own), "note", model).write.parquet(out)
        done = time.perf_counter() - start
        assert session.read.parquet(out).filter("deid_failure is null").count() == MANY
        return done
    finally:
        session.stop()


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"column": "text"}, "must have one column 'text'"),
        ({"column": "n"}, "column 'n' does not hold strings"),
        ({"column": "note", "mode": "surrogate"}, "mode 'surrogate' needs a key"),
        ({"column": "note", "mode": "erase"}, "unknown redaction mode 'erase'"),
    ],
)
def test_wrong_use_is_refused_before_any_work(
    frame: DataFrame, model: Deidentifier, options: dict[str, str], problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        deidentify(frame, model=model, **options)
