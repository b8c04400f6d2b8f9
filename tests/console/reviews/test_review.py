"""The values of a review: our turns as requests, the rules for blunders, and summaries."""

import msgspec

from battlesnake_search import translate
from battlesnake_search.plan import Plan
from battlesnake_search.reader import decode
from console.replay import official
from console.reviews import review
from console.reviews.review import (
    CauseSummary,
    Valued,
    by_cause,
    our_snakes,
    played_turns,
)
from console.store.assembly import whole
from console.store.records import Decided, Header, LivingSnake, Position
from console.store.values import Ending
from tests.console.reviews.samples import compared, lost, valued
from tests.console.web.script import DUEL


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


def test_a_decision_names_the_move_and_its_strategy() -> None:
    """The last move of a dead snake is known by its decision; a late one was not played."""
    header, positions = _read()
    snake = next(iter(positions[0].snakes))
    decided = Decided(0, snake, "down", "search", "paranoid/area", 300.0, 440.0, 60.0)
    late = msgspec.structs.replace(decided, turn=1, left=-5.0)
    game = whole(header, [*positions, decided, late])
    number = our_snakes(game)[0]
    first, second, *_ = played_turns(game, number)
    assert (first.move, first.strategy) == ("down", "paranoid/area")
    seen = played_turns(whole(header, positions), number)[1]
    assert second.move == seen.move


def test_the_last_move_after_a_late_answer_is_straight_on() -> None:
    """The engine has made it, so it is reviewed and not the late answer."""
    header, positions = _read()
    game = whole(
        header,
        [*positions, Decided(0, next(iter(positions[0].snakes)), "down", "search", "", 1.0, 1.0, -5.0)],
    )
    number = our_snakes(game)[0]
    board, after = game.turns[0], game.turns[1]
    snakes = [None if each == number else snake for each, snake in enumerate(after.snakes)]
    game = msgspec.structs.replace(game, turns=[board, msgspec.structs.replace(after, snakes=snakes)])
    (last,) = played_turns(game, number)
    assert last.move == "up"


def test_a_request_is_the_one_that_the_engine_has_sent() -> None:
    """The searcher gets the same position as in the game, but for fields that the gateway does not send."""
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
            Position(turn, [], [], {snake: LivingSnake([cell], 90)}) for turn, cell in ((0, head), (1, later))
        ]
        for ruleset, moves in (("wrapped", [move]), ("standard", [])):
            game = whole(msgspec.structs.replace(header, ruleset=ruleset), boards)
            assert [turn.move for turn in played_turns(game, 0)] == moves


def test_the_loss_is_what_another_move_would_have_saved() -> None:
    """A move costs its distance from the best other one, and nothing if it was the best itself."""
    assert compared(3, -0.2, 0.1).loss == 0.3
    assert compared(3, 0.1, -0.2).loss == 0.0
    assert compared(3, 0.0, 0.1234567).loss == 0.123457


def test_the_only_legal_move_has_no_score() -> None:
    """There was nothing to choose, so its loss is 0. A proven end is still one."""
    only = review.turn_review(3, valued("up", -1), None)
    assert (only.played.score, only.other, only.loss, only.was_decisive) == (None, None, 0.0, False)
    assert only.played.is_lost and not only.holds
    assert review.losing_turn([only]) is None and review.blunders([only]) == []


def test_a_draw_is_better_than_a_loss_alone() -> None:
    """Its score of 0 does not make it better than a bad position. It costs as much as the score of others."""
    draw = Valued("down", 0.0, 9, 400.0, Ending("draw", 3))
    bad, good, lost = (valued("up", score) for score in (-0.8, 0.4, -1))
    assert review.turn_review(1, bad, draw).loss == 0.0
    assert review.turn_review(1, draw, good).loss == 0.4
    assert review.turn_review(1, lost, draw).was_decisive
    assert not review.turn_review(1, draw, lost).was_decisive


def test_blunders_lose_a_held_game_or_much_score() -> None:
    """A blunder is decisive or costs much. Small losses and choices between lost moves are no blunders."""
    reviews = [compared(1, 0.0, 0.1), compared(2, 0.0, 0.4), compared(3, -1, -0.9), compared(4, -1, -1)]
    assert review.blunders(reviews) == [2, 3]
    assert [review.was_decisive for review in reviews] == [False, False, True, False]


def test_the_losing_turn_is_the_last_one_with_another_way() -> None:
    """After the losing turn every other move was a proven loss; the order of the reviews does not matter."""
    reviews = [compared(1, 0.1, 0.0), compared(3, -1, -1), compared(2, -0.6, -0.3), compared(4, -1, -1)]
    assert review.losing_turn(reviews) == 2
    assert review.losing_turn(reviews[1:2]) is None
    assert review.losing_turn([]) is None


def test_a_proof_holds_for_all_later_turns() -> None:
    """The loss is seen in the first turn, from the losing turn on, whose move is a proven loss."""
    reviews = [
        compared(1, -1, 0),
        compared(2, 0, 0),
        compared(3, -1, 0),
        compared(4, 0.1, -1),
        compared(5, -1, -1),
    ]
    seen = review.first_seen(reviews)
    assert seen is not None and seen.turn == 3
    assert review.first_seen(reviews[:2]) is None


def test_a_loss_is_not_seen_before_the_losing_turn() -> None:
    """An opponent has returned a win that was proven for it."""
    reviews = [compared(1, -1, -1), compared(2, -1, -1), compared(3, -1, 0), compared(4, -1, -1)]
    seen = review.first_seen(reviews)
    assert seen is not None and seen.turn == review.losing_turn(reviews) == 3


def test_figures_are_medians_of_the_games_that_have_them() -> None:
    """Turns are counted back from the death; a game without a figure has no part in its median."""
    reviews = [
        lost("wall", died_at=20, lost_at=10, seen_at=17, seen_depth=8),
        lost("wall", died_at=30, lost_at=29, seen_at=None, seen_depth=None),
        lost("wall", died_at=40, lost_at=36, seen_at=38, seen_depth=5),
        lost("wall", died_at=None, lost_at=3, seen_at=4, seen_depth=None),
    ]
    assert by_cause(reviews) == [CauseSummary("wall", 4, 4.0, 2.5, 6.5)]
    assert by_cause([lost("wall")]) == [CauseSummary("wall", 1, None, None, None)]
