"""A game as it is watched: its newest turn, and the newest decision of each snake."""

from gateway.commands.watching.client import Event, Json


class WatchedGame:
    """The game in a JSON object of the console, which grows by events."""

    def __init__(self, game: Json) -> None:
        self.game = game
        self.over: bool = game["over"]
        self.result: Json | None = game["result"]
        self.turn: Json | None = None
        self.decisions: list[Json | None] = [None for _ in game["snakes"]]
        self.deaths: list[Json | None] = [None for _ in game["snakes"]]
        for turn in game["turns"]:
            self._add_turn(turn)

    def add(self, event: Event) -> None:
        """Add an event."""
        if event.name == "turn":
            self._add_turn(event.data)
        elif event.name == "decision":
            self.decisions[event.data["snake"]] = event.data["decision"]
        elif event.name == "end":
            self.over, self.result = True, event.data.get("result", self.result)

    def _add_turn(self, turn: Json) -> None:
        self.turn = turn
        for snake, decision in enumerate(turn.get("decisions") or ()):
            self.decisions[snake] = decision or self.decisions[snake]
        for death in turn.get("deaths") or ():
            self.deaths[death["snake"]] = death | {"turn": turn["turn"]}
