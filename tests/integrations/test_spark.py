"""Spark on a real standalone cluster: a master and two workers, processes of their own."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact import Key
from multideid.stacking import Deidentifier, SingleDeidentifier

REQUIRED = os.environ.get("MULTIDEID_TEST_SPARK") == "required"
if not REQUIRED:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("no Java; MULTIDEID_TEST_SPARK=required demands it", allow_module_level=True)

import pyspark  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402

from multideid.integrations.spark import deidentify  # noqa: E402

pytestmark = pytest.mark.end_to_end

NOTE = "Seen by Dr. Alder on 3/14/2007."
CLEAN = "Seen by Dr. [DOCTOR] on [DATE]."


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("spark")
    run = Path(pyspark.__file__).parent / "bin" / "spark-class"
    port = free_port()
    master = f"spark://127.0.0.1:{port}"
    names = ["--host", "127.0.0.1", "--webui-port", "0"]
    deploy = "org.apache.spark.deploy"
    commands = [[f"{deploy}.master.Master", *names, "--port", str(port)]]
    limits = ["--cores", "1", "--memory", "1g", "--work-dir", str(folder)]
    commands += [[f"{deploy}.worker.Worker", *names, *limits, master]] * 2
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    started: list[subprocess.Popen[bytes]] = []
    session = None
    try:
        with (folder / "log").open("wb") as log:
            for command in commands:
                started.append(subprocess.Popen([str(run), *command], env=environment,
                                                stdout=log, stderr=log))  # fmt: skip
                _wait_for(port)
        os.environ["PYSPARK_PYTHON"] = sys.executable
        settings = SparkSession.builder.master(master).config("spark.driver.host", "127.0.0.1")
        settings = settings.config("spark.executor.memory", "512m").config(
            "spark.ui.enabled", False
        )
        session = settings.config("spark.sql.shuffle.partitions", 2).getOrCreate()
        yield session
    finally:
        if session is not None:
            session.stop()
        for process in reversed(started):
            process.terminate()
            process.wait(20)


def _wait_for(port: int) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the master does not listen")


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


def test_a_note_that_fails_is_named_and_has_no_text(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    import cloudpickle

    from multideid.integrations import spark as door
    from multideid.taggers import registry

    # A local class is sent by value; workers have no module of it.
    class Failing:
        name, summary = "failing-in-spark", "Fails."

        def tag(self, document: Document) -> list[Span]:
            if "fail" in document.text:
                raise RuntimeError(document.text)
            return [Span(0, 4, "ID")]

    monkeypatch.setattr(registry, "_SESSION", {})
    registry.register(Failing)
    note = Document("a", "Gate 7", (Span(0, 4, "ID"),))
    model = SingleDeidentifier("failing-in-spark").fit([note])
    packed = cloudpickle.dumps(model)
    monkeypatch.setattr(door, "_opener", lambda *_: lambda: cloudpickle.loads(packed))
    frame = spark.createDataFrame([("Gate 7",), ("fail Alder",)], "note string")
    rows = {row.deid_failure: row.note for row in deidentify(frame, "note", model).collect()}
    assert rows.pop(None) == "[ID] 7"
    ((failure, text),) = rows.items()
    assert text is None
    assert "RuntimeError" in failure
    assert "Alder" not in failure


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
