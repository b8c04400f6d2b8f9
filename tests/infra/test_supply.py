"""The locked versions, and the targets that audit and list them."""

import json
import re
import subprocess
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from packaging.requirements import Requirement

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
    for name, version in PIN.findall(file.read_text()):
        found.setdefault(name, set()).add(version)
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_version_has_hashes_and_no_address(file: Path) -> None:
    """A machine gets the same files from any registry."""
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
    """The tests and a deployment have the same packages."""
    everything = pins(FOLDER / f"{EVERYTHING}.txt")
    for installation in (*INSTALLATIONS, "build", "uv"):
        for name, versions in pins(FOLDER / f"{installation}.txt").items():
            # No test needs Ray's server of jobs.
            if name in everything or installation not in FURTHER:
                assert versions <= everything[name], (installation, name)


def _make(target: str, *variables: str) -> subprocess.CompletedProcess[str]:
    """Run a target of the Makefile without installing anything."""
    command = ["make", "--old-file=.venv/.checks", target, *variables]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


class _Database(BaseHTTPRequestHandler):
    """A database with the vulnerability of one package."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps({"vulns": [HOLE]} if asked["package"]["name"] == "aiohttp" else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


def test_a_known_vulnerability_is_found(tmp_path: Path) -> None:
    """The output names it, in the words that .ci/run knows. An unreachable database is no success."""
    file = tmp_path / "locked.txt"
    file.write_text(f"aiohttp==3.13.0 --hash=sha256:{64 * '0'}\nclick==8.5.1 --hash=sha256:{64 * '1'}\n")
    with HTTPServer(("127.0.0.1", 0), _Database) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        found = _make("audit", f"ARGS={file}", f"OSV_URL=http://127.0.0.1:{server.server_port}/v1/query")
        server.shutdown()
        thread.join()
    assert found.returncode != 0 and "CVE-2026-1" in found.stdout
    unknown = _make("audit", f"ARGS={file}", "OSV_URL=http://127.0.0.1:9/v1/query")
    assert unknown.returncode != 0
    assert "known vuln" in (ROOT / ".ci" / "run").read_text()
    assert "known vuln" in found.stdout and "known vuln" not in unknown.stdout


def test_the_parts_are_listed(tmp_path: Path) -> None:
    """The SBOM, which is validated as it is written, has each locked package with its hashes."""
    file = tmp_path / "sbom.json"
    made = _make("sbom", f"ARGS=gateway {file}")
    assert made.returncode == 0, made.stderr
    listed = json.loads(file.read_text())
    versions: dict[str, set[str]] = {}
    for part in listed["components"]:
        versions.setdefault(part["name"], set()).add(part["version"])
        assert any(link.get("hashes") for link in part["externalReferences"])
    assert versions == pins(FOLDER / "gateway.txt")
    about = listed["metadata"]["component"]
    assert (about["name"], about["version"]) == (NAME, PROJECT["project"]["version"])
