"""A control plane of Kubernetes on loopback addresses: etcd, API server, controllers and scheduler."""

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from infra.cluster import programs
from infra.cluster.errors import wait_until
from infra.cluster.kubectl import Kubectl, checked
from infra.cluster.processes import Processes
from tests.support.services import ROOT, free_port

_ADMIN, _CONTROLLERS, _SCHEDULER = "admin", "system:kube-controller-manager", "system:kube-scheduler"

_GROUPS = {_ADMIN: "system:masters", _CONTROLLERS: "", _SCHEDULER: ""}
"""The users, each with its group: names to which Kubernetes itself gives rights."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """A running cluster: its processes, their folder, and kubectl for its administrator."""

    folder: Path
    processes: Processes
    kubectl: Kubectl


@contextmanager
def control_plane(folder: Path) -> Iterator[Cluster]:
    """Run a control plane, whose files are in a folder, until the block ends; yield it when it is ready.

    Raises ClusterError if it does not become ready.
    """
    script = ROOT / "infra" / "certificates.sh"
    checked(script.name, [script, folder, "apiserver", "service-accounts"])
    url = f"https://localhost:{free_port()}"
    tokens = {user: secrets.token_hex() for user in _GROUPS}
    for user, token in tokens.items():
        _kubeconfig(folder, user, token, url)
    rows = (f'{token},{user},{user},"{_GROUPS[user]}"\n' for user, token in tokens.items())
    (folder / "tokens.csv").write_text("".join(rows))
    cluster = Cluster(folder, Processes(folder), Kubectl(_config(folder, _ADMIN)))
    try:
        _start(cluster, url.rpartition(":")[2])
        yield cluster
    finally:
        cluster.processes.end()


def start_kwok(cluster: Cluster, stages: Path) -> None:
    """Start kwok, which plays all nodes and their pods as a file with its stages says."""
    config = _config(cluster.folder, _ADMIN)
    files = f"--config={stages}", f"--kubeconfig={config}"
    # Without leases the controllers would take the nodes for dead after a minute.
    leases = "--node-lease-duration-seconds=40"
    cluster.processes.start(programs.KWOK.path, *files, "--manage-all-nodes", leases)


def _start(cluster: Cluster, port: str) -> None:
    start, folder = cluster.processes.start, cluster.folder
    etcd = f"http://127.0.0.1:{free_port()}"
    start(programs.ETCD.path, *_etcd(folder, etcd))
    start(programs.API_SERVER.path, *_api_server(folder, etcd, port))
    wait_until(lambda: _ready(cluster), "the API server is ready")
    start(programs.CONTROLLER_MANAGER.path, *_controllers(folder))
    start(programs.SCHEDULER.path, *_client(folder, _SCHEDULER))
    # The controllers give each namespace the account without which it gets no pods.
    wait_until(
        lambda: not cluster.kubectl.refusal("get", "serviceaccount", "default"), "the controllers work"
    )
    cluster.processes.check()


def _ready(cluster: Cluster) -> bool:
    cluster.processes.check()
    return not cluster.kubectl.refusal("get", "--raw=/readyz")


def _etcd(folder: Path, url: str) -> Iterator[str]:
    peers = f"http://127.0.0.1:{free_port()}"
    yield f"--data-dir={folder / 'etcd'}"
    yield from (f"--listen-client-urls={url}", f"--advertise-client-urls={url}")
    yield from (f"--listen-peer-urls={peers}", f"--initial-advertise-peer-urls={peers}")
    yield f"--initial-cluster=default={peers}"
    # The data is for this run alone.
    yield "--unsafe-no-fsync"


def _api_server(folder: Path, etcd: str, port: str) -> Iterator[str]:
    yield f"--etcd-servers={etcd}"
    yield from ("--bind-address=127.0.0.1", f"--secure-port={port}")
    # Pods could not reach a loopback address, so the service `kubernetes` gets none.
    yield from ("--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none")
    yield from (
        f"--tls-cert-file={folder / 'apiserver.pem'}",
        f"--tls-private-key-file={folder / 'apiserver.key'}",
    )
    yield from (f"--token-auth-file={folder / 'tokens.csv'}", "--authorization-mode=Node,RBAC")
    yield f"--service-account-issuer=https://localhost:{port}"
    yield f"--service-account-key-file={folder / 'service-accounts.pem'}"
    yield f"--service-account-signing-key-file={folder / 'service-accounts.key'}"
    yield "--service-cluster-ip-range=10.96.0.0/16"


def _controllers(folder: Path) -> Iterator[str]:
    yield from _client(folder, _CONTROLLERS)
    yield from ("--use-service-account-credentials", f"--root-ca-file={folder / 'ca.pem'}")
    yield f"--service-account-private-key-file={folder / 'service-accounts.key'}"
    # Otherwise 15 and 5 s.
    yield from ("--horizontal-pod-autoscaler-sync-period=1s", "--node-monitor-period=1s")


def _client(folder: Path, user: str) -> Iterator[str]:
    """Yield the options of a program that is a client of the API server, as one of the users."""
    config = _config(folder, user)
    for option in ("kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig"):
        yield f"--{option}={config}"
    yield from ("--bind-address=127.0.0.1", f"--secure-port={free_port()}", "--leader-elect=false")


def _config(folder: Path, user: str) -> Path:
    return folder / f"{user.rpartition(':')[2]}.kubeconfig"


def _kubeconfig(folder: Path, user: str, token: str, url: str) -> None:
    authority = str(folder / "ca.pem")
    config = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "test", "cluster": {"server": url, "certificate-authority": authority}}],
        "users": [{"name": user, "user": {"token": token}}],
        "contexts": [{"name": "test", "context": {"cluster": "test", "user": user}}],
        "current-context": "test",
    }
    _config(folder, user).write_text(json.dumps(config))
