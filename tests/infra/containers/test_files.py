"""The container files, as they are written."""

import re
from pathlib import Path
from string import Template

import pytest
from dockerfile_parse import DockerfileParser

from tests.support.services import ROOT

NAMES = ("console", "gateway", "searcher", "snake")


def path_of(name: str) -> Path:
    """Return the container file of an image."""
    return ROOT / "infra" / "containers" / f"{name}.Dockerfile"


def bases(name: str, **arguments: str) -> list[str]:
    """Return the base of each stage in a build with these arguments."""
    values: dict[str, str] = {}
    found = []
    with path_of(name).open() as file:
        for step in DockerfileParser(fileobj=file).structure:
            if step["instruction"] == "ARG":
                key, _, default = step["value"].partition("=")
                values[key] = arguments.get(key, Template(default).substitute(values))
            elif step["instruction"] == "FROM":
                found.append(Template(step["value"].partition(" AS ")[0]).substitute(values))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_an_image_has_the_base_of_its_build_or_another(name: str) -> None:
    """One argument gives both stages their base, and another one the image alone."""
    default = set(bases(name))
    assert len(default) == 1 and default != {""}
    assert set(bases(name, PYTHON="mine")) == {"mine"}
    assert bases(name, PYTHON="mine", BASE="distroless") == ["mine", "distroless"]


def test_one_compiles_for_two() -> None:
    """The files of the snake and the searcher are alike up to their code, which builders compile once."""
    texts = [path_of(name).read_text() for name in ("searcher", "snake")]
    first, second = (text[text.index("\nFROM") : text.index("-m searcher warm\n")] for text in texts)
    assert first == second


@pytest.mark.parametrize("name", NAMES)
def test_every_builder_knows_the_flags_of_the_health_check(name: str) -> None:
    """The check has only flags that older builders know: they refuse --start-interval."""
    (check,) = re.findall(r"^HEALTHCHECK (.*) CMD", path_of(name).read_text(), re.MULTILINE)
    assert set(re.findall(r"--([\w-]+)", check)) <= {"interval", "timeout", "start-period", "retries"}
