"""The viewer's files: the folder to serve, and the same as text for a page that stands alone."""

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
"""The folder with the ES modules and the style sheet. Modules refer to one another as ./name.js."""

_IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+\.js)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?function |class |const )", re.MULTILINE)


@cache
def style() -> str:
    """Return the viewer's style sheet."""
    return (FOLDER / "viewer.css").read_text(encoding="utf-8")


@cache
def script() -> str:
    """Return all modules as one script without imports, each after those that it needs.

    The names at the top of the modules are therefore names of the page; no two modules may share one.
    """
    ordered: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.js")):
        _collect(path.name, ordered)
    return "\n".join(ordered.values())


def _collect(name: str, ordered: dict[str, str]) -> None:
    """Add a module to the others, after the modules that it imports."""
    if name in ordered:
        return
    source = (FOLDER / name).read_text(encoding="utf-8")
    for needed in _IMPORT.findall(source):
        _collect(needed, ordered)
    ordered[name] = _EXPORT.sub("", _IMPORT.sub("", source))
