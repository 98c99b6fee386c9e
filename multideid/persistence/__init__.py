"""Model folders: arrays and JSON files with checksums, never pickle."""

from __future__ import annotations

from multideid.persistence.array_rules import CSR_RULES, ArrayRule, check_order
from multideid.persistence.exchange import recover
from multideid.persistence.files import (
    ArrayRecord,
    load_arrays,
    load_json,
    save_arrays,
    save_json,
)
from multideid.persistence.json_rules import check_json
from multideid.persistence.manifest import (
    FORMAT_VERSION,
    Manifest,
    ModelInfo,
    SystemRecord,
    check_manifest,
    write_manifest,
)
from multideid.persistence.packing import pack_folder, private_folder, unpacked
from multideid.persistence.strings import load_strings, save_strings
from multideid.persistence.writer import ModelWriter, check_output

__all__ = [
    "CSR_RULES",
    "FORMAT_VERSION",
    "ArrayRecord",
    "ArrayRule",
    "Manifest",
    "ModelInfo",
    "ModelWriter",
    "SystemRecord",
    "check_json",
    "check_manifest",
    "check_order",
    "check_output",
    "load_arrays",
    "load_json",
    "load_strings",
    "pack_folder",
    "private_folder",
    "recover",
    "save_arrays",
    "save_json",
    "save_strings",
    "unpacked",
    "write_manifest",
]
