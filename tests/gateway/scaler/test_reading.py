"""What is read of a gateway's metrics."""

import pytest

from gateway.scaler.gateways import DEMAND, GAMES, Reading, parse
from tests.gateway.scaler.gateways import TEXT


def test_demand_and_games_are_read() -> None:
    """Among all other metrics."""
    assert parse(TEXT % (12.5, 3)) == Reading(12.5, 3.0)


def test_labels_are_added_up() -> None:
    """A gateway with several snakes may count each of them."""
    text = f'{DEMAND}{{snake="/a"}} 1.5\n{DEMAND}{{snake="/b"}} 2.5\n{GAMES} 1\n'
    assert parse(text) == Reading(4.0, 1.0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", f"has no {DEMAND} and no {GAMES}"),
        (f"{DEMAND} 1.0\n", f"has no {GAMES}"),
        (f"{DEMAND}_created 1.0\n{GAMES} 1\n", f"has no {DEMAND}"),
        (f"{DEMAND} much\n{GAMES} 1\n", "could not convert string to float"),
    ],
)
def test_other_text_is_an_error(text: str, reason: str) -> None:
    """It says what is missing; a missing metric is not zero."""
    with pytest.raises(ValueError, match=reason):
        parse(text)
