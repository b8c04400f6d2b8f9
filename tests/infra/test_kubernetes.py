"""The manifests for Kubernetes: who reaches what."""

from pathlib import Path
from typing import Any

import yaml

BASE = Path(__file__).parents[2] / "infra" / "kubernetes" / "base"


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


def test_searchers_answer_gateways_alone() -> None:
    """Only gateways of the same namespace reach searchers."""
    [rule] = _policy("searcher")["ingress"]
    assert rule["from"] == [{"podSelector": {"matchLabels": {"app.kubernetes.io/name": "gateway"}}}]


def test_the_admin_port_asks_for_tokens_of_a_secret() -> None:
    """The variable names the file of a Secret that must exist."""
    pod = yaml.safe_load((BASE / "gateway" / "deployment.yaml").read_text())["spec"]["template"]["spec"]
    [container] = pod["containers"]
    variables = {each["name"]: each["value"] for each in container["env"]}
    mounts = {each["name"]: each["mountPath"] for each in container["volumeMounts"]}
    volumes = {each["name"]: each for each in pod["volumes"]}
    assert variables["ADMIN_TOKENS"] == f"{mounts['admin-tokens']}/tokens.toml"
    assert volumes["admin-tokens"]["secret"] == {"secretName": "gateway-admin-tokens"}
