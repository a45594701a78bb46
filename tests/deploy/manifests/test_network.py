"""Network policies open what the processes of the manifests need, and no other way."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import grimp
import pytest

from deploy.processes.roster import ROLES
from tests.deploy.manifests import deployed
from tests.deploy.manifests.network_ways import OUTSIDE, Manifest, Way, needed, opened

APPS = ("accounts", "tables", "tournaments", "config", "deploy")


@pytest.fixture(scope="module")
def senders() -> set[str]:
    """Kinds of processes whose command reaches the module that posts to servers of strangers."""
    reaching = grimp.build_graph(*APPS).find_downstream_modules("config.outside.posting")
    commands = {name.rpartition(".")[2] for name in reaching if ".management.commands." in name}
    assert not [name for name in reaching if ".pages" in name or name.endswith(".tasks")]
    return {role.kind for role in ROLES if commands & set(role.command)}


def policy(manifests: list[Manifest], name: str) -> Manifest:
    (found,) = (
        one
        for one in manifests
        if one["kind"] == "NetworkPolicy" and one["metadata"]["name"] == name
    )
    return dict(found["spec"])


def test_policies_open_every_way_that_is_needed_and_no_other(senders: set[str]) -> None:
    manifests = deployed.manifests()
    assert senders == {"deliveries"}
    assert opened(manifests) == needed(manifests, senders)
    open_ways = opened(manifests)
    assert {way.start for way in open_ways if way.end == "web"} == {"ingress", "monitoring"}
    assert {way.start for way in open_ways if way.end == OUTSIDE} == {"deliveries"}
    assert not [way for way in open_ways if way.start in ("redis", "broker")]
    assert not [way for way in open_ways if way.start == "migrate" and way.end == "redis"]


def everywhere(spec: Any) -> Iterator[list[str]]:
    """Yield the lists of components in a policy."""
    for one in spec.values() if isinstance(spec, dict) else spec if isinstance(spec, list) else ():
        if isinstance(one, list) and isinstance(spec, dict) and spec.get("operator") == "In":
            yield one
        else:
            yield from everywhere(one)


def test_each_component_too_many_or_missing_in_a_policy_is_found(senders: set[str]) -> None:
    manifests = deployed.manifests()
    right = needed(manifests, senders)
    kinds = {*deployed.pods()}
    tried = 0
    for listed in everywhere([one["spec"] for one in manifests if one["kind"] == "NetworkPolicy"]):
        before = list(listed)
        for kind in sorted(kinds):
            listed[:] = [*before, kind] if kind not in before else sorted({*before} - {kind})
            assert opened(manifests) != right, (kind, before)
            tried += 1
        listed[:] = before
    assert tried == 8 * len(kinds) and opened(manifests) == right


def _open_web(manifests: list[Manifest]) -> None:
    policy(manifests, "room-pages")["ingress"].append({})


def _another_port(manifests: list[Manifest]) -> None:
    policy(manifests, "room-pages")["ingress"][0]["ports"].append({"protocol": "TCP", "port": 22})


def _all_names(manifests: list[Manifest]) -> None:
    del policy(manifests, "room-names")["egress"][0]["to"][0]["podSelector"]


def _inner_networks(manifests: list[Manifest]) -> None:
    policy(manifests, "room-outside")["egress"][0]["to"][0]["ipBlock"]["except"].remove(
        "10.0.0.0/8"
    )


def _any_namespace(manifests: list[Manifest]) -> None:
    policy(manifests, "room-metrics")["ingress"][0]["from"][0]["namespaceSelector"] = {}


def _nothing_closed(manifests: list[Manifest]) -> None:
    manifests.remove(next(one for one in manifests if one["metadata"]["name"] == "room-closed"))


def _pages_without_policy(manifests: list[Manifest]) -> None:
    manifests.remove(next(one for one in manifests if one["metadata"]["name"] == "room-pages"))


def _settle_reads_metrics(manifests: list[Manifest]) -> None:
    spec = policy(manifests, "room-metrics")["ingress"][0]["from"]
    spec.append({"podSelector": {"matchLabels": {"app.kubernetes.io/component": "settle"}}})


def _names_a_provider(manifests: list[Manifest]) -> None:
    settings = next(one for one in manifests if one["kind"] == "ConfigMap")
    settings["data"]["OPENID_PROVIDERS"] = "[]"


def _loses_its_address(manifests: list[Manifest]) -> None:
    pod = next(one for one in manifests if one["metadata"]["name"] == "room-auditor")
    container = pod["spec"]["template"]["spec"]["containers"][0]
    container["env"] = [one for one in container["env"] if one["name"] != "BROKER_URL"]


@pytest.mark.parametrize(
    "plant",
    [
        _open_web,
        _another_port,
        _all_names,
        _inner_networks,
        _any_namespace,
        _nothing_closed,
        _pages_without_policy,
        _settle_reads_metrics,
        _names_a_provider,
        _loses_its_address,
    ],
)
def test_a_planted_surplus_or_gap_is_found(
    plant: Callable[[list[Manifest]], None], senders: set[str]
) -> None:
    manifests = copy.deepcopy(deployed.manifests())
    plant(manifests)
    assert opened(manifests) ^ needed(manifests, senders)


def test_the_migration_knows_the_database_alone() -> None:
    names = deployed.orchestrated()["migrate"].environment
    assert "DATABASE_OWNER_URL" in names
    assert not {"ROOM_REDIS_URL", "BROKER_URL"} & names.keys()
    ways = opened(deployed.manifests())
    assert {way.end for way in ways if way.start == "migrate"} == {"names", "anywhere"}
    assert Way("out", "migrate", "anywhere", "TCP/5432") in ways
