"""What Multi learns in addition to its stacker, as it is stored in ``multi.json``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from multideid.arrays import DoubleArray, FloatArray
from multideid.errors import ModelError
from multideid.persistence.files import load_json, save_json
from multideid.stacking.calibration import Calibration
from multideid.stacking.thresholds import OPERATING_POINTS, check_offsets

_NAME = "multi"
_PATTERN = {
    "offsets": [float],
    "trust": [[float]],
    "operating_points": {name: [float] for name in OPERATING_POINTS},
}


class MultiValues(NamedTuple):
    """Thresholds, shares of trust and calibration of a fitted Multi.

    Parameters
    ----------
    offsets : float32 array, shape (n_classes,)
        Those in use.
    points : dict of str to float32 array, shape (n_classes,)
        Those of each operating point.
    shares : float64 array, shape (n_classes, n_systems)
    calibration : Calibration or None
    span_choice : bool
        Whether the model chooses spans; older ones do not.
    words_need_evidence : bool
        Whether ordinary words are flipped with evidence only.
    """

    offsets: FloatArray
    points: dict[str, FloatArray]
    shares: DoubleArray
    calibration: Calibration | None
    span_choice: bool
    words_need_evidence: bool

    def save(self, folder: Path) -> None:
        """Write ``multi.json``."""
        values: dict[str, Any] = {"offsets": self.offsets.tolist(), "trust": self.shares.tolist()}
        if self.calibration is not None:
            values["calibration"] = self.calibration._asdict()
        flags = {
            "span_choice": self.span_choice,
            "words_need_evidence": self.words_need_evidence,
        }
        values |= {name: True for name, is_set in flags.items() if is_set}
        values["operating_points"] = {name: own.tolist() for name, own in self.points.items()}
        save_json(folder, _NAME, values)

    @classmethod
    def load(cls, folder: Path, n_systems: int, n_classes: int) -> Self:
        """Read what `save` wrote for so many systems and PHI classes.

        Raises
        ------
        ModelError
            If the file is missing or damaged, or is of other systems or classes.
        """
        path, values = folder / f"{_NAME}.json", load_json(folder, _NAME, _PATTERN)
        points = {name: np.array(o, np.float32) for name, o in values["operating_points"].items()}
        offsets = np.array(values["offsets"], dtype=np.float32)
        check_offsets(path, [offsets, *points.values()], n_classes)
        if [len(row) for row in values["trust"]] != [n_systems] * n_classes:
            raise ModelError(path, "has a share of trust too few or too many")
        return cls(
            offsets,
            points,
            np.array(values["trust"], dtype=np.float64).reshape(n_classes, n_systems),
            Calibration.from_json(path, values.get("calibration")),
            _is_set(values, "span_choice", path),
            _is_set(values, "words_need_evidence", path),
        )


def _is_set(values: Mapping[str, Any], name: str, path: Path) -> bool:
    if name in values and values[name] is not True:
        raise ModelError(path, f"{name}: must be true, or absent")
    return name in values
