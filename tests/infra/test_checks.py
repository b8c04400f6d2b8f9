"""`make infra-check`: mistakes in manifests are found."""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from infra.checks import custom_resources
from infra.checks.manifests import main
from infra.checks.tools import CannotCheckError
from tests.support.dependencies import report_missing

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mistake:
    """A replacement in a file, and two texts that the check must then print."""

    file: str
    right: str
    wrong: str
    where: str
    what: str


MISTAKES = (
    Mistake(
        "infra/kubernetes/base/searcher/autoscaling.yaml",
        'averageValue: "1"',
        'averageValues: "1"',
        "infra/kubernetes/base/searcher: HorizontalPodAutoscaler searcher: Kubernetes 1.30",
        "averageValues",
    ),
    Mistake(
        "infra/kubernetes/overlays/ab-test/searchers.yaml",
        "port: 50051, weight: 90",
        "port: 50051, wait: 90",
        "infra/kubernetes/overlays/ab-test: GRPCRoute searchers: $.spec.rules[1].backendRefs[0]",
        "wait",
    ),
    Mistake(
        "infra/kubernetes/overlays/keda/scaledobject.yaml",
        "cooldownPeriod: 360",
        "coolDownPeriod: 360",
        "infra/kubernetes/overlays/keda: ScaledObject searcher: $.spec",
        "coolDownPeriod",
    ),
)
"""Misspelt fields of each source of definitions."""

MISSING = Mistake(
    "infra/kubernetes/base/kustomization.yaml",
    "- namespace.yaml",
    "- namespaces.yaml",
    "infra/kubernetes/base: ",
    "namespaces.yaml",
)
"""A file that a kustomization names, and that is not there."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the files of infra."""
    root = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "infra", root / "infra")
    return root


def _require_go() -> None:
    if shutil.which("go") is None:
        report_missing("Go (it downloads the definitions of resources)", "golang-go")


@pytest.mark.parametrize("mistakes", [MISTAKES, (MISSING,)], ids=["fields", "file"])
def test_planted_mistakes_are_found(
    copy: Path, mistakes: tuple[Mistake, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The check fails and reports the place and the reason of each mistake."""
    _require_go()
    texts = {mistake.file: (copy / mistake.file).read_text() for mistake in mistakes}
    try:
        for mistake in mistakes:
            assert texts[mistake.file].count(mistake.right) == 1
            (copy / mistake.file).write_text(texts[mistake.file].replace(mistake.right, mistake.wrong))
        assert main(copy) == 1
    finally:
        for file, text in texts.items():
            (copy / file).write_text(text)
    lines = capsys.readouterr().err.splitlines()
    for mistake in mistakes:
        assert [line for line in lines if mistake.where in line and mistake.what in line]


def test_unpinned_sources_are_refused() -> None:
    """Definitions with another checksum are refused."""
    _require_go()
    source = replace(custom_resources.GATEWAY_API, digest="h1:another")
    with pytest.raises(CannotCheckError, match="not h1:another"):
        custom_resources.schemas(source)
