"""`python -m arena replay`: compares two strategies on recorded games."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.commands.common import EXISTING_FILE, WHOLE, errors_in_a_line, print_parts, shown_credentials
from arena.commands.match import LIMIT_OPTIONS, options_of_match
from battlesnake_search.common import completion
from battlesnake_search.common.cli import counted, echo_document, examples
from battlesnake_search.common.cores import available_cores
from battlesnake_search.common.types import OptionValue
from battlesnake_search.options import CREDENTIALS

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from arena.records import Entrant
    from arena.replaying import Answer, Comparison

_MISSING = "-"


@click.command(
    epilog=examples(
        "python -m arena replay game.jsonl paranoid/area paranoid/length",
        "python -m arena replay match.jsonl auto localhost:50051 --snake auto --nodes 50000",
    )
)
@click.argument("games", nargs=-1, required=True, type=EXISTING_FILE, metavar="GAMES...")
@click.argument("one", metavar="A", shell_complete=completion.entrants)
@click.argument("other", metavar="B", shell_complete=completion.entrants)
@click.option(
    "--snake",
    "snakes",
    multiple=True,
    metavar="NAME",
    help="Search for the snakes of this name only; repeatable.",
)
@click.option("--most", type=WHOLE, default=20, help="The most turns with different moves to list.")
@click.option(
    "--console", metavar="URL", default="http://localhost:8001", help="The console that the links open."
)
@click.option("--json", "as_json", is_flag=True, help="Print every position as a line of JSON.")
@click.option("--concurrency", type=WHOLE, show_default="one for each core", help="Searches at once.")
def replay(
    games: tuple[Path, ...],
    one: str,
    other: str,
    snakes: tuple[str, ...],
    most: int,
    console: str,
    as_json: bool,
    concurrency: int | None,
    **options: OptionValue,
) -> None:
    """Compare A and B on the positions of recorded GAMES.

    A file of GAMES is the --output of a match, or a game that the official engine or `python -m console games
    export` wrote. A and B are entrants as in a match, but no URLs. Both search every position of every snake,
    with the same limits. The command shows on how many moves they agree, their depths and scores, and the
    turns with different moves. Each of these turns has a link that opens the position in the console, with
    both strategies.
    """
    # All imports come first: a missing package is reported before anything is compiled.
    import arena.replaying  # noqa: F401
    from arena.games.entrants import parse_entrants
    from arena.matches.match import limits_of
    from arena.matches.workers import LocalWorkers

    with errors_in_a_line("the comparison was interrupted"):
        first, second = parse_entrants((one, other), limits_of(options))
        workers = LocalWorkers(concurrency or available_cores(), shown_credentials(options))
        found = _compare(games, (first, second), frozenset(snakes), workers)
    if as_json:
        _print_json(found, console)
    else:
        _print(found, (first, second), most, console)


replay.params += options_of_match(*LIMIT_OPTIONS, *CREDENTIALS)


def _compare(
    files: Sequence[Path], entrants: "tuple[Entrant, Entrant]", snakes: frozenset[str], workers: Any
) -> "list[Comparison]":
    """Return all comparisons in the order of games and turns, with progress on standard error."""
    from arena.matches.progress import StepProgress
    from arena.replaying import compare, games_in

    found = []
    played = compare(files, entrants, snakes, workers)
    with StepProgress("game", len(games_in(tuple(files)))) as progress:
        for done, comparisons in enumerate(played, 1):
            found += comparisons
            progress.steps_ended(done, "")
    order = {game.game: number for number, game in enumerate(games_in(tuple(files)))}
    return sorted(found, key=lambda each: (order[each.game], each.turn))


def _print_json(found: "Sequence[Comparison]", console: str) -> None:
    import msgspec

    for each in found:
        fields = msgspec.to_builtins(msgspec.structs.replace(each, page=_link(console, each)))
        echo_document(msgspec.json.encode(fields))


def _link(console: str, comparison: "Comparison") -> str:
    return f"{console.rstrip('/')}/{comparison.page}"


def _print(
    found: "Sequence[Comparison]", entrants: "tuple[Entrant, Entrant]", most: int, console: str
) -> None:
    from rich.text import Text

    from battlesnake_search.common.cli import table_console

    games = len({each.game for each in found})
    agreed = sum(each.agree for each in found)
    share = f"{agreed / len(found):.1%}" if found else _MISSING
    differing = sorted((each for each in found if not each.agree), key=lambda each: -each.distance)
    shown = differing[:most]
    parts: list[RenderableType] = [
        Text(
            f"{entrants[0].name} and {entrants[1].name} chose the same move in {agreed:,} of "
            f"{counted(len(found), 'position')} of {counted(games, 'game')} ({share})."
        ),
        _table_of_entrants(found, entrants),
    ]
    if not shown:
        return print_parts(*parts)
    heading = f"The moves differ in {counted(len(differing), 'position')}"
    more = f", of which {len(shown)} are listed" if len(shown) < len(differing) else ""
    print_parts(
        *parts,
        Text(f"{heading}{more}, those with the most different scores first:"),
        _table_of_differences(shown, entrants, console),
    )
    if not table_console(0).is_terminal:
        # A terminal has the links in the table.
        for number, each in enumerate(shown, 1):
            click.echo(f"{number}  {_link(console, each)}")


def _table_of_entrants(found: "Sequence[Comparison]", entrants: "tuple[Entrant, Entrant]") -> "Table":
    from statistics import fmean

    from arena.commands.tables import table_of

    columns = ("entrant", "plays the recorded move", "mean score", "mean depth", "mean nodes", "ms")
    rows = []
    for index, entrant in enumerate(entrants):
        answers = [each.answers[index] for each in found]
        known = [each for each in found if each.played is not None]
        same = sum(each.answers[index].move == each.played for each in known)
        scores = [answer.score for answer in answers if answer.score is not None]
        means = [
            f"{fmean(getattr(answer, name) for answer in answers):{form}}" if answers else _MISSING
            for name, form in (("depth", ".1f"), ("nodes", ",.0f"), ("milliseconds", ".1f"))
        ]
        score = f"{fmean(scores):+.3f}" if scores else _MISSING
        rows.append((entrant.name, f"{same:,} of {len(known):,}", score, *means))
    return table_of(columns, rows, right=columns[1:])


def _table_of_differences(
    shown: "Sequence[Comparison]", entrants: "tuple[Entrant, Entrant]", console: str
) -> "Table":
    from rich.text import Text

    from arena.commands.tables import table_of

    columns = ("", "game", "snake", "turn", "recorded", *(entrant.name for entrant in entrants))
    rows: list[list[str | Text]] = [
        [
            str(number),
            each.game,
            each.snake,
            Text(str(each.turn), f"link {_link(console, each)}"),
            each.played or _MISSING,
            *map(_words, each.answers),
        ]
        for number, each in enumerate(shown, 1)
    ]
    return table_of(columns, rows, right=columns[3:])


def _words(answer: "Answer") -> str:
    score = _MISSING if answer.score is None else f"{answer.score:+.3f}"
    return f"{answer.move} {score} d{answer.depth}"
