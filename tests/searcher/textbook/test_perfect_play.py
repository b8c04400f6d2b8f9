"""Tic-tac-toe played through to its ends by every search of the textbook."""

import functools
from collections.abc import Iterator

import pytest

from searcher.textbook import backtracking, decay, minimaxing
from searcher.textbook.game import GameResult, is_over, mover, play_in_turn
from searcher.textbook.tictactoe import TicTacToe, TicTacToeBoard
from tests.searcher.textbook.solvers import RECURSIONS, SOLVERS, Solver, remembering


def reachable_positions() -> set[TicTacToe]:
    """Every position that legal play can lead to."""
    found, front = set[TicTacToe](), [TicTacToe()]
    while front:
        game = front.pop()
        if game not in found:
            found.add(game)
            front += [play_in_turn(game, cell) for cell in game.legal_moves(0) if not is_over(game)]
    return found


@pytest.fixture(scope="module")
def backtracked() -> dict[TicTacToe, GameResult]:
    """The value for X of every position, from one walk over one board."""
    board = TicTacToeBoard()
    return {TicTacToe("".join(board.cells)): value for value in backtracking.postorder_values(board)}


@pytest.fixture(scope="module", autouse=True)
def _each_position_once(backtracked: dict[TicTacToe, GameResult]) -> Iterator[None]:
    """Put a memory into every search, for all tests; that of backtracking is the one walk."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in RECURSIONS:
            patch.setattr(module, name, remembering(getattr(module, name)))
        patch.setattr(
            backtracking, "backtracking_value", lambda board: backtracked[TicTacToe("".join(board.cells))]
        )
        yield


def ends_against(solve: Solver, us: int) -> set[GameResult | None]:
    """How the game can end for `us` when we play any move `solve` allows, and the opponent any at all."""
    ends, seen, front = set[GameResult | None](), set[TicTacToe](), [TicTacToe()]
    while front:
        game = front.pop()
        if game in seen:
            continue
        seen.add(game)
        if is_over(game):
            ends.add(game.result(us))
            continue
        moves = solve(game).moves if mover(game) == us else game.legal_moves(1 - us)
        front += [play_in_turn(game, move) for move in moves]
    return ends


def test_the_walk_visits_every_reachable_position(backtracked: dict[TicTacToe, GameResult]) -> None:
    """Tic-tac-toe has 5,478 positions, and the backtracking search stands in each of them."""
    assert len(backtracked) == 5478
    assert backtracked.keys() == reachable_positions()


@pytest.mark.parametrize("solver", [name for name in SOLVERS if name != "backtracking"])
def test_all_solvers_agree(solver: str, backtracked: dict[TicTacToe, GameResult]) -> None:
    """Each search gives every position that is not over the value that backtracking gives it."""
    solve = SOLVERS[solver]
    for game, value in backtracked.items():
        if not is_over(game):
            for_mover = value if mover(game) == 0 else value.reversed()
            assert solve(game).value == for_mover, game


def test_the_first_steps_see_what_lies_within_their_reach(backtracked: dict[TicTacToe, GameResult]) -> None:
    """A win now, a loss next and a win in two are found exactly where the whole game's scores have them."""
    for game in list(backtracked)[::7]:
        if not is_over(game):
            scores = decay.decayed_moves(game)
            assert (minimaxing.find_winning_move(game) is not None) == (9 in scores.values())
            safe = [move for move, score in scores.items() if score != -8]
            assert minimaxing.eliminate_losing_moves(game) == safe
            assert (minimaxing.find_two_step_win(game) is not None) == (7 in scores.values())


@pytest.mark.parametrize("us", [0, 1])
@pytest.mark.parametrize("solver", SOLVERS)
def test_no_opponent_wins(solver: str, us: int) -> None:
    """Whatever the opponent answers, every line ends in a draw or in our win."""
    assert ends_against(functools.cache(SOLVERS[solver]), us) == {GameResult.DRAW, GameResult.WIN}


def test_careless_play_is_noticed() -> None:
    """The walk over all lines does see a loss: X that always takes the first free cell can be beaten."""
    first_free = functools.cache(lambda game: SOLVERS["decay"](game)._replace(moves=game.legal_moves(0)[:1]))
    assert GameResult.LOSS in ends_against(first_free, 0)
