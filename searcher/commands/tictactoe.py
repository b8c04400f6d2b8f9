"""Tic-tac-toe against the textbook, in the terminal."""

from random import Random

import click

from searcher.textbook.game import MinimaxAgent, Player, is_over, mover, play_in_turn, winner
from searcher.textbook.multiplayer import alpha_beta_moves
from searcher.textbook.tictactoe import EMPTY, MARKS, TicTacToe, open_lines


@click.command()
def tictactoe() -> None:
    """Play tic-tac-toe against a perfect opponent."""
    mark = click.prompt("Your mark (X begins)", type=click.Choice(MARKS, case_sensitive=False))
    human: Player = MARKS.index(mark)
    agent = MinimaxAgent[TicTacToe](whole_game_moves, Random())
    game = TicTacToe()
    while not is_over(game):
        if mover(game) == human:
            click.echo(board_text(game))
            free = click.Choice([str(cell + 1) for cell in game.legal_moves(human)])
            cell = int(click.prompt(f"Your move, {mark}", type=free, show_choices=False)) - 1
        else:
            cell = agent.select_move(game)
            click.echo(f"I play {cell + 1}.")
        game = play_in_turn(game, cell)
    click.echo(f"{board_text(game)}\n{result_text(game, human)}")


def whole_game_moves(game: TicTacToe) -> dict[int, object]:
    """Return the score of each legal move, searched to the end of the game."""
    return dict(alpha_beta_moves(game, len(game.cells), open_lines))


def board_text(game: TicTacToe) -> str:
    """Return three lines with the marks and the numbers of the free cells, counted from 1.

    >>> print(board_text(TicTacToe("X...O....")))
     X | 2 | 3
     4 | O | 6
     7 | 8 | 9
    """
    shown = [str(cell + 1) if mark == EMPTY else mark for cell, mark in enumerate(game.cells)]
    return "\n".join(" " + " | ".join(shown[row : row + 3]) for row in (0, 3, 6))


def result_text(game: TicTacToe, human: Player) -> str:
    """Return the sentence that names the winner, addressed to the human player."""
    match winner(game):
        case None:
            return "A draw."
        case player if player == human:
            return "You win."
        case _:
            return "I win."
