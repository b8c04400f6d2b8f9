"""The container files: their steps run in clean folders, and their services run as a plain user."""

import json
import platform
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from gateway.handlers import probes
from tests.gateway.scripted_searcher import REQUESTS
from tests.support import admin
from tests.support.build_cache import ARGUMENTS, ONLY_DEFAULT, provide
from tests.support.containers import COMPILER, ROOT, Builder, Image, bases, loaded_by
from tests.support.http import answer_of, wait_until
from tests.support.processes import family, module
from tests.support.services import free_port

IN_TIME = 20.0
"""Seconds for a service to respond. It takes about one, which the benchmarks measure and no test asserts."""

EXIT_WITHIN = 5.0
"""Seconds from SIGTERM to the exit of a container."""

FOREIGN = "skylake-avx512" if platform.machine() == "x86_64" else "neoverse-v1"
"""The name of a CPU other than the target of the compiled code."""

MOVE = (REQUESTS / "standard-move-mid-42.json").read_bytes()

Build = Callable[[str], Image]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory, compiled: None) -> Build:
    """Return a function that builds the image of a container file once."""
    images: dict[str, Image] = {}

    def built(file: str) -> Image:
        if file not in images:
            others = {"battlesnake-snake": built("containers/snake")} if file == "lambda/lambda" else {}
            folder = tmp_path_factory.mktemp("image")
            path = ROOT / "infra" / f"{file}.Dockerfile"
            images[file] = Builder(folder, provide, others).build(path, **ARGUMENTS)
        return images[file]

    return built


@contextmanager
def serving(image: Image, **settings: str) -> Iterator[tuple[int, int]]:
    """Run a container; yield its port and the id of its main process.

    At the end no process may have loaded a compiler, and the container must exit after SIGTERM in time with
    code 0, without compiling or announcing it.
    """
    port, kept = free_port(), files_of(image)
    with image.serve(PORT=str(port), **ONLY_DEFAULT, **admin.ENVIRONMENT, **settings) as process:
        try:
            yield port, process.pid
            assert loaded_by(process.pid, COMPILER) == set()
            process.terminate()
            signalled = time.monotonic()
            output, _ = process.communicate(timeout=4 * EXIT_WITHIN)
            assert time.monotonic() - signalled < EXIT_WITHIN
            assert process.returncode == 0
            assert "compil" not in output
        finally:
            process.kill()
    assert files_of(image) == kept


def is_healthy(image: Image, port: int) -> bool:
    """Return whether the container's health check passes."""
    return image.run(*image.health, PORT=str(port))[0] == 0


def searched(port: int) -> bool:
    """Send a recorded position and return whether some move has been searched; fail if it gets no move."""
    status, body = answer_of(port, "/move", MOVE)
    assert status == 200 and json.loads(body)["move"] in ("up", "down", "left", "right")
    _, counted = answer_of(port, "/metrics")
    return b'gateway_moves_total{source="search"}' in counted


def files_of(image: Image) -> dict[str, int]:
    """Return the files of the compiled code with their modification times."""
    (folder,) = (image.root / "app" / "lib").glob("python*/site-packages")
    return {str(path): path.stat().st_mtime_ns for path in (folder / "searcher" / "prebuilt").rglob("*")}


@pytest.mark.parametrize("file", ["containers/snake", "lambda/lambda"])
def test_a_snake_plays(build: Build, file: str, record_property: Callable[[str, object], None]) -> None:
    """The snake returns a searched move, by code of the image alone, and exits on SIGTERM."""
    image = build(file)
    started = time.monotonic()
    with serving(image) as (port, pid):
        wait_until(lambda: answer_of(port, "/healthz")[0] == 200, IN_TIME)
        wait_until(lambda: searched(port), IN_TIME)
        record_property("seconds to a searched move", time.monotonic() - started)
        assert is_healthy(image, port)
        # What they have loaded is looked at in the end.
        assert {"gateway", "searcher"} <= {module(each) for each in family(pid)}
    assert not is_healthy(image, port)


def test_the_lambda_adapter_finds_the_snake(build: Build) -> None:
    """The adapter checks an existing path on the port of the gateway."""
    env = build("lambda/lambda").env
    assert env["AWS_LWA_PORT"] == env["PORT"]
    assert env["AWS_LWA_READINESS_CHECK_PATH"] in [route.path for route in probes.HANDLERS]


def test_a_gateway_calls_a_searcher(build: Build) -> None:
    """The gateway and searcher images work together."""
    with serving(build("containers/searcher")) as (searcher, _):
        wait_until(lambda: is_healthy(build("containers/searcher"), searcher), IN_TIME)
        gateway = build("containers/gateway")
        with serving(gateway, SEARCHER_TARGET=f"127.0.0.1:{searcher}") as (port, _):
            wait_until(lambda: answer_of(port, "/readyz")[0] == 200, IN_TIME)
            assert searched(port)
            assert is_healthy(gateway, port)


@pytest.mark.parametrize("name", ["gateway", "searcher", "snake"])
def test_an_image_has_no_compiler(build: Build, name: str) -> None:
    """The compiler stays in the stage of the build, as pip does."""
    image = build(f"containers/{name}")
    for package in (*COMPILER, "pip", "setuptools"):
        status, output = image.run("python", "-c", f"import {package}")
        assert status != 0 and "ModuleNotFoundError" in output


@pytest.mark.parametrize("name", ["gateway", "searcher", "snake"])
def test_an_image_has_the_base_of_its_build_or_another(name: str) -> None:
    """One argument gives both stages their base, and another one the image alone."""
    file = ROOT / "infra" / "containers" / f"{name}.Dockerfile"
    default = set(bases(file).values())
    assert len(default) == 1 and default != {""}
    assert set(bases(file, PYTHON="mine").values()) == {"mine"}
    assert list(bases(file, PYTHON="mine", BASE="distroless").values()) == ["mine", "distroless"]


def test_one_compiles_for_two() -> None:
    """The files of the snake and the searcher are alike up to their code, which builders compile once."""
    texts = [
        (ROOT / "infra" / "containers" / f"{name}.Dockerfile").read_text() for name in ("searcher", "snake")
    ]
    first, second = (text[text.index("\nFROM") : text.index("-m searcher warm\n")] for text in texts)
    assert first == second


@pytest.mark.parametrize("name", ["gateway", "searcher", "snake"])
def test_every_builder_knows_the_flags_of_the_health_check(name: str) -> None:
    """The check has only flags that older builders know: they refuse --start-interval."""
    text = (ROOT / "infra" / "containers" / f"{name}.Dockerfile").read_text()
    (check,) = re.findall(r"^HEALTHCHECK (.*) CMD", text, re.MULTILINE)
    assert set(re.findall(r"--([\w-]+)", check)) <= {"interval", "timeout", "start-period", "retries"}


@pytest.mark.parametrize("name", ["gateway", "searcher", "snake"])
def test_the_installation_is_read_only(build: Build, name: str) -> None:
    """The service does not run as root and can write neither to its installation nor to its home."""
    image = build(f"containers/{name}")
    user, _, group = image.user.partition(":")
    assert int(user) > 0 and int(group) > 0
    for place in ("/app/file", "/app/bin/file", f"{image.home}/file"):
        status, output = image.run("python", "-c", f"open({place!r}, 'w')")
        assert status != 0 and "PermissionError" in output


def test_a_build_fails_if_a_start_would_compile(build: Build) -> None:
    """The last build step passes, and fails where the code is for another target."""
    image = build("containers/searcher")
    check = ("python", "-m", "searcher", "warm", "--check")
    assert image.run(*check, **ONLY_DEFAULT) == (0, "")
    status, output = image.run(*check, SEARCHER_CPU=FOREIGN, **ONLY_DEFAULT)
    assert status == 1 and "paranoid/balanced for 8 snakes on 11x11 is not compiled" in output
