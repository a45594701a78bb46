"""Web hosts with one folder of files serve the pictures of each other; with two they do not."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from deploy.embedded import ports
from deploy.measuring.shared_files import verify_shared_files
from deploy.processes import programs
from tests.deploy.cluster.living import Living

pytestmark = pytest.mark.cluster


def test_a_picture_of_one_web_host_is_served_by_the_other(living: Living, tmp_path: Path) -> None:
    session = json.loads(living.sessions.read_text().splitlines()[2])["session"]
    programs_by_name = {}
    for name, more in (("near", {}), ("strange", {"FILES_DIR": str(tmp_path / "own")})):
        layout = replace(living.layout, ports={**living.layout.ports, "web": ports.free()})
        twin = programs.web_twin(layout)
        named = replace(twin, name=name, environment={**twin.environment, **more})
        programs_by_name[name] = (named, layout.twin)
    living.supervisor.start([program for program, _address in programs_by_name.values()])
    near, strange = (address for _program, address in programs_by_name.values())
    shared = verify_shared_files([living.layout.near, near], session)
    assert shared == {"hosts": 2, "read": 4, "violations": []}
    apart = verify_shared_files([near, strange], session)
    assert apart["read"] == 1 and len(apart["violations"]) == 2
    for name in programs_by_name:
        living.supervisor.retire(name)
