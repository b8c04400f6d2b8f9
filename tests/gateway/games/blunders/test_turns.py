"""Our turns of recorded games, as requests."""

from pathlib import Path

import msgspec

from gateway import bodies
from gateway.games import official
from gateway.games.assembly import whole
from gateway.games.blunders.turns import our_snakes, played_turns
from gateway.games.records import Decided, Header, Position
from gateway.searchers import translate
from gateway.searchers.plan import Plan

DUEL = Path(__file__).parents[3] / "fixtures" / "games" / "duel.jsonl"


def _read() -> tuple[Header, list[Position]]:
    return official.read(DUEL.read_bytes())


def test_moves_of_an_imported_game_are_read_from_its_boards() -> None:
    """Each move leads to the head of the next board; the last one of a dead snake is unknown."""
    game = whole(*_read())
    assert our_snakes(game) == [0, 1]
    for snake in (0, 1):
        turns = played_turns(game, snake)
        assert [turn.number for turn in turns] == list(range(len(turns)))
        for turn, after in zip(turns, game.turns[1:], strict=False):
            head, placed = turn.request.you.body[0], after.snakes[snake]
            step = {"up": (0, 1), "down": (0, -1), "left": (-1, 0), "right": (1, 0)}[turn.move]
            assert placed is not None
            assert placed.body[0] == (head.x + step[0], head.y + step[1])


def test_a_decision_names_the_move_its_time_and_its_strategy() -> None:
    """The last move of a dead snake is known by its decision; a late one was not played."""
    header, positions = _read()
    snake = next(iter(positions[0].snakes))
    decided = Decided(0, snake, "down", "search", "paranoid/area", 300.0, 440.0, 60.0)
    late = msgspec.structs.replace(decided, turn=1, left=-5.0)
    game = whole(header, [*positions, decided, late])
    number = our_snakes(game)[0]
    first, second, *_ = played_turns(game, number)
    assert (first.move, first.budget_ms, first.strategy) == ("down", 440.0, "paranoid/area")
    seen = played_turns(whole(header, positions), number)[1]
    assert second.move == seen.move


def test_a_request_is_the_one_that_the_engine_has_sent() -> None:
    """The searcher gets the position as it got it in the game, but for what the gateway does not send."""
    lines = DUEL.read_bytes().splitlines()[1:-1]
    game = whole(*_read())
    for turn in played_turns(game, 0)[:20]:
        sent = bodies.decode(lines[turn.number])
        you = next(snake for snake in sent.board.snakes if snake.id == turn.request.you.id)
        sent = msgspec.structs.replace(sent, you=you)
        assert translate.search_request(turn.request, Plan()) == translate.search_request(sent, Plan())
