"""Requests and responses."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from multideid.redact.modes import Mode


def _encodable(text: str) -> str:
    """Refuse lone surrogates, which no response could hold."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"the lone surrogate at offset {error.start} is no character") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]
Name = Annotated[Text, Field(min_length=1, max_length=200)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Note(_Request):
    """A text of a request with several."""

    id: Name
    text: Text
    patient: Name | None = None


class SpansRequest(_Request):
    """One text, or several documents."""

    text: Text | None = None
    documents: Annotated[list[Note], Field(max_length=10_000)] | None = None
    scores: bool = False

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.text is None) == (self.documents is None):
            raise ValueError("give either text or documents")
        return self


class DeidentifyRequest(SpansRequest):
    """As `SpansRequest`, and how PHI is replaced."""

    mode: Mode = "mask"
    patient: Name | None = None

    @model_validator(mode="after")
    def _patient_of_text(self) -> Self:
        if self.patient is not None and self.documents is not None:
            raise ValueError("patient is for text; give each of the documents its own")
        return self


class FoundSpan(BaseModel):
    """A span of PHI, with half-open offsets in Unicode characters."""

    start: int
    end: int
    label: str
    score: float | None = None


class AnalyzeRequest(BaseModel):
    """The request of Presidio's analyzer."""

    model_config = ConfigDict(extra="ignore")

    text: Text | Annotated[list[Text], Field(max_length=10_000)]
    language: str
    entities: list[str] | None = None
    score_threshold: Annotated[float, Field(ge=0, le=1)] | None = None
    return_decision_process: bool | None = False
    allow_list: list[str] | None = None
    allow_list_match: str | None = "exact"
    ad_hoc_recognizers: list[Any] | None = None
