"""What resources name, and the nodes of a real cluster, or its proxies, would look for."""

from collections.abc import Iterator
from typing import Any

from infra.cluster.kubectl import Resource
from infra.cluster.trial import Trial, require

Reference = tuple[str, str]
"""A kind and a name; of a port of a service, its number after a colon."""

_ROUTES = ("httproutes", "grpcroutes")


def referred(trial: Trial) -> str:
    """Check that there is every Secret and ConfigMap that pods need, and what routes name."""
    specs = [pod["spec"] for pod in trial.pods({})]
    routes = [route["spec"] for kind in _ROUTES for route in trial.kubectl.resources(kind)]
    named = {each for spec in specs for each in needs_of_pod(spec)}
    named |= {each for spec in routes for each in needs_of_route(spec)}
    missing = named - set(_present(trial))
    require(not missing, f"missing: {', '.join(sorted(map(' '.join, missing)))}")
    return f"{len(named)} names of Secrets, ConfigMaps, Gateways and ports of services"


def needs_of_pod(spec: Resource) -> Iterator[Reference]:
    """Yield the Secrets and ConfigMaps without which a pod does not start."""
    sources: list[Any] = []
    for volume in spec.get("volumes", []):
        sources += [
            ("Secret", volume.get("secret"), "secretName"),
            ("ConfigMap", volume.get("configMap"), "name"),
        ]
    for container in spec["containers"]:
        for each in container.get("envFrom", []):
            sources += [
                ("Secret", each.get("secretRef"), "name"),
                ("ConfigMap", each.get("configMapRef"), "name"),
            ]
    for kind, source, key in sources:
        if source and not source.get("optional"):
            yield kind, source[key]


def needs_of_route(spec: Resource) -> Iterator[Reference]:
    """Yield the Gateways of a route, and the ports of services to which it sends requests."""
    for parent in spec["parentRefs"]:
        yield parent["kind"], parent["name"]
    for rule in spec["rules"]:
        for backend in rule["backendRefs"]:
            yield backend["kind"], f"{backend['name']}:{backend['port']}"


def _present(trial: Trial) -> Iterator[Reference]:
    for kind, resources in (("Secret", "secrets"), ("ConfigMap", "configmaps"), ("Gateway", "gateways")):
        for resource in trial.kubectl.resources(resources):
            yield kind, resource["metadata"]["name"]
    for service in trial.kubectl.resources("services"):
        for port in service["spec"]["ports"]:
            yield "Service", f"{service['metadata']['name']}:{port['port']}"
