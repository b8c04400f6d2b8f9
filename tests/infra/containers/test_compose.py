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


def test_its_services_find_one_another() -> None:
    """The gateway is configured for Envoy, Envoy for both searchers, Prometheus for all of ours."""
    services = _services()
    for name in ("gateway", "console"):
        assert services[name]["environment"]["SEARCHER_TARGET"] == "dns:///envoy:50051"
    assert services["gateway"]["environment"]["CONSOLE_TARGET"] == "dns:///console:50061"
    assert "CONSOLE_LISTEN=0.0.0.0:50061" in (FOLDER / "console.Dockerfile").read_text()
    envoy = yaml.safe_load(ENVOY.read_text())["static_resources"]
    assert envoy["listeners"][0]["address"]["socket_address"]["port_value"] == 50051
    for cluster in envoy["clusters"]:
        (host,) = cluster["load_assignment"]["endpoints"][0]["lb_endpoints"]
        address = host["endpoint"]["address"]["socket_address"]
        assert address["address"] in services
        assert f"PORT={address['port_value']}" in (FOLDER / "searcher.Dockerfile").read_text()
    scraped = yaml.safe_load((FOLDER / "prometheus.yml").read_text())["scrape_configs"]
    targets = {job["job_name"]: job["static_configs"][0]["targets"] for job in scraped}
    searchers = ("searcher-stable", "searcher-canary")
    assert targets == {
        "gateway": ["gateway:8000"],
        "console": ["console:8001"],
        "searcher": [f"{name}:9100" for name in searchers],
    }
    assert {services[name]["environment"]["SEARCHER_METRICS"] for name in searchers} == {"0.0.0.0:9100"}
    assert services["gateway"]["environment"]["PUBLIC_METRICS"] == "1"
    assert services["console"]["environment"]["ADMIN"] == "0.0.0.0:8001"
    assert "PORT=8000" in (FOLDER / "gateway.Dockerfile").read_text()


def test_both_ask_for_tokens_that_prometheus_has() -> None:
    """Gateway and console read the tokens from a secret, Prometheus its own; neither is in the repository."""
    services = _services()
    given = yaml.safe_load(COMPOSE.read_text())["secrets"]
    for name in ("gateway", "console"):
        assert services[name]["environment"]["ADMIN_TOKENS"] == "/run/secrets/admin_tokens"
        assert services[name]["secrets"] == ["admin_tokens"]
    assert services["prometheus"]["secrets"] == ["prometheus_token"]
    assert given.keys() == {"admin_tokens", "prometheus_token"}
    ignored = (FOLDER.parents[1] / ".gitignore").read_text().split()
    assert all(secret["file"].startswith("secrets/") for secret in given.values())
    assert "/infra/containers/secrets/" in ignored
    *asked, _ = yaml.safe_load((FOLDER / "prometheus.yml").read_text())["scrape_configs"]
    token = {"credentials_file": "/run/secrets/prometheus_token"}
    assert [job["authorization"] for job in asked] == [token, token]


def test_grafana_shows_the_dashboards_and_changes_nothing() -> None:
    """Any program that reaches its port, on this machine alone, may look at the mounted files."""
    grafana = _services()["grafana"]
    mounts = dict(reversed(mount.removesuffix(":ro").split(":")) for mount in grafana["volumes"][:3])
    provider = yaml.safe_load((FOLDER.parent / "monitoring" / "grafana" / "dashboards.yaml").read_text())
    assert provider["providers"][0]["options"]["path"] in mounts
    home = grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert (FOLDER / mounts["/etc/grafana/dashboards"] / Path(home).name).is_file()
    source = yaml.safe_load((FOLDER.parent / "monitoring" / "grafana" / "datasource.yaml").read_text())
    assert source["datasources"][0]["url"] == "http://prometheus:9090"
    assert grafana["environment"]["GF_AUTH_ANONYMOUS_ORG_ROLE"] == "Viewer"
    assert grafana["ports"] == ["127.0.0.1:3000:3000"]


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
