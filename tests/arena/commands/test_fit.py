"""`python -m arena games` and `python -m arena fit`, from games to weights that a match takes."""

import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.commands.main import main
from arena.data.files import write_part
from arena.data.histories import rows_of
from arena.games.entrants import parse_entrants
from arena.records import MoveLimits
from tests.arena.data.setups import history
from tests.support.services import ROOT

pytestmark = pytest.mark.usefixtures("plays_here")

DUEL = ROOT / "tests/fixtures/games/duel.jsonl"
PLAYERS = ("--players", "paranoid/length", "--players", "greedy")
GAMES = (*PLAYERS, "--games", "30", "--nodes", "40", "--size", "7", "--max-turns", "60")


def run(*arguments: str | Path) -> Result:
    """Run a command of the arena."""
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def data(plays_here: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of games on a small board."""
    folder = tmp_path_factory.mktemp("data") / "games"
    done = run("games", folder, *GAMES)
    assert done.exit_code == 0, done.output
    return folder


def test_games_that_are_there_are_not_played_again(data: Path) -> None:
    """The same command says at once how many whole parts there are."""
    before = {path: path.stat().st_mtime_ns for path in data.iterdir()}
    assert {path.name for path in before} == {"setup.json", "games-000000.parquet", "games-000001.parquet"}
    done = run("games", data, *GAMES)
    assert done.exit_code == 0 and "50 games" in done.output
    assert before == {path: path.stat().st_mtime_ns for path in data.iterdir()}


@pytest.mark.rest("simulations")
def test_weights_are_fitted_and_play(data: Path, tmp_path: Path) -> None:
    """The file is one of weights, and a match takes it."""
    out = tmp_path / "area.toml"
    done = run("fit", "area", data, "--output", out)
    assert done.exit_code == 0, done.output
    assert "forecast" in done.output and f"Written to {out}." in done.output
    content = tomllib.loads(out.read_text())
    assert content["evaluator"] == "area" and content["weights"].keys() == {"area", "hunger"}
    [entrant] = parse_entrants([f"paranoid/area,weights={out}"], MoveLimits(nodes=10))
    assert "weight.hunger" in entrant.player
    again = run("fit", "area", data, "--output", tmp_path / "b.toml", "--lambda", "0.9")
    assert again.exit_code == 0, again.output


def test_recorded_games_are_data(tmp_path: Path) -> None:
    """A game of the official engine, as the gateway exports its own."""
    done = run("games", tmp_path / "out", "--recorded", DUEL)
    assert done.exit_code == 0 and "of 1 games in" in done.output
    assert (tmp_path / "out" / "duel.parquet").is_file()


def test_bad_data_is_named(tmp_path: Path) -> None:
    """Games that nobody won give one line, and no weights are written."""
    write_part(tmp_path / "a.parquet", list(rows_of(history(one=2, two=2))))
    done = run("fit", "area", tmp_path, "--output", tmp_path / "out.toml")
    assert done.exit_code == 1 and f"{tmp_path}: every outcome is 0.5" in done.output
    assert "Traceback" not in done.output and not (tmp_path / "out.toml").exists()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("fit", "nonsense", ".", "--output", "o.toml"), "nonsense"),
        (("fit", "area", ".", "--output", "no/such/o.toml"), "there is no folder no/such"),
        (("games", "o", "--players", "nonsense"), "nonsense"),
        (("games", "o", "--ruleset", "solo"), "solo has no outcome to learn from"),
        (("games", "o", "--recorded", str(ROOT / "LICENSE")), "LICENSE has neither a match"),
    ],
)
def test_invalid_options_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], error: str
) -> None:
    """In one line."""
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.exit_code == 1 and error in done.output and "Traceback" not in done.output
