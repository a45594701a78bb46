"""Bill of materials of a release in CycloneDX 1.6, from its lock files: `make sbom`.

Libraries that the room runs on are "required", those of tests and linters "excluded". Two calls for
one release write equal files: no time, and a serial number from the content.
"""

from __future__ import annotations

import base64
import json
import re
import sys
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from config.environment import HOME
from deploy.documents import licences

SPEC = "1.6"
Component = dict[str, Any]

_PACKAGE = re.compile(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", re.MULTILINE)


def document(home: Path = HOME) -> dict[str, Any]:
    """Return the bill of the release in `home`, as JSON has it."""
    project = tomllib.loads((home / "pyproject.toml").read_text())["project"]
    needed = list(_locked(home / "requirements" / "base.txt", "required"))
    known = {one["bom-ref"] for one in needed}
    tools = [*_locked(home / "requirements" / "dev.txt", "excluded"), *_modules(home)]
    components = needed + [one for one in tools if one["bom-ref"] not in known]
    name, version = project["name"], project["version"]
    root = {
        "type": "application",
        "bom-ref": f"{name}@{version}",
        "name": name,
        "version": version,
        "licenses": [{"expression": project["license"]["text"]}],
    }
    found = json.dumps([root, components], sort_keys=True)
    return {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPEC}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPEC,
        "serialNumber": uuid.uuid5(uuid.NAMESPACE_URL, found).urn,
        "version": 1,
        "metadata": {"component": root},
        "components": components,
        "dependencies": [{"ref": root["bom-ref"], "dependsOn": sorted(known)}],
    }


def _locked(path: Path, scope: str) -> Iterator[Component]:
    text = path.read_text()
    starts = [*_PACKAGE.finditer(text)]
    ends = [one.start() for one in starts[1:]] + [len(text)]
    for one, end in zip(starts, ends, strict=True):
        name, version = one.groups()
        digests = re.findall(r"--hash=sha256:([0-9a-f]{64})", text[one.start() : end])
        hashes = [{"alg": "SHA-256", "content": digest} for digest in digests]
        purl = f"pkg:pypi/{name.lower().replace('_', '-')}@{version}"
        yield _component(purl, name, version, scope, hashes, licences.of(name))


def _modules(home: Path) -> Iterator[Component]:
    """Yield what checks the modules of the browser; nothing of it is served."""
    for path, one in json.loads((home / "package-lock.json").read_text())["packages"].items():
        if path:
            name, version = path.rpartition("node_modules/")[2], one["version"]
            algorithm, _, digest = one["integrity"].partition("-")
            content = base64.b64decode(digest).hex()
            hashes = [{"alg": algorithm.upper().replace("SHA", "SHA-"), "content": content}]
            purl = f"pkg:npm/{quote(name, safe='/')}@{version}"
            said = one.get("license", "")
            yield _component(purl, name, version, "excluded", hashes, said)


def _component(
    purl: str, name: str, version: str, scope: str, hashes: list[dict[str, str]], said: str
) -> Component:
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": version,
        "scope": scope,
        **({"licenses": [licences.written(said)]} if said else {}),
        "purl": purl,
        "externalReferences": [{"type": "distribution", "url": purl, "hashes": hashes}],
    }


if __name__ == "__main__":
    where = Path(sys.argv[1])
    where.parent.mkdir(parents=True, exist_ok=True)
    where.write_text(json.dumps(document(), indent=1) + "\n")
