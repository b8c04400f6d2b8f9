"""Every search of the textbook plays all games of tic-tac-toe to the end."""

import functools
from collections.abc import Iterator

import pytest

from searcher.textbook import minimax
from searcher.textbook.game import GameResult, is_over, mover, play_in_turn
from searcher.textbook.tictactoe import TicTacToe, TicTacToeBoard
from tests.searcher.textbook.solvers import RECURSIONS, SOLVERS, Solver


def reachable_positions() -> set[TicTacToe]:
    """Return every position that legal play can reach."""
    reached, frontier = set[TicTacToe](), [TicTacToe()]
    while frontier:
        game = frontier.pop()
        if game not in reached:
            reached.add(game)
            frontier += [play_in_turn(game, cell) for cell in game.legal_moves(0) if not is_over(game)]
    return reached


@pytest.fixture(scope="module")
def backtracked() -> dict[TicTacToe, GameResult]:
    """Return the value of every position for X, from a single backtracking search."""
    board = TicTacToeBoard()
    return {TicTacToe("".join(board.cells)): value for value in minimax.postorder_values(board)}


@pytest.fixture(scope="module", autouse=True)
def _each_position_once() -> Iterator[None]:
    """Memoize every search for all tests."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in RECURSIONS:
            patch.setattr(module, name, functools.cache(getattr(module, name)))
        yield


def ends_against(solve: Solver, us: int) -> set[GameResult | None]:
    """Return all results for `us` if we play any best move of `solve` and the opponent any legal move."""
    ends, seen, frontier = set[GameResult | None](), set[TicTacToe](), [TicTacToe()]
    while frontier:
        game = frontier.pop()
        if game in seen:
            continue
        seen.add(game)
        if is_over(game):
            ends.add(game.result(us))
            continue
        moves = solve(game).moves if mover(game) == us else game.legal_moves(1 - us)
        frontier += [play_in_turn(game, move) for move in moves]
    return ends


def test_backtracking_visits_every_reachable_position(backtracked: dict[TicTacToe, GameResult]) -> None:
    """Tic-tac-toe has 5,478 positions, and the backtracking search visits each of them."""
    assert len(backtracked) == 5478
    assert backtracked.keys() == reachable_positions()


@pytest.mark.parametrize("solver", SOLVERS)
def test_all_solvers_agree(solver: str, backtracked: dict[TicTacToe, GameResult]) -> None:
    """Every search agrees with backtracking on the value of every ninth position that is not over."""
    solve = SOLVERS[solver]
    for game, value in list(backtracked.items())[::9]:
        if not is_over(game):
            for_mover = value if mover(game) == 0 else value.reversed()
            assert solve(game).value == for_mover, game


def test_the_first_steps_agree_with_the_full_search(backtracked: dict[TicTacToe, GameResult]) -> None:
    """A win now, a loss next and a win in two moves are found exactly where the full search finds them."""
    for game in list(backtracked)[::7]:
        if not is_over(game):
            scores = minimax.decayed_moves(game)
            assert (minimax.find_winning_move(game) is not None) == (9 in scores.values())
            safe = [move for move, score in scores.items() if score != -8]
            assert minimax.eliminate_losing_moves(game) == safe
            assert (minimax.find_two_step_win(game) is not None) == (7 in scores.values())


@pytest.mark.parametrize("us", [0, 1])
@pytest.mark.parametrize("solver", SOLVERS)
def test_no_opponent_wins(solver: str, us: int) -> None:
    """Against every reply of the opponent, each line ends in a draw or in our win."""
    assert ends_against(functools.cache(SOLVERS[solver]), us) == {GameResult.DRAW, GameResult.WIN}
