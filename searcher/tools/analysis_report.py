"""The analysis of one position: its source, a search of it, and the report of the results as text or JSON.

A source is a /move body, or a turn of a game as `battlesnake play --output FILE` writes it. Such a file has a
line of JSON for the game, a line for each turn, and a line for the result. The line of a turn is a /move body
of one of the snakes, dead or alive.

The JSON report is one object with the field names of the contract. Its `position` is a Position of the
contract in JSON. Moves are as in a /move response, times in seconds.
"""

import math
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import msgspec
from rich.table import Table
from rich.text import Text

from battlesnake_search.board import Snake, Turn
from battlesnake_search.common.cli import echo_document
from battlesnake_search.common.console import Console
from battlesnake_search.common.drawing import draw_board, draw_key, letter, printable, style_of
from battlesnake_search.common.types import Json
from battlesnake_search.reader import BadBody, decode
from battlesnake_search.searchable import position_of
from searcher.engine.position import Position
from searcher.engine.result import JointMove, Limits, Outcome, OutcomeKind, Result, RootMove, ScoreKind
from searcher.engine.search.clock import Clock
from searcher.interface import OnDepth, StrategyChoice, Task
from searcher.precompile.code_units import codes_for
from searcher.precompile.prepare import prepare_code
from searcher.serving.scheduling.deadlines import DEFAULT_TIME
from searcher.session import SearchSession
from searcher.strategies import AUTO_NAME, FALLBACK, parse_choice, parse_strategy, strategy_of
from searcher.tools.move_body_check import checked_task, position_document
from searcher.tools.weights import parse_weights

_WIDE = 10_000
"""Columns of an output that is not a terminal: enough for any line."""


def new_console() -> Console:
    """Return a console that breaks no lines, except on a terminal that is too narrow for them."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = _WIDE
    return console


STANDARD_INPUT = "/dev/stdin"
"""The path that stands for the file "-"."""


class _Board(msgspec.Struct):
    snakes: list[msgspec.Raw]


class _Line(msgspec.Struct):
    """A line of a game. Only the lines of turns have these fields."""

    turn: int | None = None
    board: _Board | None = None


def read_source(text: str, you: str | None) -> Turn:
    """Return the position in FILE or FILE:TURN, where FILE may be "-" for standard input.

    `you` is the name or the id of the snake to move, by default the body's `you`, or the first living snake.
    Raises ValueError with the valid values.
    """
    path, turn = _split(STANDARD_INPUT if text == "-" else text)
    content = _content(path)
    lines = _lines(content)
    is_game = len(lines) != 1
    try:
        body = _body_of_turn(path, lines, turn) if is_game else _single_body(path, lines[0], turn)
    except BadBody as error:
        raise ValueError(": ".join(filter(None, [path, error.field, error.reason]))) from None
    except msgspec.DecodeError as error:
        raise ValueError(f"{path}: {error}") from None
    snakes = body.board.snakes
    if you is not None:
        body = msgspec.structs.replace(body, you=_named(you, snakes, body.turn))
    elif is_game:
        body = msgspec.structs.replace(body, you=snakes[0])
    return body


def _split(text: str) -> tuple[str, int | None]:
    """Return the path and the turn of FILE or FILE:TURN. A file whose name has a colon is found as well."""
    path, colon, turn = text.rpartition(":")
    if not colon or Path(text).exists() or not Path(path).exists():
        return text, None
    if not turn.isdecimal():
        raise ValueError(f"{text}: the turn after the colon must be a whole number, not {turn!r}")
    return path, int(turn)


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None


def _lines(content: bytes) -> list[bytes]:
    """Return each value of JSON lines. Other content is one value, for a more tolerant parser."""
    try:
        return [bytes(line) for line in msgspec.json.Decoder(msgspec.Raw).decode_lines(content)]
    except msgspec.DecodeError:
        return [content]


def _single_body(path: str, content: bytes, turn: int | None) -> Turn:
    body = position_of(decode(content)).turn
    if turn not in (None, body.turn):
        raise ValueError(f"{path} is a /move body of turn {body.turn}, not of turn {turn}")
    return body


def _body_of_turn(path: str, lines: Sequence[bytes], turn: int | None) -> Turn:
    """Return the /move body of a turn of a game. Raises ValueError unless a snake is alive then."""
    parsed = [(msgspec.json.decode(line, type=_Line), line) for line in lines]
    bodies = {each.turn: line for each, line in parsed if each.turn is not None and each.board is not None}
    alive = [each.turn for each, _ in parsed if each.turn in bodies and each.board and each.board.snakes]
    if not alive:
        raise ValueError(f"{path} has neither a /move body nor turns of a game with a living snake")
    valid = f"valid: {min(alive)} to {max(alive)}"
    if turn is None:
        raise ValueError(f"{path} is a whole game; add a turn, as in {path}:{max(alive)}; {valid}")
    if turn not in alive:
        what = "no snake is alive in" if turn in bodies else "there is no such turn in"
        raise ValueError(f"turn {turn}: {what} {path}; {valid}")
    return position_of(decode(bodies[turn])).turn


def _named(you: str, snakes: Sequence[Snake], turn: int) -> Snake:
    """Return the snake of this id, or else of this name."""
    found = [snake for snake in snakes if snake.id == you] or [snake for snake in snakes if snake.name == you]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(snake.id for snake in found)
        raise ValueError(f"--you: {len(found)} snakes are named {you!r}; give an id: {ids}")
    valid = ", ".join(snake.name or snake.id for snake in snakes)
    raise ValueError(f"--you: no snake {you!r} is alive on turn {turn}; valid: {valid}, or an id")


def draw_legend(position: Position, names: Sequence[str]) -> Table:
    """Return a line for each snake: its letter, name, id, health and length, and whether it is to move."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for column in ("letter", "you", "name", "id", "health", "length", "hazard"):
        # On a narrow terminal ids are cut, then names.
        table.add_column(column, no_wrap=column != "id")
    for number, (snake, name) in enumerate(zip(position.snakes, names, strict=True)):
        you = Text("you" if number == position.you else "", "bold")
        state = f"health {snake.health:>3}", f"length {len(snake.body):>3}"
        hazard = "head in a hazard" if snake.body[0] in position.hazards else ""
        id_ = printable(snake.id)
        id_.no_wrap, id_.overflow = True, "ellipsis"
        table.add_row(letter(number), you, printable(name), id_, *state, hazard)
    return table


class JsonReport:
    """Prints the whole analysis of a task at its end."""

    def __init__(self, body: Turn, task: Task) -> None:
        self._body = body
        self._task = task
        self._ids = [snake.id for snake in task.position.snakes]
        self._depths: list[Json] = []

    def depth(self, result: Result) -> None:
        """Keep the result of a completed depth."""
        self._depths.append(self._result(result))

    def end(self, result: Result) -> None:
        """Print the position, the strategy, the limits, each depth and the result."""
        task, limits = self._task, self._task.limits
        document = {
            "position": position_document(self._body),
            "strategy": task.strategy,
            "limits": {
                "time": task.time,
                "depth": limits.depth,
                "nodes": limits.nodes,
                "threads": limits.threads,
            },
            "depths": self._depths,
            **self._result(result),
            "stop_reason": result.stop_reason,
            "evaluations": result.evaluations,
            "table_hits": result.table_hits,
            "table_fill": result.table_fill,
            "code_digest": task.code_digest,
            "choice_digest": task.choice_digest,
        }
        echo_document(msgspec.json.encode(document))

    def _result(self, result: Result) -> Json:
        return {
            "move": result.move.name.lower(),
            "score": _score(result.score, outcome_of(result)),
            "depth": result.depth,
            "nodes": result.nodes,
            "elapsed": result.elapsed,
            "root_moves": [_root_move(root_move) for root_move in result.root_moves],
            "principal_variation": [self._joint_move(joint) for joint in result.principal_variation],
        }

    def _joint_move(self, joint: JointMove) -> dict[str, dict[str, str]]:
        pairs = zip(self._ids, joint, strict=True)
        return {"moves": {id_: move.name.lower() for id_, move in pairs if move is not None}}


def _root_move(root_move: RootMove) -> Json:
    score = _score(root_move.score, root_move.outcome)
    return {**asdict(root_move), "move": root_move.move.name.lower(), "score": score}


def _score(score: float, outcome: Outcome | None) -> float:
    """Return a score as people read it: 0 for a proven draw. Searches rank a draw just above a loss."""
    return 0.0 if outcome is not None and outcome.kind is OutcomeKind.DRAW else score


def outcome_of(result: Result) -> Outcome | None:
    """Return the proven end after the move of a result, or None.

    A search that the clock ended at once has no root moves.
    """
    return next((each.outcome for each in result.root_moves if each.move == result.move), None)


_HEADER = f"{'depth':>5}  {'move':<5}  {'score':>7}  {'nodes':>13}  {'ms':>8}  "


class TextReport:
    """Prints the analysis of a task as it proceeds, first the position and the header of the depths.

    On a terminal a depth is one line, cut if too long.
    """

    def __init__(self, body: Turn, task: Task) -> None:
        self._body = body
        self._task = task
        self._console = new_console()
        position = task.position
        size, food, hazards = (position.width, position.height), position.food, position.hazards
        bodies = {number: snake.body for number, snake in enumerate(position.snakes)}
        title = f"Turn {position.turn}, {position.ruleset.name} on {size[0]}x{size[1]}"
        self._console.print(Text(title, "bold"))
        self._console.print(draw_board(*size, bodies, food, hazards))
        if key := draw_key(food, hazards, position.ruleset.hazard_damage):
            self._console.print(key)
        self._console.print(draw_legend(position, [snake.name for snake in body.board.snakes]))
        self._console.print()
        self._console.print(self._headline())
        letters = Text().join(letter(snake) for snake in range(len(position.snakes)))
        self._print_line(Text.assemble((_HEADER, "bold"), letters))

    def depth(self, result: Result) -> None:
        """Print the line of a completed depth."""
        pv = Text(" ").join(_joint_move(joint) for joint in result.principal_variation)
        counts = f"{result.nodes:>13,}  {result.elapsed * 1000:>8.1f}"
        score = _score(result.score, outcome_of(result))
        start = f"{result.depth:>5}  {result.move.name.lower():<5}  {score:>+7.4f}  {counts}  "
        self._print_line(Text.assemble(start, pv))

    def end(self, result: Result) -> None:
        """Print the stop reason, the root moves and the expected moves."""
        reason = result.stop_reason.value if result.stop_reason else ""
        self._console.print(
            f"stopped: {reason}, {result.nodes:,} nodes, {result.evaluations:,} evaluations, "
            f"{result.table_hits:,} table hits, table {result.table_fill:.0%} full"
        )
        self._console.print()
        self._console.print(_root_table(result))
        self._console.print()
        self._console.print("expected moves", style="bold")
        for line in self._expected_moves(result):
            self._console.print(line)

    def _print_line(self, text: Text) -> None:
        self._console.print(text, no_wrap=True, overflow="ellipsis")

    def _headline(self) -> Text:
        task, limits = self._task, self._task.limits
        defaults = strategy_of(task.strategy.search, task.strategy.evaluator).weights
        changed = task.strategy.weights.items() - defaults.items()
        parts = (
            *(f"{name}={value:g}" for name, value in sorted(changed)),
            None if task.time is None else f"{task.time * 1000:,.0f} ms",
            None if limits.depth is None else f"depth {limits.depth}",
            None if limits.nodes is None else f"{limits.nodes:,} nodes",
            None if limits.threads == 1 else f"{limits.threads} threads",
        )
        searched = ", ".join([str(task.strategy), *filter(None, parts)])
        snake = self._body.board.snakes[task.position.you]
        name = printable(snake.name or snake.id)
        return Text.assemble(f"{searched}: ", letter(task.position.you), " (", name, ") to move")

    def _expected_moves(self, result: Result) -> Iterator[Text]:
        """Yield a line for each snake: its letter, and its moves turn by turn."""
        for number in range(len(self._task.position.snakes)):
            moves = [_move(joint, number) for joint in result.principal_variation]
            yield Text.assemble(letter(number), "  ", Text(" ").join(moves))


def _joint_move(joint: JointMove) -> Text:
    return Text().join(_move(joint, snake) for snake in range(len(joint)))


def _move(joint: JointMove, snake: int) -> Text:
    """Return the first letter of a snake's move, or "." if the snake is dead or stands still."""
    move = joint[snake]
    return Text("." if move is None else move.name[0].lower(), style_of(snake))


def _root_table(result: Result) -> Table:
    table = Table("move", "score", "depth", "outcome", box=None, pad_edge=False)
    for column in ("score", "depth"):
        next(each for each in table.columns if each.header == column).justify = "right"
    for root_move in result.root_moves:
        bound = "≤ " if root_move.score_kind is ScoreKind.UPPER_BOUND else ""
        score = f"{bound}{_score(root_move.score, root_move.outcome):+.4f}"
        depth = str(root_move.depth)
        table.add_row(root_move.move.name.lower(), score, depth, outcome_text(root_move.outcome))
    return table


def outcome_text(outcome: Outcome | None) -> str:
    """Return a proven end as text, empty without a proven end."""
    return "" if outcome is None else f"{outcome.kind.value} in {outcome.turns}"


def analyze(
    file: str,
    you: str | None,
    choice: StrategyChoice,
    limits: Limits,
    seconds: float | None,
    as_json: bool,
) -> None:
    """Search the position in FILE or FILE:TURN, and print the results.

    Raises ValueError, or InvalidRequestError for an invalid position, weight or limit.
    """
    body = read_source(file, you)
    if seconds is None and limits.depth is None and limits.nodes is None:
        seconds = DEFAULT_TIME
    task = replace(checked_task(body, choice, limits), time=seconds)
    prepare_code(codes_for(task.position, task.strategy)[:1])
    report = JsonReport(body, task) if as_json else TextReport(body, task)
    report.end(_search(task, report.depth))


def choice_with(name: str, weights: str | None) -> StrategyChoice:
    """Return the choice of this name with the weights of an option. Raises ValueError."""
    if weights is None:
        return parse_choice(name)
    if name == AUTO_NAME:
        raise ValueError(
            f"{AUTO_NAME} has no weights: it chooses the evaluator; name a strategy with --strategy"
        )
    strategy = parse_strategy(name) if name else FALLBACK
    return strategy_of(strategy.search, strategy.evaluator, parse_weights(weights, strategy.evaluator))


def _search(task: Task, on_depth: OnDepth) -> Result:
    """Search until a limit or the user ends it.

    The search runs in a thread of its own, because Python handles signals in the main thread, between steps
    of Python code.
    """
    session = SearchSession()
    clock = Clock(time.monotonic() + (math.inf if task.time is None else task.time))
    former = signal.signal(signal.SIGINT, lambda *_: clock.stop())
    try:
        with ThreadPoolExecutor(1) as pool:
            search = session.search
            return pool.submit(search, task.position, task.strategy, task.limits, clock, on_depth).result()
    finally:
        signal.signal(signal.SIGINT, former)
