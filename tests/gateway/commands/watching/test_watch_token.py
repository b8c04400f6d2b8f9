"""`python -m gateway watch` in front of a console that asks for a token."""

import pytest

from battlesnake_search.common.access import TokenFile
from tests.gateway.console.console import running
from tests.gateway.gateway_process import start
from tests.support.admin import TOKEN, TOKENS


@pytest.mark.parametrize(
    ("token", "status", "said"),
    [(TOKEN, 0, "s1 won"), ("", 1, "give one with --token or ADMIN_TOKEN"), (f"{TOKEN}x", 1, "ADMIN_TOKEN")],
    ids=["right", "none", "wrong"],
)
async def test_a_console_with_tokens_is_watched_with_one(token: str, status: int, said: str) -> None:
    """The token comes from the environment; without a valid one the error says how to give it."""
    async with running(tokens=TokenFile(TOKENS)) as console:
        await console.play("game", range(1))
        process = await start("watch", "game", "--admin", console.url, ADMIN_TOKEN=token)
        printed, error = await process.communicate()
    assert process.returncode == status, error
    assert said in (printed + error).decode()
    assert b"Traceback" not in error and TOKEN.encode() not in printed + error
