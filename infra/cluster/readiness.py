"""How many pods were ready at any time, from the events of a watch."""

import json
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from infra.cluster.errors import wait_until
from infra.cluster.kubectl import Kubectl, Resource

Labels = Mapping[str, str]


def ready(pod: Resource) -> bool:
    """Return whether a pod answers calls: it is ready, and nobody has deleted it."""
    conditions = {each["type"]: each["status"] for each in pod.get("status", {}).get("conditions", [])}
    return conditions.get("Ready") == "True" and "deletionTimestamp" not in pod["metadata"]


def selected(pod: Resource, labels: Labels) -> bool:
    """Return whether a pod has all these labels."""
    present: Labels = pod["metadata"].get("labels", {})
    return labels.items() <= present.items()


def fewest_ready(events: Iterable[Mapping[str, Any]], labels: Labels, present: int) -> int:
    """Return the lowest number of ready pods with these labels at any time.

    A watch begins with one event for each pod that is already `present`.
    """
    pods: dict[str, bool] = {}
    counts = []
    for event in events:
        pod = event["object"]
        if event["type"] == "DELETED":
            pods.pop(pod["metadata"]["name"], None)
        else:
            pods[pod["metadata"]["name"]] = ready(pod) and selected(pod, labels)
        counts.append(sum(pods.values()))
    return min(counts[present - 1 :])


@contextmanager
def recorded(kubectl: Kubectl, file: Path, present: int) -> Iterator[Callable[[], list[Any]]]:
    """Record all events of the namespace's pods until the block ends; yield what returns those until now."""
    address = f"/api/v1/namespaces/{kubectl.namespace}/pods?watch=true"

    def events() -> list[Any]:
        complete = file.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in complete.splitlines()]

    with file.open("wb") as output:
        watch = subprocess.Popen(kubectl.command("get", f"--raw={address}"), stdout=output)
    try:
        wait_until(lambda: len(events()) >= present, "the watch shows all pods")
        yield events
    finally:
        watch.kill()
        watch.wait()
