"""Model folders are reproducible, written atomically, and refused if damaged."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from multideid.errors import ModelError, UsageError
from multideid.locks import TEMPORARY, run_lock
from multideid.persistence import (
    FORMAT_VERSION,
    ModelInfo,
    ModelWriter,
    SystemRecord,
    check_manifest,
    check_output,
    exchange,
    save_arrays,
    save_json,
    write_manifest,
)
from multideid.persistence.manifest import _checksum

INFO = ModelInfo(
    kind="multi",
    labels=("DATE", "DOCTOR"),
    systems=(SystemRecord("mist", {"c1": 0.05}),),
    params={"folds": 5, "window": (-1, 1)},
    corpus="abc123",
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    with ModelWriter(tmp_path / "model", INFO) as folder:
        save_arrays(folder, "weights", coef=np.arange(6, dtype=np.float32).reshape(2, 3))
        (folder / "mist").mkdir()
        save_json(folder / "mist", "settings", {"window": 2})
    return tmp_path / "model"


def test_manifest_describes_the_model(model: Path) -> None:
    manifest = check_manifest(model)
    assert manifest.info.labels == INFO.labels
    assert manifest.info.systems == INFO.systems
    assert manifest.info.params == {"folds": 5, "window": [-1, 1]}
    assert set(manifest.files) == {"weights.npz", "mist/settings.json"}
    assert {"python", "multideid", "numpy"} <= manifest.versions.keys()


def test_same_model_written_twice_has_the_same_manifest(model: Path, tmp_path: Path) -> None:
    with ModelWriter(tmp_path / "again", INFO) as folder:
        save_arrays(folder, "weights", coef=np.arange(6, dtype=np.float32).reshape(2, 3))
        (folder / "mist").mkdir()
        save_json(folder / "mist", "settings", {"window": 2})
    texts = [(m / "manifest.json").read_bytes() for m in (model, tmp_path / "again")]
    assert texts[0] == texts[1]


def test_missing_model_file_is_refused_by_name(model: Path) -> None:
    (model / "weights.npz").unlink()
    with pytest.raises(ModelError, match=r"weights\.npz: is missing"):
        check_manifest(model)


def test_foreign_file_in_a_model_is_refused_by_name(model: Path) -> None:
    (model / "mist" / "notes.txt").write_text("x")
    with pytest.raises(ModelError, match=r"notes\.txt: does not belong"):
        check_manifest(model)


def test_one_changed_byte_is_refused_by_name(model: Path) -> None:
    path = model / "weights.npz"
    content = bytearray(path.read_bytes())
    content[-30] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelError, match=r"weights\.npz: is damaged"):
        check_manifest(model)


def test_link_in_a_model_is_refused(model: Path, tmp_path: Path) -> None:
    settings = model / "mist" / "settings.json"
    (tmp_path / "elsewhere.json").write_bytes(settings.read_bytes())
    settings.unlink()
    settings.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ModelError, match=r"settings\.json: is a link"):
        check_manifest(model)


def test_changed_manifest_is_refused(model: Path) -> None:
    path = model / "manifest.json"
    path.write_text(path.read_text().replace("DOCTOR", "HOSPITAL"))
    with pytest.raises(ModelError, match=r"manifest\.json: is damaged"):
        check_manifest(model)


def _rewrite(model: Path, **changes: object) -> None:
    path = model / "manifest.json"
    content = {**json.loads(path.read_text()), **changes}
    del content["checksum"]
    path.write_text(json.dumps({**content, "checksum": _checksum(content)}))


def test_newer_format_asks_for_an_upgrade(model: Path) -> None:
    _rewrite(model, format_version=FORMAT_VERSION + 1)
    with pytest.raises(ModelError, match=r"newer multideid .*install the newer"):
        check_manifest(model)


def test_older_format_asks_for_training(model: Path) -> None:
    _rewrite(model, format_version=FORMAT_VERSION - 1)
    with pytest.raises(ModelError, match=r"older multideid .*train the model again"):
        check_manifest(model)


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a/../../b", "C:\\x", "a//b"])
def test_path_that_leaves_the_model_is_refused(model: Path, name: str) -> None:
    _rewrite(model, files={name: "0" * 64})
    with pytest.raises(ModelError, match="outside the model"):
        check_manifest(model)


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": None},
        {"labels": "DATE"},
        {"labels": ["DATE", 3]},
        {"systems": [1]},
        {"systems": [{"name": "mist"}]},
        {"params": []},
        {"files": 3},
    ],
)
def test_manifest_with_wrong_fields_is_refused(model: Path, changes: dict[str, object]) -> None:
    _rewrite(model, **changes)
    (field,) = changes
    with pytest.raises(ModelError, match=rf"manifest\.json: is damaged \(.*{field}"):
        check_manifest(model)


@pytest.mark.parametrize(
    "changes",
    [
        {"labels": ["DATE", "DATE"]},
        {"labels": [""]},
        {"systems": [{"name": "mist", "params": {}}, {"name": "mist", "params": {}}]},
    ],
)
def test_names_that_are_equal_or_empty_are_refused(model: Path, changes: dict[str, object]) -> None:
    _rewrite(model, **changes)
    with pytest.raises(ModelError, match="empty or equal names"):
        check_manifest(model)


@pytest.mark.parametrize("place", ["pipe", "mist/settings.json", "manifest.json"])
def test_a_pipe_in_a_model_is_refused_by_name_and_not_read(model: Path, place: str) -> None:
    (model / place).unlink(missing_ok=True)
    os.mkfifo(model / place)
    with pytest.raises(ModelError, match="pipe" if place != "manifest.json" else "not a multideid"):
        check_manifest(model)


def test_foreign_folder_is_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="is not a multideid model"):
        check_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text('{"name": "my web app"}')
    with pytest.raises(ModelError, match="is not a multideid model"):
        check_manifest(tmp_path)
    with pytest.raises(ModelError, match="no such model folder"):
        check_manifest(tmp_path / "nowhere")


def test_model_cannot_be_written_with_a_name_that_would_be_refused(tmp_path: Path) -> None:
    (tmp_path / "a:b").write_text("x")
    with pytest.raises(ModelError, match="a:b"):
        write_manifest(tmp_path, INFO)


def test_failure_while_writing_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), ModelWriter(tmp_path / "m", INFO) as folder:
        save_json(folder, "x", 1)
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_existing_model_is_replaced_only_when_asked(model: Path) -> None:
    with pytest.raises(UsageError, match="exists"), ModelWriter(model, INFO):
        pass
    with ModelWriter(model, INFO, overwrite=True) as folder:
        save_json(folder, "new", 1)
    assert set(check_manifest(model).files) == {"new.json"}
    assert [p.name for p in model.parent.iterdir()] == ["model"]


def test_failed_overwrite_keeps_the_old_model(model: Path) -> None:
    before = check_manifest(model)
    with pytest.raises(RuntimeError), ModelWriter(model, INFO, overwrite=True) as folder:
        save_json(folder, "new", 1)
        raise RuntimeError
    assert check_manifest(model) == before


def test_failed_move_puts_the_old_model_back(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = check_manifest(model)
    move = Path.replace

    def refuse_new(self: Path, target: Path) -> Path:
        if self.name.endswith(TEMPORARY):
            raise OSError(28, "No space left on device")
        return move(self, target)

    monkeypatch.setattr(exchange, "exchange", lambda *_: False)
    monkeypatch.setattr(Path, "replace", refuse_new)
    writer = ModelWriter(model, INFO, overwrite=True)
    with pytest.raises(UsageError, match="No space left"), writer as folder:
        save_json(folder, "new", 1)
    assert check_manifest(model) == before
    assert [p.name for p in model.parent.iterdir()] == ["model"]


@pytest.mark.parametrize("in_two_steps", [False, True])
def test_a_kill_at_any_moment_of_an_overwrite_leaves_a_model(
    model: Path, monkeypatch: pytest.MonkeyPatch, in_two_steps: bool
) -> None:
    if in_two_steps:
        monkeypatch.setattr(exchange, "exchange", lambda *_: False)
    steps = _renames_of_an_overwrite(model)
    assert steps >= 1 + in_two_steps
    for killed_at in range(steps + 1):
        _overwrite_killed_at(model, killed_at)
        check_manifest(model)
        with run_lock([model]):
            pass
        assert [p.name for p in model.parent.iterdir()] == ["model"]


def _renames_of_an_overwrite(model: Path) -> int:
    calls = []
    with _each_rename(calls.append), ModelWriter(model, INFO, overwrite=True):
        pass
    return len(calls)


def _overwrite_killed_at(model: Path, step: int) -> None:
    """Overwrite a model in another process, which is killed before its n-th rename."""
    if not (child := os.fork()):
        die = partial(os.kill, os.getpid(), signal.SIGKILL)
        writer = ModelWriter(model, INFO, overwrite=True)
        with _each_rename(lambda n: n == step and die()), writer as folder:
            save_json(folder, "new", step)
        os._exit(0)
    os.waitpid(child, 0)


@contextmanager
def _each_rename(call: Callable[[int], object]) -> Iterator[None]:
    """Call a function with the number of each rename, just before it happens."""
    number = count()
    kept = Path.replace, exchange.exchange

    def replace(path: Path, target: Path) -> Path:
        call(next(number))
        return kept[0](path, target)

    def swap(one: Path, other: Path) -> bool:
        call(next(number))
        return kept[1](one, other)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        patch.setattr(exchange, "exchange", swap)
        yield


def test_a_model_is_readable_by_its_owner_only_unless_it_is_shared(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        for name, private in (("mine", True), ("ours", False)):
            with ModelWriter(tmp_path / name, INFO, private=private) as folder:
                (folder / "mist").mkdir()
                save_json(folder / "mist", "x", 1)
    finally:
        os.umask(before)
    found = {p.relative_to(tmp_path).as_posix(): p.stat().st_mode & 0o777 for p in _tree(tmp_path)}
    assert found == {
        "mine": 0o700,
        "mine/manifest.json": 0o600,
        "mine/mist": 0o700,
        "mine/mist/x.json": 0o600,
        "ours": 0o755,
        "ours/manifest.json": 0o644,
        "ours/mist": 0o755,
        "ours/mist/x.json": 0o644,
    }


def _tree(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


def test_folder_that_is_no_model_is_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(UsageError, match="not a multideid model"):
        check_output(tmp_path, overwrite=True)
    assert (tmp_path / "thesis.tex").exists()


def test_empty_folder_is_accepted_as_output(tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    with ModelWriter(tmp_path / "m", INFO):
        pass
    assert check_manifest(tmp_path / "m").info.kind == "multi"


def test_output_below_a_file_is_refused_before_training(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="cannot write"):
        check_output(tmp_path / "file" / "model")


def test_disk_that_refuses_while_saving_is_a_usage_error(tmp_path: Path) -> None:
    writer = ModelWriter(tmp_path / "m", INFO)
    with pytest.raises(UsageError, match=r"cannot write .*No space left"), writer:
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []
