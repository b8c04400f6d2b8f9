"""The checks of an overlay: the page's commands, references, and promises of updates."""

from typing import Any

import pytest

from infra.cluster.__main__ import OVERLAYS
from infra.cluster.checks import PAGE, code_for, commands, needs_of_pod, needs_of_route, promised_ready
from infra.cluster.kubectl import ClusterError

BLOCKS = "```sh\nhelm install a\nmake b YOUR-NAME\nkubectl apply -k c\n```\n\n```sh\nmake d\n```\n"


def test_lines_that_can_not_run_here_are_left_out() -> None:
    """Of the block that has the text."""
    assert list(commands(BLOCKS, "make b")) == ["make b reader"]


@pytest.mark.parametrize("mention", ["make", "make e"])
def test_a_text_belongs_to_one_block(mention: str) -> None:
    """Otherwise nobody would notice that the page has changed."""
    with pytest.raises(ClusterError, match=r"blocks of infra/kubernetes/README\.md"):
        list(commands(BLOCKS, mention))


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_the_page_has_the_commands_for_every_overlay(overlay: str) -> None:
    """They make the namespace and the Secret without which gateways don't start."""
    code = "\n".join(code_for(PAGE.read_text(), overlay))
    assert "base/namespace.yaml" in code
    assert "gateway-admin-tokens" in code
    assert ("gateway-tls" in code or "$name-tls" in code) == (overlay == "mutual-tls")
    assert ("scaler-token" in code) == (overlay == "keda")


def test_a_pod_needs_what_it_mounts_and_reads_unless_that_is_optional() -> None:
    """Volumes without either, such as a temporary one, name nothing."""
    volumes = [
        {"name": "tokens", "secret": {"secretName": "admin-tokens"}},
        {"name": "routes", "configMap": {"name": "routes", "optional": False}},
        {"name": "tmp", "emptyDir": {}},
        {"name": "maybe", "secret": {"secretName": "maybe", "optional": True}},
    ]
    settings = [{"configMapRef": {"name": "settings"}}, {"secretRef": {"name": "password", "optional": True}}]
    named = set(needs_of_pod({"volumes": volumes, "containers": [{"envFrom": settings}, {}]}))
    assert named == {("Secret", "admin-tokens"), ("ConfigMap", "routes"), ("ConfigMap", "settings")}


def test_a_route_needs_its_gateway_and_the_ports_of_services() -> None:
    """Of all its rules."""
    backends = [[{"kind": "Service", "name": name, "port": 80, "weight": 1}] for name in ("stable", "canary")]
    rules = [{"backendRefs": each} for each in backends]
    route = {"parentRefs": [{"kind": "Gateway", "name": "engines"}], "rules": rules}
    named = set(needs_of_route(route))
    assert named == {("Gateway", "engines"), ("Service", "stable:80"), ("Service", "canary:80")}


def deployment(replicas: int, unavailable: int | str | None) -> Any:
    """Return a deployment as the API server shows it; with None it is one that first deletes its pods."""
    strategy: dict[str, Any] = {"type": "Recreate"}
    if unavailable is not None:
        strategy = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": unavailable}}
    selector = {"matchLabels": {"app": "searcher"}}
    return {"spec": {"replicas": replicas, "strategy": strategy, "selector": selector}}


def budget(app: str, healthy: int) -> Any:
    """Return a disruption budget that keeps so many pods."""
    return {"spec": {"selector": {"matchLabels": {"app": app}}}, "status": {"desiredHealthy": healthy}}


@pytest.mark.parametrize(
    ("replicas", "unavailable", "kept"),
    [(2, 0, 2), (4, 1, 3), (2, "25%", 2), (4, "25%", 3), (7, "50%", 4), (2, None, 0)],
)
def test_a_strategy_keeps_pods(replicas: int, unavailable: int | str | None, kept: int) -> None:
    """A share is rounded down, as by Kubernetes, so that a single pod is never given up."""
    assert promised_ready(deployment(replicas, unavailable), []) == kept


def test_so_does_a_budget_for_the_same_pods() -> None:
    """An update that has fewer would break its promise."""
    budgets = [budget("gateway", 3), budget("searcher", 1)]
    assert promised_ready(deployment(2, None), budgets) == 1
    assert promised_ready(deployment(2, 0), budgets) == 2
