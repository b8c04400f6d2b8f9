"""The translation of links on pages, from paths in the repository to paths in the site."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

_TOKENS = re.compile(
    r"(?P<code>^```.*?^```$|``.*?``|`[^`\n]*`)"
    r"|(?P<opening>!?)\[(?P<text>[^\[\]]*)\]\((?P<link>[^)\s]+)\)"
    r"|\]\((?P<around>[^)\s]+)\)",
    re.DOTALL | re.MULTILINE,
)
"""Code, without links; a link or a picture; and the end of a link around a picture."""

_ELSEWHERE = re.compile(r"[a-z]+:|#")


@dataclass(frozen=True, slots=True)
class Site:
    """The places of the repository's files in the site.

    `places` maps the path of a file or folder in the repository to the path of its page or file in the site,
    perhaps with an anchor.
    """

    places: Mapping[str, str]

    def page(self, text: str, source: str) -> str:
        """Return the Markdown of a page for the site. `source` is the path of its file in the repository.

        A link to a file or folder that the site does not have becomes its name. Raises ValueError for such
        a link around a picture.
        """
        return _TOKENS.sub(lambda match: self._token(match, source), text)

    def _token(self, match: re.Match[str], source: str) -> str:
        link = match["link"] or match["around"]
        if match["code"] or _ELSEWHERE.match(link):
            return match[0]
        path, _, anchor = link.partition("#")
        target = os.path.normpath(PurePosixPath(source).parent / path)
        place = self.places.get(target)
        if place is not None:
            inside = os.path.relpath(place, PurePosixPath(self.places[source]).parent)
            inside += f"#{anchor}" if anchor else ""
            return f"]({inside})" if match["around"] else f"{match['opening']}[{match['text']}]({inside})"
        if match["around"]:
            raise ValueError(f"{source}: a picture leads to {link}, which the site does not have")
        return _name(match["text"], target)


def _name(text: str, target: str) -> str:
    """Return the words of a link whose target is not in the site, and the target."""
    plain = text.strip("`")
    if target == plain or target.endswith(f"/{plain}"):
        return f"`{plain}`"
    return f"{text} (`{target}`)"
