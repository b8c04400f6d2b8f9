"""The page of a game as few files: a module or a style sheet with all the files that it imports.

A browser would otherwise wait for one answer after another, as each file names the next ones.
"""

import hashlib
import re
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path

from aiohttp import web

from battlesnake_search import viewer
from console.web.replies import compress

PAGES = Path(__file__).parent / "pages"

_IMPORTS = {
    ".js": re.compile(r'^import \{[^}]*\} from "([^"]+)";\n', re.MULTILINE),
    ".css": re.compile(r'^@import "([^"]+)";\n', re.MULTILINE),
}
_EXPORT = re.compile(r"^export (?=(?:async )?function |async function\*|class |const )", re.MULTILINE)
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_VIEWER = "/viewer/"


@cache
def bundle(file: Path) -> str:
    """Return a module or a style sheet after all the files that it imports, without the imports.

    So the names at the top of the modules share one scope and have to differ.
    """
    ordered: dict[Path, str] = {}
    _collect(file.resolve(), ordered)
    return "\n".join(ordered.values())


def _collect(file: Path, ordered: dict[Path, str]) -> None:
    if file in ordered:
        return
    source, imports = file.read_text(encoding="utf-8"), _IMPORTS[file.suffix]
    for name in imports.findall(source):
        is_viewer = name.startswith(_VIEWER)
        needed = viewer.FOLDER / name.removeprefix(_VIEWER) if is_viewer else file.parent / name
        _collect(needed.resolve(), ordered)
    ordered[file] = _EXPORT.sub("", imports.sub("", source))


def serving(name: str) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    """Return a handler that answers with the bundle of a file of the pages."""
    file = PAGES / name
    text = bundle(file)
    version = hashlib.sha256(text.encode()).hexdigest()[:16]

    async def answer(request: web.Request) -> web.StreamResponse:
        if any(each.value == version for each in request.if_none_match or ()):
            response = web.Response(status=304)
        else:
            response = compress(request, web.Response(text=text, content_type=_TYPES[file.suffix]))
        response.etag = version
        return response

    return answer
