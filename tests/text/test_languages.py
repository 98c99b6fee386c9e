"""Notes plainly in another language are recognised; English notes never are."""

from __future__ import annotations

import pytest

from multideid.samples import sample_corpus
from multideid.text.languages import LANGUAGES, OTHER_SCRIPT, foreign_language

NOTES = {
    "Spanish": "El paciente refiere dolor en el pecho desde hace tres días, sin fiebre. Fue "
    "visto por la doctora y se le dio el alta con tratamiento para la tensión.",
    "French": "Le patient est venu pour une douleur dans la poitrine depuis trois jours. Il a "
    "été vu par le médecin et il est sorti avec un traitement pour sa tension.",
    "German": "Der Patient klagt seit drei Tagen über Schmerzen in der Brust. Er wurde von der "
    "Ärztin untersucht und ist mit einer Verordnung für den Blutdruck nicht "
    "stationär.",
    "Italian": "Il paziente riferisce dolore al petto da tre giorni. È stato visto dalla "
    "dottoressa e dimesso con una terapia per la pressione, non ha febbre.",
    "Norwegian": "Pasienten kom til oss med smerter i brystet og har ikke hatt feber. Hun ble sett"
    " av legen og skal til kontroll etter tre dager, det er også tatt prøver.",
    "English": "The patient has had pain in the chest for three days. He was seen by the doctor "
    "and was discharged with a prescription for his blood pressure.",
}
CODES = "CBC WBC 7.2 HGB 13.5 PLT 250 NA 140 K 4.1 CL 103 CO2 24 BUN 12 CR 0.9 " * 10


@pytest.mark.parametrize("language", NOTES)
def test_notes_in_other_languages_are_recognised(language) -> None:
    assert foreign_language(NOTES[language], "en") == (None if language == "English" else language)
    if language in ("Spanish", "English", "German"):
        found = foreign_language(NOTES[language], "es")
        assert found == (None if language == "Spanish" else language)


def test_no_english_sample_note_is_taken_for_another_language() -> None:
    notes = sample_corpus(split="train")
    assert [note.id for note in notes if foreign_language(note.text, "en")] == []


@pytest.mark.parametrize("text", ["", "el la de que", CODES, "μ" * 20, "Paciente: Lee. No. 7"])
def test_short_notes_and_codes_are_never_refused(text) -> None:
    assert [code for code in LANGUAGES if foreign_language(text, code)] == []


@pytest.mark.parametrize(
    "text",
    [
        "\u043f\u0430\u0446\u0438\u0435\u043d\u0442 " * 20,
        "\u60a3\u8005\u306f\u80f8\u306e\u75db\u307f\u3002" * 12,
    ],
)
def test_other_scripts_are_recognised(text) -> None:
    assert foreign_language(text, "en") == OTHER_SCRIPT
