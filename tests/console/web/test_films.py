"""The API of films: a process makes each film, and a fault of it costs that film alone."""

import asyncio
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from console.film.forms import FORMS
from console.store.database import read_database
from console.web import films
from tests.console.console_process import output
from tests.console.web.console import running
from tests.console.web.script import DUEL, duel

PATH = f"/api/games/{duel().id}/film"


async def recorded(folder: Path) -> Path:
    """A database with a game."""
    file = folder / "games.sqlite"
    await output("games", "import", str(DUEL), "--outcomes", str(file))
    return file


async def test_each_form_is_a_download(tmp_path: Path) -> None:
    """The answer has the form's media type, and a file name for the browser."""
    file = await recorded(tmp_path)
    async with running(outcomes=read_database(str(file))) as console:
        for form, kind in FORMS.items():
            async with console.admin.get(f"{PATH}.{form}", params={"first": 3, "size": 100}) as answer:
                content = await answer.read()
                assert (answer.status, answer.content_type) == (200, kind)
                assert f'filename="{duel().id}.{form}"' in answer.headers["Content-Disposition"]
            if form == "gif":
                with Image.open(BytesIO(content)) as film:
                    assert getattr(film, "n_frames", 1) == len(duel().turns) - 3


async def test_a_wrong_wish_is_named(tmp_path: Path) -> None:
    """The answer names the parameter and the valid values."""
    reasons = {
        ".doc": "form must be one of html, gif, mp4, png, svg, not doc",
        ".gif?size=9999": "size must be from 64 to 2000, not 9999",
        ".gif?size=-1": "size must be a whole number, not -1",
        ".gif?colour=red": "no such parameter: colour",
        ".gif?first=500": "the game has no turn from 500",
    }
    file = await recorded(tmp_path)
    async with running(outcomes=read_database(str(file))) as console:
        for wish, reason in reasons.items():
            assert reason in (await console.get(PATH + wish, 400))["error"]
        assert "no such game" in (await console.get("/api/games/x/film.gif", 404))["error"]


async def test_a_film_beyond_the_most_is_refused(tmp_path: Path) -> None:
    """While the most films are made, another one is refused, and the console answers all else."""
    file = await recorded(tmp_path)
    async with running(outcomes=read_database(str(file))) as console:
        wishes = [console.admin.get(f"{PATH}.gif?size=100") for _ in range(films.MOST + 1)]
        making = asyncio.gather(*wishes)
        while not making.done():
            assert await console.get(f"/api/games/{duel().id}")
        answers = making.result()
        assert sorted(answer.status for answer in answers) == [*[200] * films.MOST, 429]
        refused = next(answer for answer in answers if answer.status == 429)
        assert "try again" in (await refused.json())["error"]
        for answer in answers:
            answer.release()
        async with console.admin.get(f"{PATH}.gif?size=100") as again:
            assert again.status == 200


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("raise SystemExit('no room')", "the film failed: no room"),
        ("import time; time.sleep(9)", "within 0.5 s"),
    ],
)
async def test_a_fault_costs_the_film_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, reason: str
) -> None:
    """If the process fails or does not end, the answer has the reason, and games are recorded as before."""
    monkeypatch.setattr(films, "_COMMAND", (sys.executable, "-c", program))
    monkeypatch.setattr(films, "MOST_SECONDS", 0.5)
    file = await recorded(tmp_path)
    async with running(outcomes=read_database(str(file))) as console:
        assert reason in (await console.get(f"{PATH}.gif", 503))["error"]
        await console.play("another", range(2))
        assert len((await console.game("another"))["turns"]) >= 2
