"""Lists the parts of an installation as a CycloneDX SBOM: python -m infra.supply.sbom INSTALLATION [FILE].

INSTALLATION is a file of requirements/ without its ending, for example snake. The parts are the locked
packages, with their hashes.
"""

import os
import subprocess
import sys
from pathlib import Path

from infra.checks.tools import find_tool
from infra.supply.lock import FOLDER, INSTALLATIONS, ROOT


def write(installation: str, output: str = "-") -> None:
    """Write the list, valid by the schema of CycloneDX 1.6. "-" is standard output."""
    command = [find_tool("cyclonedx-py", "`make sbom` installs it"), "requirements"]
    command += [f"--pyproject={ROOT / 'pyproject.toml'}", "--mc-type=application", "--output-reproducible"]
    command += ["--spec-version=1.6", "--validate", f"--output-file={output}"]
    # The tool would warn that a flat list has no dependency graph.
    quiet = os.environ | {"PYTHONWARNINGS": "ignore"}
    subprocess.run([*command, str(FOLDER / f"{installation}.txt")], check=True, env=quiet)


def main() -> None:
    """Write the list of the installation that is named."""
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in INSTALLATIONS:
        valid = ", ".join(INSTALLATIONS)
        sys.exit(f"usage: python -m infra.supply.sbom INSTALLATION [FILE]; installations: {valid}")
    write(sys.argv[1], str(Path(sys.argv[2])) if len(sys.argv) == 3 else "-")


if __name__ == "__main__":
    main()
