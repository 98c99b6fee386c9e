"""Names of columns and keys in other languages than English."""

from __future__ import annotations

import pytest

from multideid.corpora.identifier_names import heading_label, identifier_label, value_label

NAMES = {
    "EMAIL": "correo electrónico;courriel;adresse_mail;E-Mail-Adresse;e-postadresse",
    "FAX": "numero_fax;Faxnummer;telefaks",
    "PHONE": "Teléfono;telefono_contacto;movil;numéro de téléphone;tel_portable;telemovel;cellulare"
    ";Telefonnummer;patienten_telefon;handy;telefoonnummer;tlf;mobilnummer;puhelinnumero",
    "SSN": "numero_seguridad_social;n° sécurité sociale;codice fiscale;CPF"
    ";Sozialversicherungsnummer;BSN;CPR-nummer;personnummer;fødselsnummer;PESEL;rodné číslo;hetu",
    "MEDICALRECORD": "NHC;Nº historia clínica;num_dossier;numero_cartella_clinica"
    ";Patientennummer;patienten_nr;journalnummer",
    "HEALTHPLAN": "CIPA;tarjeta sanitaria;numero_tessera_sanitaria;Versichertennummer",
    "ACCOUNT": "IBAN;numero_cuenta;Kontonummer;rekeningnummer",
    "LICENSE": "numero_colegiado;RPPS;LANR;BIG-nummer",
    "ZIP": "código postal;code_postal;PLZ;Postleitzahl;postnummer;kod pocztowy",
    "STREET": "dirección;domicilio;adresse;indirizzo;endereço;Straße;strasse_hausnummer;Anschrift"
    ";straatnaam;gateadresse;ulica;osoite",
    "CITY": "ciudad;localidad;lieu de naissance;luogo_nascita;Wohnort;woonplaats;poststed;město",
    "DATE": "fecha_nacimiento;FechaDeNacimiento;F. Nac.;fecha ingreso;fecha_alta;date de naissance"
    ";DDN;date_d_entree;data di nascita;data_ricovero;data de nascimento;dt_nasc;Geburtsdatum"
    ";geb.;Aufnahmedatum;geboortedatum;fødselsdato;födelsedatum;data urodzenia;syntymäaika",
    "DOCTOR": "médico;nombre_del_medico;medico_responsable;facultativo;médecin traitant"
    ";nom_medecin;medico curante;Hausarzt;behandelnder_arzt;arts;lege;läkare;lekarz",
    "PATIENT": "apellidos;primer_apellido;apellido_1;nombre_paciente;paciente_nombre"
    ";nombre y apellidos;prénom;nom_de_naissance;nom_patient;cognome;nome_completo;nome_da_mae"
    ";Vorname;nachname;PatientenName;voornaam;achternaam;fornavn;efternamn;nazwisko;příjmení",
    "HOSPITAL": "hospital;centro de salud;hôpital;Krankenhaus;ziekenhuis;sykehus;szpital",
    "IDNUM": "id_paciente;pasaporte;numero_episodio;carte d'identité;Fallnummer;patienten_id"
    ";id_patient;numero_sejour;opnamenummer",
    "USERNAME": "nombre_usuario;Benutzername;gebruikersnaam",
    "NAME": "nombre;nom;nome;naam;navn;namn",
}
PAIRS = [(label, name) for label, names in NAMES.items() for name in names.split(";")]

CLINICAL = """
informe medico;historia clínica;via;vía de administración;clinica;exploración;edad gestacional
tratamiento;diagnóstico;servicio;fecha;alta;población;motivo_ingreso;tipo_visita;nombre_farmaco
compte rendu;motif;traitement;voie;date;service;antécédents;nom_medicament;adresse par le motif
cartella clinica;terapia;diagnosi;peso;via di somministrazione;nome_farmaco
Befund;Diagnose;Ort;entnahme_ort;Arztbrief;Klinik;mobil;Gestationsalter;Telefonat;Fall
verslag;diagnose;behandeling;plaats;mobiel;journal;diagnoser;medisinering;alder_gestasjon
DNI;NIF;CPR;NSS;PID;CP;CAP;RUE;NIP;nuss;CIP;ordered_by_role;note_body;lab_no_result;falls_no
opis;wynik;nález;lausunto
"""


@pytest.mark.parametrize(("label", "name"), PAIRS)
def test_names_of_identifiers_are_known_in_other_languages(label: str, name: str) -> None:
    assert identifier_label(name) == label


@pytest.mark.parametrize("name", ["Alder", "Handy", "Arts", "Lege", "Ville"])
def test_names_of_fields_that_are_surnames_are_no_headings(name: str) -> None:
    assert identifier_label(name) or value_label(name, "95")
    assert heading_label(name) is None


@pytest.mark.parametrize("name", CLINICAL.replace("\n", ";").strip(";").split(";"))
def test_names_of_clinical_fields_are_none_of_identifiers(name: str) -> None:
    assert identifier_label(name) is None


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("DNI", "12345678Z", "IDNUM"),
        ("DNI", "yes", None),
        ("NIF", "-25", None),
        ("nie", "X1234567L", "IDNUM"),
        ("RUT", "12.345.678-5", "IDNUM"),
        ("IPP", "8004512345", "IDNUM"),
        ("IPP", "oui", None),
        ("CPR", "140307-1234", "SSN"),
        ("CPR", "20 min", None),
        ("CP", "28046", "ZIP"),
        ("CP", "none today", None),
        ("edad", "94", "AGE"),
        ("edad", "45", None),
        ("Edad del paciente", "94 años", "AGE"),
        ("Età", "91", "AGE"),
        ("Alter", "92 Jahre", "AGE"),
        ("Alter", "11 Monate", None),
        ("leeftijd", "101 maanden", None),
        ("ålder", "95", "AGE"),
    ],
)
def test_the_form_of_a_value_decides_where_a_name_has_other_meanings(
    name: str, value: str, label: str | None
) -> None:
    assert value_label(name, value) == label
