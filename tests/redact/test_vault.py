"""Text is restored from a vault, by the owner of its key only."""

from __future__ import annotations

import pickle
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from template_notes import sample_corpus

from multideid.document import Document, Span
from multideid.errors import UsageError
from multideid.redact import (
    Key,
    VaultError,
    VaultWriter,
    keys,
    read_vault,
    redact,
    replacements,
    vault,
)

KEY = Key.from_secret(b"the key of these tests")
OTHER_KEY = Key.from_secret(b"some other key, as long")
NOTE = Document("note 1", "Ann Lee, 3/4/05", (Span(0, 7, "PATIENT"), Span(9, 15, "DATE")))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive keys in no time."""
    monkeypatch.setattr(keys, "_COST", 2)


def fill(path: Path, *documents: Document, mode: str = "mask", key: Key = KEY) -> None:
    with VaultWriter(path, key) as writer:
        for document in documents:
            writer.add(document.id, document, replacements(document, mode))  # type: ignore[arg-type]


@pytest.mark.parametrize("mode", ["mask", "tag", "remove", "surrogate", "hash"])
def test_text_comes_back_exactly_whatever_the_mode(tmp_path: Path, mode: str) -> None:
    documents = [*sample_corpus(3), NOTE]
    fill(tmp_path / "v", *documents, mode=mode)
    records = read_vault(tmp_path / "v", KEY)
    for document in documents:
        assert records[document.id].restored(redact(document, mode)) == document.text  # type: ignore[arg-type]


@given(st.lists(st.text(min_size=4), max_size=30), st.sampled_from(["mask", "remove", "surrogate"]))
@settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_comes_back(tmp_path: Path, texts: list[str], mode: str) -> None:
    spans = (Span(0, 2, "ID"), Span(2, 3, "PATIENT"))
    documents = [Document(str(n), text, spans) for n, text in enumerate(texts)]
    path = tmp_path / "v"
    path.unlink(missing_ok=True)
    fill(path, *documents, mode=mode)
    records = read_vault(path, KEY)
    for document in documents:
        assert records[document.id].restored(redact(document, mode)) == document.text  # type: ignore[arg-type]


def test_changed_text_is_not_restored_and_records_do_not_show_theirs(tmp_path: Path) -> None:
    fill(tmp_path / "v", NOTE)
    record = read_vault(tmp_path / "v", KEY)["note 1"]
    assert "Lee" not in repr(record)
    assert record.restored("[PATIENT], [DATE]") == NOTE.text
    assert record.restored("[PATIENT], [DATE]!") is None


def test_vault_is_encrypted_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    fill(tmp_path / "v", NOTE)
    content = (tmp_path / "v").read_bytes()
    assert not any(part in content for part in (b"Ann Lee", b"note 1", b"3/4/05"))
    assert stat.S_IMODE((tmp_path / "v").stat().st_mode) == 0o600


def test_wrong_key_is_refused(tmp_path: Path) -> None:
    fill(tmp_path / "v", NOTE)
    with pytest.raises(VaultError, match="does not open with this key"):
        read_vault(tmp_path / "v", OTHER_KEY)


def test_vaults_of_the_same_documents_differ(tmp_path: Path) -> None:
    fill(tmp_path / "a", NOTE)
    fill(tmp_path / "b", NOTE)
    a, b = ((tmp_path / name).read_bytes().splitlines() for name in "ab")
    assert set(a).isdisjoint(b)


def test_vault_that_was_changed_cut_or_shuffled_is_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(vault, "_RECORDS_AT_ONCE", 1)
    path = tmp_path / "v"
    fill(path, *sample_corpus(3))
    head, one, two, three, end = path.read_bytes().splitlines(keepends=True)
    for lines, problem in [
        ((head, one, two, three), "is incomplete"),
        ((head, one, two, three, end[:-9] + b"AAAAAAAA\n"), "was changed"),
        ((head, two, one, three, end), "not in order"),
        ((head, one, three, end), "not in order"),
        ((head, one, two, three, end, b"more"), "bytes behind its end"),
        ((head, one, two, three, end, one), "bytes behind its end"),
        ((head,), "is incomplete"),
        ((one, two, three, end), "is not a multideid vault"),
        ((), "is not a multideid vault"),
    ]:
        path.write_bytes(b"".join(lines))
        with pytest.raises(VaultError, match=problem):
            read_vault(path, KEY)


@pytest.mark.parametrize("text", ["a\ud83d\ude00b", "Ann \udce9"])
def test_halves_of_characters_are_refused_since_json_would_join_them(
    tmp_path: Path, text: str
) -> None:
    document = Document("n1", text, (Span(0, len(text), "NAME"),))
    with pytest.raises(VaultError, match=r"half of a character at offset [14]"):
        fill(tmp_path / "v", document)
    assert list(tmp_path.iterdir()) == []


def test_missing_vault_is_named(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="nowhere: cannot be read: No such file"):
        read_vault(tmp_path / "nowhere", KEY)


def test_existing_vault_is_kept_unless_overwriting_is_asked_for(tmp_path: Path) -> None:
    fill(tmp_path / "v", NOTE)
    with pytest.raises(VaultError, match="exists"):
        VaultWriter(tmp_path / "v", KEY)
    with VaultWriter(tmp_path / "v", KEY, overwrite=True):
        pass
    assert read_vault(tmp_path / "v", KEY) == {}


def test_run_that_fails_leaves_no_vault_and_keeps_the_old_one(tmp_path: Path) -> None:
    fill(tmp_path / "v", NOTE)
    with pytest.raises(RuntimeError), VaultWriter(tmp_path / "v", KEY, overwrite=True):
        raise RuntimeError
    assert set(read_vault(tmp_path / "v", KEY)) == {"note 1"}
    assert [p.name for p in tmp_path.iterdir()] == ["v"]


def test_path_that_cannot_be_written_is_refused_before_any_work(tmp_path: Path) -> None:
    with (
        pytest.raises(VaultError, match="cannot be written: No such file"),
        VaultWriter(tmp_path / "no" / "v", KEY),
    ):
        pytest.fail("work was done")


def test_two_documents_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(VaultError, match="both be named 'note 1'"):
        fill(tmp_path / "v", NOTE, NOTE)


def test_missing_cryptography_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vault, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="needs cryptography"):
        VaultWriter(tmp_path / "v", KEY)


def test_error_can_be_pickled() -> None:
    error = VaultError("v", "is not a multideid vault")
    assert str(pickle.loads(pickle.dumps(error))) == "v: is not a multideid vault"
