"""`python -m console watch` as a process, in front of a console with a recorded game."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from battlesnake_search.common.access import TokenFile
from battlesnake_search.common.logs import short_id
from tests.battlesnake_search.viewer.console import Console
from tests.console.console_process import complaint, output, refused
from tests.console.web.console import running
from tests.support.admin import TOKEN, TOKENS
from tests.support.services import free_port
from tests.support.terminal import on_terminal

PATIENCE = 60.0
CONTROLS = re.compile(r"\x1b\[[\d;?]*[A-Za-z]|\r")


@pytest.fixture
def console() -> Iterator[Console]:
    """A console with a recorded game."""
    with Console().serving() as served:
        yield served


def watch(console: Console, *arguments: str) -> tuple[str, ...]:
    """Return the command that watches on this console."""
    return ("-m", "console", "watch", *arguments, "--admin", console.address)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command without a terminal until it ends."""
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=PATIENCE)


def wait_until_watched(console: Console, game: str) -> None:
    """Wait until a reader receives the events of a game."""
    deadline = time.monotonic() + PATIENCE
    while not console.watched(game):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_game_that_is_over_is_shown_and_left(console: Console) -> None:
    """The last turn has the board, the winner, how the others died, and the last decision.

    The short id of the log names the game, too.
    """
    done = run(*watch(console, short_id(console.whole["id"])))
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "Turn 207  standard, 11x11  over, ours won"
    assert lines[1].startswith("10 ") and lines[12].startswith("   0 1 2")
    [ours, decided] = [line for line in lines if line.startswith("B  ")]
    decision = next(turn["decisions"][1] for turn in reversed(console.whole["turns"]) if turn["decisions"][1])
    last = console.whole["turns"][-1]["snakes"][1]
    assert f"health {last['health']:>3}  length {len(last['body']):>3}" in ours
    assert f"{decision['move']}  depth {decision['depth']}  score {decision['score']:+.3f}" in decided
    assert sum("died in turn" in line for line in lines) == 3


def test_a_live_game_is_followed_to_its_end(console: Console) -> None:
    """On a terminal the picture changes in place, turn by turn; the newest running game is the default."""
    game = console.start_live(20)
    seen = ""
    with on_terminal(*watch(console)) as lines:
        wait_until_watched(console, game)
        for line in lines:
            plain = CONTROLS.sub("", line)
            seen += f"{plain}\n"
            # The next turn is sent when the last turn is shown, so that every turn is shown.
            if shown := re.search(r"Turn (\d+)  standard, 11x11  live", plain):
                next_turn(console, game, int(shown[1]))
    turns = [int(turn) for turn in re.findall(r"Turn (\d+)  standard", seen)]
    assert turns == sorted(turns) and set(turns) == {19, 20, 21, 22}
    assert "Turn 22  standard, 11x11  over, ours won" in seen and "expects " in seen


def next_turn(console: Console, game: str, shown: int) -> None:
    """Play the turn after the one that is shown, unless it is played already; after turn 22, end the game."""
    if shown == len(console.games[game]["turns"]) - 1:
        if shown == 22:
            console.end_live(game)
        else:
            console.play_live(game)


async def test_a_console_that_does_not_answer_is_named() -> None:
    """The error names the address, and the option for another address."""
    address = f"127.0.0.1:{free_port()}"
    status, error = await complaint("watch", "--admin", address)
    assert status == 1
    assert f"no console answers at http://{address}" in error and "--admin" in error


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--port", "1"), 1, "--port 1: no gateway of yours with this port runs a console on this machine"),
        (("--port", "8080", "--admin", "x"), 2, "give either --admin or --port"),
        (("--port", "0"), 2, "1<=x<=65535"),
    ],
)
def test_a_port_without_a_console_is_named(arguments: tuple[str, ...], status: int, said: str) -> None:
    """The error has the port, and the option for an address."""
    ended, error = refused("watch", *arguments)
    assert ended == status and said in error


async def test_a_console_with_tokens_is_watched_with_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The token is read from the environment. Without a valid token, the error names the variable."""
    async with running(tokens=TokenFile(TOKENS)) as console:
        await console.play("game", range(1))
        watch_game = ("watch", "game", "--admin", console.url)
        missing = await complaint(*watch_game, ADMIN_TOKEN="")
        wrong = await complaint(*watch_game, ADMIN_TOKEN=f"{TOKEN}x")
        monkeypatch.setenv("ADMIN_TOKEN", TOKEN)
        printed = await output(*watch_game)
    assert missing[0] == 1 and "give one with --token or ADMIN_TOKEN" in missing[1]
    assert wrong[0] == 1 and "ADMIN_TOKEN" in wrong[1]
    assert "s1 won" in printed and TOKEN not in missing[1] + wrong[1] + printed


ATTACK = "x\x1b]0;owned\x07\x9b2J\u202ey"


def test_a_live_game_can_not_control_the_terminal(console: Console) -> None:
    """Names, maps and rulesets of strangers are shown with escapes, and the terminal's title stays."""
    game = console.start_live(20)
    shown = console.games[game] = console.games[game] | {"map": ATTACK, "ruleset": ATTACK}
    shown["snakes"] = [
        snake | {"name": ATTACK, "id": f"{ATTACK}{n}"} for n, snake in enumerate(shown["snakes"])
    ]
    console.end_live(game)
    with on_terminal(*watch(console, game)) as lines:
        printed = "\n".join(CONTROLS.sub("", line) for line in lines)
    # Rich itself drops the bell.
    assert r"x\x1b]0;owned\x9b2J\u202ey" in printed and "Turn 19" in printed
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(printed)
