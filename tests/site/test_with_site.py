"""Models with a site's knowledge."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from template_notes import sample_corpus

from multideid.document import Document, Evidence, Span
from multideid.errors import UsageError
from multideid.evidence import evidence_of, votes_of
from multideid.site import Pattern, Site
from multideid.stacking import (
    Deidentifier,
    MultiDeidentifier,
    ParallelPredictor,
    SingleDeidentifier,
    load_folder,
)
from multideid.stacking.prediction_process import with_site
from multideid.taggers import registry


class Capitals:
    """Every word in capitals is an ID."""

    name = "capitals"

    def tag(self, document: Document) -> list[Span]:
        return [Span(*m.span(), "ID") for m in re.finditer(r"\b[A-Z]{2,}\b", document.text)]


@pytest.fixture(scope="module")
def multi() -> MultiDeidentifier:
    """Return a model with recall points, all of which differ."""
    model = MultiDeidentifier(["mimic"], folds=2, n_jobs=1).fit(sample_corpus(4))
    assert len({_point(model.with_recall(name)) for name in model._points}) == 3
    return model


def _point(model: MultiDeidentifier) -> tuple[tuple[float, ...], bool]:
    return tuple(model.offsets_.tolist()), model._words_need_evidence


@pytest.fixture(scope="module")
def model() -> Iterator[Deidentifier]:
    """Return a model that finds words in capitals; its labels are ID and DOCTOR."""
    registry.register(Capitals)
    gold = [Document("n", "AB Lee", ((0, 2, "ID"), (3, 6, "DOCTOR")))]
    yield SingleDeidentifier("capitals").fit(gold)
    registry._SESSION.pop("capitals")


def _found(model: Deidentifier, text: str, **values: object) -> list[tuple[str, str]]:
    document = model.with_site(Site(**values)).predict(text)  # type: ignore[arg-type]
    return [(document.span_text(span), span.label) for span in document.spans]


def test_allowed_spans_are_left_out_and_denied_phrases_are_found(model) -> None:
    values = {"allow": ["cxr"], "deny": {"DOCTOR": ["Zwick*"]}}
    found = _found(model, "CXR by dr zwick, CXR XY", **values)
    assert found == [("zwick", "DOCTOR"), ("XY", "ID")]


def test_a_span_with_a_word_that_is_not_allowed_stays_whole(model) -> None:
    found = _found(model, "ABC", allow=["/AB/"])
    assert found == [("ABC", "ID")]


def test_a_denied_name_inside_an_allowed_phrase_is_no_phi(model) -> None:
    values = {"allow": ["Parkinson disease"], "deny": {"DOCTOR": ["Parkinson"]}}
    text = "Parkinson saw him for Parkinson Disease"
    assert _found(model, text, **values) == [("Parkinson", "DOCTOR")]


def test_an_entry_that_is_an_ordinary_word_needs_a_capital(model) -> None:
    assert _found(model, "he will see Will", deny={"DOCTOR": ["Will"]}) == [("Will", "DOCTOR")]


def test_labels_of_lists_are_the_nearest_of_the_model(model) -> None:
    assert _found(model, "in oslo", deny={"MEDICALRECORD": ["Oslo"]}) == [("oslo", "ID")]


def test_patterns_need_their_context(model) -> None:
    pattern = Pattern("ward", "ID", r"\b[0-9][a-d]\b", ("ward",), 0.7)
    document = model.with_site(Site(patterns=[pattern])).predict("ward: 7b. Took one of 2c.")
    assert document.spans == (Span(6, 8, "ID"), Span(22, 24, "ID"))
    far = "ward: 7b. one two three four five six 2c"
    document = model.with_site(Site(patterns=[pattern])).predict(far)
    assert [document.span_text(span) for span in document.spans] == ["7b"]
    assert evidence_of(document, document.spans[0]) == Evidence(0.7, ("pattern ward",))


def test_spans_of_other_labels_and_low_scores_are_not_taken(model) -> None:
    assert _found(model, "AB lee", deny={"DOCTOR": ["lee"]}, labels=["DOCTOR"]) == [
        ("lee", "DOCTOR")
    ]
    pattern = Pattern("digits", "ID", r"[0-9]+", (), 0.3)
    assert _found(model, "AB 12", patterns=[pattern], min_score=0.5) == [("AB", "ID")]


def test_a_label_that_is_never_found_is_refused(model) -> None:
    with pytest.raises(UsageError, match="DOCTORS, which is never found"):
        model.with_site(Site(labels=["DOCTORS"]))
    with pytest.raises(UsageError, match="recall is for multi models"):
        model.with_site(Site(recall="high"))


@pytest.mark.parametrize(
    ("source", "values"),
    [
        ("deny.CITY", {"deny": {"CITY": ["Oslo"]}}),
        ("pattern badge", {"patterns": [Pattern("badge", "CITY", r"B-[0-9]+")]}),
    ],
)
def test_labels_that_would_switch_off_a_list_or_pattern_are_refused(model, source, values) -> None:
    with pytest.raises(UsageError, match=f"labels leaves out CITY, so {source} would find nothing"):
        model.with_site(Site(labels=["ID"], **values))
    model.with_site(Site(labels=["ID", "CITY"], **values))


def test_a_list_whose_label_the_model_calls_otherwise_is_taken_with_that_label(model) -> None:
    values = {"deny": {"MEDICALRECORD": ["Oslo"]}, "labels": ["ID"]}
    assert _found(model, "in oslo", **values) == [("oslo", "ID")]


def test_a_least_score_is_refused_where_nothing_has_scores(model) -> None:
    with pytest.raises(UsageError, match=r"min_score is for multi models, .*single"):
        model.with_site(Site(min_score=0.5))


def test_lists_vote_under_their_own_name(model) -> None:
    known = model.with_site(Site(deny={"ID": ["AB"]}))
    documents = known.predict(["AB CD"])
    assert known.votes(documents) == [(("capitals", "deny-list"), ("capitals",))]


def test_the_model_without_the_site_is_unchanged(model) -> None:
    known = model.with_site(Site(allow=["AB"]))
    assert known.predict("AB").spans == ()
    assert model.predict("AB").spans == known.with_site(None).predict("AB").spans != ()


def test_a_saved_model_holds_no_site_and_a_site_is_not_pickled(model, tmp_path: Path) -> None:
    known = model.with_site(Site(deny={"DOCTOR": ["Zwickmeyer"]}))
    known.save(tmp_path / "model")
    files = [path for path in (tmp_path / "model").rglob("*") if path.is_file()]
    assert not any(b"zwickmeyer" in path.read_bytes().lower() for path in files)
    assert load_folder(tmp_path / "model").predict("Zwickmeyer").spans == ()
    with pytest.raises(UsageError, match="is not pickled"):
        pickle.dumps(known)


def test_bytes_of_a_model_would_lack_the_site_and_are_refused(model) -> None:
    known = model.with_site(Site(deny={"HOSPITAL": ["Old Mill"]}))
    with pytest.raises(UsageError, match="is not packed as bytes"):
        known.to_bytes()
    assert known.with_site(None).to_bytes() == model.to_bytes()


def test_processes_have_the_site_too(model, monkeypatch) -> None:
    monkeypatch.setattr("multideid.stacking.deidentifier._BATCH_CHARACTERS", 150)
    known = model.with_site(Site(deny={"DOCTOR": ["lee"]}))
    documents = [Document(str(n), f"AB and lee {n}") for n in range(4)]
    with ParallelPredictor(known, 2, votes=True) as predictor:
        results = list(predictor.predict_each(documents))
    assert [r.spans for r in results] == [d.spans for d in known.predict(documents)]
    assert [evidence_of(r, r.spans[1]).sources for r in results] == [("deny-list",)] * 4
    assert [votes_of(r) for r in results] == [(("capitals",), ("deny-list",))] * 4


def test_agreement_finds_other_occurrences_and_says_so(model) -> None:
    text = "ZWICK came, zwick left"
    assert _found(model, text) == [("ZWICK", "ID")]
    document = model.with_site(Site(deny={"DOCTOR": ["Zwick left"]}, agreement=True)).predict(
        "Zwick left. zwick"
    )
    assert document.spans == (Span(0, 10, "DOCTOR"), Span(12, 17, "DOCTOR"))
    assert evidence_of(document, document.spans[1]).sources == ("agreement",)


def test_notes_of_a_patient_that_follow_one_another_agree_whatever_their_place(
    model, monkeypatch
) -> None:
    monkeypatch.setattr("multideid.stacking.deidentifier._BATCH_CHARACTERS", 260)
    agreeing = model.with_site(Site(deny={"DOCTOR": ["/ZWICK/"]}, agreement=True))
    own = [("ZWICK", 7), ("by zwick", "7")]
    notes = [*[("none", None)] * 10, *own]
    for n in range(10):
        documents = [
            Document(str(k), text, meta={"patient": patient})
            for k, (text, patient) in enumerate(notes[n:])
        ]
        found = agreeing.predict(documents)
        assert [len(document.spans) for document in found[-2:]] == [1, 1]


def test_what_is_allowed_does_not_agree(model) -> None:
    values = {"deny": {"DOCTOR": ["Zwick left"]}, "allow": ["/zwick/"], "agreement": True}
    assert _found(model, "Zwick left. zwick", **values) == [("Zwick left", "DOCTOR")]


def test_each_part_of_the_knowledge_says_its_spans(model) -> None:
    patterns = [Pattern("ward", "ID", r"Wd\d"), Pattern("bay", "ID", r"bay\d", ("bed",))]
    lists = {"deny": {"DOCTOR": ["Zwick", "Zwick Alder"]}, "allow": ["Alder rose"]}
    site = Site(**lists, patterns=patterns, patients={"7": {"last_name": "Alder"}})
    text = "XY: Zwick Alder, Wd7; Alder rose; bay1"
    documents = [Document("n", text, meta={"patient": "7"}), Document("m", "none")]
    said, empty = model.with_site(site).system_spans(documents)
    assert {name: [text[a:b] for a, b, _ in spans] for name, spans in said.items()} == {
        "capitals": ["XY"],
        "deny-list": ["Zwick Alder"],
        "known-values": ["Alder"],
        "pattern ward": ["Wd7"],
        "pattern bay": [],
    }
    assert said["known-values"] == (Span(10, 15, "PATIENT"),)
    assert {*map(len, empty.values())} == {0}
    assert [*empty] == [*said]
    assert [*model.system_spans(documents)[0]] == ["capitals"]


@pytest.mark.parametrize("other", [None, Site(), Site(allow=["CXR"])])
@pytest.mark.parametrize("point", ["high", "maximum"])
def test_the_recall_of_a_site_goes_with_the_site(multi, point: str, other: Site | None) -> None:
    known = multi.with_site(Site(recall=point))
    assert _point(known) == _point(multi.with_recall(point))
    assert _point(known.with_site(other)) == _point(multi)
    again = known.with_site(Site(recall="balanced")).with_site(other)
    assert _point(again) == _point(multi)


def test_a_recall_from_before_the_site_comes_back(multi) -> None:
    own = multi.with_recall("maximum")
    known = own.with_site(Site(recall="high"))
    assert _point(known) == _point(multi.with_recall("high"))
    assert _point(known.with_site(None)) == _point(own)
    assert _point(own.with_site(Site())) == _point(own)


def test_a_recall_that_is_chosen_after_the_site_replaces_its_recall(multi) -> None:
    chosen = multi.with_site(Site(recall="high", allow=["CXR"])).with_recall("maximum")
    assert chosen.site == Site(allow=["CXR"])
    for model in (chosen, chosen.with_site(None), with_site(chosen.with_site(None), chosen.site)):
        assert _point(model) == _point(multi.with_recall("maximum"))


def test_the_recall_of_a_site_is_not_saved(multi, tmp_path: Path) -> None:
    multi.with_site(Site(recall="maximum")).save(tmp_path / "model")
    assert _point(load_folder(tmp_path / "model")) == _point(multi)


def test_processes_have_the_recall_of_the_site_too(multi) -> None:
    known = multi.with_site(Site(recall="maximum"))
    sent = pickle.loads(pickle.dumps(ParallelPredictor(known)._loader()))()
    assert sent.site == known.site
    assert _point(sent) == _point(known)
    assert _point(sent.with_site(None)) == _point(multi)


def test_a_model_that_is_fitted_again_keeps_the_recall_of_its_site(multi) -> None:
    known = multi.with_site(Site(recall="high")).fit(sample_corpus(4))
    assert _point(known) == _point(multi.with_recall("high"))
    assert _point(known.with_site(None)) == _point(multi)
