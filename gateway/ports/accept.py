"""The kind of answer that a caller prefers, by its header Accept."""

from collections.abc import Iterator

HTML = "text/html"
JSON = "application/json"


def prefers_html(accept: str) -> bool:
    """Return whether a caller likes HTML more than JSON; one that says nothing does not."""
    ranges = dict(_ranges(accept))
    return _quality(ranges, HTML) > _quality(ranges, JSON)


def _ranges(accept: str) -> Iterator[tuple[str, float]]:
    """Yield the ranges of media types with their q-values; an invalid one is 0."""
    for part in accept.lower().split(","):
        media, *parameters = (text.strip() for text in part.split(";"))
        quality = next((text[2:] for text in parameters if text.startswith("q=")), "1")
        try:
            yield media, float(quality)
        except ValueError:
            yield media, 0.0


def _quality(ranges: dict[str, float], media: str) -> float:
    """Return the q-value of the narrowest range with a media type."""
    kinds = (media, f"{media.partition('/')[0]}/*", "*/*")
    return next((ranges[kind] for kind in kinds if kind in ranges), 0.0)
