"""The commands that infra/kubernetes/README.md has for readers to type before they apply an overlay."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from infra.cluster.errors import ClusterError
from infra.cluster.kubectl import checked
from infra.cluster.trial import Trial
from tests.docs.pages import FENCES
from tests.support.services import ROOT

PAGE = ROOT / "infra" / "kubernetes" / "README.md"

_LEFT_OUT = ("helm ", "kubectl apply -k ")
"""How lines begin that need another program, or are for later."""

_NAME = "YOUR-NAME", "reader"
"""What readers replace, and by what."""

_STRICT = 'kubectl() { command kubectl --warnings-as-errors "$@"; }\n'

_ALWAYS = "gateway token prometheus"
_MORE = {"keda": "gateway token scaler", "mutual-tls": "certificates.sh"}
"""Texts of the blocks that come before every overlay, and before some of them."""

OTHER_NAMESPACES = ("monitoring",)
"""Those of others that the blocks put something into."""


def prepare(trial: Trial) -> str:
    """Type the page's blocks for an overlay into a shell, in the trial's folder. Raises ClusterError."""
    for namespace in OTHER_NAMESPACES:
        trial.cluster.kubectl("create", "namespace", namespace)
    (trial.folder / "infra").symlink_to(ROOT / "infra")
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    kubectl = {"KUBECONFIG": str(trial.kubectl.config), "KUBECACHEDIR": str(trial.kubectl.cache)}
    env = {"PATH": path, "PYTHONPATH": str(ROOT), **kubectl}
    code = list(code_for(PAGE.read_text(), trial.overlay.name))
    script = ["bash", "-euo", "pipefail", "-c", _STRICT + "\n".join(code)]
    checked(str(PAGE.relative_to(ROOT)), script, folder=trial.folder, env=env)
    return f"{len(code)} lines of {PAGE.relative_to(ROOT)}"


def code_for(page: str, overlay: str) -> Iterator[str]:
    """Yield the lines of the page that come before an overlay. Raises ClusterError."""
    yield from commands(page, _ALWAYS)
    if overlay in _MORE:
        yield from commands(page, _MORE[overlay])


def commands(page: str, mention: str) -> Iterator[str]:
    """Yield the lines of the only shell block that has a text, without those that can't run here.

    Raises ClusterError if none or several have it.
    """
    blocks = [code for language, code in FENCES.findall(page) if language == "sh" and mention in code]
    if len(blocks) != 1:
        raise ClusterError(f"{len(blocks)} blocks of {PAGE.relative_to(ROOT)} have {mention!r}, not one")
    for line in blocks[0].splitlines():
        if not line.startswith(_LEFT_OUT):
            yield line.replace(*_NAME)
