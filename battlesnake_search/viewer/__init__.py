"""The viewer's files: a folder to serve, and their text for a self-contained page."""

import base64
import hashlib
import re
import zlib
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
"""The folder with the ES modules and the style sheet. Modules import each other as ./name.js."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function |class |const )", re.MULTILINE)


@cache
def style() -> str:
    """Return the viewer's style sheet."""
    return (FOLDER / "viewer.css").read_text(encoding="utf-8")


@cache
def script() -> str:
    """Return all modules as one script without imports, each after the modules that it needs.

    So the top-level names of the modules are global in the page and have to differ.
    """
    ordered: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.js")):
        _collect(path.name, ordered)
    return "\n".join(ordered.values())


def digest(script: str) -> str:
    """Return the digest by which a page's content security policy allows its own script only."""
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def packed(data: bytes) -> str:
    """Return data for `inflated` of packed.js: deflated (zlib), in base64."""
    return base64.b64encode(zlib.compress(data, level=9)).decode()


def _collect(name: str, ordered: dict[str, str]) -> None:
    """Add a module to the others, after the modules that it imports."""
    if name in ordered:
        return
    source = (FOLDER / name).read_text(encoding="utf-8")
    for needed in _IMPORT.findall(source):
        _collect(needed, ordered)
    ordered[name] = _EXPORT.sub("", _IMPORT.sub("", source))
