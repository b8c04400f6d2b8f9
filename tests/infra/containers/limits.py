"""The limits under which the services of a cluster live, for containers on this machine."""

from typing import Any

import yaml

from tests.support.services import ROOT


def limits(service: str) -> dict[str, str]:
    """Return the memory and the cores that the manifest of a service allows, in Podman's notation."""
    manifest = ROOT / "infra" / "kubernetes" / "base" / service / "deployment.yaml"
    containers = _pod(yaml.safe_load(manifest.read_text()))["containers"]
    (given,) = (container["resources"]["limits"] for container in containers)
    return {"memory": given["memory"].removesuffix("i").lower(), "cpus": str(given["cpu"])}


def _pod(deployment: dict[str, Any]) -> dict[str, Any]:
    spec: dict[str, Any] = deployment["spec"]["template"]["spec"]
    return spec
