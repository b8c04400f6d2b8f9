"""Dashboards and their data: python -m infra.monitoring COMMAND."""

import json
import time
from contextlib import suppress
from pathlib import Path

import click

from battlesnake_search.common.cli import CONTEXT
from infra.monitoring.operators import OPERATORS
from infra.monitoring.panels import Dashboard
from infra.monitoring.players import PLAYERS

DASHBOARDS = (PLAYERS, OPERATORS)
FOLDER = Path(__file__).with_name("dashboards")

_OUT = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("build/dashboards"),
    show_default=True,
    help="Folder for the pictures.",
)


@click.group(context_settings=CONTEXT)
def main() -> None:
    """Write the dashboards, draw them, or show everything on this machine."""


@main.command()
def write() -> None:
    """Write the dashboards as JSON, for Grafana."""
    for dashboard in DASHBOARDS:
        path = FOLDER / f"{dashboard.name}.json"
        path.write_text(text(dashboard))
        click.echo(path)


def text(dashboard: Dashboard) -> str:
    """Return a dashboard as the text of its file."""
    return f"{json.dumps(dashboard.json(), indent=2)}\n"


@main.command()
@click.option("--prometheus", default="http://127.0.0.1:9090", show_default=True, metavar="URL")
@click.option("--seconds", type=click.FloatRange(10), default=1800.0, show_default=True, help="Time to draw.")
@_OUT
def preview(prometheus: str, seconds: float, out: Path) -> None:
    """Draw each dashboard as a picture, with the data of a running Prometheus."""
    from infra.monitoring.preview import draw

    for dashboard in DASHBOARDS:
        try:
            path, empty = draw(dashboard, prometheus, seconds, out)
        except OSError as error:
            raise click.ClickException(f"{prometheus}: {error}") from error
        click.echo(f"{path}, without data: {', '.join(empty) or 'none'}")


@main.command()
@click.option("--games", type=click.IntRange(1, 32), default=2, show_default=True, help="Games at once.")
@click.option("--seconds", type=click.FloatRange(10), help="Time of the run; by default until Ctrl-C.")
@_OUT
@click.pass_context
def demo(context: click.Context, games: int, seconds: float | None, out: Path) -> None:
    """Run a snake, Debian's Prometheus and games; in the end draw the dashboards."""
    from infra.monitoring.demo import DemoError, running

    try:
        with running(games) as (snake, console, prometheus):
            click.echo(f"snake {snake}, console {console}, Prometheus {prometheus}")
            began = time.monotonic()
            with suppress(KeyboardInterrupt):
                time.sleep(seconds if seconds is not None else 1e9)
            shown = max(10.0, time.monotonic() - began)
            context.invoke(preview, prometheus=prometheus, seconds=shown, out=out)
    except DemoError as error:
        raise click.ClickException(str(error)) from error


if __name__ == "__main__":
    main(prog_name="python -m infra.monitoring")
