"""The application behind the service, in this process: a wrong start, bounds and failures."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from multideid.cli.app import app
from multideid.document import Document, FailedDocument
from multideid.integrations.rest.predictor import BatchingPredictor
from multideid.models import load
from multideid.stacking import Deidentifier, load_folder

NOTE = "Seen by Dr. Xqvrtalder on 3/14/2007."
CLEAN = "Seen by Dr. [DOCTOR] on [DATE]."


@pytest.mark.parametrize(
    ("options", "environment", "problem"),
    [
        (["--token-file", "none"], {}, "error: cannot read none"),
        ([], {"MULTIDEID_TOKEN": "short"}, "error: a token has 16 characters or more"),
        (["--model", "./none"], {}, "error: none: there is no such model folder"),
        ([], {"MULTIDEID_TOKEN": "caf\u00e9 of many characters"}, "a token is of ASCII characters"),
        (["--host", "192.0.2.1"], {}, "error: cannot listen at 192.0.2.1 port 0"),
        (["--recall", "high"], {}, "error: recall is for multi models"),
    ],
)
def test_a_wrong_start_is_one_line(
    model_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    environment: dict[str, str],
    problem: str,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    model = [] if "--model" in options else ["--model", str(model_folder)]
    result = CliRunner().invoke(app, ["serve", "--port", "0", *model, *options])
    assert result.exit_code == 2
    assert problem in result.stderr.splitlines()[-1]


def test_a_port_that_is_taken_is_named(model_folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = ["serve", "--model", str(model_folder), "--port", port]
        result = CliRunner().invoke(app, command)
    assert f"cannot listen at 127.0.0.1 port {port}: Address already in use" in result.stderr


class Slow:
    """A model that waits, or fails, as its documents say."""

    kind, labels_, taggers_, corpus_ = "slow", ("ID",), dict[str, object](), ""

    def __init__(self) -> None:
        self.batches: list[int] = []
        self.go = threading.Event()

    def predict(self, documents: list[Document]) -> list[Document]:
        return documents

    def predict_each(self, documents: list[Document]) -> Iterator[Document]:
        self.batches.append(len(documents))
        self.go.wait(20)
        yield from documents


@pytest.fixture
def slow() -> Any:
    return Slow()


def test_requests_that_wait_are_one_batch_and_too_many_are_refused(slow: Any) -> None:
    from starlette.testclient import TestClient

    from multideid.integrations.rest.app import Settings, make_app

    with TestClient(make_app(Settings(model=slow, max_requests=4, timeout=10))) as client:
        with ThreadPoolExecutor(8) as pool:
            first = pool.submit(client.post, "/spans", json={"text": "a"})
            while not slow.batches:
                time.sleep(0.01)
            more = [pool.submit(client.post, "/spans", json={"text": "b"}) for _ in range(6)]
            finished = as_completed(more, timeout=60)
            refused = [next(finished).result().status_code for _ in range(3)]
            slow.go.set()
            answers = [future.result().status_code for future in (first, *more)]
        assert sorted(answers) == [200] * 4 + [503] * 3
        assert refused == [503] * 3
        assert slow.batches == [1, 3]


def test_a_request_that_takes_too_long_ends_and_a_hung_model_is_unhealthy(slow: Any) -> None:
    from starlette.testclient import TestClient

    from multideid.integrations.rest.app import Settings, make_app

    with TestClient(make_app(Settings(model=slow, timeout=0.1))) as client:
        answer = client.post("/spans", json={"text": "a"})
        assert (answer.status_code, answer.json()) == (
            504, {"error": "no result within 0.1 seconds"},
        )  # fmt: skip
        time.sleep(0.5)
        assert client.get("/health").status_code == 503
        slow.go.set()


def test_a_document_that_fails_has_an_error_and_no_text(
    monkeypatch: pytest.MonkeyPatch, model_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from starlette.testclient import TestClient

    from multideid.integrations.rest.app import Settings, make_app

    model = load_folder(model_folder)
    whole = type(model)._read

    def find(self: Deidentifier, batch: list[Document]) -> list[Document]:
        if any("fail" in document.text for document in batch):
            raise RuntimeError(NOTE)
        return whole(self, batch)

    with TestClient(make_app(Settings(model=model))) as client:
        monkeypatch.setattr(type(model), "_read", find)
        notes = [{"id": "a", "text": NOTE}, {"id": "b", "text": "fail Xqvrtalder"}]
        answer = client.post("/deidentify", json={"documents": notes}).json()["documents"]
        assert answer[0]["text"] == CLEAN
        assert answer[1] == {"id": "b", "error": "failed with RuntimeError"}
        single = client.post("/deidentify", json={"text": "fail Xqvrtalder"})
        assert (single.status_code, single.json()) == (500, {"error": "failed with RuntimeError"})
        analyzed = client.post("/analyze", json={"text": [NOTE, "fail"], "language": "en"})
        assert analyzed.status_code == 500
        assert "Xqvrtalder" not in caplog.text


def test_texts_without_a_patient_have_surrogates_of_their_own(model_folder: Path) -> None:
    from starlette.testclient import TestClient

    from multideid.integrations.rest.app import Settings, make_app

    def given(days: set[int], **request: Any) -> None:
        answer = client.post("/deidentify", json={"mode": "surrogate", **request}).json()
        for document in answer.get("documents", [answer]):
            month, day, year = map(int, document["text"].split()[-1].strip(".").split("/"))
            days.add(date(year, month, day).toordinal())

    notes = [f"Note {n}, seen on 3/14/2007." for n in range(8)]
    alone: set[int] = set()
    together: set[int] = set()
    with TestClient(make_app(Settings(model=load_folder(model_folder)))) as client:
        for note in notes:
            given(alone, text=note)
            given(together, documents=[{"id": "1", "text": note}])
            given(alone, text=note)
    assert len(alone) > len(notes) / 2
    assert alone == together


def test_a_patient_beside_documents_is_refused(model_folder: Path) -> None:
    from starlette.testclient import TestClient

    from multideid.integrations.rest.app import Settings, make_app

    request = {"documents": [{"id": "1", "text": NOTE}], "patient": "p1"}
    with TestClient(make_app(Settings(model=load_folder(model_folder)))) as client:
        answer = client.post("/deidentify", json=request)
    assert answer.status_code == 422
    assert "patient is for text; give each of the documents its own" in answer.json()["error"]


def test_an_internal_error_shows_its_type_only(
    monkeypatch: pytest.MonkeyPatch, model_folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from starlette.testclient import TestClient

    from multideid.integrations.rest.app import Settings, make_app

    def fail(*_: object) -> None:
        raise RuntimeError(NOTE)

    with TestClient(make_app(Settings(model=load_folder(model_folder)))) as client:
        monkeypatch.setattr("multideid.integrations.rest.app._respond", fail)
        answer = client.post("/spans", json={"text": NOTE})
    assert (answer.status_code, answer.json()) == (500, {"error": "internal error: RuntimeError"})
    assert "internal error: RuntimeError" in caplog.text
    assert "Xqvrtalder" not in caplog.text


def test_scores_of_the_bundled_model_are_given() -> None:
    from starlette.testclient import TestClient

    from multideid.integrations.rest.app import make_app

    text = "Seen by Dr. Martha Alder."
    with TestClient(make_app()) as client:
        (span,) = client.post("/spans", json={"text": text, "scores": True}).json()["spans"]
        assert client.post("/spans", json={"text": text}).json()["spans"] == [
            {key: value for key, value in span.items() if key != "score"}
        ]
    ((score,),) = load("en-default").span_scores([load("en-default").predict(text)])
    assert span["score"] == score


class Leaving:
    """A model with a system that ends the program on some texts."""

    def predict_each(self, documents: Any) -> Iterator[Document]:
        for document in documents:
            if "leave" in document.text:
                raise SystemExit(document.text)
            yield document


def test_a_system_that_would_end_the_program_fails_on_its_text_only() -> None:
    predictor = BatchingPredictor(Leaving(), most=2)  # type: ignore[arg-type]
    texts = [Document("a", "stay"), Document("b", "leave"), Document("c", "stay")]
    find = partial(predictor.find, finish=lambda d, _: d.id, scores=False, timeout=20)
    for _ in range(2):
        found = asyncio.run(find(texts))
        assert found == ["a", FailedDocument("b", "failed with SystemExit"), "c"]
    predictor.close()


def test_requests_of_a_loop_that_was_closed_do_not_end_the_work_on_others() -> None:
    waiting = threading.Event()

    class Waiting:
        def predict_each(self, documents: Any) -> Any:
            waiting.wait(60)
            return documents

    predictor = BatchingPredictor(Waiting(), most=2)  # type: ignore[arg-type]
    find = partial(predictor.find, [Document("a", "x")], lambda d, _: d.id, scores=False)
    with pytest.raises(TimeoutError):
        asyncio.run(find(timeout=0.1))
    waiting.set()
    assert asyncio.run(find(timeout=60)) == ["a"]
    predictor.close()


def test_entities_of_certain_finds_are_supported_too(model_folder: Path) -> None:
    from starlette.testclient import TestClient

    from multideid.integrations.rest.app import Settings, make_app

    with TestClient(make_app(Settings(model=model_folder))) as client:
        known = client.get("/supportedentities").json()
        request = {"text": "Write to a.b@example.org", "language": "en"}
        (found,) = client.post("/analyze", json=request).json()
    assert found["entity_type"] == "EMAIL_ADDRESS"
    assert "EMAIL_ADDRESS" in known
