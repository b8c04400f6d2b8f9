"""Hooks of mkdocs: pages of the repository that are not in docs/, the links of pages, and the contract."""

from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from docs.website.contract import contract
from docs.website.links import Site

ROOT = Path(__file__).parents[2]

OUTSIDE = ("*.md", "examples/README.md", "examples/*/README.md", "infra/README.md", "infra/*/README.md")
"""The pages of the repository that the site has besides docs/."""

_PLACES = {
    "README.md": "overview.md",
    "SECURITY.md": "security-policy.md",
    "battlesnake_search": "reference/client.md",
    "docs": "index.md",
    "protos/battlesnake/record/v1/record.proto": "reference/contract.md#recordproto",
    "protos/battlesnake/search/v1/analysis.proto": "reference/contract.md#analysisproto",
    "protos/battlesnake/search/v1/search.proto": "reference/contract.md",
    "searcher/toolkit.py": "reference/toolkit.md",
}
"""The places in the site that differ from the places in the repository."""

CONTRACT = "<!-- contract -->"
"""The line of a page that the contract replaces."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    for path in outside():
        place = _PLACES.get(path, path.lower() if "/" not in path else path)
        files.append(File.generated(config, place, abs_src_path=str(ROOT / path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make the links of a page lead through the site, and fill in the contract."""
    if page.file.abs_src_path is None:
        return markdown
    source = Path(page.file.abs_src_path).relative_to(ROOT).as_posix()
    text = site(files).page(markdown, source)
    return text.replace(CONTRACT, contract(ROOT)) if CONTRACT in text else text


def site(files: Files) -> Site:
    """Return the places of all pages in the site."""
    sources = {
        Path(file.abs_src_path).relative_to(ROOT).as_posix(): file.src_uri
        for file in files
        if file.abs_src_path and Path(file.abs_src_path).is_relative_to(ROOT) and file.inclusion.is_included()
    }
    readmes = {path.removesuffix("/README.md"): place for path, place in sources.items()}
    return Site({**readmes, **sources, **_PLACES})


def outside() -> list[str]:
    """Return the paths of the pages that are not in docs/."""
    return sorted(path.relative_to(ROOT).as_posix() for pattern in OUTSIDE for path in ROOT.glob(pattern))
