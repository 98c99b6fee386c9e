"""Names of columns and keys by the PHI class of their values, in other European languages.

As in `multideid.corpora.identifier_rules`. In Romance languages the noun comes first
(``telefono_del_paciente``), in Germanic ones last (``patienten_telefonnummer``).
"""

from __future__ import annotations

_NUMBER = r"(?:numero|num|nro|no|n|nr)_(?:d[eiou]_|del_|della_|d_)?(?:l[ae]?_)?"
_NAME = r"(?:nombres?|nom|nome)"
_OF = r"(?:_(?:d[aeiou]|del|della|dell|des|d|l[ae]?|el|al))*"
_PATIENT = (
    r"(?:pacientes?|pac|usuari[oa]|patiente?s?|pat|usager|assure|paziente|assistito|utente"
    r"|doente|pacient|sujeto|titular|persona|personne|pessoa)"
)
_FAMILY = r"(?:padre|madre|pere|mere|pai|mae|conyuge|conjoint|coniuge|familiar|tutor|contacto?)"
_DOCTOR = (
    r"(?:medic[oa]|doctora?|facultativo|medecin|praticien|metge|cirujano|chirurgien|chirurgo"
    r"|cirurgiao|enfermer[oa]|enfermeir[oa]|infirmiere?|infermiere)"
)

ANYTHING = "(?:.*_)?"
"""Any words before those of a name."""
_WHOSE = rf"(?:{_OF}_(?:{_PATIENT}|{_FAMILY}|{_DOCTOR}))?"

_Rules = tuple[tuple[str, str], ...]


def _rules(rules: _Rules, before: str = "", behind: str = "") -> _Rules:
    """Return rules whose names may have something before and behind them."""
    return tuple((label, f"{before}(?:{pattern}){behind}") for label, pattern in rules)


_ROMANCE = (
    (
        "EMAIL",
        r"correo(?:_electronico)?|courriel|mail|(?:adresse|direccion|indirizzo|endereco)_(?:de_)?"
        r"(?:e_?mail|mail|electronique|electronica|correo)|correu(?:_electronic)?"
        r"|posta_elettronica|correio_eletronico",
    ),
    ("FAX", rf"(?:{_NUMBER})?(?:fax|telecopie)"),
    (
        "PHONE",
        rf"(?:{_NUMBER})?(?:tele(?:f|ph)on[oe]?|telemovel|movil|celular|cellulare|tel|tlf|tfno)"
        r"(?:_?[1-3]|_(?:fijo|movil|fixe|fisso|fixo|portable|mobile|casa|domicile|trabajo|travail))?",
    ),
    (
        "SSN",
        rf"(?:{_NUMBER})?(?:seguridad_social|securite_sociale|secu|seguranca_social)"
        rf"|{_NUMBER}(?:afiliacion|insee)|niss|codice_fiscale|cod_?fiscale|cpf",
    ),
    (
        "MEDICALRECORD",
        rf"nhc|{_NUMBER}(?:historia(?:_clinica)?|hc|expediente|dossier|cartella(?:_clinica)?"
        r"|processo(?:_clinico)?|prontuario|ipp)",
    ),
    (
        "HEALTHPLAN",
        rf"cipa|(?:{_NUMBER})?(?:tarjeta_sanitaria|tessera_sanitaria|cartao_(?:sus|nacional_saude)"
        r"|carteirinha)"
        rf"|{_NUMBER}(?:poliza|asegurado|assure|mutuelle|mutua|utente|beneficiario|sns)",
    ),
    ("ACCOUNT", rf"iban|{_NUMBER}(?:cuenta|compte|conto|conta)"),
    ("LICENSE", rf"(?:{_NUMBER})?(?:colegiado|rpps|adeli)|{_NUMBER}(?:licencia|ordine|matricula)"),
    ("ZIP", r"(?:codigo|code|codice|codi)_postale?"),
    (
        "STREET",
        r"direccion|domicilio|calle|adresse|indirizzo|endereco|morada|logradouro|adreca|carrer",
    ),
    (
        "CITY",
        r"ciudad|localidad|municipio|ville|commune|citta|comune|cidade|localidade|concelho"
        r"|freguesia|bairro|naturalidade|(?:lugar|lieu|luogo|local)_(?:d[ei]_)?na(?:cimiento"
        r"|issance|scita|scimento)",
    ),
    (
        "DATE",
        r"(?:fecha|fec|f)_(?:de_)?(?:la_)?(?:nac(?:imiento)?|ingreso|alta|defuncion|fallecimiento"
        r"|exitus|consulta|visita|informe|admision|intervencion|episodio)|fecnac",
    ),
    (
        "DATE",
        r"(?:date|dt)_(?:d[eu]?_)?(?:la_|l_)?(?:nais(?:sance)?|deces|entree|sortie|admission"
        r"|hospitalisation|consultation|visite|examen|operation|intervention)|ddn",
    ),
    (
        "DATE",
        r"(?:data|dt)_(?:d[aeio]_|della_|d_)?(?:nascita|ricovero|ingresso|dimissione|decesso|morte"
        r"|visita|accesso|nasc(?:imento)?|admissao|internamento|internacao|alta|obito|consulta)",
    ),
    (
        "DOCTOR",
        rf"(?:{_NAME}{_OF}_)?{_DOCTOR}(?:_(?:responsable|tratante|referente|traitant|curante"
        r"|assistente|solicitante|adjunto|prescripteur|(?:de_)?(?:familia|cabecera|base)))?",
    ),
    ("DOCTOR", r"(?:firmado|realizado|signe|redige|firmato|assinado)_(?:por|par|da)|redacteur"),
    ("DOCTOR", r"auteur|autore?|signataire|firmante"),
    ("USERNAME", r"nombre_(?:de_)?usuario|identifiant_utilisateur|utilisateur|nome_utente"),
    (
        "PATIENT",
        r"(?:(?:primer|segundo)_)?(?:apellidos?|cognoms?|cognome|prenoms?|sobrenome|apelido)"
        r"(?:_?[12])?(?:_(?:e(?:t)?|y)_(?:nombres?|nome|nom))?|nombre_?[12]|nombre_pila",
    ),
    (
        "PATIENT",
        r"nom_(?:de_)?(?:naissance|jeune_fille|famille|usage|usuel|marital|complet)"
        r"|(?:nombre|nome)_(?:completo|social)|nombre_de_pila",
    ),
    (
        "PATIENT",
        r"(?:contacto|contact|contatto|contato)_(?:de_|d_|di_)?(?:emergencia|urgence|emergenza)"
        r"|personne_(?:de_|a_)?(?:confiance|contacter|prevenir)",
    ),
    (
        "PATIENT",
        rf"{_NAME}{_OF}_(?:{_PATIENT}|{_FAMILY})|(?:{_PATIENT}|{_FAMILY})_{_NAME}"
        rf"|{_NAME}_(?:y_apellidos?|apellidos?|et_prenoms?|prenoms?|e_cognome|cognome)",
    ),
    (
        "HOSPITAL",
        r"hospital|centro|centro_(?:de_)?(?:salud|saude)|centro_(?:hospitalario|sanitario)",
    ),
    ("HOSPITAL", r"etablissement|hopital|ospedale|unidade_(?:de_)?saude|ambulatorio"),
    (
        "IDNUM",
        r"curp|(?:pasaporte|passeport|passaporto|passaporte)(?:_n(?:um|o)?)?"
        r"|cedula|documento_(?:de_)?identidad|carte_(?:d_)?identite|carta_(?:d_)?identita",
    ),
    (
        "IDNUM",
        rf"(?:{_NUMBER}|id_(?:d[eou]_|del_)?)(?:{_PATIENT}|identificacion|identidad|identite"
        r"|identita|sejour|venue|episodio|atendimento|internamento|ingreso|ricovero|visita|visite"
        rf"|caso|pasaporte|passeport|passaporto|cedula|dni)|(?:identifiant|codigo|code)_{_PATIENT}"
        rf"|{_PATIENT}_id",
    ),
)

_NR = r"_?(?:nummer|nr)"
_ARZT = r"(?:haus|stations|ober|chef|assistenz|fach|aufnahme|fast|huis)?_?"

_GERMANIC = (
    ("EMAIL", r"e_?post(?:_?adress[ea]?)?|e?_?mail_?adress?[ea]?"),
    ("FAX", rf"(?:tele)?fax{_NR}|telefaks"),
    (
        "PHONE",
        rf"tele?fo+n(?:{_NR})?|(?:tlf|tel)(?:{_NR})?|mobil(?:tele?fon|{_NR})|mobiel{_NR}"
        rf"|handy(?:{_NR})?|rufnummer",
    ),
    (
        "SSN",
        rf"(?:sozialversicherungs|sv|ahv|bsn|burger_?service|rijksregister|cpr|fodsels|fødsels"
        rf"|person){_NR}|svnr|bsn",
    ),
    (
        "MEDICALRECORD",
        rf"(?:patienten?|kranken?akten?|akten?|journal|dossier|patient_?dossier|pasient){_NR}",
    ),
    (
        "HEALTHPLAN",
        rf"(?:kranken)?(?:versicherten?|versicherungs|kassen){_NR}|kvnr"
        rf"|(?:verzekerings|polis|forsikrings|forsakrings){_NR}",
    ),
    ("ACCOUNT", rf"(?:konto|rekening){_NR}"),
    ("LICENSE", rf"lanr|bsnr|(?:big|hpr|arzt){_NR}|agb_?code"),
    ("ZIP", rf"postleitzahl|post{_NR}"),
    (
        "STREET",
        r"stra(?:ss)?e(?:_?(?:name|nr|(?:und_)?hausnummer))?|straat(?:_?naam)?"
        rf"|(?:haus|huis){_NR}|(?:wohn)?anschrift|adress[ea]?|adres|(?:gate|gade|gatu|vei)_?"
        r"(?:adress[ea]|navn|namn)",
    ),
    (
        "CITY",
        r"(?:wohn|geburts)_?ort|woon_?plaats|geboorte_?plaats|post_?sted|post_?ort|stadt"
        r"|fode_?sted|føde_?sted|fodelse_?ort|gemeinde|gemeente",
    ),
    (
        "DATE",
        r"geburts_?(?:datum|tag|dat|jahr)|geb_?(?:datum|dat|tag)?|geboorte_?(?:datum|jaar|dag)"
        r"|f[oø]dsels?_?(?:dato|dag|ar|år)|f[oø]delse_?(?:datum|dato)|f[oø]dt",
    ),
    (
        "DATE",
        r"(?:aufnahme|entlass(?:ungs?)?|sterbe|todes|befund|untersuchungs|besuchs|opname|ontslag"
        r"|overlijdens?|consult|bezoek|operati(?:ons|e)|innleggelses?|utskrivnings?|inskrivnings?"
        r"|indl(?:ae|æ)ggelses?|udskrivnings?|d[oø]ds|besoks|konsultasjons)_?(?:datum|dato|dat|tag)",
    ),
    (
        "DOCTOR",
        rf"{_ARZT}(?:arzt|arztin|aerztin|arts|lege|laege|læge|lakare)"
        r"(?:_?(?:name|naam|navn|namn))?|behandler|behandelaar|verfasser|operateur",
    ),
    ("DOCTOR", r"sykepleier|sjukskoterska|verpleegkundige|pflegekraft|krankenschwester"),
    ("DOCTOR", r"(?:unterschrieben|diktiert|erstellt)_von|ondertekend_door|signert_av"),
    (
        "PATIENT",
        r"(?:patienten?_?)?(?:vor|nach|familien|geburts|madchen|maedchen|ruf)_?name"
        r"|patienten?_?name",
    ),
    ("PATIENT", r"(?:voor|achter|familie|roep|meisjes|patient)_?naam|voorletters|contact_?persoon"),
    (
        "PATIENT",
        r"(?:for|mellom|mellem|efter|etter|slekts|slegts|pasient|patient)_?navn"
        r"|(?:for|efter|mellan|patient)_?namn|(?:notfall)?_?kontakt_?person|angehoriger?"
        r"|nachste_?angehorige|parorende|pårørende|anhorig",
    ),
    (
        "HOSPITAL",
        r"krankenhaus|klinikum|ziekenhuis|sykehus|sygehus|sjukhus|legekontor|vardcentral"
        r"|(?:krankenhaus|klinik|praxis|ziekenhuis)_?(?:name|naam)",
    ),
    (
        "IDNUM",
        rf"(?:fall|aufnahme|besuchs|auftrags|befund|ausweis|pass|paspoort|steuer|opname"
        rf"|zaak){_NR}|(?:patienten?|pasient|fall|steuer)_?id",
    ),
    ("USERNAME", r"benutzer_?(?:name|kennung)|(?:gebruikers_?naam|bruker_?navn|anvandar_?namn)"),
)

_POLISH_CZECH_FINNISH = (
    ("PHONE", r"(?:nr_|numer_)?telefonu?|puhelin(?:numero)?"),
    ("SSN", r"pesel|rodne_cislo|henkilotunnus|hetu"),
    ("ZIP", r"kod_pocztowy|postinumero"),
    ("STREET", r"adresa?(?:_zamieszkania)?|ulica|ulice|(?:koti|lahi)?osoite"),
    ("CITY", r"miasto|miejscowosc|miejsce_urodzenia|mesto|obec|misto_narozeni|(?:koti)?kunta"),
    ("DATE", r"data_urodzenia|datum_narozeni|syntyma(?:aika|paiva)|data_(?:przyjecia|wypisu)"),
    ("DOCTOR", r"lekarz|lekar|laakari|hoitaja"),
    ("PATIENT", r"imie(?:_i_nazwisko)?|imiona|nazwisko|jmeno_a_prijmeni|prijmeni|(?:etu|suku)nimi"),
    ("HOSPITAL", r"szpital|nemocnice|sairaala"),
    ("IDNUM", r"(?:nr|numer|id)_pacjenta|nr_dowodu|id_pacienta|potilas_?(?:id|numero)"),
)

EUROPEAN = (
    *_rules(_ROMANCE, before=rf"(?:(?:{_PATIENT}|{_FAMILY})_)?", behind=_WHOSE),
    *_rules(_GERMANIC, before=ANYTHING),
    *_rules(_POLISH_CZECH_FINNISH, behind="(?:_pacjenta|_pacienta)?"),
    ("NAME", r"nombre|nom|nome|naam|navn|namn|nimi|jmeno"),
)
