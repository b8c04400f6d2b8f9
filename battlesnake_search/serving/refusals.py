"""The refused calls of a port: their errors, their counter and their lines in the log."""

from urllib.parse import unquote

from google.rpc import code_pb2

from battlesnake_search.common.logs import get_logger
from battlesnake_search.common.sparse import Sparse
from battlesnake_search.serving.errors import OverloadedError, RequestError
from battlesnake_search.serving.metrics import PortMetrics

_log = get_logger(__name__)


class RefusedCallError(RequestError):
    """A call that the port refuses because of its caller. `reason` is the counter's label."""

    def __init__(self, code: code_pb2.Code, reason: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.reason = reason


class ExceededLimitError(OverloadedError):
    """A call beyond a limit. After `retry_after` seconds there is room again."""

    def __init__(self, reason: str, text: str, retry_after: float) -> None:
        super().__init__(text, retry_after)
        self.reason = reason


class Refusals:
    """Counts refused calls, and logs at most one line a second for each reason and caller."""

    def __init__(self, metrics: PortMetrics) -> None:
        self._metrics = metrics
        self._sparse = Sparse()

    def record(self, reason: str, known: str, claimed: str, peer: str) -> None:
        """Record a refused call.

        `known` is the caller's name if the token file has it, or else empty, so that unknown callers can't
        create counters or fill the log. `claimed` is the name in the caller's token.
        """
        self._metrics.refused.labels(reason, known).inc()
        if (left_out := self._sparse.left_out(f"{reason} {known}")) is not None:
            count = left_out + 1
            _log.warning("call refused", reason=reason, token=claimed, peer=unquote(peer), count=count)
