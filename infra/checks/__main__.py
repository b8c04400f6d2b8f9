"""Checks of all files in infra/ by the tools that read them: python -m infra.checks [CHECK]...

Each check prints the number of files it examined, or a line for each problem. The exit code is 1 if there is
any.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
import hcl2
from lark.exceptions import UnexpectedInput

from infra.checks import manifests
from infra.checks.tools import CannotCheckError, Complaints, tool

ROOT = Path(__file__).parents[2]
YAML_RULES = Path(__file__).with_name("yamllint.yaml")


@dataclass(frozen=True)
class Check:
    """A check: `find` returns the files below the project's folder, `complaints` yields their problems."""

    name: str
    find: Callable[[Path], Sequence[Path]]
    complaints: Callable[[Path, Sequence[Path]], Complaints]


def container_files(root: Path) -> list[Path]:
    """Return the files that images are built from."""
    patterns = (
        "Dockerfile",
        "Dockerfile.*",
        "*.Dockerfile",
        "Containerfile",
        "Containerfile.*",
        "*.containerfile",
    )
    return sorted(path for pattern in patterns for path in (root / "infra").rglob(pattern))


def yaml_files(root: Path) -> list[Path]:
    """Return all YAML files of infra/."""
    return sorted(path for pattern in ("*.yaml", "*.yml") for path in (root / "infra").rglob(pattern))


def envoy_files(root: Path) -> list[Path]:
    """Return the configurations of Envoy."""
    return sorted((root / "infra" / "envoy").glob("*.yaml"))


def shell_files(root: Path) -> list[Path]:
    """Return the shell scripts, which are recognized by their first line."""
    files = [path for folder in (".ci", "infra") for path in (root / folder).rglob("*") if path.is_file()]
    return sorted(path for path in files if _is_shell(path))


def _is_shell(path: Path) -> bool:
    first = path.read_bytes().partition(b"\n")[0]
    return first.startswith(b"#!") and first.rstrip().endswith(b"sh")


def hadolint(root: Path, files: Sequence[Path]) -> Complaints:
    """Yield mistakes in container files and in their shell commands."""
    yield from tool(root, "hadolint", "--no-color", *files)


def yamllint(root: Path, files: Sequence[Path]) -> Complaints:
    """Yield ambiguous or misleading YAML."""
    yield from tool(root, "yamllint", "--strict", "--format", "parsable", "-c", YAML_RULES, *files)


def shellcheck(root: Path, files: Sequence[Path]) -> Complaints:
    """Yield mistakes in shell scripts."""
    yield from tool(root, "shellcheck", "--format", "gcc", *files)


def envoy(root: Path, files: Sequence[Path]) -> Complaints:
    """Yield the configuration errors with which Envoy would refuse to start."""
    for file in files:
        for line in tool(root, "envoy", "--mode", "validate", "--log-level", "error", "-c", file):
            yield f"{file.relative_to(root)}: {line}"


def terraform_files(root: Path) -> list[Path]:
    """Return the files of the Terraform modules."""
    return sorted((root / "infra" / "terraform").rglob("*.tf"))


def terraform(root: Path, files: Sequence[Path]) -> Complaints:
    """Yield errors in the syntax of Terraform files. Their meaning is checked by `terraform validate`."""
    for file in files:
        try:
            hcl2.loads(file.read_text())
        except UnexpectedInput as error:
            yield f"{file.relative_to(root)}: {str(error).splitlines()[0]}"


CHECKS = (
    Check("hadolint", container_files, hadolint),
    Check("yamllint", yaml_files, yamllint),
    Check("shellcheck", shell_files, shellcheck),
    Check("envoy", envoy_files, envoy),
    Check("kubernetes", manifests.kustomizations, manifests.complaints),
    Check("terraform", terraform_files, terraform),
)


@click.command()
@click.argument("names", nargs=-1, metavar="[CHECK]...", type=click.Choice([check.name for check in CHECKS]))
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, help="The project's folder.")
def main(names: Sequence[str], root: Path) -> None:
    """Check the files in infra/ with all checks, or with the given ones."""
    chosen = [check for check in CHECKS if not names or check.name in names]
    sys.exit(0 if all([_passes(check, root) for check in chosen]) else 1)


def _passes(check: Check, root: Path) -> bool:
    files = check.find(root)
    try:
        problems = list(check.complaints(root, files)) if files else ["there is nothing to check"]
    except CannotCheckError as error:
        problems = [str(error)]
    for line in problems:
        click.echo(f"{check.name}: {line}", err=True)
    if not problems:
        click.echo(f"{check.name}: {len(files)} ok")
    return not problems


if __name__ == "__main__":
    main(prog_name="python -m infra.checks")
