"""Models refuse notes in languages that they do not read, if theirs is known."""

from __future__ import annotations

from pathlib import Path

from multideid.models.languages import language_refusal, model_language

SPANISH = (
    "El paciente refiere dolor en el pecho desde hace tres días, sin fiebre. Fue visto por la "
    "doctora y se le dio el alta con tratamiento para la tensión."
)


def test_language_follows_from_the_name_of_a_bundled_model_or_spanish_labels() -> None:
    assert model_language("en-default", ["DATE"]) == "en"
    assert model_language("my-model", ["FECHAS"]) == "es"
    assert model_language(Path("my-model"), ["DATE"]) is None


def test_refusal_names_the_language_and_the_bundled_models() -> None:
    problem = language_refusal("en-default", lambda: ["DATE"], True)(SPANISH) or ""
    assert problem.startswith(
        "is in Spanish, and the model reads English; choose another --model ("
    )
    assert "en-default for English" in problem
    assert problem.endswith("--language-check off")
    assert "pecho" not in problem


def test_nothing_is_refused_if_unchecked_or_the_language_is_unknown() -> None:
    assert language_refusal("en-default", lambda: ["DATE"], False)(SPANISH) is None
    assert language_refusal("my-model", lambda: ["DATE"], True)(SPANISH) is None
    assert language_refusal("my-model", lambda: ["FECHAS"], True)(SPANISH) is None
