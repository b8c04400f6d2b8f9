"""Replays of recorded games: the board that a game starts from, and its turns played again."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from arena.games.maps import BoardUpdate
from arena.records.files import Match
from arena.records.model import Cell, Game, Move, Rules, Start, Turn
from searcher.engine.live_board import LiveGame
from searcher.engine.position import Direction, Position, Ruleset, Snake, closes_in
from searcher.engine.rules.deaths import Death
from searcher.precompile.code import turn_code_for
from searcher.precompile.prepare import prepare_code

_WORDS: dict[Direction, Move] = {
    Direction.UP: "up",
    Direction.DOWN: "down",
    Direction.LEFT: "left",
    Direction.RIGHT: "right",
}


def move_word(direction: Direction) -> Move:
    """Return a direction as records and the API write it."""
    return _WORDS[direction]


def direction_of(move: Move) -> Direction:
    """Return the direction of a recorded move."""
    return Direction[move.upper()]


def position_at(rules: Rules, start: Start) -> Position:
    """Return the position that a game starts from; its snakes are named by their index."""
    shrink_every = rules.shrink_every * closes_in(rules.ruleset, rules.map)
    return Position(
        width=rules.width,
        height=rules.height,
        snakes=tuple(
            Snake(str(index), health, body)
            for index, (health, body) in enumerate(zip(start.health, start.bodies, strict=True))
        ),
        food=start.food,
        hazards=start.hazards,
        turn=start.turn,
        ruleset=Ruleset(rules.ruleset, rules.hazard_damage, shrink_every),
    )


class BoardInPlay:
    """The board of a game, turn by turn: `position` has what the rules and the map have made of it."""

    def __init__(self, rules: Rules, start: Start) -> None:
        self._rules = rules
        self.position = position_at(rules, start)
        self._live = LiveGame(self.position)

    def play(self, moves: Mapping[str, Direction]) -> dict[str, Death]:
        """Play the moves of all living snakes, by id, and return the deaths of the turn, by id."""
        deaths = self._live.play(moves)
        self.position = replace(self._live.position, hazards=self.position.hazards)
        return deaths

    def update(self, update: BoardUpdate) -> None:
        """Make the changes of the map."""
        if update.restart is not None:
            self.position = position_at(self._rules, update.restart)
            self._live = LiveGame(self.position)
            return
        hazards = self.position.hazards if update.hazards is None else update.hazards
        self._live.change(update.food, hazards_on_board(self.position, hazards))
        self.position = replace(self._live.position, hazards=hazards)


def hazards_on_board(position: Position, hazards: tuple[Cell, ...]) -> tuple[Cell, ...]:
    """Return those of the hazards that have an effect."""
    return tuple((x, y) for x, y in hazards if 0 <= x < position.width and 0 <= y < position.height)


def prepare_replays(match: Match) -> None:
    """Compile what `replayed` needs for the games of a match, with progress."""
    # The games of a match have the same size of board and the same number of snakes.
    games = [game for block in match.blocks[:1] for game in block.games[:1]]
    prepare_code(turn_code_for(position_at(match.setup.rules, game.start)) for game in games)


def replayed(rules: Rules, game: Game) -> Iterator[Position]:
    """Yield the position before each turn of a game, then the one at its end."""
    board = BoardInPlay(rules, game.start)
    yield board.position
    for turn in game.turns:
        board.play(moves_in(turn))
        board.update(BoardUpdate(turn.food, turn.hazards, turn.restart))
        yield board.position


def moves_in(turn: Turn) -> dict[str, Direction]:
    """Return the moves of a turn by the snake's id."""
    return {
        str(snake): direction_of(decision.move)
        for snake, decision in enumerate(turn.decisions)
        if decision is not None
    }
