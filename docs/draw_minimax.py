"""The pictures of docs/minimax.md: python -m docs.draw_minimax [DIRECTORY] draws them.

The textbook computes every number in them while they are drawn.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from docs.drawing import FAINT, INK, PAPER, Element, box, line, picture, text
from searcher.textbook.battlesnake import Battlesnake, Board, Snake, territory
from searcher.textbook.depth_limited import Score
from searcher.textbook.game import Player, best_moves, is_over, mover, play_in_turn
from searcher.textbook.minimax import best_result, best_result_moves, decayed_moves
from searcher.textbook.multiplayer import (
    SequentialGame,
    alpha_beta_moves,
    maxn_scores,
    paranoid_moves,
    paranoid_score,
    sequential_evaluator,
)
from searcher.textbook.tictactoe import EMPTY, MARKS, TicTacToe, open_lines

THREE_MOVES_LEFT = TicTacToe("XOXOOX...")
"""X to move: one cell wins, one draws, one loses."""

LOST = TicTacToe("X..OX....")
"""O to move: every move loses, one of them later than the others."""

FOUR_SNAKES = Battlesnake(
    Board(
        width=7,
        height=7,
        snakes=(
            Snake("Purple", ((1, 2), (1, 3), (0, 3), (0, 4), (0, 5))),
            Snake("Orange", ((6, 3), (6, 2), (6, 1), (6, 0), (5, 0))),
            Snake("Blue", ((4, 3), (4, 4), (3, 4), (2, 4), (2, 3))),
            Snake("Green", ((2, 0), (2, 1), (3, 1), (3, 2), (3, 3))),
        ),
        food=((0, 6),),
        turn=70,
    )
)
"""Purple, player 0, is the first to choose; all four snakes are equally long."""

Scoring = Callable[[SequentialGame[Battlesnake], Player], Score]
"""A function that returns the score of a position for a player."""

COLOURS = ("#8250df", "#d9730d", "#0969da", "#1a7f37")
CHOSEN = "#fff8c5"


def draw_marks(svg: Element, x: float, y: float, game: TicTacToe, cell: int = 18) -> None:
    """Draw a tic-tac-toe board whose top edge is centred at x, y."""
    left = x - 1.5 * cell
    for place, mark in enumerate(game.cells):
        column, row = place % 3, place // 3
        box(svg, left + column * cell, y + row * cell, cell, cell, PAPER, stroke=FAINT)
        if mark != EMPTY:
            colour = COLOURS[MARKS.index(mark)]
            text(svg, left + (column + 0.5) * cell, y + (row + 0.76) * cell, mark, colour)


def leaves(game: TicTacToe) -> int:
    """Return the number of leaves of the game tree below a position."""
    return 1 if is_over(game) else sum(leaves(play_in_turn(game, move)) for move in game.legal_moves(0))


def draw_tree(svg: Element, game: TicTacToe, left: float = 0, level: int = 0) -> None:
    """Draw a position with its value for X above its whole subtree; heavy lines are best moves."""
    span, drop = 110, 118
    x, y = left + leaves(game) * span / 2, 12 + level * drop
    if not is_over(game):
        best = best_moves(best_result_moves(game))
        for move in game.legal_moves(0):
            after = play_in_turn(game, move)
            weight = "3" if move in best else "1"
            child = left + leaves(after) * span / 2
            line(svg, x, y + 72, child, y + drop, INK, **{"stroke-width": weight})
            draw_tree(svg, after, left, level + 1)
            left += leaves(after) * span
    draw_marks(svg, x, y, game)
    on_move = MARKS[mover(game)] + " to move" if not is_over(game) else "over"
    value = int(best_result(game, game.turn % 2)) * (1 if game.turn % 2 == 0 else -1)
    text(svg, x, y + 69, f"{value:+d}  {on_move}" if value else f"0  {on_move}")


def minimax_tree() -> Element:
    """Draw the whole game tree of THREE_MOVES_LEFT."""
    width = 110 * leaves(THREE_MOVES_LEFT)
    svg = picture(width, 450, "A tic-tac-toe game tree with the value of every position for X")
    draw_tree(svg, THREE_MOVES_LEFT)
    return svg


def decayed_choices() -> Element:
    """Draw LOST and the score of each move of O for O, without and with decay."""
    plain, decayed = best_result_moves(LOST), decayed_moves(LOST)
    svg = picture(660, 215, "A lost tic-tac-toe position and the scores of all its moves")
    draw_marks(svg, 330, 10, LOST)
    for place, (move, score) in enumerate(decayed.items()):
        x = 55 + place * 110
        if move in best_moves(decayed):
            box(svg, x - 50, 108, 100, 102, CHOSEN)
        line(svg, 330, 70, x, 112, INK)
        draw_marks(svg, x, 115, play_in_turn(LOST, move))
        text(svg, x, 186, f"plain {plain[move]:+d}")
        text(svg, x, 203, f"with decay {score:+d}")
    return svg


def evaluated_positions() -> Element:
    """Draw how many positions minimax and alpha-beta evaluate in the first turns of tic-tac-toe."""
    svg = picture(560, 152, "Positions evaluated to the same depth with and without alpha-beta")
    searches = {"minimax": (paranoid_moves, FAINT), "alpha-beta": (alpha_beta_moves, COLOURS[2])}
    most = count_evaluations(paranoid_moves, 5)
    for row, depth in enumerate((3, 4, 5)):
        for bar, (name, (search, colour)) in enumerate(searches.items()):
            y, count = 12 + row * 46 + bar * 18, count_evaluations(search, depth)
            length = 360 * count / most
            text(svg, 70, y + 12, f"{name}, depth {depth}")
            box(svg, 145, y, length, 15, colour)
            text(svg, 150 + length, y + 12, str(count), **{"text-anchor": "start"})
    return svg


def count_evaluations(search: Callable[..., Mapping[Any, Score]], depth: int) -> int:
    """Return how often a search from the empty board calls its evaluator."""
    calls = []

    def evaluate(game: TicTacToe, player: int) -> float:
        calls.append(game)
        return open_lines(game, player)

    search(TicTacToe(), depth, evaluate)
    return len(calls)


def draw_snakes(svg: Element, left: float, top: float, game: Battlesnake, cell: int = 22) -> None:
    """Draw a Battlesnake board: dark squares are heads, pale ones are snakes that died on the last turn."""
    board = game.board

    def corner(point: tuple[int, int]) -> tuple[float, float]:
        return left + point[0] * cell, top + (board.height - 1 - point[1]) * cell

    for x in range(board.width):
        for y in range(board.height):
            box(svg, *corner((x, y)), cell, cell, PAPER, stroke=FAINT)
    for left_edge, top_edge in map(corner, board.food):
        box(svg, left_edge + 7, top_edge + 7, cell - 14, cell - 14, "#cf222e", rx="4")
    for snake, colour in zip(board.snakes, COLOURS, strict=True):
        opacity = 1.0 if snake.alive else 0.35
        for part in reversed([part for part in snake.body if board.holds(part)]):
            fade = opacity if part == snake.head else opacity * 0.55
            left_edge, top_edge = corner(part)
            box(svg, left_edge + 2, top_edge + 2, cell - 4, cell - 4, colour, rx="4", opacity=f"{fade:g}")


def four_snakes() -> Element:
    """Draw FOUR_SNAKES alone."""
    svg = picture(290, 174, "Four snakes on a board of seven by seven cells")
    draw_snakes(svg, 10, 10, FOUR_SNAKES)
    for row, (snake, colour) in enumerate(zip(FOUR_SNAKES.board.snakes, COLOURS, strict=True)):
        box(svg, 185, 40 + row * 24, 14, 14, colour, rx="4")
        text(svg, 206, 52 + row * 24, snake.id, **{"text-anchor": "start"})
    return svg


def score_paranoid(game: SequentialGame[Battlesnake], player: Player) -> Score:
    """Return the score of a position for `player` if all opponents play against Purple."""
    score = paranoid_score(game, 0, FOUR_SNAKES.turn + 1, sequential_evaluator(territory))
    return score if player == 0 else -score


def score_maxn(game: SequentialGame[Battlesnake], player: Player) -> Score:
    """Return the score of a position for `player` if every snake plays for itself."""
    return maxn_scores(game, FOUR_SNAKES.turn + 1, sequential_evaluator(territory))[player]


def expected_turn(game: SequentialGame[Battlesnake], scoring: Scoring) -> SequentialGame[Battlesnake]:
    """Return the position after this turn if each player in turn chooses their highest score."""
    turn = game.turn
    while game.turn == turn:
        player = mover(game)
        choices = [play_in_turn(game, move) for move in game.legal_moves(player)]
        scores = [scoring(choice, player) for choice in choices]
        game = choices[scores.index(max(scores))]
    return game


def paranoid_and_maxn() -> Element:
    """Draw, for each move of Purple, the position and scores that each search expects after the turn."""
    svg = picture(680, 480, "The same three moves of Purple as seen by paranoid minimax and by MaxN")
    start = SequentialGame(FOUR_SNAKES, first=0)
    for row, (name, scoring) in enumerate({"Paranoid": score_paranoid, "MaxN": score_maxn}.items()):
        top = 30 + row * 235
        text(svg, 50, top + 80, name, **{"font-weight": "bold"})
        after = {move: play_in_turn(start, move) for move in start.legal_moves(0)}
        best = best_moves({move: scoring(position, 0) for move, position in after.items()})
        for column, (move, position) in enumerate(after.items()):
            left = 110 + column * 190
            if move in best:
                box(svg, left - 10, top - 22, 174, 216, CHOSEN)
            text(svg, left + 77, top - 6, f"Purple {move.value}")
            expected = expected_turn(position, scoring)
            draw_snakes(svg, left, top, expected.position)
            shown = range(1) if scoring is score_paranoid else expected.players
            for player in shown:
                x = left + 77 + (player - (len(shown) - 1) / 2) * 44
                text(svg, x, top + 174, f"{scoring(expected, player).value:+.2f}", COLOURS[player])
    return svg


PICTURES: dict[str, Callable[[], Element]] = {
    "minimax-tree": minimax_tree,
    "decayed-choices": decayed_choices,
    "alpha-beta": evaluated_positions,
    "four-snakes": four_snakes,
    "paranoid-and-maxn": paranoid_and_maxn,
}
"""The drawing functions by file name, without .svg."""


def main() -> None:
    """Draw all pictures into a directory, by default docs/images."""
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / "images"
    directory.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        svg = draw()
        ElementTree.indent(svg)
        source = ElementTree.tostring(svg, encoding="unicode")
        (directory / f"{name}.svg").write_text(source + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
