"""The trees of `mcts` and of the textbook for the same position, and their comparison."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from searcher.engine.algorithms.mcts import MCTS
from searcher.engine.algorithms.search_tree import ROOT, UNPROVEN
from searcher.engine.position import Direction, Position
from searcher.engine.result import Limits, Result
from searcher.engine.root.tree import TreeGrowth
from searcher.engine.rules.packing import pack
from searcher.engine.rules.records import WEIGHTS_DTYPE, shapes_for
from searcher.engine.search.clock import Clock
from searcher.engine.search.score import HEURISTIC_LIMIT, draw_at, heuristic, loss_at, win_at
from searcher.engine.search.table import Table
from searcher.engine.search.threads import ThreadSetup, new_thread
from searcher.precompile.code_units import StrategyCode
from searcher.strategies import evaluators
from searcher.textbook.battlesnake import Battlesnake
from searcher.textbook.decoupled_uct import Node, decoupled_uct
from searcher.textbook.depth_limited import Score
from searcher.textbook.game import GameResult
from tests.searcher.engine.positions import board_of
from tests.searcher.engine.searches import EVALUATORS

_MASK = (1 << 64) - 1


class Xorshift:
    """The engine's random number generator in plain Python."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def randrange(self, stop: int, /) -> int:
        """Return the next number, modulo `stop`."""
        return self._next() % stop

    def random(self) -> float:
        """Return the 53 highest bits of the next number as a fraction."""
        return (self._next() >> 11) * 2.0**-53

    def _next(self) -> int:
        self._state ^= self._state << 13 & _MASK
        self._state ^= self._state >> 7
        self._state ^= self._state << 17 & _MASK
        return self._state


@dataclass(frozen=True)
class GrownTree:
    """A tree of the engine's, the result of its search, and the seed of its random numbers.

    `children` are the indices of all nodes but the root, by parent and joint move.
    """

    record: Any
    result: Result
    seed: int
    children: dict[tuple[int, int], int]


def engine_tree(position: Position, evaluator: str, limits: Limits) -> GrownTree:
    """Return the tree that one thread grows, with the evaluator's default weights."""
    StrategyCode("mcts", evaluator, shapes_for(position)[0]).load()
    chosen, weights = evaluators()[evaluator], np.zeros(1, dtype=WEIGHTS_DTYPE)
    weights["values"][0, : len(chosen.weights)] = [weight.default for weight in chosen.weights]
    setup, clock = ThreadSetup(MCTS, chosen.evaluate, weights), Clock(math.inf)
    thread = new_thread(position, pack(position), setup, limits, clock, Table(1 << 16))
    growth, record = TreeGrowth(position, [thread], limits, clock), thread.state["own"][0]
    seed = int(record["rng"])
    result, nodes = growth.run(), record["nodes"][: int(record["used"])]
    names = zip(nodes["parent"].tolist(), nodes["joint"].tolist(), strict=True)
    children = {name: index for index, name in enumerate(names) if index != ROOT}
    return GrownTree(record, result, seed, children)


def textbook_tree(position: Position, evaluator: str, nodes: int, seed: int, depth: int) -> Node[Battlesnake]:
    """Return the root of the textbook's tree, with the engine's random numbers and its rounded values."""
    evaluate, game = EVALUATORS[evaluator], Battlesnake(board_of(position))

    def rounded(game: Battlesnake, player: int) -> float:
        return heuristic(evaluate(game, player)) / HEURISTIC_LIMIT

    return decoupled_uct(game, position.you, nodes, rounded, Xorshift(seed), depth)


def assert_same(tree: GrownTree, node: Node[Battlesnake], me: int, start: int, index: int = ROOT) -> int:
    """Assert that a node and all nodes below it are the textbook's, and return how many they are."""
    record = tree.record["nodes"][index]
    assert record["visits"] == node.visits
    drawn = node.proof is not None and node.proof.turn is None
    turns = node.game.turn - start
    assert record["proven"] == (draw_at(turns) if drawn else number_of(node.proof, start))
    moves = list(node.game.legal_moves(me)) if node.moves else []
    for move in moves:
        assert record["proven_moves"][Direction[move.name]] == number_of(node.proofs.get(move), start)
    for player in node.moves:
        for move in node.game.legal_moves(player):
            place = player, Direction[move.name]
            assert record["move_visits"][place] == node.chosen[player, move]
            # Equal to the last bit: the same sums in the same order.
            assert record["move_values"][place] == node.totals[player, move]
    nodes = 1
    for joint, child in node.children.items():
        bits = sum(Direction[move.name] << 2 * player for player, move in joint)
        nodes += assert_same(tree, child, me, start, tree.children[index, bits])
    return nodes


def number_of(proof: Score | None, start: int) -> int:
    """Return a proven win or loss of the textbook as the engine's integer; UNPROVEN for none."""
    if proof is None or proof.turn is None:
        return UNPROVEN
    end = {GameResult.WIN: win_at, GameResult.LOSS: loss_at}[proof.result]
    return int(end(proof.turn - start))
