"""Minimax for more than two players: paranoid, also with alpha-beta, MaxN, and moves at the same time.

Source: "Minimax in Battlesnake" (Corey Alexander), the parts on paranoid minimax, on alpha-beta, on
advantages and disadvantages, on MaxN and on multiplayer minimax. A paranoid player assumes that all opponents
choose the worst moves for that player. So each node has a single score, and a bound found in one part of the
tree holds in every other part. In MaxN every player chooses the best for themselves. Simultaneous moves are
searched as if the players chose one after the other. A turn of the game takes one level of the tree for each
player.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic

from searcher.textbook.depth_limited import (
    BEST,
    WORST,
    Evaluator,
    Score,
    end_score,
    estimated,
    leaf_score,
)
from searcher.textbook.game import AnyMove, GameResult, GameT, Player, is_over, mover, play_in_turn


def paranoid_score(game: GameT, me: Player, limit: int, evaluate: Evaluator[GameT]) -> Score:
    """Return the highest score that `me` can force against all opponents. Players move in turn.

    Source: "Minimax in Battlesnake". Adds to `depth_limited_score` more than two players. Every score is
    mine. I choose the highest score, and each opponent the lowest. Nothing is pruned. A line ends where the
    game is over for me, even if the others play on, and on turn `limit`.
    """
    leaf = leaf_score(game, me, limit, evaluate)
    if leaf is not None:
        return leaf
    player = mover(game)
    choose = max if player == me else min
    return choose(
        paranoid_score(play_in_turn(game, move), me, limit, evaluate) for move in game.legal_moves(player)
    )


def paranoid_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[AnyMove, Score]:
    """Return the score of each legal move for the player to move, `depth` turns (at least 1) deep."""
    me = mover(game)
    limit = game.turn + depth
    return {
        move: paranoid_score(play_in_turn(game, move), me, limit, evaluate) for move in game.legal_moves(me)
    }


def alpha_beta_score(
    game: GameT, me: Player, limit: int, evaluate: Evaluator[GameT], alpha: Score = WORST, beta: Score = BEST
) -> Score:
    """Return the score of `paranoid_score` if it lies between `alpha` and `beta`, or else a bound on it.

    Source: "Minimax in Battlesnake". I can force the score `alpha` elsewhere, and the opponents can hold me
    to `beta` elsewhere. A score <= alpha is an upper bound, and a score >= beta is a lower bound.
    """
    leaf = leaf_score(game, me, limit, evaluate)
    if leaf is not None:
        return leaf
    player = mover(game)
    best = WORST if player == me else BEST
    for move in game.legal_moves(player):
        score = alpha_beta_score(play_in_turn(game, move), me, limit, evaluate, alpha, beta)
        if player == me:
            best = max(best, score)
            alpha = max(alpha, best)
        else:
            best = min(best, score)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


def alpha_beta_moves(game: GameT, depth: int, evaluate: Evaluator[GameT]) -> dict[AnyMove, Score]:
    """Return the exact score of each legal move for the player to move, `depth` turns (at least 1) deep.

    Each move is searched with the full window. With the bounds of earlier moves, a worse move could get the
    same score as a better move.
    """
    me = mover(game)
    limit = game.turn + depth
    return {
        move: alpha_beta_score(play_in_turn(game, move), me, limit, evaluate) for move in game.legal_moves(me)
    }


Scores = tuple[Score, ...]
"""One score for each player, in the order of the players."""


def maxn_scores(game: GameT, limit: int, evaluate: Evaluator[GameT], against: Player | None = None) -> Scores:
    """Return the score of each player when every player in turn chooses the best for themselves.

    Source: "Minimax in Battlesnake". Adds to `paranoid_score` a score for every player at every leaf. The
    player to move compares moves by their own score. Among equal moves the first is chosen. If `against` is a
    player, it is the first of the equal moves that are worst for that player. A pessimistic root player names
    itself. No bound limits the opponents' scores, so alpha-beta does not apply.
    """
    if is_over(game) or game.turn >= limit:
        return tuple(end_score(game, each) or estimated(evaluate(game, each)) for each in game.players)
    player = mover(game)
    victim = player if against is None else against
    best = max(
        (
            maxn_scores(play_in_turn(game, move), limit, evaluate, against)
            for move in game.legal_moves(player)
        ),
        key=lambda scores: (scores[player], -scores[victim]),
    )
    # Later moves of the others don't improve the score of a player who is already out.
    return tuple(end_score(game, each) or score for each, score in zip(game.players, best, strict=True))


def maxn_moves(
    game: GameT, depth: int, evaluate: Evaluator[GameT], against: Player | None = None
) -> dict[AnyMove, Score]:
    """Return the mover's own score of each legal move, `depth` turns (at least 1) deep.

    Ties are broken as in `maxn_scores`.
    """
    me: Player = mover(game)
    limit = game.turn + depth
    return {
        move: maxn_scores(play_in_turn(game, move), limit, evaluate, against)[me]
        for move in game.legal_moves(me)
    }


@dataclass(frozen=True)
class SequentialGame(Generic[GameT]):
    """A game of simultaneous moves, played in turn: `first` chooses first, and the opponents follow in order.

    Source: "Minimax in Battlesnake". Makes such games playable for these searches. Choices are collected
    until every player has chosen, and then played together. Later players know the earlier choices. That
    favours all players but `first`, so the scores of `first` are pessimistic. A turn is a turn of the
    underlying game, so depths count whole turns.
    """

    position: GameT
    """The position of the underlying game at the end of the last whole turn."""
    first: Player
    chosen: tuple[AnyMove, ...] = ()
    """The moves already chosen for this turn, in the order of `order`."""

    @property
    def order(self) -> list[Player]:
        """The order of choice: `first` if still in the game, then the opponents as the game lists them."""
        return sorted(self.position.to_move, key=lambda player: player != self.first)

    @property
    def players(self) -> list[Player]:
        """The players of the underlying game."""
        return list(self.position.players)

    @property
    def to_move(self) -> tuple[Player, ...]:
        """The next player to choose. Empty when the game is over."""
        return tuple(self.order[len(self.chosen) : len(self.chosen) + 1])

    @property
    def turn(self) -> int:
        """The number of whole turns played."""
        return self.position.turn

    def legal_moves(self, player: Player) -> list[AnyMove]:
        """Return the moves of `player` in the position before any choice."""
        return list(self.position.legal_moves(player))

    def play(self, moves: Mapping[Player, AnyMove]) -> "SequentialGame[GameT]":
        """Add the choice of the player to move. After the last choice, play the whole turn."""
        chosen = (*self.chosen, moves[mover(self)])
        if len(chosen) < len(self.position.to_move):
            return SequentialGame(self.position, self.first, chosen)
        joint = dict(zip(self.order, chosen, strict=True))
        return SequentialGame(self.position.play(joint), self.first)

    def result(self, player: Player) -> GameResult | None:
        """Return the result of the underlying game."""
        return self.position.result(player)


def sequential_evaluator(evaluate: Evaluator[GameT]) -> Evaluator[SequentialGame[GameT]]:
    """Return the evaluator of a game as an evaluator of its SequentialGame."""
    return lambda game, player: evaluate(game.position, player)


def sequential_paranoid_moves(
    game: GameT, me: Player, depth: int, evaluate: Evaluator[GameT]
) -> dict[AnyMove, Score]:
    """Return the paranoid score of each legal move of `me`. All opponents know the move, and reply in order.

    Source: "Minimax in Battlesnake". The search is plain and unpruned, `depth` whole turns (at least 1) deep.
    Faster searches are checked against it.
    """
    return paranoid_moves(SequentialGame(game, me), depth, sequential_evaluator(evaluate))
