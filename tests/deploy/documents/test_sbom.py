"""Bill of materials: complete, in the form of its schema, every licence accepted."""

from __future__ import annotations

import copy
import json
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from jsonschema.protocols import Validator
from referencing import Registry
from referencing.jsonschema import DRAFT7

from config.environment import HOME
from deploy.documents import licences, sbom

SCHEMAS = files("cyclonedx.schema") / "_res"
"""Schemas of CycloneDX, inside its own library."""


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name}.SNAPSHOT.schema.json").read_text())


@pytest.fixture(scope="module")
def validator() -> Validator:
    others = [schema(name) for name in ("spdx", "jsf-0.82")]
    registry = Registry[Any]().with_resources(
        [(one["$id"], DRAFT7.create_resource(one)) for one in others]
    )
    return Draft7Validator(schema(f"bom-{sbom.SPEC}"), registry=registry)


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    return sbom.document()


def required(bill: dict[str, Any]) -> list[dict[str, Any]]:
    return [one for one in bill["components"] if one["scope"] == "required"]


def test_the_bill_has_the_form_of_its_schema(bill: dict[str, Any], validator: Validator) -> None:
    assert not [error.message for error in validator.iter_errors(bill)]
    for path, wrong in (("scope", "needed"), ("type", "book"), ("licenses", [{"expression": 1}])):
        damaged = copy.deepcopy(bill)
        damaged["components"][0][path] = wrong
        assert not validator.is_valid(damaged), path


def test_every_locked_library_is_listed_once_with_its_digests(bill: dict[str, Any]) -> None:
    listed = {one["purl"]: one for one in bill["components"]}
    assert len(listed) == len(bill["components"])
    for name in ("base", "dev"):
        text = (HOME / "requirements" / f"{name}.txt").read_text()
        for library, version in re.findall(r"^(\S+)==(\S+)", text, re.MULTILINE):
            one = listed[f"pkg:pypi/{library}@{version}"]
            (where,) = one["externalReferences"]
            assert where["hashes"], library
            assert all(digest["content"] in text for digest in where["hashes"])
            assert one["scope"] == "required" or name == "dev"
    modules = json.loads((HOME / "package-lock.json").read_text())["packages"]
    assert sum(purl.startswith("pkg:npm/") for purl in listed) == len(modules) - 1
    assert bill["dependencies"][0]["dependsOn"] == sorted(one["purl"] for one in required(bill))


def test_every_library_of_the_room_has_an_accepted_licence(bill: dict[str, Any]) -> None:
    found = {one["name"]: licences.not_accepted(one) for one in required(bill)}
    assert {name: parts for name, parts in found.items() if parts} == {}
    assert set(licences.LICENCES) | set(licences.LENDING) <= set(found), (
        "no entry for a library that left"
    )


@pytest.mark.parametrize(
    ("said", "refused"),
    [
        ([{"expression": "GPL-3.0-only"}], {"GPL-3.0-only"}),
        ([{"expression": "MIT AND AGPL-3.0-only"}], {"AGPL-3.0-only"}),
        # The exception is that of other libraries.
        ([{"expression": "LGPL-3.0-only"}], {"LGPL-3.0-only"}),
        ([{"license": {"name": "as in the file"}}], {""}),
        ([], {""}),
    ],
)
def test_a_planted_licence_is_refused(
    bill: dict[str, Any], said: list[Any], refused: set[str]
) -> None:
    one = {**required(bill)[0], "licenses": said}
    assert licences.not_accepted(one) == refused


def test_two_releases_differ_and_two_calls_do_not(bill: dict[str, Any], tmp_path: Path) -> None:
    assert sbom.document() == bill
    for name in ("pyproject.toml", "package-lock.json", "requirements"):
        copied = shutil.copytree if (HOME / name).is_dir() else shutil.copy
        copied(HOME / name, tmp_path / name)
    assert sbom.document(tmp_path) == bill
    lock = tmp_path / "requirements" / "base.txt"
    lock.write_text(re.sub(r"^django==\S+", "django==9.9", lock.read_text(), flags=re.MULTILINE))
    other = sbom.document(tmp_path)
    assert other["serialNumber"] != bill["serialNumber"]
    assert "pkg:pypi/django@9.9" in {one["purl"] for one in other["components"]}


def test_the_command_writes_the_bill(bill: dict[str, Any], tmp_path: Path) -> None:
    where = tmp_path / "new" / "sbom.json"
    subprocess.run(
        [sys.executable, "-m", "deploy.documents.sbom", str(where)], check=True, cwd=HOME
    )
    assert json.loads(where.read_text()) == bill
