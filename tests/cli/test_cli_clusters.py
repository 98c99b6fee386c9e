"""``multideid clusters``, ``train --clusters`` and ``train --lists``."""

from __future__ import annotations

import json
import shutil

from multideid.corpora import read_corpus
from multideid.features.word_clusters import read_clusters
from multideid.stacking import load_folder

WORDS = "seen by nurse at noon badge once twice cough fever rash pain mild severe acute chronic"


def test_clusters_of_notes_reach_the_model(invoke, corpus, tmp_path) -> None:
    notes, out, model = (tmp_path / name for name in ("notes", "clusters", "model"))
    notes.mkdir()
    for n in range(5):
        (notes / f"{n}.txt").write_text(f"{WORDS}\nrare{'abcde'[n]}\n")
    figures = json.loads(invoke("clusters", notes, "--out", out, "--json").stdout)
    assert figures == {"words": 16, "classes": 2, "clusters": str(out)}
    assert sorted(WORDS.split()) == list(read_clusters(out).words)
    options = ("--mode", "stat-deid", "--clusters", out, "--out", model, "--json")
    result = invoke("train", corpus, *options)
    assert json.loads(result.stdout)["params"] == {"stat-deid": {"clusters": str(out)}}
    shutil.rmtree(out)
    assert load_folder(model).predict(read_corpus(corpus))


def test_wrong_use_is_refused_before_anything_is_read(invoke, corpus, tmp_path) -> None:
    result = invoke("clusters", corpus, "--out", tmp_path / "c", "--min-documents", 1)
    assert result.exit_code == 2
    assert "min_documents must be from 2 to" in result.stderr
    missing = invoke("train", corpus, "--clusters", tmp_path / "c", "--out", tmp_path / "m")
    assert missing.exit_code == 2
    assert "make them by multideid clusters" in missing.stderr
    assert list(tmp_path.iterdir()) == []


def test_lists_of_a_site_reach_the_model(invoke, corpus, tmp_path) -> None:
    toml, model = tmp_path / "site.toml", tmp_path / "model"
    toml.write_text('[deny.DOCTOR]\nentries = ["Zwick"]\n')
    options = ("--mode", "stat-deid", "--lists", toml, "--out", model, "--json")
    result = invoke("train", corpus, *options)
    assert json.loads(result.stdout)["params"] == {"stat-deid": {"lists": str(toml)}}
    toml.unlink()
    assert load_folder(model).predict(read_corpus(corpus))


def test_a_wrong_site_is_refused_by_its_line_before_anything_is_read(
    invoke, corpus, tmp_path
) -> None:
    toml = tmp_path / "site.toml"
    toml.write_text('[deny.DOCTOR]\nentries = ["Zwick",\n  "!"]\n')
    result = invoke("train", corpus, "--lists", toml, "--out", tmp_path / "m")
    assert result.exit_code == 2
    assert "line 3" in result.stderr
    assert "Zwick" not in result.stderr
