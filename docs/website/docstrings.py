"""Docstrings as Markdown: an extension of griffe, the reader of docstrings for the site."""

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^>>> .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)


class Docstrings(griffe.Extension):
    """Marks examples in docstrings as code."""

    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Put fences around the examples of a module, class, function or attribute."""
        if obj.docstring:
            obj.docstring.value = _EXAMPLE.sub(r"```pycon\n\g<0>\n```", obj.docstring.value)
