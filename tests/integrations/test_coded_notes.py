"""Texts with letters as codes are refused by every way that texts are given in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest
import spacy
from starlette.testclient import TestClient

from multideid import DeidOptions, deidentify_frame
from multideid.document import Document
from multideid.errors import DocumentError
from multideid.integrations.partitions import FAILURE, rewritten
from multideid.integrations.presidio import make_analyzer
from multideid.integrations.rest.app import Settings, make_app
from multideid.integrations.spacy import MultideidComponent
from multideid.redact.redaction import make_replacer
from multideid.stacking import Deidentifier, SingleDeidentifier

CODED = {
    "quoted-printable": ("M=C3=BCller Ms. =41lder", "letters as codes"),
    "reference": ("Dr. M&amp;uuml;ller", "letters as codes"),
    "percent": ("name=Martha%20Alder", "percent-encoding"),
    "base64": ("QWxkZXIgaXMgaGVyZSAx" * 30, "encoded data"),
}
PLAIN = "seen by Lee, 100%20"


@pytest.fixture(scope="module")
def model() -> Deidentifier:
    return SingleDeidentifier("majority").fit([Document("n", "by Lee", ((3, 6, "DOCTOR"),))])


def by_model(model: Deidentifier, text: str) -> str:
    assert model.deidentify([PLAIN]) == model.transform([PLAIN]) == ["seen by [DOCTOR], 100%20"]
    with pytest.raises(DocumentError):
        model.transform(pd.Series([PLAIN, text]))
    with pytest.raises(DocumentError) as error:
        model.deidentify(text)
    return str(error.value)


def by_frame(model: Deidentifier, text: str) -> str:
    frame = pd.DataFrame({"text": [text, PLAIN]})
    found = deidentify_frame(frame, options=DeidOptions(model=model))
    assert found.frame["text"].tolist() == ["", "seen by [DOCTOR], 100%20"]
    return found.failures[0].problem


def by_partition(model: Deidentifier, text: str) -> str:
    batch = pd.DataFrame({"text": [text, None, PLAIN]})
    found = rewritten(batch, "text", None, model, make_replacer("mask", None))
    assert found["text"].dropna().tolist() == ["seen by [DOCTOR], 100%20"]
    return str(found[FAILURE][0])


def by_presidio(model: Deidentifier, text: str) -> str:
    engine = make_analyzer(model)
    assert len(engine.analyze(PLAIN, language="en")) == 1
    with pytest.raises(DocumentError) as error:
        engine.analyze(text, language="en")
    return str(error.value)


def by_spacy(model: Deidentifier, text: str) -> str:
    component = MultideidComponent(model)
    docs = [*map(spacy.blank("en").make_doc, (PLAIN, text))]
    assert component(docs[0])._.phi == [(8, 11, "DOCTOR")]
    with pytest.raises(DocumentError):
        component(docs[1])
    with pytest.raises(DocumentError) as error:
        list(component.pipe(docs))
    return str(error.value)


def by_rest(model: Deidentifier, text: str) -> str:
    with TestClient(make_app(Settings(model=model))) as client:
        for path, more in (("/deidentify", {}), ("/spans", {}), ("/analyze", {"language": "en"})):
            answer = client.post(path, json={"text": text, **more})
            assert (answer.status_code, list(answer.json())) == (422, ["error"])
        notes = [{"id": "a", "text": text}, {"id": "b", "text": PLAIN}]
        found = client.post("/deidentify", json={"documents": notes}).json()["documents"]
    assert found[1]["text"] == "seen by [DOCTOR], 100%20"
    assert found[0].keys() == {"id", "error"}
    return str(found[0]["error"])


@pytest.mark.parametrize(("text", "problem"), CODED.values(), ids=CODED)
@pytest.mark.parametrize("door", [by_model, by_frame, by_partition, by_presidio, by_spacy, by_rest])
def test_text_as_codes_is_refused(
    door: Callable[[Any, str], str], model: Deidentifier, text: str, problem: str
) -> None:
    message = door(model, text)
    assert problem in message
    assert text not in message
