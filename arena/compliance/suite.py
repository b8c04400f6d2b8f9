"""All checks, beginning with the snake's description."""

import re

from arena.compliance.exchanges import (
    CheckResult,
    Endpoint,
    fields_of,
    problem_in,
    result_of,
    shown,
)
from arena.compliance.platform import check_platform
from arena.compliance.recorded import (
    check_endings,
    check_parallel_games,
    check_recorded,
)
from arena.compliance.tolerance import check_tolerance
from arena.players.url import NOT_HTTP

_TEXTS = ("author", "color", "head", "tail", "version")
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


class UnreachableError(ConnectionError):
    """Raised if there is no snake at the URL: no connection, no HTTP, or status 404 in answer to GET."""


async def check_index(endpoint: Endpoint) -> list[CheckResult]:
    """Check the answer to GET /. Raises UnreachableError if there is no snake."""
    async with endpoint.caller() as caller:
        answer = await caller.ask("GET", "")
        _, _, reason = (answer.failure or "").partition(": ")
        if not caller.connections or reason == NOT_HTTP:
            raise UnreachableError(reason)
    if answer.status == 404:
        # All further checks would fail for the same reason.
        raise UnreachableError("GET is answered with HTTP status 404. Is a token missing in the path?")
    expected = f"GET / answers with status 200 and a JSON object within {endpoint.timeout} ms"
    fields = fields_of(answer.content)
    problem = problem_in("index", answer, endpoint.timeout)
    if problem is None and fields is None:
        problem = f"invalid: not a JSON object: {shown(answer.content)}"
    results = [result_of("index", expected, [problem] if problem else [], shown(answer.content))]
    return results if fields is None else [*results, *_field_results(fields)]


def _field_results(fields: dict[str, object]) -> list[CheckResult]:
    version, colour = fields.get("apiversion"), fields.get("color")
    no_version = [] if version == "1" else [f"apiversion is {version!r}"]
    coloured = colour is None or (isinstance(colour, str) and _COLOUR.fullmatch(colour))
    wrong_types = [
        f"{name} is {fields[name]!r}" for name in _TEXTS if not isinstance(fields.get(name), str | None)
    ]
    given = ", ".join(name for name in _TEXTS if fields.get(name) is not None) or "none of them"
    return [
        result_of("index: apiversion", 'apiversion is the text "1"', no_version, "apiversion is '1'"),
        result_of(
            "index: colour",
            "color is # and six hexadecimal digits, or left out",
            [] if coloured else [f"color is {colour!r}"],
            "no color" if colour is None else f"color is {colour!r}",
        ),
        result_of(
            "index: types", f"{', '.join(_TEXTS)} are text, or left out", wrong_types, f"given: {given}"
        ),
    ]


_CHECKS = (check_recorded, check_endings, check_platform, check_tolerance, check_parallel_games)
"""The checks after the check of the index."""


async def examine(endpoint: Endpoint) -> list[CheckResult]:
    """Return the results of all checks. Raises UnreachableError if there is no snake."""
    # The index comes first, because it shows whether there is a snake.
    results = await check_index(endpoint)
    for check in _CHECKS:
        results += await check(endpoint)
    return results
