"""The callers' preferences in the headers Accept and Accept-Encoding."""

from collections.abc import Iterator


def accepts_gzip(accept_encoding: str) -> bool:
    """Return whether the header Accept-Encoding names gzip. An empty header accepts no compression."""
    return dict(ranges(accept_encoding)).get("gzip", 0.0) > 0


def ranges(accept: str) -> Iterator[tuple[str, float]]:
    """Yield the media types or codings of a header with their q-values; an invalid q-value counts as 0."""
    for part in accept.lower().split(","):
        media, *parameters = (text.strip() for text in part.split(";"))
        quality = next((text[2:] for text in parameters if text.startswith("q=")), "1")
        try:
            yield media, float(quality)
        except ValueError:
            yield media, 0.0
