"""The compose file, checked against its schema and the services that it combines."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml

from console.commands.serve import serve as console
from gateway.commands.main import main as gateway
from gateway.routes import loading
from searcher.commands.main import main as searcher

FOLDER = Path(__file__).parents[3] / "infra" / "containers"
COMPOSE = FOLDER / "compose.yaml"
ENVOY = FOLDER.parent / "envoy" / "envoy.yaml"


def _services() -> dict[str, Any]:
    services: dict[str, Any] = yaml.safe_load(COMPOSE.read_text())["services"]
    return services


def test_it_is_a_compose_file() -> None:
    """The file matches the schema of the specification."""
    checker = Path(sys.executable).parent / "check-jsonschema"
    subprocess.run([checker, "--builtin-schema", "vendor.compose-spec", COMPOSE], check=True)


def test_its_references_exist() -> None:
    """Container files and mounted files exist, and the services know their settings."""
    options = [*gateway.params, *searcher.commands["serve"].params, *console.params]
    known = {option.envvar for option in options}
    for service in _services().values():
        if build := service.get("build"):
            context = FOLDER / build["context"]
            assert (context / build["dockerfile"]).is_file()
            assert service.get("environment", {}).keys() <= known
        for mount in service.get("volumes", ()):
            source = mount.partition(":")[0]
            assert not source.startswith(".") or (FOLDER / source).exists()


def test_every_log_is_rotated() -> None:
    """Docker keeps the whole log of a container by default."""
    for name, service in _services().items():
        assert service["logging"]["options"]["max-size"], name


def test_each_arm_has_its_own_strategy() -> None:
    """The arms differ in the header that Envoy routes by: one goes to the canary only, one by weight."""
    (snake,) = loading.load(FOLDER / "routes.toml", "").snakes
    strategies = {arm.name: arm.strategy for arm in snake.arms}
    routed = yaml.safe_load(ENVOY.read_text())["static_resources"]["listeners"][0]["filter_chains"][0]
    (first, *_) = routed["filters"][0]["typed_config"]["route_config"]["virtual_hosts"][0]["routes"]
    assert first["match"]["headers"][0]["name"] == "x-strategy"
    own = first["match"]["headers"][0]["string_match"]["exact"]
    assert (first["route"]["cluster"], own) == ("canary", strategies["canary"])
    assert strategies["stable"] not in ("", own)
