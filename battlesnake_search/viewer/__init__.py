"""The viewer's files: a folder to serve, and their text for a self-contained page."""

import base64
import hashlib
import re
import zlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
"""The folder with the ES modules and the style sheet. Modules import each other as ./name.js."""

_PATH = "/viewer/"
"""The path at which a console serves the folder."""

_IMPORTS = {
    ".js": re.compile(r'^import \{[^}]*\} from "([^"]+)";\n', re.MULTILINE),
    ".css": re.compile(r'^@import "([^"]+)";\n', re.MULTILINE),
}
_EXPORT = re.compile(r"^export (?=(?:async )?function |async function\*|class |const )", re.MULTILINE)


@cache
def style() -> str:
    """Return the viewer's style sheet."""
    return (FOLDER / "viewer.css").read_text(encoding="utf-8")


@cache
def script() -> str:
    """Return all modules of the viewer as one script."""
    return bundle(*sorted(FOLDER.glob("*.js")))


@cache
def bundle(*files: Path) -> str:
    """Return modules or style sheets as one text without imports, each after the files that it imports.

    So the top-level names of the modules are global in the page and have to differ.
    """
    ordered: dict[Path, str] = {}
    for file in files:
        _collect(file.resolve(), ordered)
    return "\n".join(ordered.values())


def digest(script: str) -> str:
    """Return the digest by which a page's content security policy allows its own script only."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def packed(data: bytes) -> str:
    """Return data for `inflated` of packed.js: deflated (zlib), in base64."""
    return base64.b64encode(zlib.compress(data, level=9)).decode()


def _collect(file: Path, ordered: dict[Path, str]) -> None:
    """Add a file to the others, after the files that it imports."""
    if file in ordered:
        return
    source, imports = file.read_text(encoding="utf-8"), _IMPORTS[file.suffix]
    for name in imports.findall(source):
        needed = FOLDER / name.removeprefix(_PATH) if name.startswith(_PATH) else file.parent / name
        _collect(needed.resolve(), ordered)
    ordered[file] = _EXPORT.sub("", imports.sub("", source))
