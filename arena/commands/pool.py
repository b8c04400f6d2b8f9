"""`python -m arena pool`: lists the opponents of the pool."""

import click


@click.command()
def pool() -> None:
    """List the pool: opponents with different tempers.

    Each name is an entrant of a match. A search has the limits of the match, or limits that follow its name:
    feeder,nodes=5000. Opponents that look one turn ahead have no limits.
    """
    from rich.table import Table

    from arena.games.entrants import one_turn_opponents
    from arena.pool._searches import SEARCHING_OPPONENTS
    from battlesnake_search.common.console import Console

    table = Table("opponent", "player", "description")
    for name, opponent in one_turn_opponents().items():
        table.add_row(name, "one turn ahead", opponent.description)
    for name, search in SEARCHING_OPPONENTS.items():
        table.add_row(name, search.text.replace(",", "\n"), search.description)
    Console(markup=False, highlight=False).print(table)
