"""Sample events and a sample status, and their way."""

from datetime import UTC, datetime

from battlesnake_search.contract import record_pb2, search_pb2
from battlesnake_search.reader import decode as read_body
from battlesnake_search.record import events, wire
from battlesnake_search.record.events import Answered, PlayedArm, PlayedMove, Source
from battlesnake_search.record.outcome import Outcome, ShadowRecord, StrategyRecord
from battlesnake_search.record.status import (
    ArmStatus,
    ExperimentStatus,
    MovesStatus,
    ReadinessStatus,
    SearcherStatus,
    SnakeStatus,
    Status,
)
from battlesnake_search.translate import move_result
from tests.battlesnake_search.samples import TEXT

TURN = read_body(TEXT.encode())
ARM = PlayedArm("default", "area", "paranoid/area")
OUTCOME = Outcome(
    game_id="game",
    snake_id="snake",
    snake="me",
    experiment="default",
    arm="area",
    strategy="paranoid/area",
    drawn=True,
    ruleset="standard",
    map="standard",
    width=11,
    height=11,
    timeout_ms=500,
    opponents=["you"],
    result="win",
    place=1,
    turns=100,
    moves=100,
    timeouts=0,
    mean_depth=7.5,
    seen_from=0,
    shadows={"next": ShadowRecord("paranoid/length", 90, 70, 6.5, 0.25, 7.5, 0.125)},
    ended_at=datetime(2026, 1, 2, 3, 4, 5, 600, UTC),
    control="default",
    shares={"default": 1.0},
    setup="of the routes",
    moves_searched=98,
    moves_best_so_far=3,
    moves_stand_in=0,
    moves_failed=2,
    died_late=False,
    searched={"paranoid/area": StrategyRecord({"food": 0.5}, "digest"), "auto": StrategyRecord({}, "rules")},
)
NOW = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
STATUS = Status(
    readiness=ReadinessStatus(True, warnings=["a fault"], compiling=["half"]),
    snakes=[SnakeStatus("/", "me", "#2f6f4e", "smart-caterpillar", "weight", ["paranoid/area"], True)],
    searchers=[SearcherStatus("dns:///searcher:50051", "", "auto of 12ab"), SearcherStatus("b", "down", "")],
    experiments=[ExperimentStatus("area", [ArmStatus("one", "", 0.25), ArmStatus("two", "auto", 0.75)])],
    moves=MovesStatus(NOW, 10, 1, 2, 3, 401.5, 450.0, None),
    started_at=NOW,
    probes=4,
)


def found(depth: int = 6) -> search_pb2.SearchResult:
    """Return the message of a search that expects moves of the sample's snakes for as many turns."""
    result = search_pb2.SearchResult(
        move=search_pb2.DIRECTION_LEFT,
        score=-0.25,
        depth=depth,
        nodes=2**63,
        stop_reason=search_pb2.STOP_REASON_DEADLINE,
        root_moves=[search_pb2.RootMove(move=search_pb2.DIRECTION_LEFT, score=-0.25, depth=depth)],
        strategy=search_pb2.Strategy(search="paranoid", evaluator="area", weights={"food": 0.5}),
        code_digest="code",
        choice_digest="rules",
    )
    result.elapsed.FromMilliseconds(401)
    for _ in range(depth):
        result.principal_variation.add(moves={snake.id: 1 for snake in TURN.board.snakes})
    return result


def answered(result: search_pb2.SearchResult | None = None) -> Answered:
    """Return an answered move with that result, or a reflex."""
    source = Source.SEARCH if result else Source.REFLEX
    return Answered(
        TURN, ARM, PlayedMove("left", source, "paranoid/area", 0.41, 0.45, -0.01, move_result(result))
    )


EVENTS: tuple[events.Event, ...] = (
    events.Started(TURN, ARM),
    answered(found()),
    answered(),
    events.Ended(TURN, ARM, OUTCOME),
    events.Probed("game"),
    events.BrokenOff("game", "game~1", OUTCOME),
    events.Abandoned("game", OUTCOME),
    events.Abandoned("game", None),
    events.Probed(""),
    events.Abandoned("", None),
)


def sent(event: events.Event, number: int = 1) -> record_pb2.Event:
    """Return an event as it arrives."""
    (message,) = record_pb2.RecordRequest.FromString(wire.encode(event, number)).events
    return message


def arrived(event: events.Event) -> events.Event:
    """Return an event after its way."""
    return wire.decode(sent(event))
