"""Processes started by the files under `deploy/` and the Procfile, in one comparable form."""

from __future__ import annotations

import configparser
import re
from dataclasses import dataclass
from typing import Any

import yaml

from config.environment import HOME

DEPLOY = HOME / "deploy"
SECRETS = {
    "DATABASE_URL",
    "ROOM_REDIS_URL",
    "BROKER_URL",
    "SECRET_KEY",
    "CALL_KEY",
    "LOG_KEY",
    "DECK_KEY",
    "RECORD_KEY",
    "OWN_KEY",
    "METRICS_TOKEN",
}


@dataclass(frozen=True)
class Started:
    """Process, or kind of process: its command after `python`, and its environment.

    Values kept in secrets are empty.
    """

    command: list[str]
    environment: dict[str, str]


def procfile() -> dict[str, Started]:
    """Return the processes by name, e.g. "play0"."""
    found = {}
    for line in (HOME / "Procfile").read_text().splitlines():
        name, _, words = line.partition(": ")
        before, _, command = words.partition("python ")
        found[name] = Started(command.split(), dict(part.split("=") for part in before.split()))
    return found


def example() -> dict[str, str]:
    """Return the environment file of the units, as an operator begins with it."""
    return _assignments((DEPLOY / "systemd" / "room.env.example").read_text())


def units() -> dict[str, Started]:
    """Return the processes by kind, e.g. "play"; the number of a process is %i."""
    found = {}
    for path in sorted((DEPLOY / "systemd").glob("*.service")):
        unit = configparser.RawConfigParser(strict=False, interpolation=None)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read_string(
            re.sub(r"\nEnvironment=(.*)\nEnvironment=", r"\nEnvironment=\1 ", path.read_text())
        )
        service = unit["Service"]
        program, *command = service["ExecStart"].split()
        assert program == "/opt/room/.venv/bin/python"
        assert unit["Unit"]["StartLimitIntervalSec"] == "0", "systemd restarts it without limit"
        own = dict(part.split("=") for part in service["Environment"].split())
        found[path.stem.removeprefix("room-").removesuffix("@")] = Started(
            command, {**dict.fromkeys(example(), ""), **own}
        )
    return found


def database_files() -> dict[str, list[str]]:
    """Return the environment files of each kind of unit, in the order in which systemd reads them.

    A later file replaces values of an earlier one.
    """
    return {
        path.stem.removeprefix("room-").removesuffix("@"): re.findall(
            r"^EnvironmentFile=(.*)$", path.read_text(), re.MULTILINE
        )
        for path in (DEPLOY / "systemd").glob("*.service")
    }


def wanted_units() -> list[str]:
    """Return the instances that the target starts."""
    text = (DEPLOY / "systemd" / "room.target").read_text()
    return re.findall(r"room-(\S+)\.service", text)


def compose() -> dict[str, Any]:
    """Return the services of the compose file."""
    return dict(yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"])


def composed() -> dict[str, Started]:
    """Return the services with this project's image."""
    return {
        name: Started(service["command"], service["environment"])
        for name, service in compose().items()
        if service["image"] == "tournament-room"
    }


def manifests() -> list[dict[str, Any]]:
    """Return every Kubernetes object."""
    folder = DEPLOY / "kubernetes"
    listed = yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
    assert sorted(listed) == sorted(
        path.name for path in folder.glob("*.yaml") if path.name != "kustomization.yaml"
    )
    return [one for name in listed for one in yaml.safe_load_all((folder / name).read_text())]


def pods() -> dict[str, dict[str, Any]]:
    """Return the container of each workload by its kind, e.g. "play", with its `owner`."""
    found = {}
    for one in manifests():
        if "template" in one.get("spec", {}):
            (container,) = one["spec"]["template"]["spec"]["containers"]
            found[one["metadata"]["name"].removeprefix("room-")] = {**container, "owner": one}
    return found


def orchestrated() -> dict[str, Started]:
    """Return the processes with this project's image, by kind."""
    (settings,) = (one["data"] for one in manifests() if one["kind"] == "ConfigMap")
    found = {}
    for kind, container in pods().items():
        if container["image"] == "tournament-room":
            assert container["envFrom"] == [{"configMapRef": {"name": "room"}}]
            own = {one["name"]: one.get("value", "") for one in container["env"]}
            found[kind] = Started(container["args"], {**settings, **own})
    return found


def _assignments(text: str) -> dict[str, str]:
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)
