"""The error of a search that found no move."""

from collections.abc import Sequence

import grpc

from battlesnake_search.searcher_client import Failure


class SearchError(Exception):
    """No result arrived in time. `code` is gRPC's, `retry_after` the seconds that the searcher asks to wait.

    DEADLINE_EXCEEDED: the searcher was silent. INVALID_ARGUMENT: the position, the strategy or a limit is
    invalid, and the message names the field. UNAVAILABLE: nothing listens there, or the searcher starts or
    ends. RESOURCE_EXHAUSTED: it has no room. UNAUTHENTICATED: it wants another token.
    """

    def __init__(self, code: grpc.StatusCode, details: str, retry_after: float = 0.0) -> None:
        super().__init__(f"{code.name}: {details}")
        self.code = code
        self.details = details
        self.retry_after = retry_after


def error_of(failures: Sequence[Failure]) -> SearchError:
    """Return the error for a search without a result: the last failure of its attempts, or a silence."""
    if not failures:
        return SearchError(grpc.StatusCode.DEADLINE_EXCEEDED, "the searcher has not answered in time")
    last = failures[-1]
    return SearchError(last.code, last.details, last.retry_after)
