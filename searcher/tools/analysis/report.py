"""The report of an analysis for people: the board, the results depth by depth, the root moves, the pv."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from battlesnake_search.common.drawing import letter, printable, style_of
from searcher.engine.result import JointMove, Outcome, Result
from searcher.interface import Task
from searcher.strategies import strategy_of
from searcher.tools.analysis.board import draw_board, draw_key, draw_legend
from searcher.tools.analysis.source import Source
from searcher.tools.console import new_console

_HEADER = f"{'depth':>5}  {'move':<5}  {'score':>7}  {'nodes':>13}  {'ms':>8}  "


class TextReport:
    """Prints the analysis of a task as it proceeds. On a terminal a depth is one line, which may be cut."""

    def __init__(self, source: Source, task: Task) -> None:
        self._source = source
        self._task = task
        self._console = new_console()

    def begin(self) -> None:
        """Print the position and the header of the depths."""
        position, body = self._task.position, self._source.body
        size = f"{position.width}x{position.height}"
        self._console.print(Text(f"Turn {position.turn}, {position.ruleset.name} on {size}", "bold"))
        self._console.print(draw_board(position))
        if key := draw_key(position):
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
        start = f"{result.depth:>5}  {result.move.name.lower():<5}  {result.score:>+7.4f}  {counts}  "
        self._print_line(Text.assemble(start, pv))

    def end(self, result: Result) -> None:
        """Print why the search stopped, the root moves and the moves that the search expects."""
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
        hint = "" if self._source.is_you_given else ", the first snake alive; --you names another"
        snake = self._source.body.board.snakes[task.position.you]
        name = printable(snake.name or snake.id)
        return Text.assemble(f"{searched}: ", letter(task.position.you), " (", name, f") to move{hint}")

    def _expected_moves(self, result: Result) -> Iterator[Text]:
        """Yield a line for each snake: its letter, and its moves turn by turn."""
        for number in range(len(self._task.position.snakes)):
            moves = [_move(joint, number) for joint in result.principal_variation]
            yield Text.assemble(letter(number), "  ", Text(" ").join(moves))


def _joint_move(joint: JointMove) -> Text:
    return Text().join(_move(joint, snake) for snake in range(len(joint)))


def _move(joint: JointMove, snake: int) -> Text:
    """Return the first letter of a snake's move, or a point if it is dead or stands still."""
    move = joint[snake]
    return Text("." if move is None else move.name[0].lower(), style_of(snake))


def _root_table(result: Result) -> Table:
    table = Table("move", "score", "depth", "outcome", box=None, pad_edge=False)
    for column in ("score", "depth"):
        next(each for each in table.columns if each.header == column).justify = "right"
    for root_move in result.root_moves:
        score, depth = f"{root_move.score:+.4f}", str(root_move.depth)
        table.add_row(root_move.move.name.lower(), score, depth, outcome_text(root_move.outcome))
    return table


def outcome_text(outcome: Outcome | None) -> str:
    """Return a proven end as text; empty if there is none."""
    return "" if outcome is None else f"{outcome.kind.value} in {outcome.turns}"
