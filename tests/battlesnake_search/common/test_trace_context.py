"""Headers of Trace Context."""

import pytest

from battlesnake_search.common.tracing import new_trace, parse

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


def test_headers_are_read_and_written() -> None:
    """What other systems have said is passed on."""
    headers = {"traceparent": f"00-{TRACE}-{SPAN}-01", "tracestate": "vendor=value"}
    context = parse(headers)
    assert context is not None
    assert (context.trace_id, context.span_id, context.sampled, context.is_new) == (TRACE, SPAN, True, False)
    assert context.headers == headers


def test_a_later_version_may_have_more() -> None:
    """Its first fields are those of the first version; other flags than the last one mean nothing yet."""
    context = parse({"traceparent": f"cc-{TRACE}-{SPAN}-0a-more"})
    assert context is not None and not context.sampled


@pytest.mark.parametrize(
    "header",
    [
        "",
        "00",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01\n",
    ],
)
def test_an_invalid_header_is_none(header: str) -> None:
    """The request begins a trace of its own."""
    assert parse({"traceparent": header}) is None


def test_a_new_trace_can_be_continued() -> None:
    """Two of them differ."""
    one, other = new_trace(True), new_trace(True)
    assert one.trace_id != other.trace_id
    continued = parse(one.headers)
    assert continued is not None
    assert (continued.trace_id, continued.sampled, continued.is_new) == (one.trace_id, True, False)
    assert parse(new_trace(False).headers) is not None
