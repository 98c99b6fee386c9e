"""The model that a service shares among its requests, and its settings."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from multideid import __version__
from multideid.document import Document, FailedDocument
from multideid.integrations.coded_notes import RefusedDocument
from multideid.integrations.rest.model_process import ModelProcess, use_first
from multideid.integrations.rest.predictor import BatchingPredictor, Finish
from multideid.models import DEFAULT_MODEL, open_model
from multideid.redact.keys import Key
from multideid.redact.modes import Replacer
from multideid.redact.redaction import make_replacer
from multideid.redact.surrogates import Surrogates
from multideid.site.patients import PATIENT

if TYPE_CHECKING:
    from multideid.stacking.deidentifier import Deidentifier

_REFUSED, _FAILED = 422, 500
_STUCK = 4
"""After so many time limits on one batch, the service calls itself unhealthy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of the service.

    Parameters
    ----------
    model : str, Path or Deidentifier
        The name of a bundled model, or a model folder; it works in a process of its own, which
        is replaced if it hangs or dies. Or a fitted de-identifier, which works in this process.
    recall : {"balanced", "high", "maximum"}, optional
        As for `multideid.load`.
    key : Key, optional
        From which surrogates and hashes follow. Default: a random one, lost at the end.
    language : str, default "en"
        The language that requests of ``/analyze`` must name.
    token : str, optional
        The token that requests must send.
    hosts : collection of str, optional
        Names of this host that requests may use. Default: any.
    max_bytes : int
        Size of a request.
    timeout : float
        Seconds for a request.
    max_requests : int
        Number of requests in progress; more are refused.
    """

    model: str | Path | Deidentifier = DEFAULT_MODEL
    recall: str | None = None
    key: Key | None = None
    language: str = "en"
    token: str | None = None
    hosts: Collection[str] | None = None
    max_bytes: int = 5_000_000
    timeout: float = 30.0
    max_requests: int = 64


class Service:
    """The model of an application, and what its routes share.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.model = _model(settings)
        self.predictor = BatchingPredictor(self.model, settings.max_requests)

    async def find(
        self, documents: Sequence[Document], finish: Finish, *, scores: bool = False
    ) -> list[Any]:
        """Return, for each document, what `finish` makes of it, or a `FailedDocument`."""
        timeout = self.settings.timeout
        return await self.predictor.find(documents, finish, scores=scores, timeout=timeout)

    def is_healthy(self) -> bool:
        """Return whether the model does not hang."""
        return self.predictor.busy_seconds < _STUCK * self.settings.timeout

    def close(self) -> None:
        """End the work on requests, and the process of the model."""
        self.predictor.close()
        if isinstance(self.model, ModelProcess):
            self.model.close()

    def replacer(self, mode: str) -> Replacer:
        """Return the replacer of a mode, with the key of the service."""
        if mode == "surrogate":
            return Surrogates(self.settings.key, patient=PATIENT)
        return make_replacer(mode, self.settings.key)

    def describe(self) -> dict[str, Any]:
        """Return a description of the model, as plain JSON values."""
        model, source = self.model, self.settings.model
        return {
            "model": Path(source).name if isinstance(source, str | Path) else None,
            "recall": self.settings.recall,
            "kind": model.kind,
            "labels": list(model.labels_),
            "systems": list(model.taggers_),
            "corpus": model.corpus_,
            "language": self.settings.language,
            "version": __version__,
        }


def _model(settings: Settings) -> Deidentifier | ModelProcess:
    if isinstance(settings.model, str | Path):
        return ModelProcess(settings.model, settings.recall, settings.timeout)
    model = open_model(settings.model, settings.recall)
    use_first(model)
    return model


def status_of(failed: FailedDocument) -> int:
    """Return the status of the response to a request whose only document, or one of all, failed."""
    return _REFUSED if isinstance(failed, RefusedDocument) else _FAILED
