"""Options of the commands: declarations only."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class RecallPoint(StrEnum):
    """The recall points of Multi models."""

    balanced = "balanced"
    high = "high"
    maximum = "maximum"


class ReplacementMode(StrEnum):
    """Replacements of PHI."""

    mask = "mask"
    tag = "tag"
    remove = "remove"
    surrogate = "surrogate"
    hash = "hash"


class Preset(StrEnum):
    """Actions for a purpose."""

    safe_harbor = "safe-harbor"
    limited_data_set = "limited-data-set"
    gdpr_pseudonymous = "gdpr-pseudonymous"


class DateOrder(StrEnum):
    """Whether 3/4 is in April or in March."""

    day_first = "day-first"
    month_first = "month-first"


class OnOrOff(StrEnum):
    """Whether something is done."""

    on = "on"
    off = "off"


# Corpora.

CorpusFormat = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Format of the corpus (see [b]multideid formats[/b]). Default: detected.",
    ),
]
ToFormat = Annotated[
    str,
    typer.Option("--to", metavar="NAME", help="Format to write (see [b]multideid formats[/b])."),
]
SpansFormat = Annotated[
    str | None,
    typer.Option(
        "--to",
        metavar="NAME",
        help="Format to write. Default: that of CORPUS, or brat if that holds no spans.",
    ),
]
OutCorpus = Annotated[
    Path,
    typer.Option("--out", "-o", metavar="PATH", help="Where to write.", show_default=False),
]
TrainCorpora = Annotated[
    list[Path],
    typer.Option("--train", metavar="CORPUS", help="A corpus to train on; can be repeated."),
]
TestCorpora = Annotated[
    list[Path],
    typer.Option(
        "--test", metavar="CORPUS", help="The corpus to measure on: one for each --train."
    ),
]
OptionalTrainCorpora = Annotated[
    list[Path] | None,
    typer.Option("--train", metavar="CORPUS", help="A corpus to train on; can be repeated."),
]
OptionalTests = Annotated[
    list[Path] | None,
    typer.Option(
        "--test", metavar="CORPUS", help="The corpus to measure on: one for each --train."
    ),
]
OptionalTestCorpora = Annotated[
    list[Path] | None,
    typer.Option(
        "--test", metavar="CORPUS", help="More documents: one corpus for each --train, or none."
    ),
]
FoldsOf = Annotated[
    list[Path] | None,
    typer.Option(
        "--folds-of",
        metavar="CORPUS",
        help="A corpus without test documents: each of its folds is measured by systems that "
        "learned from the others; can be repeated.",
    ),
]
GroupField = Annotated[
    str | None,
    typer.Option(
        "--groups",
        metavar="NAME",
        help="Field of the documents' meta: documents with the same value share a fold. "
        "Default: each document is a group.",
    ),
]
CorpusNames = Annotated[
    list[str] | None,
    typer.Option(
        "--name",
        metavar="NAME",
        help="Name of a corpus in tables: one for each --train. Default: derived from the paths.",
    ),
]

# Systems and models.

Systems = Annotated[
    str | None,
    typer.Option(
        "--systems",
        metavar="LIST",
        help="Base systems, separated by commas (see [b]multideid systems[/b]). "
        "Default: the five of the thesis.",
    ),
]
Param = Annotated[
    list[str] | None,
    typer.Option(
        "--param",
        metavar="SYSTEM.NAME=VALUE",
        help="A parameter of a base system, such as stat-deid.mesh=true; can be repeated. "
        "With a single system, NAME=VALUE is enough.",
    ),
]
FeatureSet = Annotated[
    str,
    typer.Option(
        "--features",
        metavar="full|paper",
        help="[b]paper[/b]: stat-deid, stanford, mist and lbj have only the features of their "
        "papers, and Multi the plain stacker of the thesis.",
    ),
]
ChosenLabels = Annotated[
    str | None,
    typer.Option(
        "--labels",
        metavar="LIST",
        help="Labels to train and score on, separated by commas; other gold spans count as no "
        "PHI. Default: all.",
    ),
]
TrainingMode = Annotated[
    str,
    typer.Option(
        metavar="MODE",
        help="[b]multi[/b]: systems and a stacker that learns which to trust. "
        "[b]mega[/b]: one learner with the features of all. "
        "[b]vote[/b]: systems and a vote. Or one system, by name.",
    ),
]
Folds = Annotated[
    int | None,
    typer.Option(metavar="N", help="For multi and mega: folds of whole documents. Default: 5."),
]
RequestedRecall = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="For multi: share of PHI tokens to find, such as 0.99, at the cost of precision.",
    ),
]
VoteRule = Annotated[
    str | None,
    typer.Option(metavar="NAME", help="For vote: majority (default), two-of-three or any."),
]
TrainingSeed = Annotated[
    int | None,
    typer.Option(metavar="N", help="For multi and mega: random seed. Default: 0."),
]
TrainingPassThrough = Annotated[
    bool,
    typer.Option(
        "--pass-through/--no-pass-through",
        help="Whether the model keeps certain finds of rules, such as e-mail addresses, in classes "
        "that the corpus does not annotate.",
    ),
]
ModelOut = Annotated[
    Path, typer.Option("--out", "-o", metavar="MODEL", help="The model folder to write.")
]
ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        "-m",
        metavar="MODEL",
        help="A model folder, or the name of a bundled model (see [b]multideid models[/b]).",
    ),
]
ModelArgument = Annotated[
    str,
    typer.Argument(metavar="MODEL", help="A model folder, or the name of a bundled model."),
]
Recall = Annotated[
    RecallPoint | None,
    typer.Option(
        "--recall",
        help="For multi models: plain decisions ([b]balanced[/b]), or higher recall at the cost "
        "of precision. Default: as the model was trained.",
        show_default=False,
    ),
]
PassThrough = Annotated[
    bool | None,
    typer.Option(
        "--pass-through/--no-pass-through",
        help="Whether certain finds of rules, such as e-mail addresses, are kept in classes that "
        "the training corpus does not annotate. Default: as the model was trained.",
        show_default=False,
    ),
]

# What a site knows.

SiteFile = Annotated[
    Path | None,
    typer.Option(
        "--site",
        metavar="FILE",
        help="A site.toml with lists, patterns and settings of your site.",
        show_default=False,
    ),
]
AllowLists = Annotated[
    list[Path] | None,
    typer.Option(
        "--allow",
        metavar="FILE",
        help="A list of what is no PHI: one entry a line, in which * stands for letters; "
        "/regular expressions/ go between slashes. Can be repeated.",
        show_default=False,
    ),
]
DenyLists = Annotated[
    list[str] | None,
    typer.Option(
        "--deny",
        metavar="LABEL=FILE",
        help="A list of what is PHI, such as DOCTOR=staff.txt. Can be repeated.",
        show_default=False,
    ),
]
PatientsTable = Annotated[
    Path | None,
    typer.Option(
        "--patients",
        metavar="FILE",
        help="A table of your patients, CSV, TSV or Parquet: what it has of a patient is PHI in "
        "the notes of that patient, known by --patient-field or a record number in the note.",
        show_default=False,
    ),
]
TakenLabels = Annotated[
    str | None,
    typer.Option(
        "--labels",
        metavar="LIST",
        help="Labels to take, separated by commas; other PHI stays. Default: all.",
        show_default=False,
    ),
]

MinScore = Annotated[
    float | None,
    typer.Option(
        "--min-score",
        min=0.0,
        max=1.0,
        metavar="P",
        help="Leave out spans that are PHI with a lower probability. For Multi models; takes up "
        "to twice the time.",
        show_default=False,
    ),
]
Agreement = Annotated[
    bool | None,
    typer.Option(
        "--agreement/--no-agreement",
        help="Whether what is surely found once counts everywhere in its note. Default: as the "
        "site says, else not.",
        show_default=False,
    ),
]
ActionsByLabel = Annotated[
    list[str] | None,
    typer.Option(
        "--action",
        metavar="LABEL=ACTION,...",
        help="What to do with PHI of a label, such as DATE=shift,LOCATION=keep,*=surrogate: an "
        "action of --as, [b]keep[/b], [b]shift[/b] (dates) or [b]top-code[/b] (ages over 89 "
        "become 90+). Other labels: as --as says. Can be repeated.",
        show_default=False,
    ),
]
PresetName = Annotated[
    Preset | None,
    typer.Option(
        "--preset",
        help="Actions for a purpose, over which --action goes. The guide says what they promise.",
        show_default=False,
    ),
]

# De-identification.

Inputs = Annotated[
    list[str],
    typer.Argument(
        metavar="INPUT", help="Files and folders; or - alone: standard input to output."
    ),
]
OutFolder = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="DIR", help="The folder to write to."),
]
ReplaceBy = Annotated[
    ReplacementMode,
    typer.Option(
        "--as",
        help="What replaces PHI: its label ([b]mask[/b]), nothing ([b]remove[/b]), the PHI "
        "itself in tags, for review ([b]tag[/b]), invented PHI of the same form "
        "([b]surrogate[/b]), or its label with a keyed hash ([b]hash[/b]).",
    ),
]
TextColumn = Annotated[
    str | None,
    typer.Option(
        "--column",
        metavar="NAME",
        help="Column with the text in CSV, TSV and Parquet files. If given, such files in folders "
        "are read too. Other columns are kept. Default: text.",
    ),
]
JsonPaths = Annotated[
    list[str] | None,
    typer.Option(
        "--json-path",
        metavar="PATH",
        help="Key of the text in JSON and JSON Lines, such as note.text, notes[*].text or ..text "
        "(at any depth); can be repeated. Other values are kept. Default: text.",
        show_default=False,
    ),
]
JsonId = Annotated[
    str | None,
    typer.Option(
        "--json-id",
        metavar="PATH",
        help="Key of a record's id in JSON, which names it in failures, report and vault. "
        "Default: the number of its line or item.",
        show_default=False,
    ),
]
TextEncoding = Annotated[
    str | None,
    typer.Option(
        "--encoding",
        metavar="NAME",
        help="Encoding of the files, such as windows-1252. Default: UTF-8, or as a file declares.",
        show_default=False,
    ),
]
LanguageCheck = Annotated[
    OnOrOff,
    typer.Option(
        "--language-check",
        help="Whether to refuse notes that are plainly not in the language of the model.",
    ),
]
AsText = Annotated[
    bool,
    typer.Option(
        "--as-text",
        help="Read files as plain text, even if they look like data in some format. Values in "
        "structured data are then mostly missed.",
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key-file",
        metavar="FILE",
        help="The secret from which surrogates, hashes and vaults follow, 16 bytes or more. "
        "Default: the environment variable MULTIDEID_KEY; without it, a random key that is lost "
        "after the run.",
        show_default=False,
    ),
]
PatientField = Annotated[
    str | None,
    typer.Option(
        "--patient-field",
        metavar="NAME",
        help="Column of tables, or key in JSON, that identifies the patient: with the same key, "
        "the surrogates of a patient agree in all rows and runs. Default: each note belongs to "
        "another patient.",
        show_default=False,
    ),
]
KeepWeekday = Annotated[
    bool, typer.Option("--keep-weekday", help="Shift dates of surrogates by whole weeks.")
]
DateOrderOption = Annotated[
    DateOrder | None,
    typer.Option(
        "--date-order",
        help="Whether 3/4 is in April or in March, for shifted dates. Default: as the site says, "
        "else told by the dates of each note.",
        show_default=False,
    ),
]
VaultFile = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        metavar="FILE",
        help="Write an encrypted file from which [b]multideid restore[/b], given the key, "
        "restores the text.",
        show_default=False,
    ),
]
SpansReport = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write the replaced spans, their scores and the systems that voted for each: "
        ".json, .csv, or .html to sort and filter.",
        show_default=False,
    ),
]
ShowPhi = Annotated[
    bool, typer.Option("--show-phi", help="Let the report quote the PHI, for review.")
]
OverwriteFiles = Annotated[
    bool, typer.Option("--overwrite", help="Replace files of an earlier run, never an input.")
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with a run that was stopped: repeat its command with this option. Without "
        "such a run, all is done.",
    ),
]
SkipExisting = Annotated[
    bool,
    typer.Option(
        "--skip-existing",
        help="Do only files that are new or changed since the last run with this option, which "
        "keeps a journal beside the output. Includes --resume.",
    ),
]

Shared = Annotated[
    bool,
    typer.Option(
        "--shared",
        help="Let others read the output, as your umask says. Default: only you can.",
    ),
]
SharedOrPrivate = Annotated[
    bool | None,
    typer.Option(
        "--shared/--private",
        help="Whether others can read the output, as your umask says, or only you. Default: "
        "shared, but private with --as tag.",
        show_default=False,
    ),
]

Timeout = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="After this time a document has failed, such as one on which a base system hangs.",
    ),
]

# Evaluation.

Tokenization = Annotated[
    str,
    typer.Option(
        "--tokenization", metavar="NAME", help="Tokens to count: multideid or whitespace."
    ),
]
Beta = Annotated[
    float,
    typer.Option("--beta", metavar="B", help="Weight of recall relative to precision."),
]
EvaluationFolds = Annotated[
    int, typer.Option("--folds", metavar="N", help="Folds of whole documents, for Multi.")
]
ResultsFolder = Annotated[
    Path | None,
    typer.Option(
        "--out",
        "-o",
        metavar="FOLDER",
        help="Save the results, and every fit as soon as it is finished, so that a stopped run "
        "can continue. Comparisons and experiments that use the same folder share fits.",
    ),
]
SavePredictions = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Keep the predictions of each system, as JSON Lines."),
]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write an HTML page with tables, plots and every error in context. "
        "It holds text of the documents.",
    ),
]
ExperimentReportFile = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Write an HTML page with tables and plots."),
]

# All commands.

AsJson = Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace the output of an earlier run.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Random seed.")]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", min=1, metavar="N", help="Number of processes. Default: one per processor."
    ),
]
ShowProgress = Annotated[
    bool | None,
    typer.Option(
        "--progress",
        help="Draw a progress bar on stderr even if it is not a terminal.",
        show_default=False,
    ),
]
