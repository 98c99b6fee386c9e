"""No command shows or leaves behind text of a note, whatever goes wrong.

Every note, annotation and table here holds marks, which are searched in all that is printed,
logged, reported and left in temporary folders. A new command needs a row in `CASES`.
"""

from __future__ import annotations

import logging
import re
import tempfile
import traceback
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import typer

from multideid.cli import app
from multideid.corpora import write_corpus
from multideid.document import Document, Span
from multideid.eval.experiments import EXPERIMENTS
from multideid.text import table

MARK = re.compile("zanzi|B-?739|7390", re.I)
"""What stands in the text of notes, and in their PHI."""
CHECKSUM = re.compile(r"\b[0-9a-f]{12,64}\b")
"""May hold four digits of a mark by chance."""

# fmt: off
BAD = {
    "latin.txt": b"Zanzi \xe9t\xe9 B-7390",
    "broken.json": b'{"note": "Zanzi B-7390", ',
    "broken.xml": b"<note>Zanzi B-7390</Zanzi>",
    "short.csv": b"id,text\n1,Zanzi B-7390\nZanzi\n",
    "broken.hl7": b"MSH|^~\\&|Zanzi\rPID|B-7390\rZanzi",
    "broken.rtf": b"{\\rtf1 Zanzi B-7390",
    "broken.pdf": b"%PDF-1.4 Zanzi B-7390",
    "broken.zip": b"PK\x03\x04Zanzi B-7390",
    "broken.docx": b"PK\x03\x04Zanzi B-7390",
    "walls.txt": b"\n".join([b"ZANZIzanzi0123456789" * 5] * 6),
    "lines.jsonl": b'{"id": "a", "text": "Zanzi B-7390"}\n{"id": "b", "text": "Zanzi',
    "outside.jsonl": b'{"id": "a", "text": "Zanzi", '
    b'"spans": [{"start": 0, "end": 99, "label": "ID"}]}',
    "kind.jsonl": b'{"id": "a", "text": "Zanzi", "spans": "Zanzi"}',
    "records.xml": b'<ROOT><RECORD ID="1"><TEXT>Zanzi <PHI TYPE="ID">B-7390</TEXT></RECORD></ROOT>',
    "standoff.xml": b'<deIdi2b2><TEXT><![CDATA[Zanzi]]></TEXT><TAGS><ID id="P0" start="0" end="3" '
    b'text="Zanzibar" TYPE="IDNUM" comment=""/></TAGS></deIdi2b2>',
    "id.text": b"START_OF_RECORD=1||||2||||\nZanzi B-7390\n",
    "brat/a.txt": b"Zanzi B-7390",
    "brat/a.ann": b"T1\tID 0 5\tZanzibar B-7390\n",
    "kinds/a.txt": b"Zanzi B-7390",
    "kinds/a.ann": b"T1\tID 0;5 Zanzi\tB-7390\nZanzi\n",
    "site.toml": b'[deny]\nID = ["Zanzi B-7390"\n',
    "patients.csv": b"patient,first_name\nZanzi,B-7390,Zanzi\n",
    "vault": b"Zanzi B-7390",
}
# fmt: on

CONVERTED = ["latin.txt", "lines.jsonl", "outside.jsonl", "kind.jsonl", "records.xml",
             "standoff.xml", "id.text", "brat", "kinds", "short.csv", "broken.xml"]  # fmt: skip
DEIDENTIFIED = [name for name in BAD if "/" not in name and name not in ("site.toml", "vault")]
_SAVED = "--vault {out}/v --key-file {key}"
_PAIR = "--train {broken} --test {broken} --systems badge --folds 2 --jobs 1"

CASES: dict[str, list[str]] = {
    "train": [
        "{marked} --mode badge --out {out}/m",
        "{broken} --mode badge --out {out}/m",
        "{broken} --mode vote --systems badge,majority --jobs 1 --out {out}/m",
        "{marked} --mode multi --systems badge,no-such --out {out}/m",
        *(f"{{bad}}/{name} --mode badge --out {{out}}/m" for name in CONVERTED),
    ],
    "deid": [
        "{texts} --model {model} --out {out}/o --report {safe}/r.csv",
        "{texts} --model {model} --out {out}/o --report {safe}/r.json --as surrogate " + _SAVED,
        "{torn} --model {model} --out {out}/o --report {safe}/r.csv",
        "{torn} --model {model} --out {out}/o --json",
        *(f"{{bad}}/{name} --model {{model}} --out {{out}}/o --json" for name in DEIDENTIFIED),
        *(f"{{bad}}/{name} --model {{model}} --out {{out}}/o --as-text" for name in DEIDENTIFIED),
        "{bad}/short.csv --model {model} --out {out}/o.csv --column text",
        "{bad}/lines.jsonl --model {model} --out {out}/o.jsonl --json-path text",
        "{texts} --model {model} --out {out}/o --site {bad}/site.toml",
        "{texts} --model {model} --out {out}/o --patients {bad}/patients.csv",
        "{texts} --model {bad} --out {out}/o",
        "{texts} --model {model} --out {out}/o --as no-such-mode",
    ],
    "restore": [
        "{clean} --vault {vault} --key-file {key} --out {out}/o",
        "{texts} --vault {vault} --key-file {key} --out {out}/o",
        "{clean} --vault {bad}/vault --key-file {key} --out {out}/o",
        "{clean} --vault {vault} --key-file {other} --out {out}/o",
    ],
    "predict": [
        "{model} {marked} --out {out}/p",
        "{model} {broken} --out {out}/p",
        "{model} {broken} --out {out}/p.jsonl --to jsonl --json",
        *(f"{{model}} {{bad}}/{name} --out {{out}}/p" for name in CONVERTED),
    ],
    "serve": ["--model {bad}", "--model {model} --token-file {bad}/no-such"],
    "review": [
        "{marked} --file {out}/r.review --agreement",
        "{marked} --file {out}/r.review --export {out}/e --to no-such",
        "{marked} --model {bad} --file {out}/r.review",
        *(f"{{bad}}/{name} --model {{model}} --file {{out}}/r.review" for name in CONVERTED),
    ],
    "validate size": ["", "--level 2"],
    "validate sample": [
        "{marked} --out {out}/s.jsonl --notes 2",
        *(f"{{bad}}/{name} --out {{out}}/s.jsonl --notes 1" for name in CONVERTED),
    ],
    "validate report": [f"{{bad}}/{name} {{marked}} --model {{model}}" for name in CONVERTED],
    # It serves a page once its notes are read.
    "validate read": ["{bad}/brat --out {out}/v", "{bad}/lines.jsonl --out {out}/v"],
    "clusters": ["{marked} --out {out}/k", "{bad}/brat --out {out}/k"],
    "validate check": ["{bad}/broken.json", "{bad}/lines.jsonl"],
    "validate simulate": [
        "{marked} --model {model} --notes 2 --samples 2",
        "{broken} --model {model} --notes 2 --samples 2",
        "{bad}/brat --model {model} --notes 2 --samples 2",
    ],
    "evaluate": [
        "{marked} {marked} --report {safe}/r.json",
        "{marked} {broken} --json",
        *(f"{{marked}} {{bad}}/{name} --report {{safe}}/r.json" for name in CONVERTED),
    ],
    "compare": [
        "--train {marked} --test {marked} --systems badge --folds 2 --jobs 1 --out {safe}/c",
        _PAIR,
        "--train {marked} --test {bad}/brat --systems badge --folds 2 --jobs 1",
    ],
    "bench": [
        "{model} {marked} --passes 1 --no-long --no-peers",
        "{model} {broken} --passes 1 --no-long --no-peers",
        "{model} {bad}/brat",
    ],
    "convert": [
        "{marked} {out}/c.jsonl --to jsonl",
        *(f"{{bad}}/{name} {{out}}/c --to brat" for name in CONVERTED),
        "{bad}/short.csv {out}/c --to brat --text-column text --id-column id",
    ],
    "resynthesize": [
        "{marked} --out {out}/r --seed 0",
        "{bad}/brat --out {out}/r",
        "{bad}/lines.jsonl --out {out}/r",
        "{marked} --out {out}/r --placeholders --model {bad}",
        "{torn} --out {out}/r --placeholders --model {model}",
    ],
    "sample-corpus": ["{out}/s --documents 1", "{marked} --documents 1"],
    "formats": [""],
    "models": [""],
    "systems": [""],
    "resources add": ["mesh {bad}/broken.xml", "mesh {bad}/lines.jsonl", "no-such {bad}/latin.txt"],
    "resources remove": ["no-such"],
    **{f"experiment {name}": [_PAIR] for name in EXPERIMENTS},
    # These train systems of their own first.
    "experiment greedy-features": ["--train {bad}/brat --test {marked}"],
    "experiment iterative-learning": ["--train {bad}/brat --test {marked}"],
}
_TOKENIZED = ("train", "predict", "compare", "bench")
"""Commands in which a fault of our own is tried, too; the first case of each."""


def _names(command: Any, before: str = "") -> Iterator[str]:
    if not hasattr(command, "list_commands"):
        yield before.strip()
        return
    context = typer.Context(command)
    for name in command.list_commands(context):
        yield from _names(command.get_command(context, name), f"{before} {name}")


def test_every_command_has_a_case() -> None:
    missing = set(_names(typer.main.get_command(app))) - CASES.keys()
    assert not missing, f"add a row to CASES, with notes that cannot be read, for {missing}"


def _notes(broken: bool) -> list[Document]:
    texts = [f"Zanzitext{n} by nurse B-739{n} at noon.\nBadge: B-739{n}\n" for n in range(4)]
    texts[1] += "UNBEARABLE" * broken
    return [
        Document(f"n{k}", text, tuple(Span(*m.span(), "ID") for m in re.finditer(r"B-\d+", text)))
        for k, text in enumerate(texts)
    ]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory, model: Path, invoke: Callable) -> dict:
    """Write notes, annotations and tables with marks, and return where they are."""
    root = tmp_path_factory.mktemp("marked")
    names = ("marked", "broken", "texts", "torn", "bad", "key", "other", "vault", "clean")
    made = {name: root / name for name in names} | {"model": model}
    for corpus, folder, broken in (("marked", "texts", False), ("broken", "torn", True)):
        write_corpus(_notes(broken), made[corpus], "brat")
        made[folder].mkdir()
        for note in _notes(broken):
            (made[folder] / f"{note.id}.txt").write_text(note.text)
    for name, content in BAD.items():
        (made["bad"] / name).parent.mkdir(parents=True, exist_ok=True)
        (made["bad"] / name).write_bytes(content)
    for name in ("key", "other"):
        made[name].write_text(name * 10)
        made[name].chmod(0o600)
    saved = ("--vault", made["vault"], "--key-file", made["key"], "--as", "surrogate")
    options = ("--model", model, "--out", made["clean"], *saved)
    assert invoke("deid", made["texts"], *options).exit_code == 0
    return made


@pytest.fixture
def shown(
    places: dict, invoke: Callable, tmp_path: Path, request: pytest.FixtureRequest
) -> Callable[[str, str], str]:
    """Run a command, and return all that it printed, logged, reported and left behind."""
    caplog, warned = request.getfixturevalue("caplog"), request.getfixturevalue("recwarn")
    # What is written past Python's streams, as by libraries in other languages.
    capfd = request.getfixturevalue("capfd")
    caplog.set_level(logging.DEBUG)
    given, numbers = _files(places["marked"].parent), count()

    def run(command: str, arguments: str) -> str:
        here = tmp_path / str(next(numbers))
        own = {name: here / name for name in ("out", "safe", "temporary", "home")}
        for folder in own.values():
            folder.mkdir(parents=True)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(tempfile, "tempdir", str(own["temporary"]))
            patch.setenv("TMPDIR", str(own["temporary"]))
            patch.setenv("HOME", str(own["home"]))
            patch.chdir(here)
            result = invoke(*command.split(), *arguments.format(**places, **own).split())
        ended = None if isinstance(result.exception, SystemExit) else result.exception
        trace = "".join(traceback.format_exception(ended)) if ended else ""
        told = [str(warning.message) for warning in warned]
        visible = _files(own["out"]) - set(_hidden(own["out"]))
        files = _files(here) - visible | _files(places["marked"].parent) - given
        left = [f"{p.name} {p.read_bytes()!r}" for p in files]
        parts = [result.output, *capfd.readouterr(), trace, caplog.text, *told, *left]
        return CHECKSUM.sub("", "\n".join(parts))

    return run


def _files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


def _hidden(folder: Path) -> Iterator[Path]:
    for path in folder.rglob("*"):
        if any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


@pytest.mark.end_to_end
@pytest.mark.parametrize("command", CASES)
def test_nothing_of_a_note_is_shown(command: str, shown: Callable[[str, str], str]) -> None:
    for arguments in CASES[command]:
        found = MARK.search(seen := shown(command, arguments))
        assert found is None, f"{command} {arguments}: {seen}"


@pytest.mark.parametrize("command", _TOKENIZED)
def test_a_fault_of_our_own_shows_nothing_either(
    command: str, shown: Callable[[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(texts: tuple[str, ...]) -> None:
        raise RuntimeError(f"no tokens in {texts}")

    monkeypatch.setattr(table, "split_batch", fail)
    assert not MARK.search(shown(command, CASES[command][0]))
