"""The page of a fit: one HTML file without a script."""

from arena.learning.fits.fitting import Fit
from arena.learning.report.charts import charts
from arena.learning.report.wording import FITTED, FORMER, NATS, TERMS, conclusion, number, weight_interval
from arena.report.findings import Table
from arena.report.rendering import environment, style


def page_of(fit: Fit) -> str:
    """Return the page as HTML."""
    return (
        environment()
        .get_template("fit.html.jinja")
        .render(
            kicker="fit of an evaluator",
            title=f"{fit.evaluator}, fitted to {fit.games:,} games",
            conclusion=conclusion(fit.validation, FITTED, FORMER),
            charts=charts(fit),
            tables=[_weights(fit), _players(fit)],
            style=style(),
        )
    )


def _weights(fit: Fit) -> Table:
    return Table(
        heading="Weights",
        columns=("weight", "former", "fitted", "interval", "worth", "it counts"),
        rows=[
            (
                weight.declared.name,
                number(weight.former),
                number(weight.value),
                weight_interval(weight),
                f"{NATS * weight.worth:.2f}",
                weight.declared.description,
            )
            for weight in fit.weights
        ],
        note=f"{fit.positions:,} positions. A value of 1 is {fit.scale:.2f} in log-odds.",
        terms=dict(TERMS),
    )


def _players(fit: Fit) -> Table:
    ranked = sorted(fit.strengths.items(), key=lambda pair: -pair[1])
    return Table(
        heading="Players",
        columns=("player", "strength in log-odds"),
        rows=[(player, f"{strength:+.2f}") for player, strength in ranked],
        note="How much better than the most frequent player each of them does in the same positions.",
    )
