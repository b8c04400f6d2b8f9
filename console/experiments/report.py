"""The report on the experiments: the counts of every arm, and the comparison of the arms."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter

from battlesnake_search.common.cli import counted
from battlesnake_search.common.estimation import Estimate, percent
from battlesnake_search.common.types import Json
from battlesnake_search.record.outcome import ShadowRecord, StrategyRecord
from console.experiments.comparison import (
    AllSeries,
    ArmComparison,
    compare_all,
    control_of,
    last_change,
)
from console.experiments.games import (
    SCORES,
    SHADOW_MEANS,
    Game,
    Series,
    Sources,
    mean_of,
    read_games,
    read_running,
    sources_of,
    split,
)
from console.experiments.statistics import SampleRatio, Spread, sample_ratio, share, spread
from console.store.records import Header
from console.store.store import Store

_COMMAND_TIMEOUT = 30.0
"""Seconds after which a server counts as lost. The whole table of outcomes is read."""


@dataclass(frozen=True, kw_only=True)
class SeriesReport:
    """The results of a series. `games` counts the games whose arm was drawn, if seen from turn 0 to the end.

    `score` is from 0 to 1; `unknown` counts games without opponents or without a known result.
    """

    strategies: list[str]
    """The strategies in the routes; an empty text is the searcher's default."""
    games: int
    wins: int
    draws: int
    losses: int
    unknown: int
    score: float | None
    searched: dict[str, StrategyRecord]
    """The strategies that found moves, by name."""
    since: datetime | None
    """The end of the first game of the series; None without games."""
    until: datetime | None
    """The end of the last game of the series; None without games."""


@dataclass(frozen=True, slots=True)
class ShadowSummary:
    """A shadow compared with an arm, over the positions for which both found a move.

    `agreement` is the share of positions in which both found the same move. Depths are in turns, scores from
    -1 (lost) to 1 (won). The values of the arm are `played_...`. A value is None if it is not recorded.
    """

    name: str
    strategies: list[str]
    games: int
    positions: int
    agreement: float
    mean_depth: float | None
    mean_score: float | None
    played_mean_depth: float | None
    played_mean_score: float | None


@dataclass(frozen=True, kw_only=True)
class ArmReport(SeriesReport):
    """The results of an arm in its newest series; `earlier` series are oldest first.

    The arm's other games are only counted, by reason. In a `not_drawn` game, a request named the arm, the
    arm changed, or another strategy played while the arm's code was compiled. `test_games` only checked or
    measured the snake. `unfinished` games were drawn and have no end. In `not_seen` games, the gateways saw
    the end, but missed the first turn or most of the moves. Most moves of `not_searched` games were reflexes.
    Shadows are compared in all games of the newest series.
    """

    name: str
    not_drawn: int
    test_games: int
    not_seen: int
    unfinished: int
    not_searched: int
    searched_share: float | None
    """The share of the moves that searches found, in the newest 30 games that are complete but for moves by a
    stand-in."""
    sources: Sources
    """The sources of the moves, in the games of the newest series that know them."""
    warning: str
    """A sentence if so few moves were searched that the arm is not judged, else empty."""
    win_share: Estimate | None
    depth: Spread | None
    """The completed turns of a move's search."""
    latency_ms: Spread | None
    """The latency of an answer in milliseconds, as the engine reported it."""
    moves: int
    """The number of answered moves in the games of the newest series."""
    late: int
    """The number of moves that the engine reported as late."""
    late_deaths: int
    """The number of games in which the snake died because of a late answer."""
    shadows: list[ShadowSummary]
    earlier: list[SeriesReport]


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment and its arms, sorted by name.

    The other drawn arms are compared with the `control`. It is None if it is unknown. With two drawn arms,
    `comparison` is the only item of `comparisons`.
    """

    name: str
    arms: list[ArmReport]
    comparison: ArmComparison | None
    comparisons: list[ArmComparison]
    control: str | None
    sample_ratio: SampleRatio | None
    """The check of the draw since the last change of an arm; None for a single arm, or for unknown shares."""


async def report(url: str, now: datetime | None = None) -> list[Experiment]:
    """Return every experiment with an outcome in the database at this URL.

    `now` (default: the present) ends the period of the rate of games. Raises FileNotFoundError if the file is
    missing, and the errors of `Store`.
    """
    now = now or datetime.now(UTC)
    async with Store(url, command_timeout=_COMMAND_TIMEOUT) as store:
        await store.prepare(creates=False)
        # A game that ends in between is then known as running or as ended.
        running = await read_running(store, now)
        return experiments_of(await read_games(store), running, now)


def experiments_of(games: Sequence[Game], running: Sequence[Header], now: datetime) -> list[Experiment]:
    """Return every experiment with a game. `games` are ordered by their experiments."""
    ended = {game.game_id for game in games if game.ended}
    going_on = [(one.seen_at, snake) for one in running if one.id not in ended for snake in one.snakes]
    experiments = []
    for name, its_games in groupby(games, attrgetter("experiment")):
        oldest = min(
            (seen_at for seen_at, snake in going_on if snake.ours and snake.experiment == name), default=None
        )
        ordered = sorted(its_games, key=attrgetter("place_in_time"))
        experiments.append(_experiment(name, ordered, now, oldest))
    return experiments


def _experiment(
    name: str, games: Sequence[Game], now: datetime, oldest_running: datetime | None
) -> Experiment:
    by_arm: dict[str, list[Game]] = defaultdict(list)
    for game in games:
        by_arm[game.arm].append(game)
    real = [game for game in games if game.kind != "test"]
    waiting = real[-1].shares or {} if real else {}
    by_arm |= {arm: [] for arm in waiting if arm not in by_arm}
    series = {arm: split(game for game in its if game.kind != "test") for arm, its in by_arm.items()}
    drawn = {
        arm: its for arm, its in series.items() if its and any(game.is_complete for game in its[-1].games)
    }
    control = control_of(real, drawn)
    comparisons = compare_all(drawn, control, now, oldest_running)
    return Experiment(
        name=name,
        arms=[_arm(arm, its, series[arm]) for arm, its in sorted(by_arm.items())],
        comparison=comparisons[0] if len(comparisons) == 1 else None,
        comparisons=comparisons,
        control=control,
        sample_ratio=_sample_ratio(real, drawn),
    )


def _arm(name: str, games: Sequence[Game], series: Sequence[Series]) -> ArmReport:
    newest = series[-1] if series else Series(None)
    counts, kinds = _counts(newest), Counter(game.kind for game in games)
    return ArmReport(
        **counts,
        name=name,
        not_drawn=kinds["not_drawn"],
        test_games=kinds["test"],
        not_seen=kinds["not_seen"],
        unfinished=kinds["unfinished"],
        not_searched=kinds["not_searched"],
        searched_share=newest.searched_share,
        sources=sources_of(newest.games),
        warning=_warning(name, newest),
        win_share=share(counts["wins"], counts["games"] - counts["unknown"]),
        depth=spread((game.mean_depth, game.moves) for game in newest.games),
        latency_ms=spread((game.mean_latency_ms, game.moves) for game in newest.games),
        moves=sum(game.moves for game in newest.games),
        late=sum(game.timeouts or 0 for game in newest.games),
        late_deaths=sum(bool(game.died_late) for game in newest.games),
        shadows=summaries(game.shadows for game in newest.games),
        earlier=[SeriesReport(**_counts(one)) for one in series[:-1]],
    )


def _warning(arm: str, series: Series) -> str:
    """Return the warning that too few moves of an arm were searched, and why; empty if enough were."""
    share = series.searched_share
    if series.is_searched or share is None:
        return ""
    newest = series.newest
    moves, found = sum(game.moves for game in newest), sources_of(newest)
    lost = moves - sum(game.own_searches or 0 for game in newest)
    if found.stand_in * 2 > lost:
        why = f": for {found.stand_in:,}, another strategy stood in while the searcher compiled."
    elif found.failed_calls * 2 > lost:
        why = (
            f": for {found.failed_calls:,}, a call of its searcher failed. Is its searcher reachable, and "
            "does it know the strategy?"
        )
    else:
        why = ". Is its searcher reachable, and can it search within the timeout?"
    return (
        f"WARNING: {percent(1 - share)} of {moves:,} moves of arm {arm} were not searched, in its last "
        f"{counted(len(newest), 'game')}{why} Do not judge the arm by its results."
    )


def _counts(series: Series) -> Json:
    """Return the fields of a SeriesReport."""
    results = [game.result for game in series.games if game.kind == "counts"]
    wins, draws, losses = (results.count(result) for result in SCORES)
    known = wins + draws + losses
    return {
        "strategies": sorted({game.strategy for game in series.games}),
        "games": len(results),
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "unknown": len(results) - known,
        "score": (wins + draws / 2) / known if known else None,
        "searched": series.searched,
        "since": min((game.ended_at for game in series.games), default=None),
        "until": max((game.ended_at for game in series.games), default=None),
    }


def _sample_ratio(games: Iterable[Game], series: AllSeries) -> SampleRatio | None:
    """Return the check of the draw since the last change of an arm; None if the shares are unknown."""
    since = last_change(series.values())
    drawn = [
        (game.arm, game.shares)
        for game in games
        if game.is_complete
        and game.shares
        and len(game.shares) > 1
        and (since is None or game.place_in_time >= since)
    ]
    return sample_ratio(drawn) if drawn else None


def summaries(games: Iterable[Mapping[str, ShadowRecord]]) -> list[ShadowSummary]:
    """Return the summary of each shadow of an arm, sorted by name. Each game has its shadows by name."""
    by_name: dict[str, list[ShadowRecord]] = defaultdict(list)
    for game in games:
        for name, recorded in game.items():
            by_name[name].append(recorded)
    return [_summary(name, its_games) for name, its_games in sorted(by_name.items())]


def _summary(name: str, games: Sequence[ShadowRecord]) -> ShadowSummary:
    positions = sum(game.compared for game in games)
    # All means are over the same positions.
    complete = [game for game in games if game.mean_score is not None]
    return ShadowSummary(
        name=name,
        strategies=sorted({game.strategy for game in games}),
        games=len(games),
        positions=positions,
        agreement=sum(game.agreed for game in games) / positions,
        **{mean: mean_of(complete, mean, "compared") for mean in SHADOW_MEANS},
    )
