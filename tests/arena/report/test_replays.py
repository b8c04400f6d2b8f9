"""Replays have every frame as the rules make it, in a compact form."""

import base64
import zlib
from collections import Counter

import msgspec
import pytest

from arena.records import Block, Game, Rules, Setup, Start
from arena.report.replays import Replay, Track, packed_replays, replay_of
from searcher.engine.position import Point
from tests.arena.report.random_games import (
    CONSTRICTOR,
    DUEL,
    ROYALE,
    SNAILS,
    SOLO,
    SOLO_MAZE,
    WRAPPED,
    frames_of,
    random_game,
    random_match,
    setup_of,
)

FOUR = ("one", "two", "three", "four")
SETUPS = {
    "duel": setup_of(DUEL),
    "royale of four": setup_of(ROYALE, FOUR, 4),
    "wrapped": setup_of(WRAPPED),
    "constrictor": setup_of(CONSTRICTOR),
    "solo": setup_of(SOLO, snakes=1),
    "solo maze": setup_of(SOLO_MAZE, snakes=1),
    "snails": setup_of(SNAILS),
}


def body(rules: Rules, track: Track, frame: int) -> tuple[Point, ...]:
    """The body in a track, head first, read as the description of Track explains."""
    restarts = [each for each in track.restarts if each <= frame]
    end = track.kept[0] + frame + sum(track.kept[each] - 1 for each in restarts)
    cells = track.trail[end - track.kept[frame] : end][::-1]
    cells += cells[-1:] * (track.length[frame] - len(cells))
    return tuple((cell % rules.width, cell // rules.width) for cell in cells)


def cell(rules: Rules, point: Point) -> int:
    """The number of a cell."""
    return point[1] * rules.width + point[0]


def games(setup: Setup) -> list[tuple[Game, Replay]]:
    """Some games and their replays."""
    match = random_match(setup, 3)
    return [(game, replay_of(setup.rules, game)) for block in match.blocks for game in block.games]


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_snakes_are_those_of_the_rules(setup: Setup) -> None:
    """In every frame the same snakes are alive, on the same cells and with the same health."""
    for game, replay in games(setup):
        for frame, position in enumerate(frames_of(setup.rules, game)):
            shown = {
                str(index): (track.health[frame], body(setup.rules, track, frame))
                for index, track in enumerate(replay.snakes)
                if frame < len(track.length)
            }
            assert shown == {snake.id: (snake.health, snake.body) for snake in position.snakes}


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_food_and_hazards_are_those_of_the_rules(setup: Setup) -> None:
    """Every frame has the same food and hazards."""
    rules = setup.rules
    for game, replay in games(setup):
        for frame, position in enumerate(frames_of(rules, game)):
            food = [piece for piece, since, until in replay.food if since <= frame < until]
            hazards = [cells for since, cells in replay.hazards if since <= frame][-1]
            assert sorted(food) == sorted(cell(rules, point) for point in position.food)
            shown = Counter(point for point in position.hazards if point[1] < rules.height)
            assert hazards == sorted((cell(rules, point), layers) for point, layers in shown.items())


def test_restarts_are_those_of_the_map() -> None:
    """Whenever the map puts a snake elsewhere, the frame is listed; the check of the bodies sees some."""
    found = 0
    for game, replay in games(SETUPS["solo maze"]):
        restarts = [frame for frame, turn in enumerate(game.turns, 1) if turn.restart]
        assert [track.restarts for track in replay.snakes] == [restarts]
        found += len(restarts)
    assert found > 3


def test_layers_of_hazard_are_counted() -> None:
    """A cell that is given three times as hazard has three layers."""
    start = Start(0, (((1, 1),) * 3, ((9, 9),) * 3), (100, 100), (), ((4, 5), (4, 5), (4, 5), (0, 0)))
    replay = replay_of(DUEL, random_game(setup_of(DUEL), (0, 1), start, seed=1))
    assert replay.hazards == [(0, [(0, 1), (5 * 11 + 4, 3)])]


@pytest.mark.parametrize("setup", SETUPS.values(), ids=SETUPS)
def test_deaths_have_cause_and_place(setup: Setup) -> None:
    """A dead snake has its first frame without it, the cause, and a cell next to its last head."""
    for game, replay in games(setup):
        for death, track in zip(game.deaths, replay.snakes, strict=True):
            if death is None:
                assert track.death is None
                continue
            assert track.death is not None
            assert (track.death.frame, track.death.cause, track.death.by) == (
                death.turn + 1,
                death.cause,
                death.by,
            )
            head = body(setup.rules, track, death.turn)[0]
            across = [abs(a - b) for a, b in zip(head, track.death.at, strict=True)]
            assert sorted(across)[0] == 0 and (max(across) == 1 or setup.rules.ruleset == "wrapped")


def test_decisions_are_listed_by_turn() -> None:
    """A snake's decisions and reports are at their turn; faults only where there was one."""
    for game, replay in games(SETUPS["duel"]):
        for index, track in enumerate(replay.snakes):
            given = [turn.decisions[index] for turn in game.turns if turn.decisions[index]]
            decisions = [decision for decision in given if decision is not None]
            assert track.moves == "".join(decision.move[0] for decision in decisions)
            assert track.depth == [decision.depth for decision in decisions]
            assert track.nodes == [decision.nodes for decision in decisions]
            assert track.pvs == ["".join(decision.pv) for decision in decisions]
            assert track.scores == pytest.approx([decision.score for decision in decisions], abs=1e-3)
            faults = {turn: decision.fault for turn, decision in enumerate(decisions) if decision.fault}
            assert track.faults == faults


def test_a_block_is_packed_as_deflated_json() -> None:
    """The packed text inflates to the block's replays."""
    block = random_match(SETUPS["duel"], 1).blocks[0]
    packed = zlib.decompress(base64.b64decode(packed_replays(DUEL, block)))
    replays = [replay_of(DUEL, game) for game in block.games]
    assert msgspec.json.decode(packed, type=list[Replay]) == replays


def test_a_record_that_contradicts_the_rules_is_rejected() -> None:
    """The error for a snake that survives a death by the rules names block, game and both ends."""
    block = random_match(SETUPS["duel"], 1).blocks[0]
    game = block.games[0]
    dead = next(index for index, death in enumerate(game.deaths) if death)
    alive = msgspec.structs.replace(game, deaths=(None, None))
    turn = len(game.turns) - 1
    words = (
        f"block 0, game 1: snake {dead} lives to the end in the record, but dies in turn {turn} by the rules"
    )
    with pytest.raises(ValueError, match=words):
        packed_replays(DUEL, Block(0, (alive,), 1.0))


@pytest.mark.parametrize("food", [(11, 3), (3, -1)])
def test_a_record_off_the_board_is_rejected(food: Point) -> None:
    """The error names a cell off the board."""
    game = random_match(SETUPS["duel"], 1).blocks[0].games[0]
    turn = msgspec.structs.replace(game.turns[0], food=(food,))
    with pytest.raises(ValueError, match="is off the 11x11 board"):
        replay_of(DUEL, msgspec.structs.replace(game, turns=(turn, *game.turns[1:])))


def test_a_record_without_a_decision_is_rejected() -> None:
    """The error names a living snake without a decision."""
    game = random_match(SETUPS["duel"], 1).blocks[0].games[0]
    idle = msgspec.structs.replace(game.turns[1], decisions=(game.turns[1].decisions[0], None))
    turns = (game.turns[0], idle, *game.turns[2:])
    with pytest.raises(ValueError, match="snake 1"):
        replay_of(DUEL, msgspec.structs.replace(game, turns=turns))
