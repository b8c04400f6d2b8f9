"""What is locked, audited and listed."""

import json
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

from infra.supply import sbom
from infra.supply.audit import FOUND, NONE, UNKNOWN, audit
from infra.supply.lock import EVERYTHING, FOLDER, FURTHER, INSTALLATIONS
from tests.support.services import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
NAME = PROJECT["project"]["name"]
FILES = sorted(FOLDER.glob("*.txt"))

PIN = re.compile(r"^([\w.-]+)(?:\[[\w,]+\])?==([\w.+!-]+)", re.MULTILINE)

HOLE = {
    "id": "GHSA-1",
    "aliases": ["CVE-2026-1"],
    "modified": "2026-01-01T00:00:00Z",
    "summary": "A hole.",
    "affected": [
        {
            "package": {"name": "aiohttp", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "3.14.4"}]}],
        }
    ],
}
"""A vulnerability as osv.dev describes one."""


def pins(file: Path) -> dict[str, set[str]]:
    """Return the versions of each package of a file: some differ by the version of Python."""
    found: dict[str, set[str]] = {}
    for name, version in re.findall(
        r"^([\w.-]+)(?:\[[\w,]+\])?==([\w.+!-]+)", file.read_text(), re.MULTILINE
    ):
        found.setdefault(name, set()).add(version)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_version_has_hashes_and_no_address(file: Path) -> None:
    """Whichever registry a machine uses, it gets the same files."""
    text = file.read_text()
    blocks = re.split(r"\n(?=\S)", text.strip())
    assert pins(file) and "://" not in text and "--index" not in text
    assert [block for block in blocks if "--hash=sha256:" not in block or "==" not in block] == []


def test_an_installation_has_what_the_project_requires() -> None:
    """Every extra's packages are locked at versions that pyproject.toml allows."""
    extras = PROJECT["project"]["optional-dependencies"]
    for installation, chosen in INSTALLATIONS.items():
        locked, pending, seen = pins(FOLDER / f"{installation}.txt"), list(chosen), set[str]()
        lines = list(PROJECT["project"]["dependencies"])
        while pending:
            if (extra := pending.pop()) not in seen:
                seen.add(extra)
                lines += extras[extra]
                parts = [Requirement(line) for line in extras[extra] if line.startswith(NAME)]
                pending += [name for part in parts for name in part.extras]
        for each in map(Requirement, lines):
            if each.name != NAME:
                versions = locked[each.name.lower().replace("_", "-")]
                assert all(each.specifier.contains(version) for version in versions), (installation, each)


def test_all_installations_have_the_same_versions() -> None:
    """What is tested is what is deployed."""
    everything = pins(FOLDER / f"{EVERYTHING}.txt")
    for installation in (*INSTALLATIONS, "build", "uv"):
        for name, versions in pins(FOLDER / f"{installation}.txt").items():
            # No test needs Ray's server of jobs.
            if name in everything or installation not in FURTHER:
                assert versions <= everything[name], (installation, name)


def test_the_generator_is_the_oldest_one_supported() -> None:
    """Generated code refuses a runtime older than its generator."""
    [grpcio] = [each for each in PROJECT["project"]["dependencies"] if each.startswith("grpcio>")]
    assert pins(FOLDER / "protoc.txt")["grpcio-tools"] == {grpcio.partition(">=")[2]}


@contextmanager
def _database(**holes: dict[str, Any]) -> Iterator[str]:
    """Serve a database with a vulnerability of each of these packages; yield its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            hole = holes.get(asked["package"]["name"])
            fixed = hole and hole["affected"][0]["ranges"][0]["events"][1]["fixed"]
            is_open = fixed and Version(asked["version"]) < Version(fixed)
            body = json.dumps({"vulns": [hole]} if is_open else {}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/v1/query"
        server.shutdown()
        thread.join()


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """Return a file that locks a version with a hole, and another package."""
    file = tmp_path / "locked.txt"
    file.write_text(f"aiohttp==3.13.0 --hash=sha256:{64 * '0'}\nclick==8.5.1 --hash=sha256:{64 * '1'}\n")
    return file


def test_a_known_vulnerability_is_found(locked: Path) -> None:
    """It is named with its package, and with the version that closes it."""
    with _database(aiohttp=HOLE) as url:
        assert audit([locked], url) == (FOUND, ["aiohttp 3.13.0: CVE-2026-1 GHSA-1; fixed in 3.14.4"])


def test_no_vulnerability_is_found() -> None:
    """The database answers for each package, and what is locked lies above the hole."""
    with _database(aiohttp=HOLE) as url:
        code, [line] = audit([FOLDER / "gateway.txt"], url)
    assert (code, line.partition(" ")[2]) == (NONE, "packages, no known vulnerability")
    assert int(line.split()[0]) > 15


def test_a_database_that_is_not_reached_is_no_success(locked: Path) -> None:
    """Nothing is known then, and the line says so."""
    code, [line] = audit([locked], "http://127.0.0.1:9/v1/query")
    assert code == UNKNOWN and line.startswith("not audited: http://127.0.0.1:9/v1/query gives no answer: ")


def test_the_parts_are_listed(tmp_path: Path) -> None:
    """The SBOM, which is validated as it is written, has each locked package with its hashes."""
    file = tmp_path / "sbom.json"
    sbom.write("gateway", str(file))
    listed = json.loads(file.read_text())
    versions: dict[str, set[str]] = {}
    for part in listed["components"]:
        versions.setdefault(part["name"], set()).add(part["version"])
        assert any(link.get("hashes") for link in part["externalReferences"])
    assert versions == pins(FOLDER / "gateway.txt")
    about = listed["metadata"]["component"]
    assert (about["name"], about["version"]) == (NAME, PROJECT["project"]["version"])


def test_an_unknown_installation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error lists the valid ones."""
    monkeypatch.setattr(sys, "argv", ["sbom", "snail"])
    with pytest.raises(SystemExit, match="installations: dev, arena, compile, runtime, snake"):
        sbom.main()
