"""Matches for the tests of the report: games by the real rules, of snakes that move at random."""

from collections.abc import Iterator
from random import Random

from msgspec.structs import replace

from arena.games import boards
from arena.games.boards import position_at
from arena.matches.schedule import seatings
from arena.records import (
    FAULTS,
    Block,
    Decision,
    Ending,
    Entrant,
    Game,
    Match,
    Move,
    MoveLimits,
    RecordedDeath,
    Rules,
    Setup,
    Start,
    Turn,
)
from arena.statistics.sprt import Sprt
from searcher.engine.position import Direction, Point, Position
from searcher.engine.rules.records import STEPS
from tests.arena.games.single_turn import play_turn

_WORDS: dict[Direction, Move] = {
    Direction.UP: "up",
    Direction.DOWN: "down",
    Direction.LEFT: "left",
    Direction.RIGHT: "right",
}
_FAULT_EVERY = 23

DUEL = Rules("standard", "standard", 11, 11, 1, 15, 14, 0, 300)
ROYALE = Rules("royale", "royale", 11, 11, 1, 15, 14, 5, 300)
WRAPPED = Rules("wrapped", "standard", 7, 9, 1, 15, 14, 0, 300)
CONSTRICTOR = Rules("constrictor", "empty", 7, 7, 0, 0, 0, 0, 300)
SOLO = Rules("solo", "standard", 7, 7, 1, 15, 14, 0, 60)
SOLO_MAZE = Rules("solo", "solo_maze", 7, 7, 1, 15, 0, 0, 60)
SNAILS = Rules("standard", "snail_mode", 11, 11, 1, 15, 0, 0, 60)


def setup_of(
    rules: Rules, names: tuple[str, ...] = ("one", "two"), snakes: int = 2, company: int = 0
) -> Setup:
    """A setup whose entrants have 100 ms for a move."""
    entrants = tuple(Entrant(name, f"strategy of {name}", MoveLimits(milliseconds=100)) for name in names)
    return Setup(entrants, snakes, rules, seed=7, company=company)


def with_test(match: Match, sprt: Sprt) -> Match:
    """A match with a sequential test."""
    return Match(replace(match.setup, test=sprt), match.blocks)


def random_match(setup: Setup, blocks: int) -> Match:
    """A match of this number of blocks. The first snake of a game reports everything, the others nothing."""
    return Match(setup, tuple(_block(setup, number) for number in range(blocks)))


def frames_of(rules: Rules, game: Game) -> list[Position]:
    """The boards of a game, one before each turn and one at the end; snakes are named by their index."""
    position = position_at(rules, game.start)
    frames = [position]
    for turn in game.turns:
        moves = {
            str(index): Direction[decision.move.upper()]
            for index, decision in enumerate(turn.decisions)
            if decision is not None
        }
        position, _ = play_turn(position, moves)
        position = _changed(rules, position, turn)
        frames.append(position)
    return frames


def random_game(setup: Setup, seats: tuple[int, ...], start: Start, seed: int) -> Game:
    """One game from its start to its end."""
    random, rules = Random(f"{seed} {seats}"), setup.rules
    position, turns = position_at(rules, start), list[Turn]()
    deaths: list[RecordedDeath | None] = [None] * len(seats)
    while (ending := _ending(rules, position, len(seats), len(turns))) is None:
        moves = {snake.id: _safe_move(random, position, snake.body[0]) for snake in position.snakes}
        after, fell = play_turn(position, moves)
        for id_, death in fell.items():
            by = None if death.by is None else int(position.snakes[death.by].id)
            deaths[int(id_)] = RecordedDeath(len(turns), death.cause, by)
        update = boards.update_board(rules, after, seed)
        turn = Turn(
            decisions=tuple(
                _decision(random, moves.get(str(index)), index, len(seats)) for index in range(len(seats))
            ),
            food=update.food,
            hazards=update.hazards,
            restart=update.restart,
        )
        position = _changed(rules, after, turn)
        turns.append(turn)
    return Game(seats, start, tuple(turns), tuple(deaths), ending)


def _block(setup: Setup, number: int) -> Block:
    start = boards.set_up_board(setup.rules, setup.snakes, number)
    games = [random_game(setup, seats, start, number) for seats in seatings(setup, number)]
    return Block(number, tuple(games), milliseconds=sum(len(game.turns) for game in games) * 10.0)


def _changed(rules: Rules, position: Position, turn: Turn) -> Position:
    if turn.restart is not None:
        return position_at(rules, turn.restart)
    hazards = position.hazards if turn.hazards is None else turn.hazards
    return Position(
        position.width,
        position.height,
        position.snakes,
        position.food + turn.food,
        hazards,
        turn=position.turn,
        ruleset=position.ruleset,
    )


def _ending(rules: Rules, position: Position, snakes: int, turns: int) -> Ending | None:
    if not position.snakes:
        return "none left"
    if len(position.snakes) == 1 and snakes > 1:
        return "one left"
    return "turn limit" if turns >= rules.max_turns else None


def _safe_move(random: Random, position: Position, head: Point) -> Direction:
    """A direction that leads onto the board and into no body, if there is one."""
    bodies = {part for snake in position.snakes for part in snake.body}
    safe = [direction for direction, cell in _beside(position, head) if cell not in bodies]
    return random.choice(safe or list(Direction))


def _beside(position: Position, head: Point) -> Iterator[tuple[Direction, Point]]:
    for direction, (dx, dy) in STEPS.items():
        x, y = head[0] + dx, head[1] + dy
        if position.ruleset.wrapped:
            yield direction, (x % position.width, y % position.height)
        elif 0 <= x < position.width and 0 <= y < position.height:
            yield direction, (x, y)


def _decision(random: Random, move: Direction | None, snake: int, snakes: int) -> Decision | None:
    if move is None:
        return None
    fault = FAULTS[random.randrange(len(FAULTS))] if random.randrange(_FAULT_EVERY) == 0 else None
    line = tuple("".join(random.choice("udlr") for _ in range(snakes)) for _ in range(3))
    milliseconds = round(random.uniform(1, 100), 2)
    if snake or fault:
        return Decision(_WORDS[move], milliseconds, fault)
    score = round(random.uniform(-1, 1), 6)
    return Decision(
        _WORDS[move], milliseconds, None, random.randint(3, 9), random.randint(1_000, 90_000), score, line
    )
