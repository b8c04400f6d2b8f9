"""Holds all of infra/ against the tools that would read it: python -m infra.checks [CHECK]...

Each check names the files it looked at, or what is wrong with which of them. Exits with 1 when anything is.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from infra.checks import manifests, terraform
from infra.checks.tools import CannotCheckError, Complaints, tool

ROOT = Path(__file__).parents[2]
YAML_RULES = Path(__file__).with_name("yamllint.yaml")


@dataclass(frozen=True)
class Check:
    """What it looks at below the project's folder, and what is wrong there."""

    name: str
    find: Callable[[Path], Sequence[Path]]
    complaints: Callable[[Path, Sequence[Path]], Complaints]


def container_files(root: Path) -> list[Path]:
    """What images are built from."""
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
    """All YAML of infra/."""
    return sorted(path for pattern in ("*.yaml", "*.yml") for path in (root / "infra").rglob(pattern))


def envoy_files(root: Path) -> list[Path]:
    """Envoy's configurations."""
    return sorted((root / "infra" / "envoy").glob("*.yaml"))


def shell_files(root: Path) -> list[Path]:
    """Shell scripts, by their first line."""
    files = [path for folder in (".ci", "infra") for path in (root / folder).rglob("*") if path.is_file()]
    return sorted(path for path in files if _is_shell(path))


def _is_shell(path: Path) -> bool:
    first = path.read_bytes().partition(b"\n")[0]
    return first.startswith(b"#!") and first.rstrip().endswith(b"sh")


def hadolint(root: Path, files: Sequence[Path]) -> Complaints:
    """Mistakes in container files and in the shell that they run."""
    yield from tool(root, "hadolint", "--no-color", *files)


def yamllint(root: Path, files: Sequence[Path]) -> Complaints:
    """YAML that reads other than it looks."""
    yield from tool(root, "yamllint", "--strict", "--format", "parsable", "-c", YAML_RULES, *files)


def shellcheck(root: Path, files: Sequence[Path]) -> Complaints:
    """Mistakes in shell scripts."""
    yield from tool(root, "shellcheck", "--format", "gcc", *files)


def envoy(root: Path, files: Sequence[Path]) -> Complaints:
    """What Envoy would refuse to start with."""
    for file in files:
        for line in tool(root, "envoy", "--mode", "validate", "--log-level", "error", "-c", file):
            yield f"{file.relative_to(root)}: {line}"


CHECKS = (
    Check("hadolint", container_files, hadolint),
    Check("yamllint", yaml_files, yamllint),
    Check("shellcheck", shell_files, shellcheck),
    Check("envoy", envoy_files, envoy),
    Check("kubernetes", manifests.kustomizations, manifests.complaints),
    Check("terraform", terraform.modules, terraform.complaints),
)


@click.command()
@click.argument("names", nargs=-1, metavar="[CHECK]...", type=click.Choice([check.name for check in CHECKS]))
@click.option("--root", type=click.Path(path_type=Path), default=ROOT, help="The project's folder.")
def main(names: Sequence[str], root: Path) -> None:
    """Check what is in infra/, by all tools or by these."""
    chosen = [check for check in CHECKS if not names or check.name in names]
    sys.exit(0 if all([_passes(check, root) for check in chosen]) else 1)


def _passes(check: Check, root: Path) -> bool:
    files = check.find(root)
    try:
        wrong = list(check.complaints(root, files)) if files else ["there is nothing to check"]
    except CannotCheckError as error:
        wrong = [str(error)]
    for line in wrong:
        click.echo(f"{check.name}: {line}", err=True)
    if not wrong:
        click.echo(f"{check.name}: {len(files)} fine")
    return not wrong


if __name__ == "__main__":
    main(prog_name="python -m infra.checks")
