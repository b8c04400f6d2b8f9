"""Unusual bodies."""

from collections.abc import Callable

import pytest

from arena.compliance.tolerance import OPTIONAL, check_tolerance
from tests.arena.compliance.checking import results
from tests.arena.outside_snake import Body, OutsideSnake, StrictSnake

DISLIKES: dict[str, tuple[str, Callable[[Body], bool]]] = {
    "unknown fields": ("fail", lambda body: "unknownField" in body["you"]["body"][0]),
    "missing fields": ("warn", lambda body: "source" not in body["game"] or "squad" not in body["you"]),
    "null fields": (
        "warn",
        lambda body: body["game"].get("source", "") is None or body["board"]["hazards"] is None,
    ),
}
"""By the name of a check, its outcome and the bodies that a snake refuses to get it."""


def _strict(name: str) -> OutsideSnake:
    _, dislikes = DISLIKES[name]
    return StrictSnake(lambda _path, body: dislikes(body))


@pytest.mark.parametrize("name", DISLIKES)
async def test_a_strict_snake_fails(name: str) -> None:
    """A body that a strict snake refuses fails under its own name, and nothing else does."""
    found = await results(check_tolerance, _strict(name))
    assert found[name].outcome == DISLIKES[name][0]
    assert "refused: HTTP status 400" in found[name].came
    assert {other for other, result in found.items() if result.outcome != "pass"} == {name}


async def test_fields_that_a_snake_needs_are_named() -> None:
    """The optional fields that a snake needs are named."""
    came = (await results(check_tolerance, _strict("missing fields")))["missing fields"].came
    assert [name for name in OPTIONAL if f"{name}: " in came] == ["game.source", "snake.squad"]
