"""Looks for known vulnerabilities in locked packages: python -m infra.supply.audit [FILE]...

The exit code is 0 without a vulnerability, 1 with a line for each vulnerability, and 2 if the database can't
be reached. OSV_URL names another database than osv.dev.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from infra.checks.tools import find_tool
from infra.supply.lock import EVERYTHING, FOLDER

NONE, FOUND, UNKNOWN = 0, 1, 2
"""The exit codes."""

_OSV = "https://api.osv.dev/v1/query"


def audit(files: Sequence[Path], url: str) -> tuple[int, list[str]]:
    """Return the exit code, and the lines to print."""
    tool = find_tool("pip-audit", "`make audit` installs it")
    command = [tool, "--no-deps", "--disable-pip", "--format=json", "--progress-spinner=off"]
    command += ["--vulnerability-service=osv", f"--osv-url={url}", "--timeout=15"]
    for file in files:
        command += ["--requirement", str(file)]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except (json.JSONDecodeError, KeyError):
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        return UNKNOWN, [f"not audited: {url} gives no answer: {reason}"]
    if skipped := [package["name"] for package in packages if "skip_reason" in package]:
        return UNKNOWN, [f"not audited: {url} knows nothing of {', '.join(skipped)}"]
    found = list(_holes(packages))
    return (FOUND, found) if found else (NONE, [f"{len(packages)} packages, no known vulnerability"])


def _holes(packages: Sequence[dict[str, Any]]) -> Iterator[str]:
    for package in packages:
        for hole in package["vulns"]:
            fixed = ", ".join(hole["fix_versions"]) or "no version yet"
            names = " ".join([hole["id"], *hole["aliases"]])
            yield f"{package['name']} {package['version']}: {names}; fixed in {fixed}"


def main() -> None:
    """Audit the named files, by default all locked packages."""
    files = [Path(argument) for argument in sys.argv[1:]] or [FOLDER / f"{EVERYTHING}.txt"]
    code, lines = audit(files, os.environ.get("OSV_URL") or _OSV)
    print("\n".join(lines), file=sys.stderr if code else sys.stdout)
    sys.exit(code)


if __name__ == "__main__":
    main()
