"""What pages of the arena have in common: their templates and their style."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from battlesnake_search import viewer

_TEMPLATES = Path(__file__).parent / "templates"


@cache
def environment() -> Environment:
    """Return the templates of all pages."""
    return Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def source(name: str) -> str:
    """Return the text of a file of the templates."""
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def style() -> Markup:
    """Return the style sheet of a page."""
    return Markup(viewer.style() + source("style.css"))
