"""``multideid models``: the models that come with the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from multideid.cli.options.common import AsJson
from multideid.cli.output import print_figures

if TYPE_CHECKING:
    from multideid.models import BundledModel


def models(json: AsJson = False) -> None:
    """List the models that come with the package.

    Give their names to --model, as you would a folder. Their cards describe the
    training data, the scores and the limits.
    """
    from multideid.models import bundled_models

    figures = [_figures(model) for model in bundled_models()]
    print_figures(figures, "\n\n".join(map(_text, figures)) or "no model is bundled", json)


def _figures(model: BundledModel) -> dict[str, Any]:
    from multideid.persistence import check_manifest

    info = check_manifest(model.folder).info
    return {
        "name": model.name,
        "kind": info.kind,
        "labels": list(info.labels),
        "systems": [system.name for system in info.systems],
        "megabytes": round(model.size / 1e6, 1),
        "folder": str(model.folder),
        "card": str(model.card),
    }


def _text(figures: dict[str, Any]) -> str:
    systems = ", ".join(figures["systems"])
    return (
        f"{figures['name']}: {figures['kind']} of {systems} ({figures['megabytes']} MB)\n"
        f"  labels: {', '.join(figures['labels'])}\n"
        f"  card: {figures['card']}"
    )
