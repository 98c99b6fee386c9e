"""How unsure a model is of a note."""

from __future__ import annotations

from math import log

import pytest

from multideid.document import Span
from multideid.stacking.uncertainty import binary_entropy, uncertainty, vote_entropy

LEE, DATE, MON = Span(0, 3, "DOCTOR"), Span(10, 14, "DATE"), Span(10, 18, "DATE")


def test_a_sure_model_whose_systems_agree_is_not_unsure() -> None:
    systems = {"mist": (LEE, DATE), "lbj": (LEE, DATE)}
    assert uncertainty((LEE, DATE), (1.0, 1.0), systems) == 0
    assert uncertainty((), (), {"mist": (), "lbj": ()}) == 0


def test_low_probabilities_and_differing_systems_add_up() -> None:
    half = uncertainty((LEE, DATE), (0.5, 1.0), {"mist": (LEE, DATE), "lbj": (LEE, DATE)})
    assert half == 1
    split = {"mist": (LEE, DATE), "lbj": (LEE, MON)}
    assert uncertainty((LEE, DATE), (0.5, 1.0), split) == 2
    # What the model leaves out counts too.
    assert uncertainty((LEE,), (1.0,), split) == 1
    other_label = {"mist": (LEE,), "lbj": (Span(0, 3, "PATIENT"),)}
    assert uncertainty((LEE,), (1.0,), other_label) == 1


def test_a_model_of_one_system_has_no_signal() -> None:
    assert uncertainty((LEE,), (None,), {"mist": (LEE,)}) == 0


def test_entropies_lie_from_none_to_one() -> None:
    assert binary_entropy(0.5) == 1
    assert binary_entropy(0.1) == pytest.approx(binary_entropy(0.9)) == pytest.approx(0.469, 1e-3)
    assert [binary_entropy(p) for p in (None, 0.0, 1.0)] == [0, 0, 0]
    assert vote_entropy("abc") == pytest.approx(1)
    assert vote_entropy("aab") == pytest.approx((log(3) - 2 / 3 * log(2)) / log(3))
    assert vote_entropy("aaa") == vote_entropy("a") == 0
