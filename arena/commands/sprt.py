"""`python -m arena sprt`: computes the statistics of a match from its counts alone."""

from typing import TYPE_CHECKING

import click

from battlesnake_search.common.cli import examples

if TYPE_CHECKING:
    from arena.statistics.elo import BlockTally
    from arena.statistics.sprt import Sprt


def _whole_numbers(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> list[int]:
    counts = [int(text) for text in given if text.isascii() and text.isdecimal()]
    if len(counts) != len(given) or len(counts) not in (3, 5):
        raise click.BadParameter(
            "give 3 counts (wins, draws, losses) or 5 (pairs of games: LL, LD, WL or DD, WD, WW),"
            f" each a whole number from 0: not {' '.join(given) or 'nothing'}"
        )
    return counts


# Unknown options are let through, so that the error for a negative number is about the count.
@click.command(
    context_settings={"ignore_unknown_options": True},
    epilog=examples(
        "python -m arena sprt 120 40 80 --elo1 10",
    ),
)
@click.argument("counts", nargs=-1, metavar="W D L | LL LD WL/DD WD WW", callback=_whole_numbers)
@click.option("--elo0", metavar="ELO0", default=0.0, help="Reject if the difference is at most this.")
@click.option("--elo1", metavar="ELO1", default=20.0, help="Accept if the difference is at least this.")
def sprt(counts: list[int], elo0: float, elo1: float) -> None:
    """Compute Elo and a sequential test from results.

    Three numbers are wins, draws and losses of single games. Five numbers are pairs of games with swapped
    starts, from two losses to two wins. Pairs are more informative, because the games of a pair depend on
    each other.
    """
    from arena.statistics.elo import BlockTally
    from arena.statistics.sprt import Sprt
    from arena.statistics.terms import comparison_terms, glossary

    try:
        test = Sprt(elo0, elo1)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    tally = BlockTally.trinomial(*counts) if len(counts) == 3 else BlockTally.pentanomial(counts)
    for name, text in [*_results(tally), *_decision(test, tally), *_prospects(test, tally)]:
        click.echo(f"{name:<9} {text}")
    click.echo("\n" + glossary(comparison_terms(pairs=tally.games == 2, test=True)))


def _results(tally: "BlockTally") -> list[tuple[str, str]]:
    from arena.statistics.elo import PAIRS, elo_difference, superiority

    # The counts of single games begin with the losses, but are printed with the wins first.
    counted = (
        zip(PAIRS, tally.counts, strict=True)
        if tally.games == 2
        else zip("WDL", reversed(tally.counts), strict=True)
    )
    listed = ", ".join(f"{count} {name}" for name, count in counted)
    return [
        ("pairs" if tally.games == 2 else "games", f"{listed}; {tally.mean:.1%} of the points"),
        ("Elo", str(elo_difference(tally))),
        ("LOS", f"{superiority(tally):.2%}"),
    ]


def _decision(test: "Sprt", tally: "BlockTally") -> list[tuple[str, str]]:
    ratio = test.log_likelihood_ratio(tally)
    return [
        ("LLR", f"{ratio:z.2f} ({test.lower:.2f}, {test.upper:.2f})"),
        ("decision", f"{test.decision(tally)} (Elo {test.elo0:g} against {test.elo1:g})"),
    ]


def _prospects(test: "Sprt", tally: "BlockTally") -> list[tuple[str, str]]:
    cases: list[tuple[str, float | None]] = [
        (f"Elo is {elo:g}", elo) for elo in (test.elo0, (test.elo0 + test.elo1) / 2, test.elo1)
    ]
    if tally.blocks:
        cases.append(("results go on like this", None))
    return [
        ("expected", f"{prospects.games:,.0f} games, {prospects.acceptance:.1%} accepted, if {case}")
        for case, elo in cases
        for prospects in [test.prospects(tally, elo)]
    ]
