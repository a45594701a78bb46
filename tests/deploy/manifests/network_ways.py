"""Ways through the network that pods of the Kubernetes manifests need, and those left open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Manifest = dict[str, Any]

NAME, COMPONENT = "app.kubernetes.io/name", "app.kubernetes.io/component"
PLACES = {"kube-system": "names", "ingress-nginx": "ingress", "monitoring": "monitoring"}
"""Namespaces beside the room's, by the word for what is there."""

ANYWHERE = "anywhere"
OUTSIDE = "outside"
ANY_PORT = "any"
DATABASE_PORT, NAMES_PORT = "TCP/5432", ("UDP/53", "TCP/53")


@dataclass(frozen=True, order=True)
class Way:
    """Connection from one end to another, at a port as "TCP/6379", seen from one of both ends."""

    seen: str
    start: str
    end: str
    port: str


def needed(manifests: list[Manifest], senders: set[str]) -> set[Way]:
    """Return the ways of the environment of each pod; `senders` call servers of strangers."""
    ways = set()
    served = _served(manifests)
    settings = next(one["data"] for one in manifests if one["kind"] == "ConfigMap")
    for kind, own in _environments(manifests).items():
        names = own | settings.keys()
        ways |= {Way("out", kind, "names", port) for port in NAMES_PORT}
        if "DATABASE_URL" in names:
            ways.add(Way("out", kind, ANYWHERE, DATABASE_PORT))
        for name, server in (("ROOM_REDIS_URL", "redis"), ("BROKER_URL", "broker")):
            if name in names:
                port = served[server]["redis"]
                ways |= {Way(seen, kind, server, port) for seen in ("out", "in")}
        if "METRICS_LISTEN" in names:
            ways.add(Way("in", "monitoring", kind, served[kind]["metrics"]))
        asks = kind == "web" and names & {"FILES_S3_BUCKET", "OPENID_PROVIDERS"}
        if kind in senders or asks:
            ways.add(Way("out", kind, OUTSIDE, ANY_PORT))
    ways.add(Way("in", "ingress", "web", served["web"]["http"]))
    return ways


def opened(manifests: list[Manifest]) -> set[Way]:
    """Return the ways that policies leave open to the pods, or to pods that no policy closes."""
    labels = {kind: _labels(one) for kind, one in _workloads(manifests).items()}
    policies = [one["spec"] for one in manifests if one["kind"] == "NetworkPolicy"]
    ways = set()
    for kind, own in labels.items():
        chosen = [one for one in policies if _selects(one["podSelector"], own)]
        for seen, word, peers in (("in", "Ingress", "from"), ("out", "Egress", "to")):
            closing = [one for one in chosen if word in one["policyTypes"]]
            rules = [rule for one in closing for rule in one.get(word.lower(), [])]
            for rule in rules if closing else [{}]:
                ends = [ANYWHERE] if not rule.get(peers) else rule[peers]
                for end in ends:
                    for other in _ends(end, labels):
                        pair = (other, kind) if seen == "in" else (kind, other)
                        ways |= {Way(seen, *pair, port) for port in _ports(rule)}
    return ways


def _ends(end: Any, labels: dict[str, dict[str, str]]) -> Iterator[str]:
    """Yield the kinds of pods, or the places, that a peer of a rule names."""
    if end == ANYWHERE:
        yield ANYWHERE
    elif "ipBlock" in end:
        block = end["ipBlock"]
        whole, inside = block["cidr"] in ("0.0.0.0/0", "::/0"), block.get("except", [])
        private = {"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"}
        if whole and (private <= set(inside) or {"fc00::/7", "fe80::/10"} <= set(inside)):
            yield OUTSIDE
        else:
            yield f"{block['cidr']} without {inside}"
    elif "namespaceSelector" in end:
        (namespace,) = end["namespaceSelector"].get("matchLabels", {"": "any"}).values()
        place = PLACES.get(namespace, f"namespace {namespace}")
        narrow = "podSelector" in end or place != "names"
        yield place if narrow else f"all of {namespace}"
    else:
        chosen = end["podSelector"]
        if not chosen:
            yield "every pod"
        yield from (kind for kind, own in labels.items() if _selects(chosen, own))


def _ports(rule: Manifest) -> list[str]:
    ports = rule.get("ports") or [{"protocol": "every"}]
    return [
        f"{one['protocol']}/{one['port']}"
        if "port" in one
        else ANY_PORT
        if one["protocol"] == "TCP"
        else "every port"
        for one in ports
    ]


def _selects(selector: Manifest, own: dict[str, str]) -> bool:
    exact = all(own.get(key) == text for key, text in selector.get("matchLabels", {}).items())
    for one in selector.get("matchExpressions", []):
        assert one["operator"] == "In", "this reading knows no other operator"
        exact = exact and own.get(one["key"]) in one["values"]
    return exact


def _workloads(manifests: list[Manifest]) -> dict[str, Manifest]:
    return {
        one["metadata"]["name"].removeprefix("room-"): one["spec"]["template"]
        for one in manifests
        if "template" in one.get("spec", {})
    }


def _labels(template: Manifest) -> dict[str, str]:
    return dict(template["metadata"].get("labels", {}))


def _containers(template: Manifest) -> list[Manifest]:
    return [*template["spec"].get("initContainers", []), *template["spec"]["containers"]]


def _environments(manifests: list[Manifest]) -> dict[str, set[str]]:
    """Return the names in the environment of each kind of process with the room's image."""
    return {
        kind: {one["name"] for pod in _containers(template) for one in pod["env"]}
        for kind, template in _workloads(manifests).items()
        if template["spec"]["containers"][0]["image"] == "tournament-room"
    }


def _served(manifests: list[Manifest]) -> dict[str, dict[str, str]]:
    """Return the ports of each kind by their names, e.g. "metrics" at "TCP/9100"."""
    return {
        kind: {
            port["name"]: f"{port.get('protocol', 'TCP')}/{port['containerPort']}"
            for pod in template["spec"]["containers"]
            for port in pod.get("ports", [])
        }
        for kind, template in _workloads(manifests).items()
    }
