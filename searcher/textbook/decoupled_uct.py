"""Monte Carlo tree search: sampled lines instead of all lines, with moves at the same time.

Source: Tak, Lanctot and Winands, "Monte Carlo Tree Search Variants for Simultaneous Move Games" (2014), on
decoupled UCT. The bonus is by Silver et al., "Mastering the game of Go without human knowledge" (2017), with
equal priors.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from typing import Generic, Protocol

from searcher.textbook.depth_limited import Evaluator, Score, end_score
from searcher.textbook.game import AnyMove, GameResult, GameT, Player

EXPLORATION = 0.2
"""The weight of the bonus for moves that were seldom tried."""

DISCOUNT = 0.99
"""The factor by which a value shrinks with each turn."""


class Rng(Protocol):
    """A random number generator, such as `random.Random`."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to `stop - 1`."""

    def random(self) -> float:
        """Return a number from 0 to less than 1."""


@dataclass
class Node(Generic[GameT]):
    """A position and its samples, by player and move.

    chosen: the number of times that the player chose the move. totals: the sum of the values that followed.
    proof: my sure score. proofs: the sure scores of my moves, as far as there are any.
    """

    game: GameT
    moves: dict[Player, list[AnyMove]]
    values: dict[Player, float]
    proof: Score | None
    visits: int = 0
    chosen: Counter[tuple[Player, AnyMove]] = field(default_factory=Counter)
    totals: Counter[tuple[Player, AnyMove]] = field(default_factory=Counter)
    proofs: dict[AnyMove, Score] = field(default_factory=dict)
    children: dict[tuple[AnyMove, ...], "Node[GameT]"] = field(default_factory=dict)


def decoupled_uct(
    game: GameT, me: Player, iterations: int, evaluate: Evaluator[GameT], rng: Rng, depth: int = 120
) -> Node[GameT]:
    """Return the root of a tree after a number of iterations. No node is deeper than `depth` turns.

    Source: Tak, Lanctot and Winands. Unlike `simultaneous`, it doesn't search every joint move. The better a
    line's moves are for their players, the more often it is sampled. Every player maximizes their own values.
    The search stops early if the root is proven.
    """
    root = new_node(game, me, evaluate)
    root.visits = 1
    for _ in range(iterations):
        if root.proof is None:
            iterate(root, me, game.turn + depth, evaluate, rng)
    return root


def new_node(game: GameT, me: Player, evaluate: Evaluator[GameT]) -> Node[GameT]:
    """Return a node without visits. A position in which the game is over for `me` has no moves."""
    proof, values = end_score(game, me), {}
    for player in game.players:
        result = game.result(player)
        values[player] = evaluate(game, player) if result is None else float(result)
    moves = {} if proof else {player: list(game.legal_moves(player)) for player in game.to_move}
    return Node(game, moves, values, proof)


def iterate(root: Node[GameT], me: Player, limit: int, evaluate: Evaluator[GameT], rng: Rng) -> None:
    """Follow the players' choices out of the tree, add a node, and credit its values to the choices."""
    path, node = [], root
    new = False
    while node.moves and node.game.turn < limit and not new:
        joint = choose_joint(node, me, rng)
        key = tuple(joint.items())
        path.append((node, joint))
        new = key not in node.children
        if new:
            node.children[key] = new_node(node.game.play(joint), me, evaluate)
        node = node.children[key]
    credit(path, node)
    proof = node.proof if new else None
    for parent, joint in reversed(path):
        proof = prove(parent, me, joint[me]) if proof else None


def choose_joint(node: Node[GameT], me: Player, rng: Rng) -> dict[Player, AnyMove]:
    """Return a move for every player, each chosen by the player's own statistics alone."""
    joint = {}
    for player, moves in node.moves.items():
        joint[player] = choose(node, player, open_moves(node, me) if player == me else moves, rng)
    return joint


def choose(node: Node[GameT], player: Player, moves: list[AnyMove], rng: Rng) -> AnyMove:
    """Return a move with the greatest sum of mean value and bonus. A move never chosen comes first."""
    best, best_sum, ties = None, -math.inf, 0
    for move in moves:
        total, visits = math.inf, node.chosen[player, move]
        if visits:
            # Without noise the choices of the players would go in step.
            bonus = EXPLORATION * math.sqrt(node.visits) * (2 * rng.random()) / (1 + visits)
            total = node.totals[player, move] / visits + bonus
        if total > best_sum:
            best, best_sum, ties = move, total, 1
        elif total == best_sum:
            ties += 1
            best = move if rng.randrange(ties) == 0 else best
    return best


def open_moves(node: Node[GameT], me: Player) -> list[AnyMove]:
    """Return my moves worth choosing: only a sure win, or else all but sure losses, or else all moves."""
    wins = [move for move, proof in node.proofs.items() if proof.result is GameResult.WIN]
    return wins or [move for move in node.moves[me] if move not in node.proofs] or node.moves[me]


def credit(path: list[tuple[Node[GameT], dict[Player, AnyMove]]], leaf: Node[GameT]) -> None:
    """From the path's end to its start, multiply the values by DISCOUNT and add them to the moves' totals."""
    values = dict(leaf.values)
    leaf.visits += 1
    for node, joint in reversed(path):
        node.visits += 1
        for player, move in joint.items():
            values[player] *= DISCOUNT
            node.chosen[player, move] += 1
            node.totals[player, move] += values[player]


def prove(node: Node[GameT], me: Player, move: AnyMove) -> Score | None:
    """If the proof of a child by `move` proves the node as well, return the node's score, else None.

    A move is proven if all replies to it win, or if all lose. A loss that needs the right reply is no proof,
    because that reply may never come.
    """
    replies = math.prod(len(moves) for player, moves in node.moves.items() if player != me)
    after = [child.proof for joint, child in node.children.items() if (me, move) in joint and child.proof]
    if node.proof or len(after) < replies:
        return None
    if min(after).result is GameResult.WIN or max(after).result is GameResult.LOSS:
        node.proofs[move] = min(after)
    if min(after).result is GameResult.WIN or len(node.proofs) == len(node.moves[me]):
        node.proof = max(node.proofs.values())
    return node.proof
