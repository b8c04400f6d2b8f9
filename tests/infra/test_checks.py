"""`make infra-check`: every tool finds its planted mistake and names the file."""

import shutil
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from infra.checks import custom_resources
from infra.checks.__main__ import CHECKS, main
from infra.checks.tools import CannotCheckError
from tests.support.dependencies import report_missing

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mistake:
    """A replacement in a file, and two texts that the check must then print."""

    check: str
    file: str
    right: str
    wrong: str
    where: str
    what: str


MISTAKES = {
    "a container file installs an unpinned version": Mistake(
        "hadolint",
        "infra/*/gateway.Dockerfile",
        "",
        "\nRUN pip install aiohttp\n",
        "gateway.Dockerfile",
        "DL3013",
    ),
    "YAML has a key twice": Mistake(
        "yamllint",
        "infra/kubernetes/base/searcher/service.yaml",
        "  clusterIP: None\n",
        "  clusterIP: None\n  clusterIP: None\n",
        "infra/kubernetes/base/searcher/service.yaml:",
        "duplication of key",
    ),
    "a script forgets its quotes": Mistake("shellcheck", ".ci/run", "", "\nrm -r $1\n", ".ci/run:", "SC2086"),
    "Envoy knows no such policy": Mistake(
        "envoy",
        "infra/envoy/envoy.yaml",
        "LEAST_REQUEST\n      typed_extension_protocol_options: &http2",
        "LEAST_REQUESTS\n      typed_extension_protocol_options: &http2",
        "infra/envoy/envoy.yaml:",
        "LEAST_REQUESTS",
    ),
    "a field of Kubernetes is misspelt": Mistake(
        "kubernetes",
        "infra/kubernetes/base/searcher/autoscaling.yaml",
        'averageValue: "1"',
        'averageValues: "1"',
        "infra/kubernetes/base/searcher: HorizontalPodAutoscaler searcher: Kubernetes 1.30",
        "averageValues",
    ),
    "a field of the Gateway API is misspelt": Mistake(
        "kubernetes",
        "infra/kubernetes/overlays/ab-test/searchers.yaml",
        "port: 50051, weight: 90",
        "port: 50051, wait: 90",
        "infra/kubernetes/overlays/ab-test: GRPCRoute searchers: $.spec.rules[1].backendRefs[0]",
        "wait",
    ),
    "a weight of the Gateway API is not a number": Mistake(
        "kubernetes",
        "infra/kubernetes/overlays/ab-test/httproute.yaml",
        "weight: 90",
        'weight: "90"',
        "infra/kubernetes/overlays/ab-test: HTTPRoute engines: $.spec.rules[1].backendRefs[0].weight",
        "integer",
    ),
    "a field of KEDA is misspelt": Mistake(
        "kubernetes",
        "infra/kubernetes/overlays/keda/scaledobject.yaml",
        "cooldownPeriod: 360",
        "coolDownPeriod: 360",
        "infra/kubernetes/overlays/keda: ScaledObject searcher: $.spec",
        "coolDownPeriod",
    ),
    "a field of KubeRay is misspelt": Mistake(
        "kubernetes",
        "infra/kubernetes/arena/match.yaml",
        "backoffLimit: 3",
        "backOffLimit: 3",
        "infra/kubernetes/arena: RayJob match: $.spec",
        "backOffLimit",
    ),
    "a file of a kustomization is missing": Mistake(
        "kubernetes",
        "infra/kubernetes/base/kustomization.yaml",
        "- namespace.yaml",
        "- namespaces.yaml",
        "infra/kubernetes/base: ",
        "namespaces.yaml",
    ),
    "a module's block is not closed": Mistake(
        "terraform",
        "infra/terraform/lambda/outputs.tf",
        "",
        '\noutput "more" {\n',
        "infra/terraform/lambda/outputs.tf: ",
        "Unexpected token",
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of everything that is checked."""
    root = tmp_path_factory.mktemp("project")
    for folder in (".ci", "infra"):
        shutil.copytree(ROOT / folder, root / folder)
    return root


def run(root: Path, check: str) -> tuple[int, str]:
    """Run a check; return its exit code and its output."""
    result = CliRunner().invoke(main, [check, "--root", str(root)])
    return result.exit_code, result.output


def _require_go(check: str) -> None:
    if check == "kubernetes" and shutil.which("go") is None:
        report_missing("Go (it downloads the definitions of resources)", "golang-go")


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_found(copy: Path, name: str) -> None:
    """The check fails and reports the place and the mistake."""
    mistake = MISTAKES[name]
    _require_go(mistake.check)
    (file,) = copy.glob(mistake.file)
    text = file.read_text()
    assert text.count(mistake.right) == 1 or not mistake.right
    try:
        file.write_text(text.replace(mistake.right, mistake.wrong) if mistake.right else text + mistake.wrong)
        code, output = run(copy, mistake.check)
    finally:
        file.write_text(text)
    assert code == 1
    assert mistake.where in output
    assert mistake.what in output


@pytest.mark.parametrize("check", [check.name for check in CHECKS])
def test_without_mistakes_a_check_passes(copy: Path, check: str) -> None:
    """Every check passes on the files of the project."""
    _require_go(check)
    code, output = run(copy, check)
    assert code == 0, output
    assert output.startswith(f"{check}: ")


def test_every_check_has_a_mistake() -> None:
    """Every check has been seen to fail."""
    assert {mistake.check for mistake in MISTAKES.values()} == {check.name for check in CHECKS}


def test_a_missing_tool_fails_the_check(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without its tool a check fails with a remedy."""
    monkeypatch.setattr("infra.checks.tools.shutil.which", lambda *_arguments, **_options: None)
    code, output = run(copy, "shellcheck")
    assert code == 1
    assert output == "shellcheck: shellcheck is missing; `make infra-check` installs it\n"


def test_a_check_of_nothing_fails(tmp_path: Path) -> None:
    """A missing folder is an error."""
    code, output = run(tmp_path, "envoy")
    assert code == 1
    assert output == "envoy: there is nothing to check\n"


def test_unpinned_sources_are_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Definitions with another checksum are refused."""
    _require_go("kubernetes")
    monkeypatch.setattr(custom_resources, "CACHE", tmp_path)
    source = replace(custom_resources.GATEWAY_API, digest="h1:another")
    with pytest.raises(CannotCheckError, match="not h1:another"):
        custom_resources.schemas(source)
    assert list(tmp_path.iterdir()) == []
