"""Headers of traces: whatever HTTP admits, a move is searched."""

import asyncio
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gateway import scripted_searcher
from tests.gateway.scripted_searcher import ScriptedService, body

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
PARENT = f"00-{TRACE}-{SPAN}-01"

Headers = list[tuple[str, bytes]]

_BYTES = st.lists(st.sampled_from([9, *range(32, 127), *range(128, 256)]), max_size=60).map(bytes)
_MEMBERS = st.lists(st.sampled_from([b"a=1", b"b@c=2", b"\t", b" ", b",", b"=", b"\xe4", b"x" * 600])).map(
    b"".join
)


async def _metadata(headers: Headers) -> dict[str, str]:
    """Return the metadata of the search for a move that is requested with these headers."""
    service = ScriptedService(scripted_searcher.at_once)
    async with scripted_searcher.searcher(service) as target, scripted_searcher.gateway(target) as client:
        reader, writer = await asyncio.open_connection(client.host, client.port)
        content = json.dumps(body()).encode()
        lines = [("Host", b"snake"), ("Connection", b"close"), ("Content-Length", b"%d" % len(content))]
        head = b"".join(name.encode() + b": " + value + b"\r\n" for name, value in (*lines, *headers))
        writer.write(b"POST /move HTTP/1.1\r\n" + head + b"\r\n" + content)
        answer = await reader.read()
        writer.close()
    assert answer.startswith(b"HTTP/1.1 200 "), answer
    assert b'"up"' in answer
    [received] = service.headers
    return received


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["tracestate", "Tracestate", "traceparent", "X-Battlesnake-Arm"]),
            _BYTES | _MEMBERS,
        ),
        max_size=3,
    )
)
@settings(max_examples=15, deadline=None)
def test_any_header_leaves_a_move_searched(headers: Headers) -> None:
    """Its value is passed on if it is valid, and is dropped otherwise."""
    asyncio.run(_metadata([("traceparent", PARENT.encode()), *headers]))


@pytest.mark.parametrize(
    ("sent", "passed_on"),
    [
        ([b"a=1", b"b=2, c=3"], "a=1,b=2,c=3"),
        ([b"tenant@vendor=x y"], "tenant@vendor=x y"),
        ([b"a=\xe4"], ""),
        ([b",".join(b"a%d=1" % number for number in range(33))], ""),
        ([b"a=" + 250 * b"x", b"b=" + 250 * b"x" + b",c=1234"], f"a={250 * 'x'},b={250 * 'x'},c=1234"),
        ([b"a=" + 250 * b"x", b"b=" + 250 * b"x" + b",c=12345"], ""),
    ],
)
async def test_states_are_passed_on_as_one(sent: list[bytes], passed_on: str) -> None:
    """An invalid state is dropped, and so is one of more than 512 characters."""
    found = await _metadata([("traceparent", PARENT.encode()), *(("tracestate", each) for each in sent)])
    assert found.get("tracestate", "") == passed_on
    assert found["traceparent"] == PARENT


@pytest.mark.parametrize("flags", ["00", "03"])
async def test_flags_are_passed_on(flags: str) -> None:
    """Two of them are whether the trace is sampled, and whether its id is random."""
    sent = f"00-{TRACE}-{SPAN}-{flags}"
    assert (await _metadata([("traceparent", sent.encode())]))["traceparent"] == sent


async def test_two_parents_are_none() -> None:
    """The request begins a new trace, without the state of another one."""
    found = await _metadata(2 * [("traceparent", PARENT.encode())] + [("tracestate", b"a=1")])
    assert TRACE not in found["traceparent"] and "tracestate" not in found
    assert re.fullmatch("00-[0-9a-f]{32}-[0-9a-f]{16}-00", found["traceparent"])
