"""An overlay on the cluster: where it is, and what its deployments do."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from infra.cluster.control_plane import Cluster
from infra.cluster.errors import WITHIN, ClusterError, wait_until
from infra.cluster.kubectl import Kubectl, Resource
from infra.cluster.readiness import ready, selected

NAMESPACE = "battlesnake"


@dataclass(frozen=True, slots=True)
class Trial:
    """An overlay, the cluster that it is applied to, and an empty folder for files."""

    overlay: Path
    cluster: Cluster
    folder: Path

    @property
    def kubectl(self) -> Kubectl:
        """kubectl for the namespace of the overlay."""
        return Kubectl(self.cluster.kubectl.config, NAMESPACE)

    def deployments(self) -> Iterator[tuple[str, Resource]]:
        """Yield the deployments by name. Raises ClusterError."""
        for deployment in self.kubectl.resources("deployments"):
            yield deployment["metadata"]["name"], deployment

    def pods(self, labels: Resource) -> list[Resource]:
        """Return the pods that have all these labels. Raises ClusterError."""
        return [pod for pod in self.kubectl.resources("pods") if selected(pod, labels)]

    def settle(self) -> None:
        """Wait until every deployment has its pods and nothing else. Raises ClusterError, with the reason."""
        try:
            for name, _ in self.deployments():
                self.kubectl("rollout", "status", f"deployment/{name}", f"--timeout={WITHIN:.0f}s")
            wait_until(lambda: all(map(ready, self.pods({}))), "all pods are ready, and former ones are gone")
        except ClusterError as error:
            raise ClusterError("; ".join((str(error), *self._complaints()))) from error
        self.cluster.processes.check()

    def _complaints(self) -> set[str]:
        """Return what the cluster says about pods that it can't make or place."""
        events = self.kubectl.resources("events", "--field-selector=type=Warning")
        kinds = ("Pod", "ReplicaSet", "Deployment")
        return {event["message"] for event in events if event["involvedObject"]["kind"] in kinds}


def require(true: bool, otherwise: str) -> None:
    """Raise ClusterError with a message if something is not true."""
    if not true:
        raise ClusterError(otherwise)
