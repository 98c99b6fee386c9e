"""Clusters are stored whole and private, are checked when they are read, and make templates."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from multideid.errors import ModelError, UsageError
from multideid.features.cluster_templates import cluster_templates, cluster_view
from multideid.features.word_clusters import (
    LEVELS,
    WordClusters,
    read_clusters,
    write_clusters,
)
from multideid.persistence import ModelInfo, ModelWriter
from multideid.text.table import TokenTable


def made(*words: str, fine: tuple[int, ...] = (0, 1), middle: tuple[int, ...] = (0, 0)):
    arrays = (np.array(values, dtype=np.int32) for values in (fine, middle, (0,) * len(middle)))
    return WordClusters(words or ("ache", "zürich"), *arrays)


def test_what_is_written_is_read_again(tmp_path) -> None:
    write_clusters(made(), tmp_path / "c")
    found = read_clusters(tmp_path / "c")
    assert found == made()
    assert [found.class_of("ZÜRICH", level) for level in LEVELS] == ["1", "0", "0"]
    assert found.class_of("Bern", "fine") == ""


def test_only_the_owner_can_read_them(tmp_path) -> None:
    write_clusters(made(), tmp_path / "c")
    modes = {path.stat().st_mode & 0o077 for path in (tmp_path / "c", *(tmp_path / "c").iterdir())}
    assert modes == {0}


def test_a_changed_file_is_refused(tmp_path) -> None:
    write_clusters(made(), tmp_path / "c")
    path = tmp_path / "c" / "clusters.npz"
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(UsageError, match=r"clusters\.npz"):
        read_clusters(tmp_path / "c")


def test_other_folders_are_refused(tmp_path) -> None:
    with ModelWriter(tmp_path / "m", ModelInfo("single", ("DATE",))):
        pass
    with pytest.raises(UsageError, match="kind 'single'; make clusters by multideid clusters"):
        read_clusters(tmp_path / "m")
    with pytest.raises(UsageError, match="there is no such model folder"):
        read_clusters(tmp_path / "none")


@pytest.mark.parametrize(
    "clusters",
    [
        made("zürich", "ache"),
        made("ache", "ache"),
        made("ache", "z" * 41),
        made(fine=(0, 2)),
        made(fine=(0, -1)),
        made(fine=(0,)),
        made(middle=(0, 5000)),
    ],
)
def test_content_that_breaks_a_rule_is_refused(clusters: WordClusters, tmp_path: Path) -> None:
    clusters.save(tmp_path)
    with pytest.raises(ModelError, match="clusters"):
        WordClusters.load(tmp_path)


def test_no_word_is_shown() -> None:
    assert repr(made()) == "WordClusters(2 words, 2 classes)"


def test_views_follow_words_in_any_case() -> None:
    column = cluster_view(made(), "fine").column(TokenTable.from_texts(["Ache in ZÜRICH"]))
    assert [column.names[code] for code in column.codes] == ["0", "", "1"]


def test_templates_are_those_of_the_words_and_classes() -> None:
    names = [template.name for template in cluster_templates(made())]
    assert len(set(names)) == len(names)
    assert names == [t.name for t in cluster_templates(pickle.loads(pickle.dumps(made())))]
    assert not set(names) & {t.name for t in cluster_templates(made(middle=(0, 1)))}
