"""`python -m arena report`: turns the file of a match into an HTML page."""

from pathlib import Path

import click

from arena.commands.common import EXISTING_FILE, output_option, working
from battlesnake_search.common.cli import examples, in_words


@click.command(
    epilog=examples(
        "python -m arena report match.jsonl --output match.html",
    )
)
@click.argument("file", type=EXISTING_FILE)
@output_option(
    "output", metavar="PAGE.html", show_default="next to FILE, as .html", help="Where to write the page."
)
def report(file: Path, output: Path | None) -> None:
    """Turn the match in FILE into an HTML page.

    The page is a single file, with statistics and a viewer of every game.
    """
    from arena.games.boards import prepare_replays
    from arena.records import read_match
    from arena.report.page import page_of

    output = output or file.with_suffix(".html")
    if output.resolve() == file.resolve():
        raise click.BadParameter(f"{output} is the match's own file", param_hint="--output")
    try:
        match = read_match(file)
        prepare_replays(match)
        with working("Drawing the page …"):
            page = page_of(match)
        output.write_text(page, encoding="utf-8")
    except (ValueError, OSError) as error:
        raise click.ClickException(in_words(error)) from None
    click.echo(f"{output}: {len(page.encode()):,} bytes")
