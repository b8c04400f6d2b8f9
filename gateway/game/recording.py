"""The events of games as the console takes them."""

from battlesnake_search.record import events as recorded
from gateway.game.events import Answered, Ended, Event, Mended, Probed, Started
from gateway.routes.draw import Choice


def recorded_event(event: Event) -> recorded.Event | None:
    """Return an event for the console; None for an event that is not recorded."""
    match event:
        case Started():
            return recorded.Started(event.turn, _arm(event.choice))
        case Answered():
            return recorded.Answered(event.turn, _arm(event.choice), _played(event))
        case Ended():
            return recorded.Ended(event.turn, _arm(event.choice), event.outcome)
        case Probed():
            return recorded.Probed(event.turn.game.id)
        case Mended():
            return None
        case _:
            return event


def _arm(choice: Choice) -> recorded.PlayedArm:
    return recorded.PlayedArm(choice.snake.experiment_name, choice.arm.name, choice.arm.strategy or "")


def _played(event: Answered) -> recorded.PlayedMove:
    answer = event.answer
    found = answer.result.strategy if answer.result else None
    return recorded.PlayedMove(
        move=answer.move,
        source=answer.source.value,
        strategy=found.name if found else event.choice.arm.plan(event.turn).strategy,
        elapsed=answer.elapsed,
        budget=answer.budget,
        left=answer.left,
        result=answer.result,
    )


def is_kept(event: recorded.Event) -> bool:
    """Return whether an event is kept before moves if there is too little space."""
    return not isinstance(event, recorded.Answered)
