"""The tables and pictures of docs/capacity.md: python -m docs.capacity [--write].

The measurements come from docs/load.json, which `python -m benchmarks.load --json docs/load.json` writes.
Everything else follows from them. Prices are assumptions: use your own.
"""

import click

from battlesnake_search.common.cli import CONTEXT


@click.command(context_settings=CONTEXT)
@click.option("--price", default=0.04, help="Price of a core with its memory for an hour.")
@click.option("--write", is_flag=True, help="Write tables and pictures into the page instead of showing it.")
def main(price: float, write: bool) -> None:
    """Compute the tables of the page and show it with them."""
    from docs.capacity.tables import PAGE, compute, filled

    contents = compute()
    page = filled(PAGE.read_text(), contents.parts(price))
    if not write:
        click.echo(page)
        return
    from docs.capacity.pictures import draw

    PAGE.write_text(page)
    draw(contents, PAGE.parent / "images")


if __name__ == "__main__":
    main(prog_name="python -m docs.capacity")
