"""The service over HTTP: a real server, real clients, and silence."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
import requests
from presidio_analyzer import AnalyzerEngine, RecognizerRegistry, RecognizerResult, RemoteRecognizer
from presidio_anonymizer import AnonymizerEngine
from template_notes import sample_corpus

from multideid.base_systems.presidio import EngineSettings, make_engine
from multideid.stacking import load_folder

pytestmark = pytest.mark.end_to_end

NOTE = "Seen by Dr. Xqvrtalder on 3/14/2007."
CLEAN = "Seen by Dr. [DOCTOR] on [DATE]."
TOKEN = "a-token-of-this-test-only"


class Server(NamedTuple):
    """A server in a process of its own."""

    url: str
    log: Path
    model: Path

    def post(self, path: str, content: object, **headers: str) -> tuple[int, Any]:
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        sent = {"content-type": "application/json", **headers}
        try:
            with urlopen(Request(self.url + path, data, sent), timeout=60) as response:
                return response.status, json.load(response)
        except HTTPError as error:
            return error.code, json.load(error)

    def get(self, path: str) -> tuple[int, Any]:
        try:
            with urlopen(self.url + path, timeout=60) as response:
                return response.status, json.load(response)
        except HTTPError as error:
            return error.code, json.load(error)


def start(log: Path, *options: str, **environment: str) -> tuple[subprocess.Popen[bytes], str]:
    command = [sys.executable, "-m", "multideid", "serve", "--port", "0", *options]
    with log.open("wb") as stderr:
        process = subprocess.Popen(command, stderr=stderr, env={**os.environ, **environment})
    for _ in range(600):
        found = re.search(r"listening at (\S+)", log.read_text())
        if found:
            return process, found[1]
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    process.kill()
    raise AssertionError(log.read_text())


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model_folder: Path) -> Iterator[Server]:
    log = tmp_path_factory.mktemp("rest") / "log"
    key = log.with_name("key")
    key.write_bytes(b"sixteen bytes or more")
    options = ["--model", str(model_folder), "--max-bytes", "200000", "--key-file", str(key)]
    process, url = start(log, *options)
    yield Server(url, log, model_folder)
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 128 + signal.SIGTERM


def test_a_text_is_deidentified(server: Server) -> None:
    status, content = server.post("/deidentify", {"text": NOTE})
    assert (status, content["text"]) == (200, CLEAN)
    assert content["spans"] == [
        {"start": 12, "end": 22, "label": "DOCTOR"},
        {"start": 26, "end": 35, "label": "DATE"},
    ]
    assert server.post("/deidentify", {"text": NOTE, "mode": "remove"})[1]["text"] == (
        "Seen by Dr.  on ."
    )
    assert server.post("/deidentify", {"text": ""}) == (200, {"text": "", "spans": []})


def test_documents_come_back_under_their_ids(server: Server) -> None:
    notes = [{"id": "b", "text": NOTE}, {"id": "a", "text": "No PHI \U0001f600 é."}]
    status, content = server.post("/spans", {"documents": notes})
    assert status == 200
    assert [(d["id"], len(d["spans"])) for d in content["documents"]] == [("b", 2), ("a", 0)]
    cleaned = server.post("/deidentify", {"documents": notes})[1]["documents"]
    assert [d["text"] for d in cleaned] == [CLEAN, "No PHI \U0001f600 é."]


def test_surrogates_of_a_patient_agree_with_the_key_of_the_service(server: Server) -> None:
    def cleaned(**note: str) -> str:
        request = {"documents": [{"id": "1", "text": NOTE, **note}], "mode": "surrogate"}
        return str(server.post("/deidentify", request)[1]["documents"][0]["text"])

    assert cleaned(patient="p1") == cleaned(patient="p1", id="2") != cleaned(patient="p2")
    one = server.post("/deidentify", {"text": NOTE, "mode": "surrogate", "patient": "p1"})
    assert one[1]["text"] == cleaned(patient="p1")
    assert "Xqvrtalder" not in cleaned(patient="p1")


def test_the_model_and_the_state_are_described(server: Server) -> None:
    assert server.get("/health") == (200, {"status": "ok"})
    status, content = server.get("/model")
    assert status == 200
    assert content["kind"] == "single"
    assert content["labels"] == list(load_folder(server.model).labels_)
    assert content["systems"] == ["mimic"]
    assert "/" not in content["model"]


@pytest.mark.parametrize(
    ("path", "content", "status", "problem"),
    [
        ("/deidentify", {}, 422, "give either text or documents"),
        ("/deidentify", {"text": NOTE, "documents": []}, 422, "give either text or documents"),
        ("/deidentify", {"text": NOTE, "mode": "erase"}, 422, "body.mode: Input should be 'mask'"),
        ("/deidentify", {"text": NOTE, "modus": "mask"}, 422, "body.modus: Extra inputs are not"),
        ("/deidentify", {"text": ["Xqvrtalder"]}, 422, "body.text: Input should be a valid string"),
        ("/spans", {"documents": [{"text": NOTE}]}, 422, "body.documents.0.id: Field required"),
        ("/spans", b'{"text": "Xqvrtalder', 422, "not valid JSON"),
        ("/spans", b"\xff\xfe", 422, ""),
        ("/spans", {"text": "\ud800 Xqvrtalder"}, 422, "the lone surrogate at offset 0"),
        ("/spans", {"text": "x" * 200_000}, 413, "the body may have 200000 bytes at most"),
        ("/nothing/Xqvrtalder", {"text": NOTE}, 404, "Not Found"),
        ("/analyze", {"text": NOTE}, 422, "body.language: Field required"),
        ("/analyze", {"text": NOTE, "language": "xx"}, 400, "No matching recognizers"),
    ],
)  # fmt: skip
def test_wrong_requests_are_refused_without_their_text(
    server: Server, path: str, content: object, status: int, problem: str
) -> None:
    found, answer = server.post(path, content)
    assert found == status
    assert problem in answer["error"]
    assert "Xqvrtalder" not in json.dumps(answer)


def test_requests_of_other_kinds_are_refused(server: Server) -> None:
    text = {"text": NOTE}
    assert server.get("/deidentify?text=Xqvrtalder")[0] == 405
    assert server.post("/spans", text, **{"content-encoding": "gzip"})[0] == 415
    # As a form on a web page could send it.
    assert server.post("/spans", text, **{"content-type": "text/plain"})[0] == 422
    # As a web page whose name is resolved to 127.0.0.1 would send it.
    assert server.post("/spans", text, host="attacker.example")[0] == 421
    assert server.get("/docs")[0] == 404


def test_a_body_without_a_length_is_bounded_too(server: Server) -> None:
    connection = http.client.HTTPConnection(server.url.removeprefix("http://"), timeout=60)
    connection.request("POST", "/spans", (b"x" * 10_000 for _ in range(100)),
                       {"content-type": "application/json"}, encode_chunked=True)  # fmt: skip
    assert connection.getresponse().status == 413


class Remote(RemoteRecognizer):  # type: ignore[misc]
    """Presidio's recognizer of a remote analyzer, as in its samples."""

    def __init__(self, url: str) -> None:
        self.url = url
        entities = requests.get(f"{url}/supportedentities", {"language": "en"}, timeout=30).json()
        super().__init__(entities, "Remote", "en", "1.0")

    def analyze(self, text: str, entities: list[str], nlp_artifacts: object) -> list[Any]:
        payload = {"text": text, "language": self.supported_language}
        response = requests.post(f"{self.url}/analyze", json=payload, timeout=30)
        return [RecognizerResult.from_json(result) for result in response.json()]

    def get_supported_entities(self) -> list[str]:
        return list(self.supported_entities)


def test_a_client_of_presidio_s_analyzer_needs_no_change(server: Server) -> None:
    engine = AnalyzerEngine(
        registry=RecognizerRegistry(recognizers=[Remote(server.url)]),
        nlp_engine=make_engine(EngineSettings()).nlp_engine,
        supported_languages=["en"],
    )
    results = engine.analyze(NOTE, language="en", entities=["PERSON", "DATE_TIME"])
    assert [(r.entity_type, r.start, r.end, r.score) for r in results] == [
        ("PERSON", 12, 22, 0.85),
        ("DATE_TIME", 26, 35, 0.85),
    ]
    assert AnonymizerEngine().anonymize(NOTE, results).text == (
        "Seen by Dr. <PERSON> on <DATE_TIME>."
    )


def test_analyze_takes_the_options_of_presidio(server: Server) -> None:
    def found(**options: object) -> Any:
        return server.post("/analyze", {"text": NOTE, "language": "en", **options})[1]

    assert found()[0] == {
        "analysis_explanation": None, "end": 22, "entity_type": "PERSON", "score": 0.85,
        "start": 12,
    }  # fmt: skip
    assert [r["entity_type"] for r in found(entities=["DATE_TIME"])] == ["DATE_TIME"]
    assert found(score_threshold=0.9) == []
    assert [r["entity_type"] for r in found(allow_list=["Xqvrtalder"])] == ["DATE_TIME"]
    explained = found(return_decision_process=True, correlation_id="7", context=None)[0]
    assert explained["analysis_explanation"]["textual_explanation"].startswith("Identified as DOC")
    assert [len(r) for r in found(text=[NOTE, "none"])] == [2, 0]
    assert "not supported" in found(ad_hoc_recognizers=[{"name": "x"}])["error"]
    assert "exactly" in found(allow_list=["x"], allow_list_match="regex")["error"]
    assert server.get("/recognizers?language=en") == (200, ["MultideidRecognizer"])
    assert server.get("/supportedentities?language=de") == (200, [])


def test_requests_at_the_same_time_get_their_own_results(server: Server) -> None:
    model = load_folder(server.model)
    notes = [document.text for document in sample_corpus(24, seed=5)]
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda text: server.post("/deidentify", {"text": text}), notes))
    assert [status for status, _ in answers] == [200] * len(notes)
    assert [answer["text"] for _, answer in answers] == model.deidentify(notes)


def test_no_text_reaches_the_log(server: Server) -> None:
    server.post("/deidentify", {"text": NOTE})
    server.get("/Xqvrtalder?name=Xqvrtalder")
    log = server.log.read_text()
    assert re.search(r"POST /deidentify 200 \d+ ms", log)
    assert "GET (unknown path) 404" in log
    assert "Xqvrtalder" not in log
    assert "Traceback" not in log


def test_a_token_is_asked_for(tmp_path: Path, model_folder: Path) -> None:
    process, url = start(tmp_path / "log", "--model", str(model_folder), MULTIDEID_TOKEN=TOKEN)
    try:
        server = Server(url, tmp_path / "log", model_folder)
        for given in ({}, {"authorization": "Bearer another-token"}, {"authorization": TOKEN}):
            status, answer = server.post("/spans", {"text": NOTE}, **given)
            assert (status, list(answer)) == (401, ["error"])
        assert server.post("/spans", {"text": NOTE}, authorization=f"Bearer {TOKEN}")[0] == 200
        assert server.get("/health")[0] == 200
        assert server.get("/model")[0] == 401
        assert TOKEN not in server.log.read_text()
    finally:
        process.kill()
        process.wait()
