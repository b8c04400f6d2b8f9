"""The texts of the gateway's log for people: the events of games, in aligned columns."""

from collections.abc import Mapping

from battlesnake_search.common.cli import counted
from battlesnake_search.common.logs import EventDict, Layout, cut

_NAME = 13
"""Characters of a snake's name."""

_FOUND = 16
"""Characters of a search result: score, depth and nodes."""


def _move(event: EventDict) -> str:
    """Return, for example, "hydra -> right  +0.21  d12  1.2M  43 ms left  (balanced)"."""
    found = _result(event["score"], event["depth"], event["nodes"]) if "score" in event else event["source"]
    return f"{_name(event)} -> {event['move']:<5}  {found:<{_FOUND}}{_time(event):>13}{_notes(event)}"


def _name(event: EventDict) -> str:
    return f"{cut(event['snake'], _NAME):<{_NAME}}"


def _result(score: float, depth: int, nodes: int | None = None) -> str:
    depth_and_nodes = f"d{depth}" if nodes is None else f"d{depth:<3} {_short(nodes):>4}"
    return f"{score:+z.2f}  {depth_and_nodes}"


def _short(number: int) -> str:
    """Return a number in at most four digits, like 834k or 1.2M."""
    if number < 1000:
        return str(number)
    power = 2 if number >= 999_500 else 1
    value = number / 1000**power
    return f"{value:.{1 if value < 9.95 else 0}f}{' kM'[power]}"


def _time(event: EventDict) -> str:
    left = event["time_left_ms"]
    return f"{left:.0f} ms left" if left >= 0 else f"{-left:.0f} ms late"


def _notes(event: EventDict) -> str:
    """Return notes about the unusual: an unfinished search, an only move, one of several arms, a failure."""
    unfinished = "score" in event and event["source"] != "search"
    only = "forced" if "forced" in event else ""
    notes = (event["source"] if unfinished else "", only, _arm(event), _failure(event))
    return f"  {' '.join(filter(None, notes))}"


def _arm(event: EventDict) -> str:
    return f"({event['arm']})" if event["arms"] > 1 else ""


def _failure(event: EventDict) -> str:
    """Return the reasons of failed calls: in full for a warning, the codes alone for later moves."""
    if "last_failure" not in event:
        return "" if "score" in event else "no searcher answered in time"
    calls, reason = event["failed_calls"], event["last_failure"]
    if event["level"] == "info":
        reason = reason.partition(":")[0]
    return f"{calls} failed calls, {reason}" if calls > 1 else reason


def _late_answer(event: EventDict) -> str:
    times = f": {event['latency_ms']:.0f} of {event['timeout_ms']} ms" if event["latency_ms"] else ""
    return f"{_name(event)} the engine received this turn's answer too late{times}"


def _game_started(event: EventDict) -> str:
    board = f" on {event['map']}" if event["map"] not in ("", "standard") else ""
    snakes = counted(event["snakes"], "snake")
    text = f"game started: {event['ruleset']}{board}, {snakes}, {event['timeout_ms']} ms"
    return f"{_name(event)} {text}  {_arm(event)}"


def _game_ended(event: EventDict) -> str:
    place = f", place {event['place']}" if event["place"] else ""
    left = f"{counted(event['snakes_left'], 'snake')} left"
    return f"{_name(event)} game ended: {event['result'] or 'no result'}{place}, {left}  {_arm(event)}"


def _shadow(event: EventDict) -> str:
    """Return, for example, "~ next -> left  +0.20  d11  instead of right"."""
    name = f"{cut('~ ' + event['shadow'], _NAME):<{_NAME}}"
    if "shadow_move" not in event:
        return f"{name} found no move"
    score_and_depth = _result(event["shadow_score"], event["shadow_depth"])
    others = {
        "yes": "the same",
        "no": f"instead of {event.get('played_move')}",
        "unknown": "none to compare with",
    }
    return f"{name} -> {event['shadow_move']:<5}  {score_and_depth:<{_FOUND}} {others[event['agreement']]}"


LAYOUTS: Mapping[str, Layout] = {
    "move": _move,
    "late answer": _late_answer,
    "shadow": _shadow,
    "game started": _game_started,
    "game ended": _game_ended,
}
"""The texts of events, by the event's name."""
