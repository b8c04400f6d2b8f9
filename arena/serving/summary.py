"""The summary of a followed match, as the console's page reads it."""

from datetime import UTC, datetime
from typing import Any

from arena.matches.scoring import is_duel
from arena.matches.standing import Standing
from arena.report import findings
from arena.report.history import checkpoints, llr_history
from arena.report.listing import match_entry
from arena.report.wording import title_text
from arena.serving.followed import FollowedMatch
from arena.statistics.tally import PAIRS

_MOST_RATED = 2000
"""The most games whose ranking is computed each time; ratings take longer than everything else."""


def listed(match: FollowedMatch, name: str) -> dict[str, Any]:
    """Return a match as the list of a folder has it."""
    standing = match.standing
    return {
        "name": name,
        "title": title_text(match.setup),
        "state": match.state,
        "changed_at": datetime.fromtimestamp(match.changed_at, UTC),
        "blocks": standing.blocks,
        "planned_blocks": match.setup.blocks,
        "games": standing.games,
    }


def summary(match: FollowedMatch, name: str) -> dict[str, Any]:
    """Return everything about a match that its page shows, except for the replays."""
    standing, test = match.standing, match.setup.test
    results = [findings.summary(standing, test)] if standing.points else []
    if standing.points and standing.games <= _MOST_RATED:
        results += filter(None, [findings.ranking(standing)])
    return listed(match, name) | {
        "conclusion": findings.conclusion(standing, test),
        "tables": [*results, findings.entrants(match.setup), findings.faults(standing)],
        "pairs": _pairs(standing),
        "sprt": _sprt(standing),
        "picker": match_entry(match.setup) | {"games": match.games},
    }


def _pairs(standing: Standing) -> list[dict[str, Any]] | None:
    """Return the counts of pairs by result, from two losses to two wins; None unless the match is a duel."""
    if not is_duel(standing.setup) or not standing.points:
        return None
    return [{"name": name, "count": count} for name, count in zip(PAIRS, standing.tally.counts, strict=True)]


def _sprt(standing: Standing) -> dict[str, Any] | None:
    """Return the sequential test with its log-likelihood ratio over blocks; None without a test."""
    test = standing.setup.test
    if test is None or not standing.points:
        return None
    history = zip(checkpoints(len(standing.points)), llr_history(standing, test), strict=True)
    return {
        "elo0": test.elo0,
        "elo1": test.elo1,
        "model": test.model,
        "lower": test.lower,
        "upper": test.upper,
        "llr": test.log_likelihood_ratio(standing.tally),
        "decision": test.decision(standing.tally),
        "history": [(0, 0.0), *history],
    }
