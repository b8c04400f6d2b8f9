"""Which pods the services stand for."""

from collections.abc import Iterator

from infra.cluster.errors import wait_until
from infra.cluster.kubectl import Resource
from infra.cluster.readiness import ready
from infra.cluster.trial import Trial, require


def served(trial: Trial) -> str:
    """Check that every service has the addresses of the pods that it selects, with all its ports."""
    counts = [_addresses(trial, service) for service in trial.kubectl.resources("services")]
    return f"addresses: {', '.join(counts)}"


def _addresses(trial: Trial, service: Resource) -> str:
    """Return how many addresses a service has. Raises ClusterError if they are not those of its pods."""
    name, spec = service["metadata"]["name"], service["spec"]
    pods = {pod["status"]["podIP"] for pod in trial.pods(spec["selector"]) if ready(pod)}
    require(bool(pods), f"service {name} selects no pod")

    def has_all() -> bool:
        endpoints = (endpoint for each in _slices(trial, name) for endpoint in each["endpoints"] or [])
        return pods == {each["addresses"][0] for each in endpoints if each["conditions"]["ready"]}

    wait_until(has_all, f"service {name} has the addresses of its pods")
    ports = {port["name"] for each in _slices(trial, name) for port in each["ports"] or []}
    lacking = {port["name"] for port in spec["ports"]} - ports
    require(not lacking, f"the pods of service {name} have no port for {', '.join(sorted(lacking))}")
    return f"{len(pods)} of {name}"


def _slices(trial: Trial, service: str) -> Iterator[Resource]:
    labels = f"--selector=kubernetes.io/service-name={service}"
    yield from trial.kubectl.resources("endpointslices", labels)
