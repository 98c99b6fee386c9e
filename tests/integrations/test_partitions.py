"""Workers of a cluster use the model of the job, whatever they have loaded before."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd

from multideid.document import Document
from multideid.integrations.partitions import opened_once, replacer_of, rewritten
from multideid.models import manifest_of, open_model
from multideid.stacking import Deidentifier, SingleDeidentifier
from multideid.stacking.loading import load_bytes


def labelled(label: str) -> SingleDeidentifier:
    return SingleDeidentifier("majority").fit([Document("n", "by Lee", ((3, 6, label),))])


def test_other_bytes_are_another_model() -> None:
    for label in ("DOCTOR", "PATIENT", "DOCTOR"):
        # The bytes of the job before are freed, and these may be in their place.
        data = labelled(label).to_bytes()
        assert opened_once(data, partial(load_bytes, data)).labels_ == (label,)


def test_a_model_is_loaded_once() -> None:
    data = labelled("DOCTOR").to_bytes()
    same = bytes(bytearray(data))
    assert opened_once(data, partial(load_bytes, data)) is opened_once(same, unwanted)


def unwanted() -> Deidentifier:
    raise AssertionError("is loaded again")


def test_a_model_that_is_trained_again_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "model"
    for label in ("DOCTOR", "PATIENT"):
        labelled(label).save(path, overwrite=True)
        opened = partial(open_model, path, None)
        assert opened_once(manifest_of(path, None), opened).labels_ == (label,)
        assert opened_once(manifest_of(path, None), unwanted).labels_ == (label,)


def test_attributes_of_a_batch_do_not_come_out() -> None:
    batch = pd.DataFrame({"text": ["by Lee"]})
    batch.attrs = {"patient": "Martha Alder"}
    new = rewritten(batch, "text", None, labelled("DOCTOR"), replacer_of("mask", None))
    assert new["text"].tolist() == ["by [DOCTOR]"]
    assert new.attrs == {}
