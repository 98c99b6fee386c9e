"""The bundled Spanish model finds PHI in Spanish notes."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

import multideid
from multideid.models import bundled_models
from multideid.stacking import Deidentifier

NAME = "es-default"
ROOT = Path(__file__).parents[2]

NOTE = """\
Datos del paciente.
Nombre: Ernesto.
Apellidos: Rivera Bueno.
NHC: 3689477.
Domicilio: Calle Miguel Benitez, 90.
Localidad: Madrid.
CP: 28016.
Fecha de nacimiento: 12/08/1951. Sexo: H.
Médico: Ignacio Rubio Tortosa NºCol: 28 28 70973.

Informe clínico del paciente: Varón de 68 años con disnea, tratado con omeprazol 20 mg.
"""


@pytest.fixture(scope="module")
def model() -> Deidentifier:
    return multideid.load(NAME)


def test_it_is_bundled_with_a_card_that_docs_show() -> None:
    (bundled,) = [model for model in bundled_models() if model.name == NAME]
    assert (ROOT / "docs" / "notebook" / f"{NAME}.md").resolve() == bundled.card.resolve()


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ernesto", "NOMBRE_SUJETO_ASISTENCIA"),
        ("Rivera Bueno", "NOMBRE_SUJETO_ASISTENCIA"),
        ("28016", "TERRITORIO"),
        ("Ignacio Rubio Tortosa", "NOMBRE_PERSONAL_SANITARIO"),
        ("12/08/1951", "FECHAS"),
    ],
)
def test_phi_is_found_with_its_type(model: Deidentifier, text: str, label: str) -> None:
    assert (text, label) in {(NOTE[s.start : s.end], s.label) for s in model.spans(NOTE)}


def test_drugs_are_not_phi(model: Deidentifier) -> None:
    assert "omeprazol 20 mg" in model.deidentify(NOTE, "tag")


def test_decomposed_letters_change_nothing(model: Deidentifier) -> None:
    accents = NOTE.replace("Ernesto", "José Ángel").replace("Rivera Bueno", "Muñoz Peñalver")
    found = []
    for form in ("NFC", "NFD"):
        text = unicodedata.normalize(form, accents)
        found.append([
            (unicodedata.normalize("NFC", text[s.start : s.end]), s.label)
            for s in model.spans(text)
        ])  # fmt: skip
    assert found[0] == found[1]
    assert ("Muñoz Peñalver", "NOMBRE_SUJETO_ASISTENCIA") in found[0]
