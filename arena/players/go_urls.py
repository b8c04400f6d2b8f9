"""The URLs that the official command line, a program in Go, calls for a snake at a URL.

The index has the snake's path as written. A webhook has the decoded path with its own name after it: `%2F`
separates folders, and `//`, `.` and `..` are resolved. The query is kept, and `#` is a part of the path.
"""

import re
from posixpath import normpath
from string import punctuation
from urllib.parse import quote, unquote_to_bytes, urlsplit

from yarl import URL

_PLAIN = "$&+,/:;=@"
"""The characters besides letters, digits and -_.~ that Go does not escape in a path."""

_ESCAPED = re.compile(r"([\w!$&'()*+,/:;=@.~\[\]-]|%[0-9a-f]{2})*", re.ASCII | re.IGNORECASE)
"""A path that Go sends as written."""

_BROKEN = re.compile(r"%(?![0-9a-f]{2})|[\0-\x1f\x7f]", re.IGNORECASE)


def is_accepted(url: str) -> bool:
    """Return whether the official command line accepts a URL with a host.

    It refuses a path in which a percent sign is not followed by two hexadecimal digits.
    """
    return not _BROKEN.search(url.partition("?")[0])


def index_url(url: str) -> URL:
    """Return the URL at which a snake describes itself."""
    path = _path(url) or "/"
    return _with_path(url, path if _ESCAPED.fullmatch(path) else _escaped(unquote_to_bytes(path)))


def webhook_url(url: str, webhook: str) -> URL:
    """Return the URL of a webhook: start, move or end."""
    path = b"/".join([unquote_to_bytes(_path(url)).lstrip(b"/"), webhook.encode()])
    return _with_path(url, _escaped(normpath(b"/" + path.lstrip(b"/"))))


def _path(url: str) -> str:
    return urlsplit(url.partition("?")[0].replace("#", "%23")).path


def _escaped(path: bytes) -> str:
    return quote(path, safe=_PLAIN)


def _with_path(url: str, path: str) -> URL:
    query = url.partition("?")[2].partition("#")[0]
    parts = urlsplit(url)
    base = URL(f"{parts.scheme}://{parts.netloc}").with_path(path, encoded=True)
    return URL(f"{base}?{quote(query, safe=punctuation)}", encoded=True) if query else base
