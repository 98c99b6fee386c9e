"""All commands: help, errors, exit codes, and no leaks of text."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import pytest
import typer

from multideid import __version__
from multideid.cli import error_handler
from multideid.cli.app import app
from multideid.cli.deid import PANELS
from multideid.cli.error_handler import handle_errors
from multideid.corpora import CorpusWarning, read_corpus
from multideid.errors import DEBUG, DocumentError
from multideid.stacking import SingleDeidentifier

COMMANDS = [command.name for command in app.registered_commands]
HEAVY = {"numpy", "pandas", "pyarrow", "rich.progress", "scipy", "sklearn", "spacy"}
TRAINING_ONLY = {
    "joblib",
    "nltk",
    "pandas",
    "pyarrow",
    "pycrfsuite",
    "sklearn",
    "spacy",
    "textblob",
}


def _ours(function: Callable[[], None]) -> Callable[[], None]:
    """Return a function as if it were of the package: what others raise may quote notes."""
    known = {**globals(), "__name__": "multideid.cli.command"}
    code, closure = function.__code__, function.__closure__
    return FunctionType(code, known, function.__name__, None, closure)


def _fail_with(error: BaseException, *, ours: bool = True) -> Callable[[], None]:
    def command() -> None:
        raise error

    return handle_errors(_ours(command) if ours else command)


def test_every_exit_code_is_in_the_help_and_the_reference() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "command-line.md").read_text()
    table = {int(n) for row in re.findall(r"^\| ([\d, ]+) \|", text, re.M) for n in row.split(",")}
    shown = set(map(int, re.findall(r"\d+", app.info.epilog)))
    known = {value for name, value in vars(error_handler).items() if name.isupper()}
    assert {0, *(code for code in known if isinstance(code, int))} <= table
    assert shown == table


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(invoke, command) -> None:
    result = invoke(command, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.output


@pytest.mark.parametrize(
    ("command", "purpose"),
    [
        ("deid", "surrogates, hashes and vaults"),
        ("serve", "surrogates, hashes and vaults"),
        ("restore", "the key that deid was given"),
        ("validate read", "signs the report"),
        ("validate report", "signs the report"),
        ("validate check", "signs the report"),
    ],
)
def test_the_help_of_a_key_says_what_the_command_does_with_it(invoke, command, purpose) -> None:
    shown = re.sub(r"[│\s]+", " ", invoke(*command.split(), "--help").output)
    assert purpose in shown


@pytest.mark.parametrize("command", ["", *COMMANDS, "experiment kernels", "validate size"])
def test_help_shows_no_type_behind_flags(invoke, command) -> None:
    shown = invoke(*command.split(), "--help").output
    assert "--help" in shown
    assert "bool" not in shown


def test_help_begins_with_what_most_users_want(invoke) -> None:
    assert re.search(r"Use and train ─+╮\n│ deid ", invoke("--help").output)


def test_options_of_deid_are_in_panels_of_its_help(invoke) -> None:
    named = " ".join(PANELS.values()).split()
    options = {p.name: p for p in typer.main.get_command(app).commands["deid"].params}
    assert len(set(named)) == len(named)
    assert options.keys() - named == {"inputs", "model", "out"}
    assert {name: options[name].rich_help_panel for name in named} == {
        name: panel for panel, names in PANELS.items() for name in names.split()
    }
    assert "Which text is read" not in invoke("predict", "--help").output


def test_help_lists_every_command(invoke) -> None:
    listed = invoke("--help").output
    assert all(command in listed for command in COMMANDS)


def test_every_command_that_prints_figures_can_print_json(invoke) -> None:
    # The service prints no figures.
    assert [c for c in COMMANDS if "--json" not in invoke(c, "--help").output] == ["serve"]


def test_version_is_printed(invoke) -> None:
    assert invoke("--version").output == f"multideid {__version__}\n"


def _modules_after(code: str, *arguments: str) -> set[str]:
    """Return the modules that a new Python has when `code` has run."""
    code = f"import sys, atexit; atexit.register(lambda: print(*sys.modules)); {code}"
    command = [sys.executable, "-c", code, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(run.stdout.splitlines()[-1].split())


@pytest.mark.end_to_end
def test_help_needs_nothing_heavy() -> None:
    code = "import multideid.cli; multideid.cli.main()"
    for arguments in (["--help"], ["deid", "--help"]):
        modules = _modules_after(code, *arguments)
        assert HEAVY & modules == set()
        assert "multideid.corpora" not in modules


@pytest.fixture(scope="module")
def modules_of_deid(corpus, tmp_path_factory) -> set[str]:
    """Return the modules that are loaded once a note has been de-identified."""
    folder = tmp_path_factory.mktemp("deid")
    SingleDeidentifier("mimic").fit(read_corpus(corpus)).save(folder / "model")
    (folder / "note.txt").write_text("Seen by B-1234.")
    code = (
        "from multideid.taggers.registry import BUILT_IN, load_system; "
        "[*map(load_system, BUILT_IN.keys() - {'transformer'})]; "
        "import multideid.cli; multideid.cli.main()"
    )
    paths = [folder / "note.txt", "-m", folder / "model", "-o", folder / "out"]
    modules = _modules_after(code, "deid", *map(str, paths))
    assert (folder / "out" / "note.txt").exists()
    return modules


@pytest.mark.end_to_end
def test_one_note_needs_no_table_library_and_no_trainer(modules_of_deid) -> None:
    assert TRAINING_ONLY & modules_of_deid == set()


@pytest.mark.end_to_end
def test_one_note_needs_neither_evaluation_nor_resynthesis(modules_of_deid) -> None:
    unused = ("multideid.eval", "multideid.resynthesis", "template_notes")
    assert [name for name in modules_of_deid if name.startswith(unused)] == []


@pytest.mark.end_to_end
def test_module_is_the_command_line() -> None:
    arguments = [sys.executable, "-m", "multideid", "formats"]
    run = subprocess.run(arguments, capture_output=True, text=True, check=True)
    assert "brat" in run.stdout


def test_own_error_is_one_line_and_wrong_use(capsys) -> None:
    with pytest.raises(typer.Exit) as ended:
        _fail_with(DocumentError("n1", "first\nsecond"))()
    assert ended.value.exit_code == 2
    assert capsys.readouterr().err == "error: document 'n1': first second\n"


def test_system_error_names_the_file(capsys) -> None:
    with pytest.raises(typer.Exit) as ended:
        _fail_with(PermissionError(13, "Permission denied", "notes/a.txt"))()
    assert ended.value.exit_code == 2
    assert capsys.readouterr().err == "error: notes/a.txt: Permission denied\n"


def test_a_file_that_somebody_else_names_is_not_shown(capsys) -> None:
    with pytest.raises(typer.Exit):
        _fail_with(PermissionError(13, "Permission denied", "Mrs. Alder"), ours=False)()
    assert capsys.readouterr().err == "error: input or output: Permission denied\n"


def test_internal_error_is_reported_without_its_message(capsys) -> None:
    with pytest.raises(typer.Exit) as ended:
        _fail_with(ValueError("Mrs. Alder"))()
    assert ended.value.exit_code == 3
    told = capsys.readouterr().err
    assert "ValueError at " in told
    assert "Alder" not in told


def test_the_text_with_which_a_base_system_exits_is_not_shown(capsys) -> None:
    with pytest.raises(typer.Exit) as ended:
        _fail_with(SystemExit("Mrs. Alder"))()
    assert ended.value.exit_code == 3
    assert "Alder" not in capsys.readouterr().err


def test_internal_error_shows_its_traceback_on_request(monkeypatch) -> None:
    monkeypatch.setenv(DEBUG, "1")
    with pytest.raises(ValueError, match="Alder"):
        _fail_with(ValueError("Mrs. Alder"))()


def test_warnings_of_ours_are_one_line_and_those_of_others_are_not_shown(capsys) -> None:
    def command() -> None:
        warnings.warn("3 overlapping spans", CorpusWarning, stacklevel=1)
        warnings.warn("cannot parse 'Alder'", UserWarning, stacklevel=1)

    handle_errors(_ours(command))()
    handle_errors(command)()
    assert capsys.readouterr().err == "warning: 3 overlapping spans\n"
