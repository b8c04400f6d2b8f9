// A game as data: its turns by number, what is on the board of each, and what was decided there. It knows no rules
// but where the edges lead.

export const STEPS = { __proto__: null, up: [0, 1], down: [0, -1], left: [-1, 0], right: [1, 0] };

const HUGE = 10_000;

/** A game of any age. Turns and decisions of a live game are added one by one; turns may be missing. */
export class Game {
  constructor(data) {
    this.data = data;
    this.over = data.over;
    this.result = data.result;
    this.turns = new Map();
    this.numbers = [];
    this.deaths = data.snakes.map(() => null);
    data.turns.forEach((turn) => this.addTurn(turn));
  }

  get snakes() {
    return this.data.snakes;
  }

  get first() {
    return this.numbers[0] ?? 0;
  }

  get last() {
    return this.numbers[this.numbers.length - 1] ?? 0;
  }

  /** Adds a turn, or replaces it and keeps the decisions that the new one lacks. */
  addTurn(turn) {
    const former = this.turns.get(turn.turn);
    const decisions = this.snakes.map((_, snake) => turn.decisions?.[snake] ?? former?.decisions[snake] ?? null);
    this.turns.set(turn.turn, { ...turn, decisions });
    if (!former) {
      const after = this.numbers.findIndex((number) => number > turn.turn);
      this.numbers.splice(after < 0 ? this.numbers.length : after, 0, turn.turn);
    }
    for (const death of turn.deaths ?? []) {
      this.deaths[death.snake] = { ...death, turn: turn.turn, since: death.turn ?? turn.turn };
    }
  }

  /** Adds a decision to its turn; one of a turn that was not seen is dropped. */
  addDecision(number, snake, decision) {
    const turn = this.turns.get(number);
    if (turn) {
      turn.decisions[snake] = decision;
    }
  }

  /** Whether turns may still come. A position of an analysis has none to come. */
  get live() {
    return !this.over && this.data.source !== "analysis";
  }

  /** The game up to a turn, as a line that may go on in another way. */
  fork(number, facts) {
    const turns = this.numbers.filter((each) => each <= number).map((each) => this.at(each));
    const bare = turns.map((turn) => (turn.turn === number ? { ...turn, decisions: [] } : turn));
    return new Game({ ...this.data, ...facts, source: "analysis", over: false, result: null, turns: bare });
  }

  /** The move that a snake made in a turn, by the next board, or by its decision if it died; null if it is not known. */
  made(snake, number) {
    const [from, to] = [this.snake(snake, number)?.body[0], this.snake(snake, number + 1)?.body[0]];
    const step = from && to && Object.keys(STEPS).find((move) => String(this.neighbour(from, move)) === String(to));
    const { move, late } = this.decision(snake, number) ?? {};
    return from ? (step ?? (late ? null : (move ?? null))) : null;
  }

  /** The move that a snake's search expected of another snake in a turn, else null. */
  expected(snake, other, number) {
    return this.decision(snake, number)?.pv?.[0]?.[other] ?? null;
  }

  /** {right, all}: how many of a snake's moves another snake's search has foreseen, in all turns in which both are known. */
  foreseen(snake, other) {
    const pairs = this.numbers.map((number) => [this.expected(snake, other, number), this.made(other, number)]);
    const known = pairs.filter(([expected, made]) => expected && made);
    return { right: known.filter(([expected, made]) => expected === made).length, all: known.length };
  }

  /** Ends a live game. */
  end(result) {
    this.over = true;
    this.result = result ?? this.result;
  }

  /** The newest turn that is not after a number, else the first. */
  nearest(number) {
    const found = this.numbers.filter((each) => each <= number);
    return found[found.length - 1] ?? this.first;
  }

  /** The turn some steps from another, counting those that were seen. */
  beside(number, steps) {
    const index = this.numbers.indexOf(number) + steps;
    return this.numbers[Math.min(Math.max(index, 0), this.numbers.length - 1)] ?? number;
  }

  at(number) {
    return this.turns.get(number);
  }

  /** The body and health of a living snake, else null. */
  snake(snake, number) {
    return this.at(number)?.snakes[snake] ?? null;
  }

  living(number) {
    return [...this.snakes.keys()].filter((snake) => this.snake(snake, number));
  }

  /** [[x, y], layers] of each cell with hazards. */
  hazards(number) {
    const layers = new Map();
    for (const cell of this.at(number)?.hazards ?? []) {
      const key = cell.join();
      layers.set(key, [cell, (layers.get(key)?.[1] ?? 0) + 1]);
    }
    return [...layers.values()];
  }

  decision(snake, number) {
    return this.at(number)?.decisions[snake] ?? null;
  }

  /**
   * {decision, age}: what is known of a snake's thoughts in a turn. The newest turn of a live game is still being thought
   * about, so that the decision of the turn before is shown; `age` is 1 then, else 0.
   */
  newest(snake, number) {
    const decision = this.decision(snake, number);
    const thinking = !decision && this.live && number === this.last && this.snake(snake, number) !== null;
    return thinking ? { decision: this.decision(snake, number - 1), age: 1 } : { decision, age: 0 };
  }

  /** [turn, decision] of each decision of a snake. */
  decisions(snake) {
    return this.numbers.map((number) => [number, this.decision(snake, number)]).filter(([, found]) => found);
  }

  decides(snake) {
    return this.numbers.some((number) => this.decision(snake, number));
  }

  reportsPv(snake) {
    return this.numbers.some((number) => this.decision(snake, number)?.pv?.length);
  }

  /** The death of a snake, if it is dead in a turn. */
  death(snake, number) {
    const death = this.deaths[snake];
    return death && death.turn <= number ? death : null;
  }

  /** The last body of a snake before its death, and the cell that its head moved to, as far as that is known. */
  lastSeen(snake) {
    const { turn, late } = this.deaths[snake];
    const number = this.numbers.filter((each) => each < turn && this.snake(snake, each)).pop();
    const seen = number === undefined ? null : this.snake(snake, number);
    const move = late ? this.straightOn(seen?.body ?? []) : this.decision(snake, number)?.move;
    return seen && { body: seen.body, at: move ? this.neighbour(seen.body[0], move) : seen.body[0] };
  }

  /** The move that the engine plays instead of a late answer: straight on, and up at the start. */
  straightOn([head, neck]) {
    return Object.keys(STEPS).find((move) => neck && String(this.neighbour(neck, move)) === String(head)) ?? "up";
  }

  /** The cell next to another, across the edge if the board has none; an unknown move stays on the cell. */
  neighbour([x, y], move) {
    const { width, height } = this.data;
    const [right, up] = STEPS[move] ?? [0, 0];
    const next = [x + right, y + up];
    return this.wrapped ? [(next[0] + width) % width, (next[1] + height) % height] : next;
  }

  get wrapped() {
    return this.data.ruleset.startsWith("wrapped");
  }

  /** Whether the board has too many cells to look at each of them. A stranger may name any size. */
  get isHuge() {
    return this.data.width * this.data.height > HUGE;
  }

  has([x, y]) {
    return x >= 0 && y >= 0 && x < this.data.width && y < this.data.height;
  }

  /** The moves of each snake in a principal variation, until it dies. */
  movesByPv(pv) {
    return this.snakes.map((_, snake) => {
      const end = pv.findIndex((moves) => !moves[snake]);
      return (end < 0 ? pv : pv.slice(0, end)).map((moves) => moves[snake]);
    });
  }

  /** The cells that a head reaches by these moves. The path ends at the board's edge. */
  path(snake, number, moves) {
    const cells = [this.snake(snake, number).body[0]];
    for (const move of moves) {
      const next = this.neighbour(cells[cells.length - 1], move);
      if (!this.has(next)) {
        break;
      }
      cells.push(next);
    }
    return cells;
  }
}
