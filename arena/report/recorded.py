"""A game of a match in the form of the console's API, for the viewer and `python -m console games export`.

docs/console.md describes the form.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.games.boards import hazards_on_board, prepare_replays, replayed
from arena.records import Decision, Game, Looks, Setup, read_match
from arena.report.wording import side_colour, winner
from battlesnake_search.common.types import Json

_WORDS = {"u": "up", "d": "down", "l": "left", "r": "right"}


def game_of(path: Path, number: str | None) -> Json:
    """Return a game of the match in a file. `number` is the game's number in the match's report, such as 3.1.

    Without a number, the match must have one game. Raises ValueError that names the numbers.
    """
    match = read_match(path)
    games = {
        f"{block.number}.{index}": game for block in match.blocks for index, game in enumerate(block.games, 1)
    }
    if not games:
        raise ValueError("the match has no game yet")
    wanted = number or (next(iter(games)) if len(games) == 1 else None)
    if wanted is None or wanted not in games:
        first, last = min(games, key=_order), max(games, key=_order)
        raise ValueError(f"--number must be the number of one of {len(games)} games, from {first} to {last}")
    prepare_replays(match)
    return document_of(match.setup, games[wanted], f"{path.stem}-{wanted}")


def _order(number: str) -> tuple[int, ...]:
    return tuple(map(int, number.split(".")))


def document_of(setup: Setup, game: Game, id_: str) -> Json:
    """Return a game, played again. Raises ValueError if its record contradicts the rules."""
    rules = setup.rules
    turns = list(_turns(setup, game))
    won = winner(setup, game)
    winners = [snake for snake, seat in enumerate(game.seats) if seat == won]
    # Of several snakes of the winner, the one that is alive has won.
    winners.sort(key=lambda snake: game.deaths[snake] is not None)
    return {
        "id": id_,
        "source": "arena",
        "over": True,
        "ruleset": rules.ruleset,
        "map": rules.map,
        "width": rules.width,
        "height": rules.height,
        "timeout_ms": max((entrant.limits.milliseconds or 0 for entrant in setup.entrants), default=0),
        "started_at": None,
        "ended_at": None,
        "settings": {
            "foodSpawnChance": rules.food_spawn_chance,
            "minimumFood": rules.minimum_food,
            "hazardDamagePerTurn": rules.hazard_damage,
            "royale": {"shrinkEveryNTurns": rules.shrink_every},
        },
        "snakes": list(_snakes(setup, game)),
        "result": {"winner": winners[0] if winners else None, "turns": turns[-1]["turn"]},
        "turns": turns,
    }


def _snakes(setup: Setup, game: Game) -> Iterator[Json]:
    for snake, (seat, looks) in enumerate(
        zip(game.seats, game.looks or [Looks()] * len(game.seats), strict=True)
    ):
        yield {
            "id": str(snake),
            "name": looks.name or setup.entrants[seat].name,
            "color": looks.color or side_colour(seat),
            "head": looks.head,
            "tail": looks.tail,
            "strategy": setup.entrants[seat].name,
        }


def _turns(setup: Setup, game: Game) -> Iterator[Json]:
    everyone = range(len(game.seats))
    for frame, position in enumerate(replayed(setup.rules, game)):
        living = {int(snake.id): snake for snake in position.snakes}
        recorded = {n for n, death in enumerate(game.deaths) if death is None or frame <= death.turn}
        if recorded != living.keys():
            raise ValueError(
                f"turn {frame}: the snakes {sorted(recorded)} live in the record, "
                f"but {sorted(living)} by the rules"
            )
        decisions: Sequence[Decision | None] = (
            game.turns[frame].decisions if frame < len(game.turns) else [None] * len(game.seats)
        )
        yield {
            "turn": game.start.turn + frame,
            "food": position.food,
            "hazards": hazards_on_board(position),
            "snakes": [
                {"body": living[snake].body, "health": living[snake].health} if snake in living else None
                for snake in everyone
            ],
            "deaths": [
                {"snake": snake, "cause": death.cause, "by": death.by}
                for snake, death in enumerate(game.deaths)
                if death is not None and death.turn + 1 == frame
            ],
            "decisions": [
                None if decision is None else _decision(setup, game, snake, decision)
                for snake, decision in zip(everyone, decisions, strict=True)
            ],
        }


def _decision(setup: Setup, game: Game, snake: int, decision: Decision) -> Json:
    entrant = setup.entrants[game.seats[snake]]
    budget = entrant.limits.milliseconds or 0
    return {
        "move": decision.move,
        "source": "search",
        "fault": decision.fault,
        "late": decision.fault == "late",
        "strategy": entrant.name,
        "depth": decision.depth or None,
        "nodes": decision.nodes or None,
        "evaluations": None,
        "score": decision.score,
        "outcome": None,
        "time_ms": decision.milliseconds,
        "budget_ms": budget,
        "left_ms": budget - decision.milliseconds,
        "stop": None,
        "moves": [],
        "pv": [[_WORDS.get(letter) for letter in turn] for turn in decision.pv],
    }
