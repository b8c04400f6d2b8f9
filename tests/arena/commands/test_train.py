"""`python -m arena train`, from games to a package."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.commands.main import main
from tests.arena.learning.setups import made_up


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Train on a folder, in a process of its own, since JAX warns of each later fork."""
    command = [sys.executable, "-m", "arena", "train", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_net_is_trained_and_written(tmp_path: Path) -> None:
    """The command reports each epoch, what the net is worth, and where it is."""
    data, out, page = tmp_path / "data", tmp_path / "net", tmp_path / "net.html"
    data.mkdir()
    made_up(data, 100, 2.0, 0.0)
    done = run(data, "-o", out, "--name", "small", "--units", "2", "--epochs", "2", "--page", page)
    assert done.returncode == 0, done.stderr
    assert "all of the games, epoch 2 of 2: loss" in done.stderr
    for words in (
        "300 positions of 100 games",
        "the linear evaluator fitted",
        "forecast",
        f"Written to {out}.",
    ):
        assert words in done.stdout
    assert {path.name for path in out.iterdir()} == {"README.md", "battlesnake_small", "pyproject.toml"}
    assert page.read_text().startswith("<!doctype html>") and "<script" not in page.read_text()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "has no data: there is no file *.parquet"),
        (("--name", "My-Net"), "--name My-Net: valid are small letters, digits and _, with a letter first"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, options: tuple[str, ...], message: str) -> None:
    """Before anything is trained, and nothing is written."""
    done = run(tmp_path, "-o", tmp_path / "net", *options)
    assert done.returncode == 1 and message in done.stderr
    assert not (tmp_path / "net").exists()


def test_training_names_the_extra_that_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All other commands work without it."""
    monkeypatch.setitem(sys.modules, "jax", None)
    for name in [name for name in sys.modules if name.startswith("arena.learning.net")]:
        monkeypatch.delitem(sys.modules, name)
    done = CliRunner().invoke(main, ["train", str(tmp_path), "-o", str(tmp_path / "net")])
    assert done.exit_code == 1 and "pip install 'battlesnake-search[train]'" in done.output
