"""The images, built by Podman and run as the README of infra/ recommends, under the limits of a cluster."""

import json
import platform
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gateway import readiness
from tests.gateway.scripted_searcher import REQUESTS
from tests.infra.containers.services import limits
from tests.support import admin
from tests.support.http import wait_until
from tests.support.podman import HARDENED, Container, Podman
from tests.support.processes import COMPILER, family, module
from tests.support.services import ROOT

IN_TIME = 20.0
"""Seconds for a service to respond. It takes about one, which the benchmarks measure and no test asserts."""

EXIT_WITHIN = 5.0
"""Seconds from SIGTERM to the exit of a container."""

FOREIGN = "skylake-avx512" if platform.machine() == "x86_64" else "neoverse-v1"
"""The name of a CPU other than the target of the compiled code."""

MOVE = (REQUESTS / "standard-move-mid-42.json").read_bytes()

NAMES = ("battlesnake-console", "battlesnake-gateway", "battlesnake-searcher", "battlesnake-snake")

DRIVERS = ("sqlalchemy", "alembic", "aiosqlite", "asyncpg")
"""Packages for databases."""

REFLECTION = "grpc_reflection"

ADAPTER = "public.ecr.aws/awsguru/aws-lambda-adapter:1.0.0"


@pytest.fixture(scope="module")
def lambda_image(podman: Podman, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the image for Lambda, with an empty file as the adapter, which only Lambda starts."""
    folder = tmp_path_factory.mktemp("adapter")
    (folder / "lambda-adapter").touch()
    with tarfile.open(folder / "adapter.tar", "w") as archive:
        archive.add(folder / "lambda-adapter", "lambda-adapter")
    podman.run("import", str(folder / "adapter.tar"), ADAPTER)
    file = ROOT / "infra" / "lambda" / "lambda.Dockerfile"
    options = ("--format=docker", "--pull=never", "--build-arg=SNAKE=localhost/battlesnake-snake")
    podman.run("build", *options, f"--file={file}", "--tag=battlesnake-lambda", str(ROOT))
    return "battlesnake-lambda"


@contextmanager
def serving(podman: Podman, image: str, like: str = "gateway", **settings: str) -> Iterator[Container]:
    """Run a container under the limits of a service of the cluster.

    At the end it must exit after SIGTERM in time with code 0, without having compiled anything.
    """
    options = [*HARDENED, *(f"--{limit}={value}" for limit, value in limits(like).items())]
    mount = f"--volume={admin.TOKENS}:/etc/tokens.toml:ro"
    tokens = {} if like == "searcher" else admin.ENVIRONMENT | {"ADMIN_TOKENS": "/etc/tokens.toml"}
    with podman.running(image, *options, mount, **(tokens | settings)) as container:
        yield container
        signalled = time.monotonic()
        podman.run("stop", f"--time={int(4 * EXIT_WITHIN)}", container.name)
        assert time.monotonic() - signalled < EXIT_WITHIN
        assert container.exit_code == 0
        assert "compil" not in container.output


def searched(container: Container, port: int) -> bool:
    """Send a recorded position and return whether some move has been searched; fail if it gets no move."""
    status, body = container.ask(port, "/move", MOVE)
    assert status == 200 and json.loads(body)["move"] in ("up", "down", "left", "right")
    _, counted = container.ask(port, "/metrics")
    return b'gateway_moves_total{source="search"}' in counted


def run(podman: Podman, image: str, *command: str, options: tuple[str, ...] = ()) -> tuple[int, str]:
    """Run a Python command in a container of its own; return its exit code and its output."""
    with podman.running(image, "--entrypoint", json.dumps(["python", *command]), *options) as container:
        podman.run("wait", container.name)
        return container.exit_code, container.output


@pytest.mark.parametrize(
    ("image", "port", "services"),
    [
        ("battlesnake-snake", 8000, {"gateway", "searcher", "console"}),
        ("battlesnake-lambda", 8080, {"gateway", "searcher"}),
    ],
)
def test_a_snake_plays(podman: Podman, lambda_image: str, image: str, port: int, services: set[str]) -> None:
    """The snake returns a searched move, by code of the image alone, and exits on SIGTERM.

    Lambda stops processes between requests, so its image has no console of its own, and says so once.
    """
    with serving(podman, image) as snake:
        wait_until(lambda: snake.ask(port, "/healthz")[0] == 200, IN_TIME)
        wait_until(lambda: searched(snake, port), IN_TIME)
        assert snake.is_healthy
        running = {module(each) for each in family(snake.process)}
        assert services == running & {"gateway", "searcher", "console"}
        assert snake.output.count("games are not recorded") == ("console" not in services)


def test_the_services_of_a_snake_run_apart(podman: Podman) -> None:
    """The gateway plays by the searcher of another container, whose game the console of a third one knows."""
    settings = {"ADMIN": "0.0.0.0:8001", "OUTCOMES_URL": "none"}
    with (
        serving(podman, "battlesnake-searcher", "searcher") as searcher,
        serving(podman, "battlesnake-console", "console", **settings) as console,
    ):
        for service in (searcher, console):
            wait_until(lambda service=service: service.is_healthy, IN_TIME)  # type: ignore[misc]
        targets = {
            "SEARCHER_TARGET": f"{searcher.address}:50051",
            "CONSOLE_TARGET": f"{console.address}:50061",
        }
        with serving(podman, "battlesnake-gateway", **targets) as gateway:
            wait_until(lambda: gateway.ask(8000, "/readyz")[0] == 200, IN_TIME)
            assert searched(gateway, 8000)
            assert gateway.is_healthy
            game = json.loads(MOVE)["game"]["id"].encode()
            wait_until(lambda: game in console.ask(8001, "/api/games")[1], IN_TIME)


def test_the_lambda_adapter_finds_the_snake(podman: Podman, lambda_image: str) -> None:
    """The adapter checks an existing path on the port of the gateway."""
    format = "{{range .Config.Env}}{{println .}}{{end}}"
    lines = podman.run("inspect", f"--format={format}", lambda_image).split()
    env = dict(line.split("=", 1) for line in lines)
    assert env["AWS_LWA_PORT"] == env["PORT"]
    assert env["AWS_LWA_READINESS_CHECK_PATH"] in [route.path for route in readiness.HANDLERS]


LOOK = """
import importlib.util, json, os, sys
print(json.dumps({
    "found": [name for name in sys.argv[1:] if importlib.util.find_spec(name)],
    "ids": [os.getuid(), os.getgid()],
    "writable": [place for place in ("/app", "/app/bin", "/") if os.access(place, os.W_OK)],
}))
"""
"""A program that tells what a container has: packages, its user, and folders that it may write to."""


@pytest.mark.parametrize("image", NAMES)
def test_an_image_has_only_what_it_needs_and_is_read_only(podman: Podman, image: str) -> None:
    """The compiler and pip stay in the stage of the build. The service is not root, and changes no file.

    Neither the gateway nor the searcher has a driver of databases. A service with a gRPC port has server
    reflection, which it imports at the first call that asks for it.
    """
    packages = (*COMPILER, "pip", "setuptools", "battlesnake_search", *DRIVERS, REFLECTION)
    code, output = run(podman, image, "-c", LOOK, *packages)
    assert code == 0
    has = json.loads(output)
    found = set(has["found"])
    assert (found - {*DRIVERS, REFLECTION}, has["writable"]) == ({"battlesnake_search"}, [])
    assert all(number > 0 for number in has["ids"])
    assert image in ("battlesnake-console", "battlesnake-snake") or not found & set(DRIVERS)
    assert image == "battlesnake-gateway" or REFLECTION in found


def test_a_build_fails_if_a_start_would_compile(podman: Podman) -> None:
    """The last build step, which has passed, fails where the code is for another target."""
    check = ("-m", "searcher", "warm", "--check")
    foreign = (f"--env=SEARCHER_CPU={FOREIGN}",)
    code, output = run(podman, "battlesnake-searcher", *check, options=foreign)
    assert code == 1 and "the evaluator balanced for 8 snakes on 11x11 is not compiled" in output
