"""Our turns of recorded games, as requests."""

from pathlib import Path

import msgspec

from battlesnake_search import translate
from battlesnake_search.plan import Plan
from battlesnake_search.reader import decode
from gateway.blunders.turns import our_snakes, played_turns
from gateway.replay import official
from gateway.replay.assembly import whole
from gateway.store.records import Decided, Header, Position, Standing

DUEL = Path(__file__).parents[2] / "fixtures" / "games" / "duel.jsonl"


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
        sent = decode(lines[turn.number])
        you = next(snake for snake in sent.board.snakes if snake.id == turn.request.you.id)
        sent = msgspec.structs.replace(sent, you=you)
        assert translate.search_request(turn.request, Plan()) == translate.search_request(sent, Plan())


def test_a_move_across_the_edge_is_seen() -> None:
    """A wrapped board has its first row and column behind the last ones."""
    header, positions = _read()
    snake = next(iter(positions[0].snakes))
    size = header.width
    for head, later, move in (
        ((0, 3), (size - 1, 3), "left"),
        ((size - 1, 3), (0, 3), "right"),
        ((3, 0), (3, size - 1), "down"),
        ((3, size - 1), (3, 0), "up"),
    ):
        boards = [
            Position(turn, [], [], {snake: Standing([cell], 90)}) for turn, cell in ((0, head), (1, later))
        ]
        for ruleset, moves in (("wrapped", [move]), ("standard", [])):
            game = whole(msgspec.structs.replace(header, ruleset=ruleset), boards)
            assert [turn.move for turn in played_turns(game, 0)] == moves


def test_a_gap_hides_a_move() -> None:
    """Where the next board is missing, nobody knows the move."""
    header, positions = _read()
    game = whole(header, [positions[0], *positions[2:5]])
    assert [turn.number for turn in played_turns(game, 0)] == [2, 3]
    [first, _] = played_turns(game, 0)
    assert (first.budget_ms, first.strategy) == (0.0, "")


def test_our_snakes_are_those_that_have_decided() -> None:
    """Others are reviewed only if none is ours."""
    header, positions = _read()
    second = header.snakes[1].id
    decided = Decided(0, second, "down", "search", "", 300.0, 440.0, 60.0)
    assert our_snakes(whole(header, [*positions, decided])) == [1]


def test_a_snake_that_is_seen_late_has_its_later_turns() -> None:
    """A gateway that is started during a game may see one of its snakes before the other."""
    header, positions = _read()
    first = header.snakes[0].id
    alone = msgspec.structs.replace(positions[0], snakes={first: positions[0].snakes[first]})
    game = whole(header, [alone, *positions[1:4]])
    assert [turn.number for turn in played_turns(game, 0)] == [0, 1, 2]
    assert [turn.number for turn in played_turns(game, 1)] == [1, 2]
