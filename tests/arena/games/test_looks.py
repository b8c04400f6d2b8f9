"""The names and colours of snakes in a game: in requests, in the match's record and on its page."""

from aiohttp import web

from arena.games import boards
from arena.games.entrants import make_player
from arena.games.game import play_game
from arena.records import Game, Looks, MoveLimits
from arena.report.recorded import document_of
from battlesnake_search.viewer.colours import PALETTE
from tests.arena.outside_snake import OutsideSnake, running
from tests.arena.setups import SMALL, setup_of

AMPLE = MoveLimits(milliseconds=5000)


class Hydra(OutsideSnake):
    """A snake that describes itself."""

    def __init__(self, color: str = "#8a3fb8") -> None:
        super().__init__()
        self.color = color

    async def index(self, _request: web.Request) -> web.StreamResponse:
        """Describe the snake."""
        looks = {"name": "Hydra", "color": self.color, "head": "safe", "tail": "bolt"}
        return web.json_response({"apiversion": "1", **looks})


async def play(snake: OutsideSnake, option: str = "") -> Game:
    """A whole duel of a snake at a URL and a snake of this process."""
    async with running(snake) as url:
        setup = setup_of(url + option, "greedy", limits=AMPLE, rules=SMALL)
        players = [make_player(entrant) for entrant in setup.entrants]
        try:
            return await play_game(setup, players, boards.set_up_board(SMALL, 2, 3), (0, 1), 3, "game")
        finally:
            for player in players:
                await player.close()


async def test_a_snake_at_a_url_has_its_own_looks() -> None:
    """Requests and the record have what it names. Other snakes have their entrants' colours."""
    snake = Hydra()
    game = await play(snake)
    own = {"color": "#8a3fb8", "head": "safe", "tail": "bolt"}
    for _, body in snake.requests:
        assert (body["you"]["name"], body["you"]["customizations"]) == ("Hydra", own)
    _, start = snake.requests[0]
    [other] = [each for each in start["board"]["snakes"] if each["id"] != start["you"]["id"]]
    assert (other["name"], other["customizations"]["color"]) == ("greedy", PALETTE[1])
    assert game.looks == (Looks(**own, name="Hydra"), Looks(PALETTE[1], "default", "default"))
    shown = document_of(setup_of("greedy", "greedy"), game, "1")["snakes"]
    assert [(each["name"], each["color"]) for each in shown] == [
        ("Hydra", "#8a3fb8"),
        ("greedy 2", PALETTE[1]),
    ]


async def test_a_chosen_colour_is_given_to_nobody_else() -> None:
    """A snake of this process gets no colour that looks like one that another snake has chosen."""
    snake = Hydra(PALETTE[1])
    game = await play(snake)
    assert [each.color for each in game.looks] == [PALETTE[1], PALETTE[2]]


async def test_a_given_name_is_kept() -> None:
    """The name of an entrant goes before the name in the description."""
    snake = Hydra()
    game = await play(snake, ",name=rival")
    assert snake.requests[0][1]["you"]["name"] == game.looks[0].name == "rival"
