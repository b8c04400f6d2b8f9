"""The command that builds the images: its command lines, and what it reads of an engine's history."""

import json
import os
import stat
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from infra.images import bootstrap
from infra.images.__main__ import FILES, ROOT, build_arguments, default_base, main
from infra.images.engine import Engine, EngineError, find_engine
from infra.images.layers import Layer, on_top, read_history, rows

BASE = (Layer(0, 'CMD ["python3"]'), Layer(100_000_000, "ADD rootfs.tar.xz /"))
IMAGE = (
    Layer(1_000, "USER 65532:65532"),
    Layer(1_240_000, "RUN python"),
    Layer(40_000_000, "COPY /app"),
    *BASE,
)

DOCKER = "\n".join(
    json.dumps({"Comment": "", "CreatedBy": by, "Size": size, "ID": "<missing>"})
    for by, size in (
        ("USER 65532:65532", "0"),
        ("RUN /bin/sh -c python -m searcher   warm # buildkit", "1250000"),
        ("COPY /app /app # buildkit", "40000000"),
        ('/bin/sh -c #(nop)  CMD ["python3"]', "0"),
    )
)
"""A history as Docker writes it."""

PODMAN = json.dumps(
    [
        {"CreatedBy": "/bin/sh -c #(nop) USER 65532:65532", "size": 0},
        {"CreatedBy": "/bin/sh -c python -m searcher warm", "size": 1_250_000},
        {"CreatedBy": "/bin/sh -c #(nop) COPY dir:f3 in /app ", "size": 40_000_000},
    ]
)
"""A history as Podman writes it."""

SCRIPT = """#!/bin/sh
echo "$@" >> "$CALLS"
case "$1" in
  history) cat "$HISTORIES/$(echo "$5" | tr / _)" ;;
  info) exit "$INFO" ;;
esac
"""
"""An engine that writes down what it is told to do."""


def read(text: str) -> list[tuple[int, str]]:
    """Return the layers of a history as pairs."""
    return [(layer.size, layer.instruction) for layer in read_history(text)]


def test_a_history_of_docker_is_read() -> None:
    """Docker writes a line for each layer; what it adds to the instructions is left out."""
    assert read(DOCKER) == [
        (0, "USER 65532:65532"),
        (1_250_000, "RUN python -m searcher warm"),
        (40_000_000, "COPY /app /app"),
        (0, 'CMD ["python3"]'),
    ]


def test_a_history_of_podman_is_read() -> None:
    """Podman writes a list; what it adds to the instructions is left out."""
    assert read(PODMAN) == [
        (0, "USER 65532:65532"),
        (1_250_000, "python -m searcher warm"),
        (40_000_000, "COPY dir:f3 in /app"),
    ]


def test_what_is_on_top_of_the_base() -> None:
    """The layers of the base are not counted, and another base is noticed."""
    assert on_top(IMAGE, BASE) == list(IMAGE[:3])
    with pytest.raises(ValueError, match="another base"):
        on_top(IMAGE, (Layer(1, "ADD"),))
    with pytest.raises(ValueError, match="another base"):
        on_top(BASE, IMAGE)


def test_the_table_goes_from_the_base_up() -> None:
    """The table has what adds to the size, and the sums."""
    assert list(rows(IMAGE[:3], BASE)) == [
        ("100.0", "the base"),
        ("40.0", "COPY /app"),
        ("1.2", "RUN python"),
        ("41.2", "on top of the base"),
        ("141.2", "the image"),
    ]


def test_a_build_has_no_arguments_unless_asked() -> None:
    """By default the container file decides."""
    file = ROOT / "infra" / "containers" / "snake.Dockerfile"
    assert list(build_arguments("snake", {"PYTHON": None, "CPU": None}, ())) == [
        "build",
        f"--file={file}",
        "--tag=battlesnake-snake",
        str(ROOT),
    ]
    assert file.is_file()


def test_a_build_gets_what_is_asked_for() -> None:
    """The base and the levels are arguments of the build; a gateway has no compiled code."""
    arguments, options = {"PYTHON": "mine", "CPU": "x86-64-v3 x86-64-v2"}, ("--network=host",)
    snake, gateway = (list(build_arguments(name, arguments, options)) for name in ("snake", "gateway"))
    assert snake[3:] == [
        "--build-arg=PYTHON=mine",
        "--build-arg=CPU=x86-64-v3 x86-64-v2",
        "--network=host",
        str(ROOT),
    ]
    assert gateway[3:] == ["--build-arg=PYTHON=mine", "--network=host", str(ROOT)]


@pytest.mark.parametrize("name", FILES)
def test_every_file_names_its_base(name: str) -> None:
    """The base that a container file has by default is found in it."""
    assert default_base(name).startswith("python:3")


def test_the_base_of_debian_packages() -> None:
    """It has Python and what its environments need, and leaves out what slim images do."""
    tool, *options, suite, output = bootstrap.packages("mmdebstrap")
    assert (tool, suite, output) == ("mmdebstrap", "bookworm", "-")
    assert "--include=python3,python3-venv,ca-certificates" in options
    assert "--dpkgopt=path-exclude=/usr/share/doc/*" in options
    imported = list(bootstrap.imported())
    assert imported[0] == "import" and imported[-2:] == ["-", bootstrap.NAME]
    assert any(setting.startswith("ENV PATH=") and "/usr/bin" in setting for setting in imported)


class Fake:
    """An engine that is a script, and what it was told."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._calls, self._folder = folder / "calls", folder
        patch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        patch.setenv("CALLS", str(self._calls))
        patch.setenv("HISTORIES", str(folder))
        patch.setenv("INFO", "0")
        for name in ("docker", "podman"):
            (folder / name).write_text(SCRIPT)
            (folder / name).chmod(stat.S_IRWXU)

    def remember(self, image: str, layers: Sequence[Layer]) -> None:
        """Give the engine an image."""
        entries = [{"CreatedBy": layer.instruction, "size": layer.size} for layer in layers]
        (self._folder / image.replace("/", "_")).write_text(json.dumps(entries))

    @property
    def calls(self) -> list[str]:
        """What the engine was told, without the questions whether it works."""
        return [line for line in self._calls.read_text().splitlines() if line != "info"]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Return an engine that is a script."""
    return Fake(tmp_path, monkeypatch)


def test_the_command_builds_and_measures(fake: Fake) -> None:
    """The command builds an image and prints the table of its layers."""
    fake.remember("battlesnake-snake", IMAGE)
    fake.remember("mine", BASE)
    done = CliRunner().invoke(main, ["snake", "--base", "mine", "--engine", "podman"])
    assert done.exit_code == 0, done.output
    assert fake.calls[0] == " ".join(build_arguments("snake", {"PYTHON": "mine"}, ["--format=docker"]))
    assert "41.2" in done.output and "on top of the base" in done.output


def test_the_image_may_have_another_base(fake: Fake) -> None:
    """What is on top is measured from the base that the image has."""
    fake.remember("battlesnake-gateway", IMAGE)
    fake.remember("distroless", IMAGE[2:])
    command = ["gateway", "--base", "mine", "--final-base", "distroless", "--engine", "docker"]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    given = {"PYTHON": "mine", "BASE": "distroless"}
    assert fake.calls[0] == " ".join(build_arguments("gateway", given, ()))
    assert "1.2" in done.output and "the image" in done.output
    fake.remember("distroless", [Layer(1, "ADD")])
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1 and "another base" in done.output


def test_an_engine_that_does_not_work_is_passed_over(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    """Docker's command without its service is no engine, and the error names what was tried."""
    assert find_engine() == Engine("docker")
    monkeypatch.setenv("INFO", "1")
    with pytest.raises(EngineError, match="docker, podman"):
        find_engine()
    done = CliRunner().invoke(main, ["snake"])
    assert done.exit_code == 1 and "none of these works here: docker, podman" in done.output


def test_an_error_of_the_engine_is_shown(fake: Fake) -> None:
    """A command that fails is named."""
    with pytest.raises(EngineError, match="podman history"):
        Engine("podman").run("history", "no", "such", "long", "thing")
