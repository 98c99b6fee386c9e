"""The recognizer of Presidio, in its engine, with its operators and from its YAML files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine, RecognizerRegistry
from presidio_analyzer.recognizer_registry import RecognizerRegistryProvider
from presidio_anonymizer import AnonymizerEngine, BatchAnonymizerEngine
from presidio_anonymizer.entities import OperatorConfig
from template_notes import sample_corpus

from multideid.errors import DocumentError, UsageError
from multideid.integrations.presidio import MultideidRecognizer, make_analyzer
from multideid.integrations.presidio_entities import presidio_entity
from multideid.label_schemes import HIPAA, I2B2_2014, MEDDOCAN, THESIS
from multideid.models import load
from multideid.stacking import Deidentifier, SingleDeidentifier

NOTE = "Seen by Dr. Martha Alder on 3/14/2007, call 617-555-1234."


@pytest.fixture(scope="module")
def model() -> Deidentifier:
    return SingleDeidentifier("mimic").fit(sample_corpus(8, seed=9))


@pytest.fixture(scope="module")
def analyzer(model: Deidentifier) -> AnalyzerEngine:
    return make_analyzer(model)


def found(results: list[Any], text: str = NOTE) -> dict[str, str]:
    return {text[r.start : r.end]: r.entity_type for r in results}


def test_an_engine_with_the_recognizer_alone(analyzer: AnalyzerEngine) -> None:
    assert found(analyzer.analyze(NOTE, language="en")) == {
        "Martha Alder": "PERSON",
        "3/14/2007": "DATE_TIME",
        "617-555-1234": "PHONE_NUMBER",
    }
    assert "PERSON" in analyzer.get_supported_entities("en")


def test_entities_can_be_chosen(analyzer: AnalyzerEngine, model: Deidentifier) -> None:
    assert found(analyzer.analyze(NOTE, language="en", entities=["PERSON"])) == {
        "Martha Alder": "PERSON"
    }
    recognizer = MultideidRecognizer(model, supported_entities=["DATE_TIME"])
    assert recognizer.supported_entities == ["DATE_TIME"]
    assert found(recognizer.analyze(NOTE, [])) == {"3/14/2007": "DATE_TIME"}
    assert recognizer.analyze(NOTE, ["PERSON"]) == []


def test_an_entity_that_is_never_found_is_refused(model: Deidentifier) -> None:
    with pytest.raises(UsageError, match="supported_entities has PERSN, which the model never"):
        MultideidRecognizer(model, supported_entities=["PERSN", "DATE_TIME"])


def test_entities_can_be_renamed(model: Deidentifier) -> None:
    recognizer = MultideidRecognizer(model, entity_mapping={"DOCTOR": "STAFF"})
    assert found(recognizer.analyze(NOTE, []))["Martha Alder"] == "STAFF"
    assert "STAFF" in recognizer.supported_entities


def test_operators_of_the_anonymizer_work(analyzer: AnalyzerEngine) -> None:
    results = analyzer.analyze(NOTE, language="en")
    operators = {
        "PERSON": OperatorConfig("replace", {"new_value": "<NAME>"}),
        "DATE_TIME": OperatorConfig("mask", {
            "masking_char": "*", "chars_to_mask": 4, "from_end": True,
        }),
    }  # fmt: skip
    new = AnonymizerEngine().anonymize(NOTE, results, operators)
    assert new.text == "Seen by Dr. <NAME> on 3/14/****, call <PHONE_NUMBER>."


def test_a_batch_gives_what_single_texts_give(analyzer: AnalyzerEngine) -> None:
    batch = BatchAnalyzerEngine(analyzer)
    alone = found(analyzer.analyze(NOTE, language="en"))
    for options in ({}, {"batch_size": 2, "n_process": 2}):
        results = batch.analyze_iterator([NOTE, "", NOTE], "en", **options)
        assert [found(one) for one in results] == [alone, {}, alone]
    record = {"note": NOTE, "notes": [NOTE, "none"], "more": {"note": NOTE}, "age": 7}
    anonymized = BatchAnonymizerEngine().anonymize_dict(batch.analyze_dict(record, "en"))
    assert "Alder" not in str(anonymized)
    assert anonymized["notes"][1] == "none"


def test_it_joins_presidio_s_own_recognizers(model: Deidentifier) -> None:
    text = "Card 4111 1111 1111 1111 of Dr. Alder"
    together = make_analyzer(model, predefined=True)
    assert found(together.analyze(text, language="en"), text) == {
        "4111 1111 1111 1111": "CREDIT_CARD",
        "Alder": "PERSON",
    }


def test_scores_are_calibrated_where_the_model_can(model: Deidentifier) -> None:
    default = MultideidRecognizer()
    results = default.analyze(NOTE, [])
    (expected,) = default.model.span_scores([load("en-default").predict([NOTE])[0]])
    assert [result.score for result in results] == list(expected)
    assert all(0.5 < result.score < 1 for result in results)
    assert {result.score for result in MultideidRecognizer(model).analyze(NOTE, [])} == {0.85}


def test_low_scores_can_be_left_out() -> None:
    engine = make_analyzer(recall="maximum")
    text = "pt c/o pain, lives near old mill, son tarun calling, seen by jk 4/5"
    everything = engine.analyze(text, language="en")
    scores = sorted(result.score for result in everything)
    sure = engine.analyze(text, language="en", score_threshold=scores[1])
    assert scores[0] < scores[1]
    assert sorted(result.score for result in sure) == scores[1:]


def test_results_name_the_recognizer_and_the_label(analyzer: AnalyzerEngine) -> None:
    result = analyzer.analyze(NOTE, language="en", return_decision_process=True)[0]
    assert result.recognition_metadata["recognizer_name"] == "MultideidRecognizer"
    explanation = result.analysis_explanation
    assert explanation.textual_explanation == "Identified as DOCTOR by multideid (single)"
    assert "Alder" not in str(explanation)


def test_a_failing_model_is_not_taken_for_a_clean_text(
    model: Deidentifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(NOTE)

    engine = make_analyzer(model)
    monkeypatch.setattr(type(model), "_tags", fail)
    with pytest.raises(DocumentError, match="failed with RuntimeError") as error:
        engine.analyze(NOTE, language="en")
    assert "Alder" not in str(error.value)


REGISTRY = """
supported_languages: [en]
recognizers:
  - name: PhoneRecognizer
    type: predefined
  - name: Notes
    class_name: MultideidRecognizer
    type: predefined
    model: {folder}
    recall: null
    entity_mapping: {{DOCTOR: STAFF}}
"""


def test_a_yaml_registry_makes_it(model: Deidentifier, tmp_path: Path) -> None:
    model.save(tmp_path / "model")
    path = tmp_path / "recognizers.yaml"
    path.write_text(REGISTRY.format(folder=tmp_path / "model"))
    registry = RecognizerRegistryProvider(conf_file=path).create_recognizer_registry()
    (recognizer,) = [r for r in registry.recognizers if isinstance(r, MultideidRecognizer)]
    assert recognizer.name == "Notes"
    assert found(recognizer.analyze(NOTE, []))["Martha Alder"] == "STAFF"
    assert {r.name for r in registry.recognizers} == {"PhoneRecognizer", "Notes"}


def test_a_wrong_parameter_in_yaml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "recognizers.yaml"
    path.write_text(REGISTRY.format(folder="en-default").replace("recall: null", "recal: high"))
    with pytest.raises(ValueError, match="Invalid recognizer registry") as error:
        RecognizerRegistryProvider(conf_file=path)
    assert "recal" in str(error.value.__cause__)


def test_a_registry_takes_the_recognizer_as_any_other(model: Deidentifier) -> None:
    registry = RecognizerRegistry(recognizers=[])
    registry.add_recognizer(MultideidRecognizer(model, name="deid", supported_language="es"))
    (recognizer,) = registry.get_recognizers("es", all_fields=True)
    assert recognizer.name == "deid"


def test_every_label_of_the_schemes_has_an_entity() -> None:
    labels = [label for scheme in (THESIS, I2B2_2014, HIPAA, MEDDOCAN) for label in scheme]
    entities = {label: presidio_entity(label) for label in labels}
    assert entities["NOMBRE_SUJETO_ASISTENCIA"] == entities["PATIENT"] == "PERSON"
    assert entities["ZIP"] == entities["CALLE"] == "LOCATION"
    assert entities["SSN"] == "US_SSN"
    assert entities["MEDICALRECORD"] == entities["ID"] == "ID"
    assert presidio_entity("BADGE") == "BADGE"


@pytest.mark.end_to_end
def test_without_presidio_the_error_names_the_extra() -> None:
    hidden = "import sys; sys.modules['presidio_analyzer'] = None"
    code = f"{hidden}; import multideid.integrations.presidio"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1].endswith(
        "needs presidio-analyzer, which is not installed; pip install 'multideid[presidio]'"
    )


def test_a_language_that_is_unknown_is_refused(model: Deidentifier) -> None:
    with pytest.raises(UsageError, match="qq"):
        make_analyzer(model, language="qq")
