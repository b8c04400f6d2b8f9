"""The trace that a request belongs to, as the W3C's recommendation Trace Context has it in headers."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

TRACEPARENT = "traceparent"
TRACESTATE = "tracestate"

_PARENT = re.compile(
    r"(?P<version>[0-9a-f]{2})-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-(?P<flags>[0-9a-f]{2})(-.*)?"
)
_INVALID_VERSION = "ff"
_SAMPLED = 1


@dataclass(frozen=True, slots=True)
class TraceContext:
    """The ids of a trace and of a span in it, in hexadecimal digits, and whether the trace is recorded."""

    trace_id: str
    span_id: str
    sampled: bool
    state: str = ""
    """What other tracing systems have said, to be passed on as it came."""
    is_new: bool = False
    """Whether the trace has no span yet, so that the next one has no parent."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The headers that continue the trace in another process."""
        parent = f"00-{self.trace_id}-{self.span_id}-{int(self.sampled):02x}"
        return {TRACEPARENT: parent, TRACESTATE: self.state} if self.state else {TRACEPARENT: parent}


def new_trace(sampled: bool) -> TraceContext:
    """Return the context of a new trace."""
    return TraceContext(os.urandom(16).hex(), os.urandom(8).hex(), sampled, is_new=True)


def parse(headers: Mapping[str, str] = MappingProxyType({})) -> TraceContext | None:
    """Return the context that a request's headers have; None if they have none or an invalid one."""
    found = _PARENT.fullmatch(headers.get(TRACEPARENT, ""))
    if found is None or found["version"] == _INVALID_VERSION or (found["version"] == "00" and found[5]):
        return None
    if not int(found["trace"], 16) or not int(found["span"], 16):
        return None
    sampled = bool(int(found["flags"], 16) & _SAMPLED)
    return TraceContext(found["trace"], found["span"], sampled, headers.get(TRACESTATE, ""))
