"""A game as the console shows it, put together from records, with the causes of deaths."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import msgspec

from battlesnake_search.board import MOST_SNAKES, MOVES, Settings
from battlesnake_search.common.logs import get_logger
from battlesnake_search.contract.deaths import Cause
from console.store.records import (
    IMPORTED,
    RUNNING,
    Decided,
    Fallen,
    Header,
    Position,
    Record,
    RootMove,
    key_of,
)
from console.store.values import (
    Candidate,
    Cell,
    Death,
    Decision,
    Ending,
    Facts,
    Game,
    GameSnake,
    Placed,
    Result,
    Summary,
    Turn,
    shown_score,
)

log = get_logger(__name__)

LIVE = "live"

_WORDS = {"u": "up", "d": "down", "l": "left", "r": "right"}


def summary_of(header: Header, idle: float | None = None) -> Summary:
    """Return a game without its turns. `idle` are the seconds since its last request if it is not over."""
    facts = msgspec.structs.asdict(_facts(header, header.snakes, idle is not None))
    numbers = {snake.id: number for number, snake in enumerate(header.snakes)}
    deaths = [
        Death(numbers[fallen.snake], fallen.cause or None, numbers.get(fallen.by or ""), fallen.late)
        for fallen in header.deaths
        if fallen.snake in numbers
    ]
    return Summary(
        **facts, turns=header.turns, deaths=deaths, idle_s=None if idle is None else round(idle, 1)
    )


def _facts(header: Header, snakes: Sequence[GameSnake], is_live: bool) -> Facts:
    # The time of a game is missing in files of the official engine and on other servers.
    is_dated = header.source not in (IMPORTED, RUNNING)
    return Facts(
        id=header.id,
        source=LIVE if is_live else header.source,
        over=not is_live,
        ruleset=header.ruleset,
        map=header.map,
        width=header.width,
        height=header.height,
        timeout_ms=header.timeout_ms,
        started_at=header.seen_at if is_dated else None,
        ended_at=header.ended_at if is_dated else None,
        settings=header.settings,
        snakes=list(snakes),
        result=None if is_live else result_of(header),
    )


def result_of(header: Header) -> Result | None:
    """Return the result of a game; None if it is running, or if no end has reached the gateway."""
    if header.ended_at is None:
        return None
    ids = [snake.id for snake in header.snakes]
    return Result(ids.index(header.winner) if header.winner in ids else None, header.turns)


class Assembly:
    """The turns of a game. Records are added in the order of turns, and a position before its decisions."""

    def __init__(self, header: Header) -> None:
        self._header = header
        self._snakes = list(header.snakes)
        self._numbers = {snake.id: number for number, snake in enumerate(self._snakes)}
        self._rules = Rules.of(header)
        self._reported = {fallen.snake: fallen for fallen in header.deaths}
        self._turns: dict[int, Turn] = {}
        self._newest: Turn | None = None

    def number_of(self, snake: str) -> int | None:
        """Return the number of a snake in the game's lists. A new snake gets the next number.

        Return None if the game has the most snakes already.
        """
        if snake not in self._numbers:
            if len(self._snakes) >= MOST_SNAKES:
                return None
            self._numbers[snake] = len(self._snakes)
            self._snakes.append(GameSnake(snake, ""))
            for turn in self._turns.values():
                turn.snakes.append(None)
                turn.decisions.append(None)
        return self._numbers[snake]

    def add(self, record: Record) -> None:
        """Add a stored record of either kind. A record with impossible values may lose a part of its turn."""
        try:
            if isinstance(record, Position):
                self.add_position(record)
            else:
                self.add_decision(record)
        except (LookupError, ValueError, TypeError, AssertionError) as error:
            # For example a move of another name, or an empty body. The other turns can be shown.
            log.warning("turn damaged", game_id=self._header.id, turn=record.turn, reason=repr(error))

    def add_position(
        self,
        position: Position,
        corpses: Mapping[str, list[Cell]] = MappingProxyType({}),
        late: Collection[str] = (),
    ) -> Turn:
        """Add the board of a turn; return the turn.

        `corpses` are bodies of dead snakes at their deaths, by id, as the /end of a game has them. `late` are
        the ids of dead snakes whose last answer came too late.
        """
        numbered = [(self.number_of(snake), standing) for snake, standing in position.snakes.items()]
        placed = {number: standing for number, standing in numbered if number is not None}
        everyone = range(len(self._snakes))
        turn = Turn(
            position.turn,
            position.food,
            position.hazards,
            [Placed(*msgspec.structs.astuple(placed[each])) if each in placed else None for each in everyone],
            [],
            [None for _ in everyone],
        )
        before, self._newest = self._newest, turn
        self._turns[position.turn] = turn
        if before is not None and before.turn < turn.turn:
            self._mark_late(before, turn, {each: standing.latency for each, standing in placed.items()})
            dead = [each for each in everyone if before.snakes[each] and not turn.snakes[each]]
            turn.deaths = [self._death(before, turn, each, corpses, late) for each in dead]
            for death in turn.deaths:
                if death.late and (decision := before.decisions[death.snake]):
                    before.decisions[death.snake] = msgspec.structs.replace(decision, late=True)
        return turn

    def _death(
        self,
        before: Turn,
        turn: Turn,
        snake: int,
        corpses: Mapping[str, list[Cell]],
        late: Collection[str],
    ) -> Death:
        """Return a death by a report, or else by the boards and the snake's last body."""
        id_ = self._snakes[snake].id
        fallen = self._reported.get(id_)
        is_late = id_ in late or (fallen is not None and fallen.late)
        if fallen and fallen.cause:
            unseen = range(before.turn + 1, turn.turn)
            since = fallen.turn if fallen.turn is not None and fallen.turn in unseen else msgspec.UNSET
            return Death(snake, fallen.cause, self._numbers.get(fallen.by or ""), is_late, since)
        body = corpses.get(id_, [])
        if not body or body[1:2] != _living(before, snake).body[:1]:
            return msgspec.structs.replace(death(self._rules, before, turn, snake), late=is_late)
        # It died in the next turn, even if that turn was not seen.
        since = msgspec.UNSET
        if turn.turn > before.turn + 1:
            since = before.turn + 1
            turn = msgspec.structs.replace(turn, turn=since, snakes=[None for _ in turn.snakes])
        found = death(self._rules, before, turn, snake, body[0])
        return msgspec.structs.replace(found, late=is_late, turn=since)

    def fallen(self, death: Death) -> Fallen | None:
        """Return a death by the snakes' ids; None if nothing is known about it."""
        if death.cause is None and not death.late:
            return None
        by = None if death.by is None else self._snakes[death.by].id
        since = None if death.turn is msgspec.UNSET else death.turn
        return Fallen(self._snakes[death.snake].id, death.cause or "", by, death.late, since)

    def add_decision(self, decided: Decided) -> tuple[int | None, Decision]:
        """Add a decision; return the number of its snake (None for a stranger), and the decision."""
        number = self.number_of(decided.snake)
        decision = self._decision(decided)
        if number is not None and decided.turn in self._turns:
            self._turns[decided.turn].decisions[number] = decision
        return number, decision

    def _mark_late(self, before: Turn, turn: Turn, latencies: dict[int, float]) -> None:
        """Mark the decisions of a turn whose answers are late by the engine's report in the next turn."""
        late = [each for each, latency in latencies.items() if latency >= self._header.timeout_ms]
        for each in late if turn.turn == before.turn + 1 else ():
            if decision := before.decisions[each]:
                before.decisions[each] = msgspec.structs.replace(decision, late=True)

    def _decision(self, decided: Decided) -> Decision:
        best = decided.moves[0] if decided.moves else None
        outcome = _ending(best) if best and best.move == decided.move else None
        return Decision(
            move=decided.move,
            source=decided.source,
            late=decided.left < 0,
            strategy=decided.strategy,
            depth=decided.depth,
            nodes=decided.nodes,
            evaluations=decided.evaluations,
            score=None if decided.score is None else shown_score(decided.score, outcome),
            outcome=outcome,
            time_ms=decided.time,
            budget_ms=decided.budget,
            left_ms=decided.left,
            stop=decided.stop,
            # The contract does not mark a move as cut off, but a move that was cut off has an upper bound.
            moves=[_candidate(root, exact=root is best) for root in decided.moves],
            pv=self._pv(decided.pv),
        )

    def _pv(self, columns: dict[str, str]) -> list[list[str | None]]:
        numbered = [(self.number_of(snake), column) for snake, column in columns.items()]
        letters = {number: column for number, column in numbered if number is not None}
        return [
            [_WORDS.get(letters[each][ply]) if each in letters else None for each in range(len(self._snakes))]
            for ply in range(max(map(len, letters.values()), default=0))
        ]

    def at(self, turn: int) -> Turn | None:
        """Return a turn; None if it was not seen or was dropped."""
        return self._turns.get(turn)

    def forget_before(self, turn: int) -> None:
        """Drop all turns before this turn, for a game that is only watched."""
        for number in [number for number in self._turns if number < turn]:
            del self._turns[number]

    def game(self, is_live: bool) -> Game:
        """Return the whole game."""
        decided = {
            number for turn in self._turns.values() for number, one in enumerate(turn.decisions) if one
        }
        snakes = [
            msgspec.structs.replace(snake, ours=snake.ours or number in decided)
            for number, snake in enumerate(self._snakes)
        ]
        turns = [self._turns[number] for number in sorted(self._turns)]
        facts = _facts(self._header, snakes, is_live)
        return Game(**msgspec.structs.asdict(facts), turns=turns)


def whole(header: Header, records: Iterable[Record], is_live: bool = False) -> Game:
    """Return a game, from its records in any order."""
    assembly = Assembly(header)
    for record in sorted(records, key=key_of):
        assembly.add(record)
    return assembly.game(is_live)


def _candidate(root: RootMove, exact: bool) -> Candidate:
    outcome = _ending(root)
    return Candidate(root.move, shown_score(root.score, outcome), root.depth, outcome, exact)


def _ending(root: RootMove) -> Ending | None:
    return Ending(root.kind, root.turns) if root.kind else None


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a game that decide whether a snake survives."""

    width: int
    height: int
    wrapped: bool
    settings: Settings

    @classmethod
    def of(cls, game: Header | Game) -> "Rules":
        """Return the rules of a game."""
        return cls(game.width, game.height, game.ruleset.startswith("wrapped"), game.settings)

    def step(self, cell: Cell, move: str) -> Cell:
        """Return the cell to which a move leads; without wrapping it may be off the board."""
        x, y = cell[0] + MOVES[move][0], cell[1] + MOVES[move][1]
        return (x % self.width, y % self.height) if self.wrapped else (x, y)

    def straight_on(self, body: Sequence[Cell]) -> str:
        """Return the move that the engine plays after a late answer: straight on, and up at the start."""
        ways = (move for move in MOVES if len(body) > 1 and self.step(body[1], move) == body[0])
        return next(ways, "up")

    def made(self, decision: Decision, body: Sequence[Cell]) -> str:
        """Return the move that the engine made with a body after our decision."""
        return self.straight_on(body) if decision.late else decision.move


_Fate = tuple[Cause, int | None]
"""A cause and, if a snake is to blame, its number."""


def death(rules: Rules, before: Turn, after: Turn, snake: int, head: Cell | None = None) -> Death:
    """Return the death of a snake that is on the board before and missing on the board after.

    An engine reports the survivors, but no causes of deaths and no moves of opponents. So every possible
    move of the snake is tried, and a cause counts only if no other cause is possible. After a late answer
    the engine has moved the snake straight on. `head` is the cell to which the snake moved; None if the cell
    is unknown.
    """
    if after.turn != before.turn + 1:
        return Death(snake)
    decision = before.decisions[snake]
    placed = _living(before, snake)

    def fates_by(cells: Iterable[Cell]) -> set[_Fate]:
        return {fate for cell in cells for fate in _fates(rules, before, after, snake, cell)}

    likely = [rules.made(decision, placed.body)] if decision else []
    moves = list(MOVES) if decision is None or decision.late else likely
    cells = [head] if head else [rules.step(placed.body[0], move) for move in moves if placed.body]
    first = [] if head else [rules.step(placed.body[0], move) for move in likely if placed.body]
    # Consider a turn back into the neck only if no other move explains the death.
    plausible = [cell for cell in cells if cell not in placed.body[1:2]]
    fates = fates_by(first) or fates_by(plausible) or fates_by(cells)
    causes, culprits = {cause for cause, _ in fates}, {by for _, by in fates}
    if len(causes) != 1:
        return Death(snake)
    return Death(snake, causes.pop(), culprits.pop() if len(culprits) == 1 else None)


def _fates(rules: Rules, before: Turn, after: Turn, snake: int, cell: Cell) -> Iterator[_Fate]:
    """Yield the possible causes of the snake's death by a move to a cell; empty for an impossible move."""
    placed = _living(before, snake)
    # The causes come in the order in which the engine checks them.
    if (hunger := _hunger(rules, before, placed, cell)) is not None:
        yield hunger, None
    elif not (0 <= cell[0] < rules.width and 0 <= cell[1] < rules.height):
        yield Cause.WALL, None
    elif cell in placed.body[:-1]:
        yield Cause.SELF, snake
    else:
        yield from _collisions(rules, before, after, snake, cell)


def _hunger(rules: Rules, before: Turn, placed: Placed, cell: Cell) -> Cause | None:
    """Return the cause if the snake has no health left on a cell."""
    if cell in before.food:
        return None
    layers = before.hazards.count(cell)
    if layers and placed.health <= 1 + layers * rules.settings.hazard_damage_per_turn:
        return Cause.HAZARD
    return Cause.HUNGER if placed.health <= 1 else None


def _collisions(rules: Rules, before: Turn, after: Turn, snake: int, cell: Cell) -> Iterator[_Fate]:
    others = [(number, each) for number, each in enumerate(before.snakes) if each and number != snake]
    hit = [number for number, each in others if cell in each.body[:-1]]
    if hit:
        # The engine blames the longest snake.
        yield Cause.BODY, max(hit, key=lambda number: len(_living(before, number).body))
        return
    for number, other in others:
        if len(other.body) >= len(_living(before, snake).body) and _may_reach(
            rules, after, number, other, cell
        ):
            yield Cause.HEAD, number


def _may_reach(rules: Rules, after: Turn, number: int, before: Placed, cell: Cell) -> bool:
    """Return whether another snake's head moved to a cell, or may have moved there and died."""
    survivor = after.snakes[number]
    if survivor is not None:
        return survivor.body[:1] == [cell]
    return any(rules.step(before.body[0], move) == cell for move in MOVES)


def _living(turn: Turn, snake: int) -> Placed:
    placed = turn.snakes[snake]
    assert placed is not None
    return placed
