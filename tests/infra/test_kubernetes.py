"""The manifests for Kubernetes: who reaches what, and how searchers scale."""

from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from gateway.commands.main import main
from gateway.scaler.service import DEFAULT_SEARCHES_PER_POD, searches_per_pod
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
    """Nobody else reaches them: calls come from gateways of the same namespace."""
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


def _container(deployment: Any) -> Any:
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    return container


def test_keda_finds_the_scaler_and_understands_it(keda: dict[tuple[str, str], Any]) -> None:
    """Its trigger names the Service, and has metadata that the scaler takes."""
    [trigger] = keda["ScaledObject", "searcher"]["spec"]["triggers"]
    service = keda["Service", "scaler"]
    name = f"{service['metadata']['name']}.{service['metadata']['namespace']}"
    assert trigger["metadata"]["scalerAddress"] == f"{name}:{service['spec']['ports'][0]['port']}"
    assert searches_per_pod(trigger["metadata"]) == DEFAULT_SEARCHES_PER_POD
    [port] = _container(keda["Deployment", "scaler"])["ports"]
    assert port["name"] == service["spec"]["ports"][0]["targetPort"]


def test_the_scaler_has_what_its_options_ask_for(keda: dict[tuple[str, str], Any]) -> None:
    """It runs in the gateway's image, and has the name of all gateways, ready or not, and a token."""
    container = _container(keda["Deployment", "scaler"])
    variables = {each["name"]: each["value"] for each in container["env"]}
    command = main.get_command(click.Context(main), container["args"][0])
    assert command
    assert variables.keys() <= {option.envvar for option in command.params}
    assert container["image"] == _container(keda["Deployment", "gateway"])["image"]
    service = keda["Service", "gateway-admin"]["spec"]
    assert variables["SCALER_GATEWAYS"] == f"gateway-admin:{service['ports'][0]['port']}"
    assert (service["clusterIP"], service["publishNotReadyAddresses"]) == ("None", True)
    [mount] = container["volumeMounts"]
    assert variables["SCALER_TOKEN_FILE"] == f"{mount['mountPath']}/token"


def test_nobody_needs_a_searcher_to_start_a_game(keda: dict[tuple[str, str], Any]) -> None:
    """A gateway that was not ready without one would get no game that could wake one."""
    probe = _container(keda["Deployment", "gateway"])["readinessProbe"]
    assert probe["httpGet"] == {"path": "/healthz", "port": "http"}


def test_one_autoscaler_scales_the_searchers(keda: dict[tuple[str, str], Any]) -> None:
    """KEDA's takes the place of ours, with the same limits."""
    assert ("HorizontalPodAutoscaler", "searcher") not in keda
    ours = next(yaml.safe_load_all((BASE / "searcher" / "autoscaling.yaml").read_text()))["spec"]
    spec = keda["ScaledObject", "searcher"]["spec"]
    assert (spec["minReplicaCount"], spec["maxReplicaCount"]) == (ours["minReplicas"], ours["maxReplicas"])
    assert spec["advanced"]["horizontalPodAutoscalerConfig"]["behavior"] == ours["behavior"]


def test_keda_alone_reaches_the_scaler(keda: dict[tuple[str, str], Any]) -> None:
    """And the scaler reaches the admin port of gateways."""
    [rule] = keda["NetworkPolicy", "scaler"]["spec"]["ingress"]
    [source] = rule["from"]
    assert source["namespaceSelector"]["matchLabels"] == {"kubernetes.io/metadata.name": "keda"}
    [rule] = keda["NetworkPolicy", "scaler-to-gateway"]["spec"]["ingress"]
    labels = keda["Deployment", "scaler"]["spec"]["template"]["metadata"]["labels"]
    [source] = rule["from"]
    assert source["podSelector"]["matchLabels"].items() <= labels.items()
    assert rule["ports"] == [{"port": 8001}]
    nobody = keda["NetworkPolicy", "nobody"]["spec"]["podSelector"]["matchLabels"]
    assert nobody.items() <= labels.items()
