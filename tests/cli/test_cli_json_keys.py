"""``multideid deid`` on JSON whose keys repeat PHI, or look like it."""

from __future__ import annotations

from pathlib import Path

import pytest

from multideid.redact import keys


def _keyed(deid, tmp_path: Path, data: str, *options: str):
    """Return what comes of JSON whose values of `note` are chosen, and the warnings."""
    (tmp_path / "k.json").write_text(data)
    out = ("--out", tmp_path / "out", "--overwrite")
    result = deid(tmp_path / "k.json", "--json-path", "..note", *options, *out)
    assert result.exit_code == 0, result.output
    return (tmp_path / "out" / "k.json").read_text(), result.stderr


@pytest.mark.parametrize(
    ("data", "written"),
    [
        ('{"b-1234": {"note": "by B-1234"}}', '{"key-1": {"note": "by [ID]"}}'),
        ('{"By B-12345": {"note": "B-1234"}}', '{"By B-12345": {"note": "[ID]"}}'),
        ('{"Of B-1234": {"note": "by B-1234"}}', '{"key-1": {"note": "by [ID]"}}'),
        ('{"note": {"Of B-1234": "by B-1234"}}', '{"note": {"key-1": "by [ID]"}}'),
        (
            '{"Of B-1234": {"note": "by B-1234"}, "Of B-4321": {"note": "B-4321"}, "key-1": 1}',
            '{"key-1-2": {"note": "by [ID]"}, "key-2": {"note": "[ID]"}, "key-1": 1}',
        ),
        (
            '{"note": "by B-1234", "Of B-1234": 1}\n{"note": "x", "Of B-1234": 2}\n',
            '{"note": "by [ID]", "key-1": 1}\n{"note": "x", "key-1": 2}\n',
        ),
        (
            '[{"note": "x", "Of B-1234": 1}, {"note": "B-1234", "Of B-1234": 2}]',
            '[{"note": "x", "Of B-1234": 1}, {"note": "[ID]", "key-1": 2}]',
        ),
    ],
)
def test_keys_of_json_that_repeat_phi_become_neutral(deid, tmp_path, data, written) -> None:
    assert _keyed(deid, tmp_path, data)[0] == written


def test_keys_that_become_neutral_are_counted(deid, tmp_path) -> None:
    data = '{"Of B-1234": {"note": "by B-1234"}, "B-4321 Of": {"note": "by B-4321"}}'
    _, shown = _keyed(deid, tmp_path, data)
    assert "k.json: names of 2 keys repeat PHI; neutral names replace them" in shown


def test_keys_that_look_like_phi_and_stay_are_counted_with_their_place(deid, tmp_path) -> None:
    data = '{"note": "x"}\n{"note": "x", "SMITH_JOHN": 1, "Visits": {"2020-01-05": 1}}\n{"a": 1}\n'
    written, shown = _keyed(deid, tmp_path, data)
    assert written == data
    assert "k.json: names of 2 keys look like PHI, and stay" in shown
    assert "the first is at character 16 of line 2" in shown
    assert "SMITH" not in shown


def test_values_under_keys_that_became_neutral_are_restored(
    deid, invoke, tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(keys, "_COST", 2)
    monkeypatch.setenv("MULTIDEID_KEY", "a secret of sixteen bytes")
    vault = ("--vault", str(tmp_path / "vault"))
    _keyed(deid, tmp_path, '{"Of B-1234": {"note": "by B-1234"}}', *vault)
    chosen = ("--json-path", "..note", "--out", tmp_path / "back")
    result = invoke("restore", tmp_path / "out", *chosen, *vault)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "back" / "k.json").read_text() == '{"key-1": {"note": "by B-1234"}}'


def test_keys_that_look_like_phi_are_not_quoted_in_the_warning_of_identifiers(
    deid, tmp_path
) -> None:
    fields = '"note": "x", "SMITH, JOHN 4458812": "617-555-0134", "phone": "617-555-0134"'
    data = f'{{"note": "x"}}\n{{{fields}}}'
    _, shown = _keyed(deid, tmp_path, data)
    assert "looks like identifiers: the key of character 39 of line 2, 'phone'" in shown
    assert "SMITH" not in shown
    assert "4458812" not in shown
