"""The analysis of one position: the results of a search, depth by depth."""

import time

from rich.console import Console
from rich.table import Table

from searcher.engine.position import Position
from searcher.engine.result import JointMove, Limits, Result, RootMove
from searcher.engine.search.clock import Clock
from searcher.interface import Strategy
from searcher.precompile.parts import parts_for
from searcher.precompile.prepare import prepare_code
from searcher.session import SearchSession


def analyze(position: Position, strategy: Strategy, milliseconds: int) -> None:
    """Search for some milliseconds; print each completed depth, then every root move."""
    prepare_code(parts_for(position, strategy)[:1])
    console = Console(highlight=False)
    console.print(f"{strategy}, {milliseconds} ms, {position.snakes[position.you].id} to move")
    result = SearchSession().search(
        position,
        strategy,
        Limits(),
        Clock(time.monotonic() + milliseconds / 1000),
        lambda state: console.print(_depth_line(position, state), soft_wrap=True),
    )
    console.print(
        f"stopped: {result.stop_reason.value if result.stop_reason else ''}, {result.nodes:,} nodes, "
        f"{result.evaluations:,} evaluations, {result.table_hits:,} table hits, "
        f"table {result.table_fill:.0%} full"
    )
    console.print(_root_table(result))


def _depth_line(position: Position, state: Result) -> str:
    pv = " ".join(_joint_text(joint) for joint in state.principal_variation)
    counts = f"{state.nodes:>12,} nodes {state.elapsed * 1000:>7.1f} ms"
    return f"depth {state.depth:>3} {state.move.name.lower():>5} {state.score:+.4f} {counts}  {pv}"


def _joint_text(joint: JointMove) -> str:
    """Return one letter for each snake, a point for a dead one."""
    return "".join("." if move is None else move.name[0].lower() for move in joint)


def _root_table(result: Result) -> Table:
    table = Table("move", "score", "depth", "outcome", box=None)
    for root_move in result.root_moves:
        score, depth = f"{root_move.score:+.4f}", str(root_move.depth)
        table.add_row(root_move.move.name.lower(), score, depth, _outcome_text(root_move))
    return table


def _outcome_text(root_move: RootMove) -> str:
    if root_move.outcome is None:
        return ""
    return f"{root_move.outcome.kind.value} in {root_move.outcome.turns}"
