"""The summary of a trained net for a terminal, and its page."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from arena.learning.nets.net import Net
from arena.learning.report.charts import calibration_chart
from arena.learning.report.summary import calibration_table
from arena.learning.report.wording import NATS, conclusion
from arena.report import drawing
from arena.report.drawing import Chart, side_colour
from arena.report.findings import Table
from arena.report.rendering import environment, style
from searcher.engine.features.terms import Terms


def summary(net: Net) -> Iterator[RenderableType]:
    """Yield the parts of the summary."""
    yield Text(f"{net.positions:,} positions of {net.games:,} games")
    yield Text(_conclusion(net))
    yield calibration_table(net.calibration)


def page_of(name: str, net: Net) -> str:
    """Return the page as HTML, one file without a script."""
    return (
        environment()
        .get_template("fit.html.jinja")
        .render(
            kicker="training of a net",
            title=f"{name}, trained on {net.games:,} games",
            conclusion=_conclusion(net),
            charts=[calibration_chart(net.calibration), _losses(net.losses)],
            tables=[_terms(net)],
            style=style(),
        )
    )


def _conclusion(net: Net) -> str:
    return conclusion(net.validation, "the net", f"the linear evaluator {net.linear}")


def _losses(losses: Sequence[float]) -> Chart:
    epochs = range(1, len(losses) + 1)
    with drawing.axes() as axes:
        axes.plot(epochs, [NATS * loss for loss in losses], color=side_colour(0), marker="o", markersize=4)
        axes.set(xlabel="epoch", ylabel="loss in thousandths of a nat")
        axes.set_xticks(epochs)
        description = (
            "The loss of the training on all games, whose targets are not outcomes alone: from "
            f"{NATS * losses[0]:.2f} in the first epoch to {NATS * losses[-1]:.2f} in the last."
        )
        return drawing.chart_of(axes, "training", "Training", description)


def _terms(net: Net) -> Table:
    """Return the terms, those first whose change changes the hidden units the most."""
    strength = abs(net.layers.inward * net.layers.outward).sum(axis=1)
    order = strength.argsort()[::-1].tolist()
    return Table(
        heading="Terms",
        columns=("term", "direct weight", "through hidden units"),
        rows=[
            (Terms._fields[term], f"{net.layers.direct[term]:+.3f}", f"{strength[term]:.3f}")
            for term in order
        ],
        note="In log-odds: what a term of 1 adds directly, and at most by way of the hidden units.",
    )
