"""The manifests for Kubernetes: who reaches what, and how searchers scale."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.checks.manifests import rendered

BASE = Path(__file__).parents[2] / "infra" / "kubernetes" / "base"
OVERLAYS = BASE.parent / "overlays"


def _policy(name: str) -> Any:
    documents = yaml.safe_load_all((BASE / "networkpolicy.yaml").read_text())
    return next(each for each in documents if each["metadata"]["name"] == name)["spec"]


def test_the_admin_port_is_for_prometheus_of_the_namespace_monitoring() -> None:
    """The public port is open; the admin port only to Prometheus, in one namespace."""
    public, admin = _policy("gateway")["ingress"]
    assert public == {"ports": [{"port": 8000}]}
    assert admin["ports"] == [{"port": 8001}]
    [source] = admin["from"]
    assert source["namespaceSelector"]["matchLabels"] == {"kubernetes.io/metadata.name": "monitoring"}
    assert source["podSelector"]["matchLabels"] == {"app.kubernetes.io/name": "prometheus"}


def test_searchers_answer_gateways_and_show_prometheus_their_metrics() -> None:
    """Calls come only from gateways of the same namespace."""
    calls, metrics = _policy("searcher")["ingress"]
    assert calls["from"] == [{"podSelector": {"matchLabels": {"app.kubernetes.io/name": "gateway"}}}]
    assert calls["ports"] == [{"port": 50051}]
    assert metrics == {"from": _policy("gateway")["ingress"][1]["from"], "ports": [{"port": 9100}]}


def test_searchers_scale_on_the_metric_that_the_adapter_makes() -> None:
    """The rule has the metrics of searchers, and the name that the autoscaler asks for."""
    autoscaler = next(yaml.safe_load_all((BASE / "searcher" / "autoscaling.yaml").read_text()))
    adapter = yaml.safe_load((BASE.parent / "autoscaling" / "prometheus-adapter.yaml").read_text())
    [metric], [rule] = autoscaler["spec"]["metrics"], adapter["rules"]["custom"]
    assert rule["name"]["as"] == metric["pods"]["metric"]["name"]
    assert "searcher_demand_seconds_total" in rule["seriesQuery"]
    assert "searcher_workers" in rule["metricsQuery"]


def test_the_admin_port_asks_for_tokens_of_a_secret() -> None:
    """The variable names the file of a Secret that must exist."""
    pod = yaml.safe_load((BASE / "gateway" / "deployment.yaml").read_text())["spec"]["template"]["spec"]
    [container] = pod["containers"]
    variables = {each["name"]: each["value"] for each in container["env"]}
    mounts = {each["name"]: each["mountPath"] for each in container["volumeMounts"]}
    volumes = {each["name"]: each for each in pod["volumes"]}
    assert variables["ADMIN_TOKENS"] == f"{mounts['admin-tokens']}/tokens.toml"
    assert volumes["admin-tokens"]["secret"] == {"secretName": "gateway-admin-tokens"}


@pytest.fixture(scope="module")
def keda() -> dict[tuple[str, str], Any]:
    """The resources of the overlay with KEDA, by kind and name."""
    return {(each["kind"], each["metadata"]["name"]): each for each in rendered(OVERLAYS / "keda")}


def test_keda_finds_the_gateways_and_their_token(keda: dict[tuple[str, str], Any]) -> None:
    """Its trigger names the Service of all gateways, ready or not, and reads the Secret of the page."""
    [trigger] = keda["ScaledObject", "searcher"]["spec"]["triggers"]
    service = keda["Service", "gateway-admin"]
    name = f"{service['metadata']['name']}.{service['metadata']['namespace']}.svc"
    [port] = service["spec"]["ports"]
    [container] = keda["Deployment", "gateway"]["spec"]["template"]["spec"]["containers"]
    # KEDA asks pods, at the port that it finds here.
    assert {"name": port["targetPort"], "containerPort": port["port"]} in container["ports"]
    assert trigger["metadata"]["url"] == f"http://{name}:{port['port']}/metrics"
    assert (service["spec"]["clusterIP"], service["spec"]["publishNotReadyAddresses"]) == ("None", True)
    [secret] = keda["TriggerAuthentication", "gateway-metrics"]["spec"]["secretTargetRef"]
    command = f"create secret generic {secret['name']} --from-file={secret['key']}\n"
    assert command in (BASE.parent / "README.md").read_text()


def test_no_gateway_needs_a_searcher_to_start_a_game(keda: dict[tuple[str, str], Any]) -> None:
    """A gateway that was not ready without one would get no game that could wake one."""
    [container] = keda["Deployment", "gateway"]["spec"]["template"]["spec"]["containers"]
    assert container["readinessProbe"]["httpGet"] == {"path": "/healthz", "port": "http"}


def test_one_autoscaler_scales_the_searchers(keda: dict[tuple[str, str], Any]) -> None:
    """KEDA's takes the place of ours, with the same limits."""
    assert ("HorizontalPodAutoscaler", "searcher") not in keda
    ours = next(yaml.safe_load_all((BASE / "searcher" / "autoscaling.yaml").read_text()))["spec"]
    spec = keda["ScaledObject", "searcher"]["spec"]
    assert (spec["minReplicaCount"], spec["maxReplicaCount"]) == (ours["minReplicas"], ours["maxReplicas"])
    assert spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"] == ours["behavior"]


def test_keda_reaches_the_admin_port(keda: dict[tuple[str, str], Any]) -> None:
    """Only its operator does, in one namespace."""
    policy = keda["NetworkPolicy", "keda-to-gateway"]["spec"]
    assert policy["podSelector"] == _policy("gateway")["podSelector"]
    [rule] = policy["ingress"]
    [source] = rule["from"]
    assert source["namespaceSelector"]["matchLabels"] == {"kubernetes.io/metadata.name": "keda"}
    assert source["podSelector"]["matchLabels"] == {"app": "keda-operator"}
    assert rule["ports"] == [{"port": 8001}]
