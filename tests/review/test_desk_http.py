"""The desk over HTTP: who may do what, and offsets that stay those of the text."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.review import ADJUDICATED, Proposal, Store
from multideid.review.web.app import make_app
from multideid.review.web.desk import Desk
from multideid.text.tokenizer import tokenize

TEXT = "Seen by 𝔐ary\r\nLee\u0301, MD 🏥 on 3/14."  # noqa: RUF001
MARY, LEE = Span(8, 12, "PATIENT"), Span(14, 18, "DOCTOR")
NOTE = "/api/notes/1"


class Client:
    """A reviewer's window."""

    def __init__(self, http: TestClient, token: str) -> None:
        self._http = http
        self._headers = {"authorization": f"Bearer {token}"}

    def get(self, path: str) -> tuple[int, Any]:
        response = self._http.get(path, headers=self._headers)
        return response.status_code, response.json()

    def post(self, path: str, **content: Any) -> tuple[int, Any]:
        response = self._http.post(path, json=content, headers=self._headers)
        return response.status_code, response.json()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store.create(tmp_path / "notes.review", ["PATIENT", "DOCTOR"])
    made.add([Document("n1", TEXT), Document("n2", "Lee and Lee")])
    made.propose([(1, Proposal((MARY,), (0.7,), {"mist": (MARY, LEE)}))])
    yield made
    made.close()


@pytest.fixture
def desk(store: Store) -> Desk:
    return Desk.of(store, ["anna", "ben"])


@pytest.fixture
def http(desk: Desk) -> Iterator[TestClient]:
    with TestClient(make_app(desk), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture
def anna(http: TestClient, desk: Desk) -> Client:
    return Client(http, next(iter(desk.reviewers)))


@pytest.fixture
def ben(http: TestClient, desk: Desk) -> Client:
    return Client(http, list(desk.reviewers)[1])


def test_nothing_of_the_review_is_shown_without_a_token(http: TestClient, desk: Desk) -> None:
    for path in ("/api/desk", "/api/queue", NOTE, "/api/agreement", "/openapi.json"):
        assert http.get(path).status_code == 401
        wrong = {"authorization": "Bearer another"}
        assert http.get(path, headers=wrong).status_code == 401
    assert http.post(f"{NOTE}/decisions", json={"version": 0}).status_code == 401


def test_other_names_of_this_host_are_refused(http: TestClient) -> None:
    assert http.get("/", headers={"host": "evil.example"}).status_code == 421


def test_the_page_is_alone(http: TestClient) -> None:
    page = http.get("/")
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["cache-control"] == "no-store"
    for path in ("/main.js", "/desk.css", "/icon.svg"):
        assert http.get(path).headers["x-content-type-options"] == "nosniff"
    assert http.get("/../desk.py").status_code == 401


def test_tokens_and_offsets_are_those_of_the_text(anna: Client) -> None:
    status, note = anna.get(NOTE)
    assert status == 200
    assert note["text"] == TEXT
    done, tokens = 0, []
    for gap, length in zip(note["tokens"][::2], note["tokens"][1::2], strict=True):
        tokens.append((done + gap, done + gap + length))
        done += gap + length
    assert tokens == tokenize(TEXT)
    assert note["proposed"] == note["layer"]["spans"] == [[8, 12, "PATIENT"]]
    assert note["scores"] == [0.7]
    assert note["systems"] == {"mist": [[8, 12, "PATIENT"], [14, 18, "DOCTOR"]]}


def test_a_decision_is_on_disk_when_it_is_answered(anna: Client, store: Store) -> None:
    version = anna.get(NOTE)[1]["layer"]["version"]
    sent = {"version": version, "added": [[14, 18, "DOCTOR"]], "accepted": True}
    status, layer = anna.post(f"{NOTE}/decisions", **sent)
    assert (status, layer["accepted"], layer["can_undo"]) == (200, True, True)
    assert Store(store.path).layers.get(1, "anna").spans == (MARY, LEE)
    assert anna.get("/api/queue")[1]["notes"] == [[1, "n1", 2, 1, 0], [2, "n2", 0, 0, 0]]
    undone = anna.post(f"{NOTE}/undo", version=layer["version"])[1]
    assert (undone["removed"], undone["added"]) == ([[14, 18, "DOCTOR"]], [])
    assert anna.post(f"{NOTE}/redo", version=undone["version"])[1]["accepted"]


def test_reviewers_see_their_own_layers_only(anna: Client, ben: Client) -> None:
    version = anna.get(NOTE)[1]["layer"]["version"]
    anna.post(f"{NOTE}/decisions", version=version, removed=[[8, 12, "PATIENT"]])
    assert ben.get(NOTE)[1]["layer"]["spans"] == [[8, 12, "PATIENT"]]
    assert ben.get("/api/desk")[1]["reviewer"] == "ben"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"version": 99}, 409),
        ({"added": [[8, 10, "DOCTOR"]]}, 400),
        ({"added": [[0, 999, "DOCTOR"]]}, 400),
        ({"added": [[0, 4, "UNKNOWN"]]}, 400),
        ({"added": [["0", 4, "DOCTOR"]]}, 422),
        ({"added": [[0, 4, ""]]}, 422),
        ({"text": "Mary"}, 422),
    ],
)
def test_a_refused_decision_changes_nothing_and_tells_no_text(
    anna: Client, store: Store, sent: dict[str, Any], status: int
) -> None:
    version = anna.get(NOTE)[1]["layer"]["version"]
    answer, content = anna.post(f"{NOTE}/decisions", **{"version": version, **sent})
    assert answer == status
    assert "ary" not in content["error"]
    assert store.layers.decisions() == []


def test_differences_are_adjudicated(anna: Client, ben: Client, store: Store) -> None:
    version = anna.get(NOTE)[1]["layer"]["version"]
    anna.post(f"{NOTE}/decisions", version=version, accepted=True)
    sent = {"removed": [[8, 12, "PATIENT"]], "accepted": True}
    ben.post(f"{NOTE}/decisions", version=version, **sent)
    assert anna.get("/api/queue")[1]["disputed"] == [1]
    note = anna.get(f"{NOTE}?adjudication=true")[1]
    choices = {"anna": [[8, 12, "PATIENT"]], "ben": []}
    assert note["differences"] == [{"start": 8, "end": 12, "choices": choices}]
    sent = {"version": note["layer"]["version"], "adjudication": True, "accepted": True}
    assert anna.post(f"{NOTE}/decisions", **sent)[0] == 200
    assert anna.get("/api/queue")[1]["disputed"] == []
    assert store.layers.decisions()[-1]["reviewer"] == "anna"
    assert anna.get("/api/agreement")[1]["pairs"][0]["span_f1"] == 0


def test_search_is_told_in_the_body_and_logs_nothing(
    anna: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG, "multideid"):
        assert anna.post("/api/search", text="lee") == (200, {"notes": [1, 2]})
        assert anna.get("/api/notes/77")[0] == 400
    assert "lee" not in caplog.text.lower()


def test_names_of_reviewers_are_checked(store: Store) -> None:
    for names in ([""], ["anna", "anna"], [ADJUDICATED], ["a\nb"]):
        with pytest.raises(UsageError):
            Desk.of(store, names)
