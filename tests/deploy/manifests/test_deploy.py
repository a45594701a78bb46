"""Every way to start a room starts the same processes by the same commands and names."""

from __future__ import annotations

import re

import pytest

from config import heartbeat
from config.environment import HOME
from config.postgres.process_rights import PREFIX
from deploy.embedded import valkey
from deploy.processes.roster import AUDITOR, DELIVERIES, PLAY, ROLES, SERVERS, SETTLE, WEB, Role
from tests.deploy.manifests import deployed

NUMBERED = (PLAY, SETTLE)
ADDRESSES = {"DATABASE_URL", "ROOM_REDIS_URL", "BROKER_URL"}
SHARED = {*ADDRESSES, "PUBLIC_URL", "ALLOWED_HOSTS", "PROXIES", "SHARDS", "PLAY_QUEUES"}
SHARED |= {"METRICS_TOKEN"}


def _names(role: Role) -> list[str]:
    return [f"{role.kind}{n}" for n in range(role.many)] if role in NUMBERED else [role.kind]


def _has(started: deployed.Started, role: Role, **values: str) -> None:
    assert started.command == role.line(**values)
    assert {name: started.environment.get(name) for name in role.environment} == role.environment


def test_the_procfile_starts_what_the_cluster_does() -> None:
    found = deployed.procfile()
    assert sorted(found) == sorted(name for role in ROLES for name in _names(role))
    for role in ROLES:
        for number, name in enumerate(_names(role)):
            _has(found[name], role, number=str(number), listens="127.0.0.1:${PORT:-8000}")


def test_the_units_start_what_the_cluster_does() -> None:
    found = deployed.units()
    assert set(found) == {role.kind for role in ROLES}
    for role in ROLES:
        _has(found[role.kind], role, number="%i", listens="${WEB_ADDRESS}:%i")
        assert found[role.kind].environment.keys() >= SHARED
        assert "PROCESS_NAME" in found[role.kind].environment
    wanted = deployed.wanted_units()
    for role in NUMBERED:
        assert [one for one in wanted if one.startswith(role.kind)] == [
            f"{role.kind}@{number}" for number in range(role.many)
        ]
    assert "auditor" in wanted and "web@8000" in wanted


def test_the_compose_file_starts_what_the_cluster_does() -> None:
    found = deployed.composed()
    names = [name for role in ROLES for name in _names(role)]
    assert sorted(found) == sorted(["migrate", "static", *names])
    for role in ROLES:
        for number, name in enumerate(_names(role)):
            _has(found[name], role, number=str(number), listens="0.0.0.0:8000")
            assert found[name].environment.keys() >= {*SHARED, "PROCESS_NAME"}
    services = deployed.compose()
    assert set(services) == {*found, *SERVERS}
    assert "/readyz" in services["web"]["healthcheck"]["test"][-1]


def test_the_manifests_start_what_the_cluster_does() -> None:
    found = deployed.orchestrated()
    assert set(found) == {"migrate", *(role.kind for role in ROLES)}
    for role in ROLES:
        command = role.line(listens="0.0.0.0:8000", number="")
        assert found[role.kind].command == [word for word in command if word]
        assert found[role.kind].environment.keys() >= {*SHARED, "PROCESS_NAME"}
    owners = {kind: pod["owner"] for kind, pod in deployed.pods().items()}
    for role in NUMBERED:
        assert owners[role.kind]["kind"] == "Deployment", "any number of workers comes and goes"
    assert owners[AUDITOR.kind]["spec"]["replicas"] == AUDITOR.many
    assert owners[WEB.kind]["kind"] == "Deployment"


def test_each_kind_logs_in_to_the_database_with_its_own_secret() -> None:
    for kind, pod in deployed.pods().items():
        if pod["image"] != "tournament-room":
            continue
        outer = pod["owner"]["spec"]["template"]["spec"]
        keys = {
            one["valueFrom"]["secretKeyRef"]["key"]
            for container in [*outer.get("initContainers", []), *outer["containers"]]
            for one in container["env"]
            if one["name"] == "DATABASE_URL"
        }
        assert keys == {"DATABASE_URL" + ("" if kind == "migrate" else f"_{kind.upper()}")}, kind
    for kind, files in deployed.database_files().items():
        assert files == ["/etc/room/room.env", f"/etc/room/database-{kind}.env"], kind
    told = (deployed.DEPLOY / "kubernetes" / "settings.yaml").read_text()
    for role in ROLES:
        assert f"=DATABASE_URL_{role.kind.upper()}=postgresql://{PREFIX}{role.kind}:" in told


def test_pods_are_probed_limited_and_guarded() -> None:
    pods = deployed.pods()
    web = pods["web"]
    for probe in ("livenessProbe", "readinessProbe"):
        asked = web[probe]["httpGet"]
        assert asked["path"] == "/healthz", "a server that all share takes no pod out"
        (host,) = (header["value"] for header in asked["httpHeaders"] if header["name"] == "Host")
        allowed = deployed.orchestrated()["web"].environment["ALLOWED_HOSTS"]
        assert host in allowed.split(","), "probes need an allowed host"
    for kind in ("play", "settle"):
        mark = deployed.orchestrated()[kind].environment["READY_FILE"]
        assert mark in pods[kind]["startupProbe"]["exec"]["command"]
    for kind in ("play", "settle", "auditor", "deliveries", "cardsup"):
        assert pods[kind]["livenessProbe"]["exec"]["command"] == [
            *("python", "-m", "config.heartbeat")
        ]
        assert heartbeat.FILE in deployed.orchestrated()[kind].environment
    for pod in pods.values():
        assert {"cpu", "memory"} <= pod["resources"]["requests"].keys()
        assert "memory" in pod["resources"]["limits"]
        assert pod["securityContext"]["readOnlyRootFilesystem"] is True
        outer = pod["owner"]["spec"]["template"]["spec"]
        assert outer["securityContext"]["runAsNonRoot"] is True
    guarded = {
        one["spec"]["selector"]["matchLabels"]["app.kubernetes.io/component"]
        for one in deployed.manifests()
        if one["kind"] == "PodDisruptionBudget"
    }
    assert guarded == {"web", "play", "settle"}


def test_every_process_tells_what_it_counts_at_the_port_that_is_named() -> None:
    for kind in (PLAY.kind, SETTLE.kind, AUDITOR.kind, WEB.kind):
        ports = {one["name"]: one["containerPort"] for one in deployed.pods()[kind]["ports"]}
        port = ports["metrics"]
        listens = deployed.orchestrated()[kind].environment["METRICS_LISTEN"]
        assert listens == f"0.0.0.0:{port}"
    for name in (*_names(PLAY), *_names(SETTLE), AUDITOR.kind, WEB.kind):
        listens = deployed.composed()[name].environment["METRICS_LISTEN"]
        assert listens == "${METRICS_TOKEN:+0.0.0.0:9100}", "no listener without a token"


def test_stored_files_outlive_each_process_that_has_them_and_are_the_same_for_all() -> None:
    claims = {
        one["metadata"]["name"]: one["spec"]["accessModes"]
        for one in deployed.manifests()
        if one["kind"] == "PersistentVolumeClaim"
    }
    shared = set()
    for kind in (WEB.kind, DELIVERIES.kind):
        folder = deployed.orchestrated()[kind].environment["FILES_DIR"]
        pod = deployed.pods()[kind]
        (name,) = (one["name"] for one in pod["volumeMounts"] if one["mountPath"] == folder)
        volumes = pod["owner"]["spec"]["template"]["spec"]["volumes"]
        (volume,) = (one for one in volumes if one["name"] == name)
        shared.add(volume["persistentVolumeClaim"]["claimName"])
        folder = deployed.composed()[kind].environment["FILES_DIR"]
        assert f"files:{folder}" in deployed.compose()[kind]["volumes"]
    assert [claims[claim] for claim in shared] == [["ReadWriteMany"]]


def test_static_files_of_a_release_are_beside_older_ones_before_web_serves_a_page_of_it() -> None:
    """A page of one web process loads its modules from any other one, also from an older one."""
    gathers = ["manage.py", "prepare", "--files"]
    outer = deployed.pods()[WEB.kind]["owner"]["spec"]["template"]["spec"]
    folder = deployed.orchestrated()[WEB.kind].environment["STATIC_ROOT"]
    (first,) = (one for one in outer["initContainers"] if one["args"] == gathers)
    assert {"name": "STATIC_ROOT", "value": folder} in first["env"]
    for container in (first, *outer["containers"]):
        (mount,) = (one for one in container["volumeMounts"] if one["mountPath"] == folder)
        assert mount["name"] == "static" and not mount.get("readOnly")
    (volume,) = (one for one in outer["volumes"] if one["name"] == "static")
    claimed = volume["persistentVolumeClaim"]["claimName"]
    (claim,) = (one for one in deployed.manifests() if one["metadata"]["name"] == claimed)
    assert claim["spec"]["accessModes"] == ["ReadWriteMany"], "of pods on any machine"

    services, composed = deployed.compose(), deployed.composed()
    assert composed["static"].command == gathers
    for name in ("static", WEB.kind):
        folder = composed[name].environment["STATIC_ROOT"]
        assert f"static:{folder}" in services[name]["volumes"]
    assert services[WEB.kind]["depends_on"] == {
        name: {"condition": "service_completed_successfully"} for name in ("migrate", "static")
    }
    made = (deployed.DEPLOY / "Dockerfile").read_text()
    assert re.search(rf"install -d -o room .*{folder}\b", made), "a new volume has its owner"


def test_no_pod_begins_before_the_schema_is_that_of_its_release() -> None:
    for kind in (WEB.kind, SETTLE.kind, AUDITOR.kind):
        outer = deployed.pods()[kind]["owner"]["spec"]["template"]["spec"]
        first = outer["initContainers"][0]
        assert first["args"] == ["manage.py", "migrate", "--check"]
        assert first["image"] == "tournament-room"
    assert "preStop" in deployed.pods()["web"]["lifecycle"]


def test_no_secret_gets_into_the_image_or_the_repository() -> None:
    assert "**/.env" in (HOME / ".dockerignore").read_text().splitlines()
    assert ".env" in (HOME / ".gitignore").read_text().splitlines()


def test_secrets_are_named_never_written() -> None:
    for pod in deployed.pods().values():
        for one in pod["env"]:
            if one["name"] in {*deployed.SECRETS, "PASSWORD"}:
                assert one["valueFrom"]["secretKeyRef"]["name"] == "room"
    assert not any("namespace" in one["metadata"] for one in deployed.manifests())
    for started in deployed.composed().values():
        for name in (*ADDRESSES, "SECRET_KEY"):
            assert re.search(r"\$\{\w+:\?\}", started.environment[name]), "required"


@pytest.mark.parametrize(("server", "keeps"), [("room", True), ("broker", False)])
def test_redis_is_set_as_in_the_cluster(server: str, keeps: bool) -> None:
    wanted = [
        word for name, value in valkey.settings(keeps).items() for word in (f"--{name}", value)
    ]
    pod = {"room": "redis", "broker": "broker"}[server]
    for words in (deployed.compose()[server]["command"], deployed.pods()[pod]["args"]):
        assert words[0] == "valkey-server" and words[1] == "--requirepass"
        assert words[3:] == wanted


def test_every_name_that_is_set_is_explained() -> None:
    text = (HOME / "docs" / "servers.md").read_text()
    ways = (deployed.units(), deployed.composed(), deployed.orchestrated())
    names = {name for way in ways for one in way.values() for name in one.environment}
    own = {"DJANGO_SETTINGS_MODULE"}
    assert {name for name in names - own if f"`{name}`" not in text} == set()
