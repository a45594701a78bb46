"""Rule of docs/machines.md for prometheus-adapter: it makes the metric of the autoscalers."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import Any

import yaml

from config import metrics
from config.environment import HOME
from tests.deploy.manifests import deployed

RULE = re.search(
    r"^    externalRules:\n(?:    .*\n)+", (HOME / "docs/machines.md").read_text(), re.M
)


def _external_metrics() -> list[dict[str, Any]]:
    scalers = [one for one in deployed.manifests() if one["kind"] == "HorizontalPodAutoscaler"]
    return [one["external"]["metric"] for scaler in scalers for one in scaler["spec"]["metrics"]]


def test_the_adapter_makes_the_metric_that_the_autoscalers_read() -> None:
    assert RULE is not None
    (rule,) = yaml.safe_load(dedent(RULE[0]))["externalRules"]
    wanted = _external_metrics()
    assert len(wanted) == 2
    assert {one["name"] for one in wanted} == {rule["name"]["as"]}
    # The series has no label of a namespace: by default the adapter would ask for one.
    assert rule["resources"] == {"namespaced": False}
    series = rule["seriesQuery"].removesuffix("_bucket")
    (told,) = (one for one in metrics.BELL_WAIT_S.collect() if one.name == series)
    assert told.type == "histogram"
    labels = {label for one in wanted for label in one["selector"]["matchLabels"]}
    assert labels == {"desk"} and "by (le, desk)" in rule["metricsQuery"]
