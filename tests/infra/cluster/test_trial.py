"""Ready pods counted by the events of a watch."""

from typing import Any

import pytest

from infra.cluster.trial import fewest_ready

LABELS = {"app": "searcher"}


def event(kind: str, name: str, *, ready: bool = True, going: bool = False, app: str = "searcher") -> Any:
    """Return an event of a watch, as the API server writes it."""
    metadata: dict[str, Any] = {"name": name, "labels": {"app": app, "track": "stable"}}
    if going:
        metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    conditions = [{"type": "PodScheduled", "status": "True"}, {"type": "Ready", "status": str(ready)}]
    return {"type": kind, "object": {"metadata": metadata, "status": {"conditions": conditions}}}


BEFORE = [event("ADDED", "a"), event("ADDED", "b"), event("ADDED", "other", app="gateway")]
NEW = [
    {"type": "ADDED", "object": {"metadata": {"name": "c", "labels": LABELS}, "status": {}}},
    event("MODIFIED", "c", ready=False),
    event("MODIFIED", "c"),
]


@pytest.mark.parametrize(
    ("later", "fewest"),
    [
        ([], 2),
        ([*NEW, event("MODIFIED", "a", going=True), event("DELETED", "a", going=True)], 2),
        ([event("MODIFIED", "a", going=True), *NEW], 1),
        ([event("DELETED", "a"), event("DELETED", "b"), *NEW], 0),
        ([event("MODIFIED", "b", ready=False), event("MODIFIED", "b")], 1),
        ([event("DELETED", "other", app="gateway")], 2),
    ],
    ids=["nothing", "first the new", "first the old", "all at once", "not ready for a while", "of another"],
)
def test_the_fewest_pods_that_were_ready_at_once(later: list[Any], fewest: int) -> None:
    """A pod counts while it is ready and not deleted; the first events are no changes."""
    assert fewest_ready(BEFORE + later, LABELS, len(BEFORE)) == fewest
