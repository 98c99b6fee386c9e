"""Models that were stored before a parameter was renamed load, and are stored anew with its name
of today."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.persistence.manifest import check_manifest
from multideid.stacking import (
    Deidentifier,
    MegaDeidentifier,
    MultiDeidentifier,
    SingleDeidentifier,
    VoteDeidentifier,
    load_folder,
)
from multideid.taggers import registry

CORPUS = [Document(str(n), f"Seen by B-1{n} today.", (Span(8, 12, "ID"),)) for n in range(6)]
BEFORE: Mapping[str, Any] = {"badge": {"start": "B", "digits": 2}, "majority": {}}
TODAY = {"badge": {"prefix": "B", "digits": 2}, "majority": {}}


class _Finder:
    def __init__(self, prefix: str, digits: int) -> None:
        self._pattern = rf"{prefix}-[0-9]{{{digits}}}"

    def tag(self, document: Document) -> list[Span]:
        return [Span(*m.span(), "ID") for m in re.finditer(self._pattern, document.text)]


class BadgeBefore(_Finder):
    """Badge numbers, before a parameter was renamed."""

    def __init__(self, start: str = "Z", digits: int = 4) -> None:
        super().__init__(start, digits)


class BadgeToday(_Finder):
    """Badge numbers, with the names of today."""

    earlier_names: ClassVar[Mapping[str, str]] = {"start": "prefix"}

    def __init__(self, prefix: str = "Z", digits: int = 4) -> None:
        super().__init__(prefix, digits)


MODELS = {
    "multi": lambda: MultiDeidentifier(BEFORE, folds=2, n_jobs=1),
    "mega": lambda: MegaDeidentifier(BEFORE, folds=2, n_jobs=1),
    "vote": lambda: VoteDeidentifier(BEFORE, n_jobs=1),
    "single": lambda: SingleDeidentifier("badge", BEFORE["badge"]),
}


@pytest.fixture(params=MODELS)
def stored(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Deidentifier, Path]:
    """Return a model that was fitted and stored before the parameter was renamed."""
    monkeypatch.setattr(registry, "_SESSION", {"badge": BadgeBefore})
    model = MODELS[request.param]().fit(CORPUS)
    model.save(tmp_path / "model")
    monkeypatch.setattr(registry, "_SESSION", {"badge": BadgeToday})
    return model, tmp_path / "model"


def given(model: Deidentifier) -> Any:
    return {"badge": model.params} if isinstance(model, SingleDeidentifier) else model.systems


def test_it_predicts_as_before(stored: tuple[Deidentifier, Path]) -> None:
    model, folder = stored
    found = load_folder(folder).predict(CORPUS)
    assert found == model.predict(CORPUS)
    assert any(found)


def test_its_parameters_have_the_names_of_today(stored: tuple[Deidentifier, Path]) -> None:
    loaded = load_folder(stored[1])
    assert given(loaded).items() <= TODAY.items()
    assert loaded.get_params()["badge__prefix"] == "B"


def test_it_can_be_fitted_again(stored: tuple[Deidentifier, Path]) -> None:
    loaded = load_folder(stored[1])
    assert loaded.fit(CORPUS).predict(CORPUS) == stored[0].predict(CORPUS)


def test_it_is_stored_with_the_names_of_today(
    stored: tuple[Deidentifier, Path], tmp_path: Path
) -> None:
    load_folder(stored[1]).save(tmp_path / "again")
    info = check_manifest(tmp_path / "again").info
    assert "start" not in str(info)
    assert "'prefix': 'B'" in str(info)
    assert load_folder(tmp_path / "again").predict(CORPUS) == stored[0].predict(CORPUS)


def test_an_earlier_name_is_refused_before_any_fit(stored: tuple[Deidentifier, Path]) -> None:
    told = "system 'badge' has no parameter 'start'; it is now 'prefix'"
    loaded = load_folder(stored[1])
    with pytest.raises(UsageError, match=told):
        loaded.set_params(badge__start="Z")
    with pytest.raises(UsageError, match=told):
        SingleDeidentifier("badge", {"start": "Z"}).fit(CORPUS)
