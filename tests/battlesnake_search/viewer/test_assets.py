"""The viewer's files, and the pages' bundles, as text."""

import re
from collections import Counter
from pathlib import Path

import pytest

from battlesnake_search import viewer
from console.web.port import PAGES
from tests.console.web.console import running

_NAMES = re.compile(r"^(?:async )?(?:const|let|class|function\*?) (\w+)", re.MULTILINE)


def test_a_module_comes_after_its_imports(tmp_path: Path) -> None:
    """Each file is there once, after the files that it imports, without imports and exports."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "page.js").write_text(
        'import { one } from "./parts/one.js";\nimport { two } from "./two.js";\none(two);\n'
    )
    (tmp_path / "parts" / "one.js").write_text(
        'import { two } from "../two.js";\n\nexport function one() {}\n'
    )
    (tmp_path / "two.js").write_text("export const two = 2;\n")
    assert viewer.bundle(tmp_path / "page.js") == "const two = 2;\n\n\nfunction one() {}\n\none(two);\n"


@pytest.mark.parametrize(
    ("script", "least"), [(viewer.script(), 50), (viewer.bundle(PAGES / "game.js"), 200)]
)
def test_no_two_modules_share_a_name(script: str, least: int) -> None:
    """A page has them all in one script, in which no import or export is left."""
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    names = Counter(_NAMES.findall(script))
    assert len(names) > least and {name for name, number in names.items() if number > 1} == set()


async def test_a_bundle_is_compressed_and_kept() -> None:
    """A browser that accepts gzip gets it, and one that has the version gets no content."""
    async with running() as console:
        for name in ("game.js", "game.css"):
            async with console.admin.get(f"/{name}", headers={"Accept-Encoding": "gzip"}) as answer:
                assert answer.headers["Content-Encoding"] == "gzip"
                assert answer.headers["Cache-Control"] == "no-cache"
                assert await answer.text() == viewer.bundle(PAGES / name)
                version = answer.headers["ETag"]
            async with console.admin.get(f"/{name}", headers={"If-None-Match": version}) as answer:
                assert answer.status == 304 and not await answer.read()
