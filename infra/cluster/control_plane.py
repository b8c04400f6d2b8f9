"""A control plane of Kubernetes on loopback addresses: etcd, API server, controllers, scheduler and kwok.

The programs are built with Go at pinned versions and kept in `.cache`. None of their processes outlives this
one. kwok plays the nodes and their pods.
"""

import json
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from signal import SIGCONT, SIGSTOP
from typing import Any

import click
import yaml

from gateway.searchers import leash
from infra.checks.custom_resources import SOURCES, definitions
from infra.cluster.kubectl import ClusterError, Kubectl, checked, wait_until
from tests.support.go_build import CACHE, go_build, pinned_version
from tests.support.services import ROOT, free_port

MODULE = Path(__file__).parent / "programs"
"""The folder of the go.mod that pins the programs and of the go.sum with the checksums of their sources."""

_KUBERNETES = "k8s.io/kubernetes"
_KWOK = "sigs.k8s.io/kwok"


@dataclass(frozen=True, slots=True)
class Program:
    """A program: its name, the Go module that has it, and its package there."""

    name: str
    module: str
    package: str

    @property
    def path(self) -> Path:
        """The path of the built program."""
        version = pinned_version(MODULE, self.module)
        return CACHE / f"{self.module.split('/')[1]}-{version}" / self.name


ETCD = Program("etcd", "go.etcd.io/etcd/server/v3", "")
API_SERVER = Program("kube-apiserver", _KUBERNETES, "/cmd/kube-apiserver")
CONTROLLER_MANAGER = Program("kube-controller-manager", _KUBERNETES, "/cmd/kube-controller-manager")
SCHEDULER = Program("kube-scheduler", _KUBERNETES, "/cmd/kube-scheduler")
KWOK = Program("kwok", _KWOK, "/cmd/kwok")
PROGRAMS = (ETCD, API_SERVER, CONTROLLER_MANAGER, SCHEDULER, KWOK)

STAGES = KWOK.path.parent / "stages"
"""The folder of kwok's descriptions of the behaviour of nodes and pods."""

_STAGES = (
    "node/fast/node-initialize.yaml",
    "node/heartbeat-with-lease/node-heartbeat-with-lease.yaml",
    "pod/fast/pod-ready.yaml",
    "pod/fast/pod-delete.yaml",
)


def kubernetes_version() -> str:
    """Return the version of Kubernetes, without its v."""
    return pinned_version(MODULE, _KUBERNETES)


def build() -> None:
    """Build the programs that are missing, and copy kwok's stages.

    Raises GoMissingError if Go is missing, and subprocess.CalledProcessError if a build fails.
    """
    missing = [program for program in PROGRAMS if not program.path.exists()]
    if missing:
        names = ", ".join(program.name for program in missing)
        click.echo(f"building {names}: once, for 10 to 30 minutes on two cores")
    # The programs become small, and the programs of Kubernetes know their version.
    flags = f"-ldflags=-s -w -X k8s.io/component-base/version.gitVersion=v{kubernetes_version()}"
    for program in missing:
        go_build(MODULE, program.module + program.package, program.path, "-trimpath", flags)
    STAGES.mkdir(exist_ok=True)
    for stage in _STAGES:
        copy = STAGES / Path(stage).name
        if not copy.exists():
            copy.write_text(_stage(stage))


def _stage(stage: str) -> str:
    """Return a stage from the sources of kwok."""
    command = ["go", "list", "-mod=readonly", "-m", "-f", "{{.Dir}}", _KWOK]
    listed = subprocess.run(command, cwd=MODULE, check=True, stdout=subprocess.PIPE, text=True)
    return (Path(listed.stdout.strip()) / "kustomize" / "stage" / stage).read_text()


_LAST_LINES = 5
"""The number of lines that are shown of the log of a process that ended by itself."""


class Processes:
    """Processes by name, each of which writes its log into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, program: Path, *arguments: str) -> None:
        """Start a program. It ends with this process, even if that is killed."""
        command = [sys.executable, leash.__file__, str(os.getpid()), str(program), *arguments]
        with self._log(program.name).open("wb") as log:
            self._running[program.name] = subprocess.Popen(
                command, cwd=self._folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def check(self) -> None:
        """Raise ClusterError, with the end of its log, if a process has ended."""
        for name, process in self._running.items():
            if process.poll() is not None:
                last = self._log(name).read_text(errors="replace").splitlines()[-_LAST_LINES:]
                raise ClusterError("\n".join((f"{name} ended with code {process.returncode}:", *last)))

    @contextmanager
    def stopped(self, program: Path) -> Iterator[None]:
        """Stop a program until the block ends."""
        self._running[program.name].send_signal(SIGSTOP)
        try:
            yield
        finally:
            self._running[program.name].send_signal(SIGCONT)

    def end(self) -> None:
        """Kill all processes. They need no orderly end, because their data is deleted."""
        for process in self._running.values():
            process.kill()
        for process in self._running.values():
            process.wait()

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"


_ADMIN, _CONTROLLERS, _SCHEDULER = "admin", "system:kube-controller-manager", "system:kube-scheduler"

_GROUPS = {_ADMIN: "system:masters", _CONTROLLERS: "", _SCHEDULER: ""}
"""The users, each with its group. Kubernetes itself gives rights to these names."""


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
    """Start kwok. It plays all nodes and their pods, as its stages in a file describe."""
    config = _config(cluster.folder, _ADMIN)
    files = f"--config={stages}", f"--kubeconfig={config}"
    # Without leases the controllers would regard the nodes as dead after a minute.
    leases = "--node-lease-duration-seconds=40"
    cluster.processes.start(KWOK.path, *files, "--manage-all-nodes", leases)


def _start(cluster: Cluster, port: str) -> None:
    start, folder = cluster.processes.start, cluster.folder
    etcd = f"http://127.0.0.1:{free_port()}"
    start(ETCD.path, *_etcd(folder, etcd))
    start(API_SERVER.path, *_api_server(folder, etcd, port))
    wait_until(lambda: _ready(cluster), "the API server is ready")
    start(CONTROLLER_MANAGER.path, *_controllers(folder))
    start(SCHEDULER.path, *_client(folder, _SCHEDULER))
    # The controllers create this account, and without it a namespace gets no pods.
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
    # Only this run needs the data.
    yield "--unsafe-no-fsync"


def _api_server(folder: Path, etcd: str, port: str) -> Iterator[str]:
    yield f"--etcd-servers={etcd}"
    yield from ("--bind-address=127.0.0.1", f"--secure-port={port}")
    # Pods could not reach a loopback address, so the service `kubernetes` gets no address.
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
    # The defaults of 15 s and 5 s would slow the checks down.
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


_NODES = 3
_CAPACITY = {"cpu": "8", "memory": "16Gi", "pods": "110"}
"""The capacity of a node: enough for each overlay, and so little that the scheduler has to spread the
pods."""

_DELAYS = {"pod-ready": 1000, "pod-delete": 500}
"""Milliseconds until pods are ready, or gone. Without delays, no rolling update could lack a pod."""


def furnish(cluster: Cluster) -> None:
    """Add the nodes and the definitions; return when the cluster has them.

    Raises CannotCheckError if the definitions can't be downloaded, and ClusterError.
    """
    stages = cluster.folder / "stages.yaml"
    stages.write_text(yaml.safe_dump_all(_stages()))
    start_kwok(cluster, stages)
    cluster.kubectl(
        "apply", "--filename=-", given=json.dumps({"apiVersion": "v1", "kind": "List", "items": _nodes()})
    )
    for source in SOURCES:
        # The annotation of an apply by the client would be larger than the server allows.
        cluster.kubectl("apply", "--server-side", f"--filename={definitions(source)}")
    cluster.kubectl("wait", "--for=condition=Established", "crd", "--all", "--timeout=60s")
    cluster.kubectl("wait", "--for=condition=Ready", "node", "--all", "--timeout=60s")
    wait_until(lambda: not any(_taints(cluster.kubectl)), "all nodes take pods")
    cluster.processes.check()


def _stages() -> Iterator[Any]:
    for file in sorted(STAGES.glob("*.yaml")):
        stage = yaml.safe_load(file.read_text())
        delay = _DELAYS.get(stage["metadata"]["name"])
        if delay:
            stage["spec"]["delay"] = {"durationMilliseconds": delay, "jitterDurationMilliseconds": 2 * delay}
        yield stage


def _nodes() -> list[dict[str, Any]]:
    return [
        {
            "apiVersion": "v1",
            "kind": "Node",
            "metadata": {
                "name": name,
                "labels": {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux"},
            },
            "status": {"allocatable": _CAPACITY, "capacity": _CAPACITY},
        }
        for name in (f"node-{number}" for number in range(_NODES))
    ]


def _taints(kubectl: Kubectl) -> Iterator[Any]:
    return (taint for node in kubectl.resources("nodes") for taint in node["spec"].get("taints", []))
